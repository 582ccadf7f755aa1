"""Statements in which limits stand: each limit by exact expansion, then the statement without them.

Where the expansion is not decided the limits are followed numerically, with the small monomial at 1e-10, 1e-20 ... down
to 1e-800; that can support a statement, and never proves or refutes it. A symbol of open sign goes to 0 from both
sides: where the two limits differ there is none, and what is said of it is false.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp

from .. import budget
from ..algebra.limits import limit, ways
from ..algebra.order import sign
from ..domain import Domain
from ..errors import Undecided
from ..notation import text
from ..records import Status
from .ball import elementary
from .cases import core, kinks, split, three
from .finding import Finding, joined
from .follow import approached, followed, plausible, plausible_from
from .hostile import hostile
from .points import show_point
from .support import placed

__all__ = ["replace_limits", "special_points", "verify"]

SPECIAL_POINTS = 6
QUESTIONS = 2

Rest = Callable[[sp.Expr, sp.Expr, Domain], Finding]


def verify(left: sp.Expr, right: sp.Expr, domain: Domain, rest: Rest, questions: int = QUESTIONS) -> Finding:
    """The finding on a statement with limits; ``rest`` judges what stands when they are replaced by their values.

    ``questions`` is how often an open sign may be taken in cases.

    Examples
    --------
    >>> from symbolic_scaling.verify import equal
    >>> x, a = sp.symbols("x a", positive=True)
    >>> verify(sp.Limit(a + 1/x, x, sp.oo), a, Domain(), equal.verify).status.name
    'PROVED'
    """
    left, right = elementary(left), elementary(right)
    if apart := _apart((left, right), domain):
        return apart.on(domain)
    try:
        (plain_left, plain_right), found = replace_limits((left, right), domain)
    except Undecided as gap:
        elsewhere = _by_cases(left, right, domain, rest) or _one_side(left, right, domain, rest)
        elsewhere = elsewhere or _by_question((left, right), domain, rest, gap.opens, questions)
        return (elsewhere or followed(left, right, domain, str(gap))).on(domain)
    if wrong := next((pair for pair in found if not plausible(*pair, domain)), None):
        why = f"{text(wrong[0])} expands to {text(wrong[1])}, which its values do not approach"
        return Finding(Status.UNDECIDED, "expansion and values disagree", (("tried", why),)).on(domain)
    return _without(plain_left, plain_right, domain, rest, found)


def _by_cases(left: sp.Expr, right: sp.Expr, domain: Domain, rest: Rest) -> Finding | None:
    """The finding where Min, Max or Abs beside the limits asks for cases, their boundaries too: none holds all over."""
    nodes = sp.Tuple(left, right).atoms(sp.Limit)
    if not kinks(sp.Tuple(left, right)) or any(kinks(node) for node in nodes):
        return None
    cases = split((left, right), domain, boundary=True)
    parts = [(case, verify(case.expressions[0], case.expressions[1], case.domain, rest)) for case in cases or ()]
    if wrong := next((found for _, found in parts if found.status is Status.REFUTED), None):
        return wrong
    if not parts or any(found.status is not Status.PROVED for _, found in parts):
        return None
    evidence = (f"case {case.text}: {dict(found.evidence).get('expansion', '')}" for case, found in parts)
    return Finding(Status.PROVED, "case by case", (("expansion", joined(evidence)),))


def _by_question(
    sides: tuple[sp.Expr, ...], domain: Domain, rest: Rest, opens: object, questions: int
) -> Finding | None:
    """The finding by the sign of what an expansion asks for: refuted at a point where it matters, proved case by case.

    A point is taken where the expression is 0, beside it, and where letters are equal.
    """
    moving = {node.args[1] for node in sp.Tuple(*sides).atoms(sp.Limit)}
    asked = opens if isinstance(opens, sp.Expr) and not opens.free_symbols & moving else sp.Integer(1)
    if not questions:
        return None
    for point in special_points(sides, domain, asked, moving):
        there = [placed(side, point) for side in sides]
        if None not in there and (found := verify(there[0], there[1], domain, rest, 0)).status is Status.REFUTED:
            kept = tuple(pair for pair in found.evidence if pair[0] not in ("point", "domain"))
            return Finding(Status.REFUTED, found.method, (("point", show_point(point)), *kept))
    cases = three(sides, domain, asked) if asked.free_symbols else None
    if not cases or any(
        verify(case.expressions[0], case.expressions[1], case.domain, rest, questions - 1).status is not Status.PROVED
        for case in cases
    ):
        return None
    return Finding(Status.PROVED, "case by case", (("cases", joined(case.text for case in cases)),))


def special_points(
    sides: tuple[sp.Expr, ...], domain: Domain, opens: sp.Expr, moving: set[sp.Symbol]
) -> list[dict[sp.Symbol, sp.Rational]]:
    """Exact values of all letters but those that move: where an expression vanishes, beside that, at equal letters."""
    free = {symbol for side in sides for symbol in side.free_symbols} - moving
    where = functools.reduce(approached, sorted(moving, key=str), domain)
    found = hostile((core(opens, where), *sorted(free, key=lambda one: str(one.name))), where, SPECIAL_POINTS)
    return [{symbol: value for symbol, value in point.values if symbol in free} for point in found]


def _without(
    left: sp.Expr, right: sp.Expr, domain: Domain, rest: Rest, found: list[tuple[sp.Limit, sp.Expr]]
) -> Finding:
    """The finding on sides whose limits have been replaced by their values."""
    expansion = ("expansion", joined(f"{text(node)} = {text(value)}" for node, value in found))
    if any(side.has(sp.oo, -sp.oo, sp.zoo, sp.nan) for side in (left, right)):
        return _infinite(left, right, rest).with_evidence(expansion).on(domain)
    return rest(left, right, domain).with_evidence(expansion)


def _two_sided(node: sp.Limit, domain: Domain) -> bool:
    """Whether the limit is one from both sides."""
    return len(ways(node.args[1], node.args[2], domain)) > 1


def _apart(sides: tuple[sp.Expr, ...], domain: Domain) -> Finding | None:
    """REFUTED if a limit from both sides does not exist: its expansions from above and below certainly differ."""
    for node in sorted(sp.Tuple(*sides).atoms(sp.Limit), key=sp.default_sort_key):
        where = approached(domain, node.args[1])
        if node.args[0].has(sp.Limit) or not _two_sided(node, where):
            continue
        try:
            above, below = (
                limit(elementary(node.args[0]), node.args[1], node.args[2], where, way=way) for way in (1, -1)
            )
        except Undecided:
            continue
        infinite = above.is_infinite or below.is_infinite
        differ = above != below if infinite else sign(above - below, where) in (1, -1)
        if differ and all(plausible_from(node, value, where, way) for value, way in ((above, 1), (below, -1))):
            evidence = (("limit", text(node)), ("from above", text(above)), ("from below", text(below)))
            return Finding(Status.REFUTED, "the limits from both sides differ", evidence)
    return None


def _one_side(left: sp.Expr, right: sp.Expr, domain: Domain, rest: Rest) -> Finding | None:
    """REFUTED if the limit from one side, where the other is not decided, already makes the statement false."""
    nodes = sp.Tuple(left, right).atoms(sp.Limit)
    if not any(_two_sided(node, approached(domain, node.args[1])) for node in nodes):
        return None
    for way, name in ((1, "from above"), (-1, "from below")):
        try:
            (plain_left, plain_right), found = replace_limits((left, right), domain, way)
        except Undecided:
            continue
        if all(plausible_from(node, value, domain, way) for node, value in found):
            finding = _without(plain_left, plain_right, domain, rest, found)
            if finding.status is Status.REFUTED:
                return finding.with_evidence(("approach", name))
    return None


def replace_limits(
    sides: tuple[sp.Expr, ...], domain: Domain, way: int | None = None
) -> tuple[tuple[sp.Expr, ...], list[tuple[sp.Limit, sp.Expr]]]:
    """The sides with every limit replaced by its value, innermost first, and the values.

    ``way`` takes those from both sides from above (1) or below (-1) only.

    Raises
    ------
    Undecided
        If an expansion depends on a fact that the domain does not give.
    """
    found: list[tuple[sp.Limit, sp.Expr]] = []
    while nodes := sorted(sp.Tuple(*sides).atoms(sp.Limit), key=sp.default_sort_key):
        budget.check("take limits")
        node = next(one for one in nodes if not one.args[0].has(sp.Limit))
        expression, symbol, point = node.args[:3]
        where = approached(domain, symbol)
        value = limit(elementary(expression), symbol, point, where, way=way if _two_sided(node, where) else None)
        found.append((node, value))
        sides = tuple(side.xreplace({node: value}) for side in sides)
    return sides, found


def _infinite(left: sp.Expr, right: sp.Expr, rest: Rest) -> Finding:
    """A side is infinite: the statement is about the order of the extended line."""
    if sp.nan in (left, right) or sp.zoo in (left, right) or not {left, right} & {sp.oo, -sp.oo}:
        return Finding(Status.UNDECIDED, "a limit has no value")
    low, high = (sp.Integer({sp.oo: 1, -sp.oo: -1}.get(side, 0)) for side in (left, right))
    found = rest(low, high, Domain())
    return Finding(found.status, "expansion with an infinite limit", (("left", str(left)), ("right", str(right))))
