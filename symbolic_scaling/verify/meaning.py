"""Where the text of a claim means something: needs that the domain does not grant become facts of the question.

``sqrt(N - M)^2 >= 0`` says something only where ``N - M >= 0``, though SymPy builds it as ``N - M >= 0``. What is
claimed is claimed where the text has a value, and a counterexample must lie there too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import sympy as sp

from ..domain import Domain
from ..notation import bounded_names
from ..records import Asymptotic, Claim, Equal, Exists, Less, Status, Tends
from .cases import is_empty, part
from .equal import open_needs
from .finding import Finding, joined
from .inequality import WHERE_DEFINED
from .points import points
from .support import attempt

__all__ = ["judged_where_it_means"]

Need = tuple[sp.Expr, str]


def judged_where_it_means(claimed: Claim, judge: Callable[[Claim], Finding]) -> Finding:
    """The finding on a claim; refuted only where its text has a value, proved with the conditions that this asks for.

    Examples
    --------
    >>> from .judge import judge
    >>> a, b = sp.symbols("a b", positive=True)
    >>> said = Claim("", Less(sp.Integer(0), a - b, strict=False), needs=((a - b, ">="),))
    >>> judged_where_it_means(said, judge).status.name
    'PROVED'
    """
    finding = judge(claimed)
    if not claimed.needs:
        return finding
    needs = _free_needs(claimed)
    still = attempt(open_needs, needs, claimed.domain)
    still = needs if still is None else still
    if finding.status is Status.REFUTED:
        if not still or not isinstance(claimed.statement, Equal | Less):
            return finding
        finding = _there(claimed, still, judge)
    elif still and finding.status is not Status.PROVED and finding.method != WHERE_DEFINED:
        there = attempt(_there, claimed, still, judge) if isinstance(claimed.statement, Less) else None
        finding = there if there is not None and there.status is Status.PROVED else finding
    listed = joined([*filter(None, dict(finding.evidence).get("where", "").split("; ")), *said(still)])
    kept = tuple(pair for pair in finding.evidence if pair[0] != "where")
    return replace(finding, evidence=kept).with_evidence(("where", listed))


def said(needs: Iterable[Need]) -> list[str]:
    """Needs as text."""
    return [f"{u} {op} 0" for u, op in needs]


def _free_needs(claimed: Claim) -> list[Need]:
    """The needs that speak of no bound symbol."""
    statement = claimed.statement
    bound = bounded_names(*(one for one in vars(statement).values() if isinstance(one, sp.Basic)))
    if isinstance(statement, Tends | Asymptotic):
        bound |= {statement.symbol}
    if isinstance(statement, Exists):
        bound |= set(statement.symbols)
    return [(u, op) for u, op in claimed.needs if op != "kink" and not u.free_symbols & bound]


def _there(claimed: Claim, needs: list[Need], judge: Callable[[Claim], Finding]) -> Finding:
    """The finding with the needs as relations, ``u != 0`` as ``u**2 > 0``; where a root may be 0, that case too."""
    zero = sp.Integer(0)
    domain = claimed.domain.meet(Domain((), tuple((u**2 if op == "!=" else u, zero) for u, op in needs)))
    symbols = {
        symbol for one in vars(claimed.statement).values() if isinstance(one, sp.Expr) for symbol in one.free_symbols
    }
    if is_empty(domain) or not points(symbols, domain, 12):
        return Finding(Status.UNDECIDED, "not defined on all of the domain", (("defined where", joined(said(needs))),))
    finding = judge(replace(claimed, domain=domain))
    if finding.status is not Status.PROVED or not isinstance(claimed.statement, Less) or not claimed.statement.strict:
        return finding
    for u, op in needs:
        if op == ">=" and not _at_wall(claimed, u, needs, judge):
            return Finding(Status.SUPPORTED, f"proved, but not where {u} = 0", finding.evidence)
    return finding


def _at_wall(claimed: Claim, u: sp.Expr, needs: list[Need], judge: Callable[[Claim], Finding]) -> bool:
    """Whether a strict inequality is proved where a root's radicand is 0."""
    statement = claimed.statement
    assert isinstance(statement, Less)
    there = part((statement.lesser, statement.greater), claimed.domain, u, 0)
    if there is None:
        return False
    if is_empty(there.domain):
        return True
    lesser, greater = there.expressions
    return judge(Claim(claimed.name, Less(lesser, greater), there.domain)).status is Status.PROVED
