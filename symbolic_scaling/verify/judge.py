"""Claim in, verdict out: the dispatch over the kinds of statements, and the budget around each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from pathlib import Path

import sympy as sp

from .. import budget as clock
from ..derive.obligations import obligations
from ..domain import Domain
from ..errors import BudgetExhausted, ClaimError, InternalError, ScalingError, Undecided
from ..notation import declare, noted
from ..notation.names import Meaning
from ..records import Asymptotic, Claim, Derivation, Equal, Exists, Less, Number, Proportional, Status, Tends, Verdict
from . import asymptotic, equal, exists, inequality, limit, number, proportional, second
from .entry import claim_of
from .finding import Finding
from .kinds import stated
from .meaning import judged_where_it_means
from .read import read_claims
from .repair import repair
from .support import attempt

__all__ = ["claim", "claims", "derivation", "file", "judge"]


def claim(
    statement: Claim | str,
    *,
    symbols: str | Mapping[str, str | Meaning] | Iterable[sp.Symbol] = (),
    domain: Domain | None = None,
    variable: str | None = None,
    at: str = "oo",
    latex: bool | None = None,
    budget: float | None = 20.0,
    mend: bool = True,
) -> Verdict:
    r"""The verdict on one claim.

    Parameters
    ----------
    statement : Claim or str
        A record, or a text ``left REL right``, plain or LaTeX, with REL one of ``= < <= > >=``; with ``variable`` also
        ``~`` and ``prop``, and ``left = O(f)``.
    symbols : str, mapping or symbols
        What the names of a text mean: ``"alpha beta positive, c negative"``, name -> kind, or the symbols.
    domain : Domain, optional
        Where a text is claimed, beyond the signs.
    variable, at : str
        What moves to ``oo`` or ``0`` in an asymptotic statement; what a proportionality is about.
    latex : bool, optional
        Whether a text is LaTeX; without it, where it holds a backslash, a brace or a dollar sign.
    budget : float, optional
        Seconds of wall-clock time; when they run out the verdict is UNDECIDED.
    mend : bool
        Whether to look for the smallest change that makes a refuted equality true.

    Raises
    ------
    ParseError, ClaimError
        If the text does not read.
    InternalError
        If what was proved is certainly false at a point: a fault of this package.

    Examples
    --------
    >>> claim("beta/(alpha + beta) = 1 - alpha/(alpha + beta)", symbols="alpha beta positive").status.name
    'PROVED'
    >>> claim("(1 + x)^a = x^a + O(x^(a - 1))", symbols="x a positive", variable="x").status.name
    'PROVED'
    >>> claim(r"\sqrt{N^{2\alpha}} = N^\alpha", symbols="alpha N positive").status.name
    'PROVED'
    >>> claim("alpha < beta", symbols="alpha beta positive").evidence[0]
    ('point', 'alpha = ..., beta = ...')
    """
    if isinstance(statement, str):
        with noted() as met:
            said = stated(statement, declare(symbols), variable, at, latex)
        statement = Claim(statement, said, domain or Domain(), needs=tuple(met))
    start = time.perf_counter()
    try:
        with clock.limit(budget), clock.watched() as cut:
            finding = judged_where_it_means(statement, judge)
            if cut and finding.status in (Status.SUPPORTED, Status.UNDECIDED):
                finding = finding.with_evidence(("out of time", ", ".join(dict.fromkeys(cut))))
            if finding.status is Status.PROVED:
                attempt(second.check, statement)
            if mend and finding.status is Status.REFUTED:
                finding = finding.with_evidence(*repair(statement.statement, statement.domain))
    except BudgetExhausted as error:
        finding = Finding(Status.UNDECIDED, "the budget ran out", (("tried", str(error)),))
    except Undecided as gap:
        finding = Finding(Status.UNDECIDED, "the domain does not decide it", (("question", gap.question),))
    except (ClaimError, InternalError):
        raise
    except (ScalingError, ArithmeticError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        # out of SymPy, on huge input or on what is not real
        failed = f"{type(error).__name__}: {str(error)[:200]}"
        finding = Finding(Status.UNDECIDED, "the computer algebra failed", (("tried", failed),))
    return Verdict(statement, finding.status, finding.method, finding.evidence, time.perf_counter() - start)


def derivation(found: Derivation, budget: float | None = None) -> tuple[Verdict, ...]:
    """The verdicts on every claim that the steps and the answers of a derivation owe, within ``budget`` seconds in all.

    An answer's own claim stands behind those of the steps, unless a step owes the same.

    Examples
    --------
    >>> from symbolic_scaling import derive, laws
    >>> {verdict.status.name for verdict in derivation(derive.gradient(laws.get("m2")))}
    {'PROVED'}
    """
    with clock.limit(budget):
        owed = dict.fromkeys((one.statement, one.domain) for one in found.claims)
        answers = [one for one in obligations(found) if (one.statement, one.domain) not in owed]
        return tuple(claim(one, budget=None) for one in (*found.claims, *answers))


def claims(listed: Iterable[Claim], budget: float | None = 20.0, executor: Executor | None = None) -> Iterator[Verdict]:
    """The verdicts on the claims, in their order, each as soon as those before it are there.

    Parameters
    ----------
    listed : iterable of Claim
    budget : float, optional
        Seconds of wall-clock time for each claim.
    executor : concurrent.futures.Executor, optional
        A process pool or a cluster's; without one the claims are judged here, one after the other.

    Examples
    --------
    >>> from symbolic_scaling.verify import claim_of
    >>> made = [claim_of({"kind": "equal", "statement": f"{n}^2 = 4"}) for n in (2, 3)]
    >>> [verdict.status.name for verdict in claims(made)]
    ['PROVED', 'REFUTED']
    """
    asked = list(listed)
    found = (executor.map if executor else map)(partial(claim, budget=budget), asked)
    return (replace(verdict, claim=one) for one, verdict in zip(asked, found, strict=True))


def file(
    path: str | Path,
    budget: float | None = 20.0,
    executor: Executor | None = None,
    make: Callable[[object, str], Claim] = claim_of,
) -> list[Verdict]:
    """The verdicts on the claims of a file, in its order.

    Parameters
    ----------
    path, make
        As for :func:`~symbolic_scaling.verify.read_claims`; ``catalogue.claim_of`` also resolves ``where``.
    budget, executor
        As for :func:`claims`.

    Raises
    ------
    ClaimError
        If anything in the file does not read; the error lists all of it.
    """
    return list(claims(read_claims(path, make), budget, executor))


def judge(claimed: Claim) -> Finding:
    """The finding on a claim, within the deadline around the call."""
    domain = claimed.domain
    match claimed.statement:
        case Equal(left, right):
            return _with_limits(left, right, domain, equal.verify)
        case Less(lesser, greater, strict):
            return _with_limits(lesser, greater, domain, partial(inequality.verify, strict=strict))
        case Tends(expression, symbol, point, value):
            approach = sp.Limit(expression, symbol, point, "-" if symbol.is_negative else "+")
            return limit.verify(approach, value, domain, equal.verify)
        case Asymptotic() as said:
            return asymptotic.verify(said, domain)
        case Proportional() as said:
            return proportional.verify(said, domain)
        case Exists() as said:
            return exists.verify(said, domain, judge, claimed.needs)
        case Number() as said:
            return number.verify(said, domain)
    raise AssertionError(claimed.statement)


def _with_limits(left: sp.Expr, right: sp.Expr, domain: Domain, rest: limit.Rest) -> Finding:
    """Through :mod:`.limit` if a limit stands on a side."""
    if left.has(sp.Limit) or right.has(sp.Limit):
        return limit.verify(left, right, domain, rest)
    return rest(left, right, domain)
