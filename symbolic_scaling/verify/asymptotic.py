"""``left ~ right`` to a number of terms and ``left = O(right)``, by the limit of a ratio.

To order 1 the ratio goes to 1. To order n, ``(left - right)/t`` goes to 0 with t the n-th largest term of the right
side, so that n terms are right. For O the ratio has a finite limit. Where the domain leaves the limit open, the other
symbols are put at exact points of the domain: one where it fails refutes the statement.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from ..algebra.limits import limit
from ..algebra.order import sign
from ..algebra.zero import prove_zero
from ..domain import Domain
from ..errors import ClaimError, Undecided
from ..notation import text
from ..records import Asymptotic, Status
from . import equal
from .ball import elementary
from .cases import is_empty, part, three
from .finding import Finding, joined
from .follow import approached, plausible
from .limit import QUESTIONS, replace_limits, special_points
from .limit import verify as verify_limit
from .points import points, show_point
from .refute import look
from .support import placed
from .surds import is_small

__all__ = ["verify"]

POINTS = 6


def verify(claimed: Asymptotic, domain: Domain, questions: int = QUESTIONS) -> Finding:
    """The finding on an asymptotic statement; ``questions`` is how often an open sign may be taken in cases.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> verify(Asymptotic(a + 1/x, a, x, sp.oo), Domain()).status.name
    'PROVED'
    >>> verify(Asymptotic(x**2 + x, x, x, sp.oo, bound=True), Domain()).status.name
    'REFUTED'
    """
    opens: object = None
    try:
        ratio = _ratio(claimed, domain)
        if claimed.bound:
            return _where_right_vanishes(claimed, domain) or _bounded(ratio, domain)
        found = verify_limit(ratio, _goal(claimed), domain, equal.verify)
        if found.status is Status.PROVED:
            found = _where_right_vanishes(claimed, domain) or found
        gap = dict(found.evidence).get("not decided") if found.status in (Status.UNDECIDED, Status.SUPPORTED) else None
    except Undecided as question:
        found, gap, opens = Finding(Status.UNDECIDED, "the domain does not decide it"), str(question), question.opens
    if gap is None:
        return found
    found = _at_points(claimed, domain, found, gap, opens).on(domain)
    return found if found.status is Status.REFUTED else _by_question(claimed, domain, opens, questions) or found


def _by_question(claimed: Asymptotic, domain: Domain, opens: object, questions: int) -> Finding | None:
    """PROVED where it is in each case of the sign that the expansion asks for."""
    if not isinstance(opens, sp.Expr) or opens.has(claimed.symbol) or not questions:
        return None
    cases = three((claimed.left, claimed.right), domain, opens)
    for case in cases or ():
        left, right = case.expressions
        if right == 0:
            return None
        there = verify(replace(claimed, left=left, right=right), case.domain, questions - 1)
        if there.status is not Status.PROVED:
            return None
    return Finding(Status.PROVED, "case by case", (("cases", joined(case.text for case in cases)),)) if cases else None


def _zero_right(claimed: Asymptotic, exact: dict[sp.Symbol, sp.Rational], domain: Domain) -> Finding | None:
    """REFUTED where the right side is 0 at a point of the other letters and the left side certainly is not."""
    left, right = (placed(side, exact) for side in (claimed.left, claimed.right))
    if right != 0 or left is None or not any(one.sign for one in look(left, sp.Integer(0), domain, POINTS)):
        return None
    evidence = (("point", show_point(exact)), ("there", f"the right side is 0 and the left side {text(left)}"))
    return Finding(Status.REFUTED, "the right side vanishes", evidence).on(domain)


def _where_right_vanishes(claimed: Asymptotic, domain: Domain) -> Finding | None:
    """What is to be said where a factor of the right side may be 0 and the left side is not then; None where nothing.

    Raises
    ------
    Undecided
        If that is not decided: nothing may be divided by such a side.
    """
    right = elementary(claimed.right)
    factors = sp.Mul.make_args(sp.factor(right) if is_small(right) else right)
    bases = [one.as_base_exp()[0] for one in factors if not one.has(claimed.symbol) and one.free_symbols]
    for base in (one for one in bases if sign(one, domain) is None):
        for point in special_points((claimed.left, claimed.right), domain, base, {claimed.symbol}):
            if found := _zero_right(claimed, point, domain):
                return found
        case = part((claimed.left,), domain, base, 0)
        if case is None or not (is_empty(case.domain) or prove_zero(case.expressions[0], case.domain) is not None):
            raise Undecided(f"divide by {text(claimed.right)}", f"{text(base)} > 0", opens=base)
    return None


def _goal(claimed: Asymptotic) -> sp.Expr:
    """What the ratio must go to."""
    return sp.Integer(1 if claimed.order == 1 else 0)


def _ratio(claimed: Asymptotic, domain: Domain) -> sp.Limit:
    """The limit that decides."""
    left, right = elementary(claimed.left), elementary(claimed.right)
    ratio = left / right if claimed.order == 1 else (left - right) / _last_term(claimed, domain)
    return sp.Limit(ratio, claimed.symbol, claimed.point, "-" if claimed.symbol.is_negative else "+")


def _last_term(claimed: Asymptotic, domain: Domain) -> sp.Expr:
    """The term of the right side that is the ``order``-th by size; terms of one size count once."""
    where = approached(domain, claimed.symbol)
    sizes: list[sp.Expr] = []
    for term in (elementary(term) for term in claimed.terms):
        place = 0
        while place < len(sizes):
            grows = limit((term / sizes[place]) ** 2, claimed.symbol, claimed.point, where)
            if grows != 0:
                break
            place += 1
        if place == len(sizes) or grows == sp.oo:
            sizes.insert(place, term)
    if len(sizes) < claimed.order:
        found = f"the right side has {len(sizes)} terms of different size"
        raise Undecided(f"compare to order {claimed.order}", f"{claimed.order} terms differ in size: {found}")
    return sizes[claimed.order - 1]


def _bounded(ratio: sp.Limit, domain: Domain) -> Finding:
    """The finding on a ratio that must stay bounded."""
    (value,), found = replace_limits((ratio,), domain)
    evidence = ("expansion", f"left/right -> {text(value)}")
    if not all(plausible(node, limit_, domain) for node, limit_ in found):
        return Finding(Status.UNDECIDED, "expansion and values disagree", (evidence,)).on(domain)
    if value in (sp.oo, -sp.oo):
        return Finding(Status.REFUTED, "the ratio grows without bound", (evidence,)).on(domain)
    if value.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
        return Finding(Status.UNDECIDED, "the limit has no value", (evidence,)).on(domain)
    return Finding(Status.PROVED, "the ratio has a finite limit", (evidence,)).on(domain)


def _at_points(claimed: Asymptotic, domain: Domain, found: Finding, gap: str, opens: object) -> Finding:
    """The limit at exact values of the other symbols: REFUTED where it is not as claimed, else as far as ``found``."""
    others = (claimed.left.free_symbols | claimed.right.free_symbols) - {claimed.symbol}
    where = approached(domain, claimed.symbol)
    held = 0
    spread = sorted(points(others, where, 6 * POINTS), key=lambda point: point.generic) if others else []
    sides = (claimed.left, claimed.right)
    asked = special_points(sides, domain, opens, {claimed.symbol}) if isinstance(opens, sp.Expr) else []
    for exact in [*asked, *(point.exact for point in spread[: 2 * POINTS])]:
        try:
            if zero := _zero_right(claimed, exact, domain):
                return zero
            node = _ratio(_placed(claimed, exact), where)
            (value,), _ = replace_limits((node,), where)
        except (Undecided, ClaimError):  # no verdict there, or a side is 0 there
            continue
        wrong = value in (sp.oo, -sp.oo) or (not claimed.bound and _differs(value, _goal(claimed)))
        if wrong and plausible(node, value, where):
            evidence = (("point", show_point(exact)), ("expansion", f"there {_named(claimed)} -> {text(value)}"))
            return Finding(Status.REFUTED, "expansion at an exact point of the other symbols", evidence)
        held += not wrong
    return found.with_evidence(("not decided", gap), ("holds at", f"{held} points of the other symbols"))


def _differs(value: sp.Expr, goal: sp.Expr) -> bool:
    """Whether two numbers certainly differ."""
    return equal.verify(value, goal, Domain()).status is Status.REFUTED


def _placed(claimed: Asymptotic, exact: dict[sp.Symbol, sp.Rational]) -> Asymptotic:
    """The statement with its other symbols at a point; its terms stay apart."""
    left, right = (placed(side, exact) for side in (claimed.left, claimed.right))
    if left is None or right is None:
        raise Undecided(f"put {show_point(exact)} in", "both sides have a value there")
    return Asymptotic(left, right, claimed.symbol, claimed.point, claimed.order, claimed.bound)


def _named(claimed: Asymptotic) -> str:
    return "left/right" if claimed.order == 1 else "(left - right)/(last term)"
