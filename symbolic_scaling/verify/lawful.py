"""Statements about a law: its response is no free letter there but the law's own expression."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from ..algebra.order import sign
from ..domain import Domain
from ..errors import ClaimError
from ..law import Law
from ..notation import text
from ..records import Verdict
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
    budget: float | None = 20.0,
) -> Verdict:
    """The verdict on a statement in the names of a law, on its domain; the evidence says what its response stands for.

    Parameters
    ----------
    law : Law
    statement : str
        As for :func:`~symbolic_scaling.verify.claim`.
    given : sequence of str
        Further assumptions, such as ``"alpha > beta"``.
    variable, at, budget
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
    """
    response, names, domain = law.response.symbol, dict(law.symbols), law.domain
    further = [given] if isinstance(given, str) else list(given)
    said: tuple[tuple[str, str], ...] = ()
    if any(re.search(rf"(?<!\w){re.escape(response.name)}(?!\w)", one) for one in (statement, *further)):
        value = _explicit(law)
        names[response.name] = value
        domain = _without(domain, response, value)
        said = (("law", f"{response} = {text(value)}"),)
    where = assumed(further, names, domain)
    found = claim(statement, symbols=names, domain=where, variable=variable, at=at, budget=budget)
    return replace(found, evidence=found.evidence + said)


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
