"""Statements about a law: its response is no free letter there but the law's own expression."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import sympy as sp

from ..algebra.order import sign
from ..domain import Domain
from ..errors import ClaimError, ParseError
from ..law import Law
from ..notation import latex_names, law_symbols, parse_latex, text
from ..notation.names import Meaning
from ..records import Verdict
from . import texed
from .judge import claim
from .state import assumed

__all__ = ["about"]


def about(
    law: Law,
    statement: str,
    *,
    given: Iterable[str] = (),
    variable: str | None = None,
    at: str = "oo",
    latex: bool | None = None,
    budget: float | None = 20.0,
) -> Verdict:
    r"""The verdict on a statement in the names of a law, on its domain; the evidence says what its response stands for.

    Parameters
    ----------
    law : Law
    statement : str
        As for :func:`~symbolic_scaling.verify.claim`. In LaTeX the response may show its arguments, ``L(N, D)``.
    given : sequence of str
        Further assumptions, such as ``"alpha > beta"``.
    variable, at, latex, budget
        As for :func:`~symbolic_scaling.verify.claim`.

    Raises
    ------
    ParseError, ClaimError
        If the text does not read, or names the response of a law that is implicit in it.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = about(laws.get("m2"), "diff(eps_x, x) < 0")
    >>> found.status.name, found.evidence[-1]
    ('PROVED', ('law', 'eps_x = beta*x**c + eps_inf'))
    >>> about(laws.get("chinchilla"), r"\frac{\partial L}{\partial N} = -\alpha A N^{-\alpha-1}").status.name
    'PROVED'
    """
    response, domain = law.response.symbol, law.domain
    in_latex = texed.is_latex(statement) if latex is None else latex
    known: Mapping[str, sp.Expr] = law.symbols
    names: dict[str, Meaning] = dict(law_symbols(law) | law.symbols if in_latex else law.symbols)
    further = [given] if isinstance(given, str) else list(given)
    use = _use(law, statement) if in_latex else _named(response, statement)
    said: tuple[tuple[str, str], ...] = ()
    if use is not None or any(_named(response, one) is not None for one in further):
        value = _explicit(law)
        domain = _without(domain, response, value)
        said = (("law", f"{response} = {text(value)}"),)
        known = {name: value if symbol == response else symbol for name, symbol in law.symbols.items()}
        meaning = sp.Lambda(law.inputs, value) if use else value
        names = {name: meaning if symbol == response else symbol for name, symbol in names.items()}
    where = assumed(further, known, domain)
    found = claim(statement, symbols=names, domain=where, variable=variable, at=at, latex=in_latex, budget=budget)
    return replace(found, evidence=found.evidence + said)


def _named(response: sp.Symbol, statement: str) -> str | None:
    """An empty text where a plain statement names the response."""
    return "" if re.search(rf"(?<!\w){re.escape(response.name)}(?!\w)", statement) else None


def _use(law: Law, statement: str) -> str | None:
    """What stands behind the response in a LaTeX statement: ``"("`` its arguments, nothing; None without it."""
    table = {**law_symbols(law), **law.symbols}
    for name, use in latex_names(statement).items():
        with contextlib.suppress(ParseError):
            if parse_latex(name, table) == law.response.symbol:
                return "(" if use else ""
    return None


def _explicit(law: Law) -> sp.Expr:
    if law.explicit is None:
        y = law.response.symbol
        form = f"{text(law.form.lhs)} = {text(law.form.rhs)}"
        raise ClaimError(
            f"read a statement about {y}",
            f"the law {law.name!r} gives it only implicitly, by {form}",
            "state it in inputs and constants, or ask derive, which differentiates and solves implicit laws",
        )
    return law.explicit


def _without(domain: Domain, response: sp.Symbol, value: sp.Expr) -> Domain:
    """The domain with the response replaced; what then holds by the signs alone is left out."""
    ranges = tuple(pair for pair in domain.ranges if pair[0] != response)
    ends = domain.interval(response)
    pairs = [(more.xreplace({response: value}), less.xreplace({response: value})) for more, less in domain.relations]
    pairs += [(value, ends.lo)] if ends.lo.is_finite else []
    pairs += [(ends.hi, value)] if ends.hi.is_finite else []
    free = Domain(ranges)
    return Domain(ranges, tuple((more, less) for more, less in pairs if sign(more - less, free) != 1))
