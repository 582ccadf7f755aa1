"""Several positive zeros of a sum of monomials: cases with two or none, and isolation at numbers.

One monomial between those of the other sign: divided by it the rest is a sum of positive monomials, convex in log x. It
comes down to its least value at a turning point t and goes up again: it passes 1 twice if that value is below 1, and
never if it is above.

At numbers, Rolle: divide by the lowest power; the slope has a term fewer, and between two of its zeros the sum is
monotone, so that its signs there count its zeros. Descartes' rule bounds their number by the changes of sign.

Worked example: ``1/x + x`` meets k at two points for k > 2, at none for k < 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import mpmath
import sympy as sp

from ..algebra import order
from ..algebra.peel import Term
from ..domain import Domain
from ..errors import ScalingError, Undecided
from ..records import Case, Root
from .common import Maker
from .extremum import Problem, solve_closed, strip
from .optimum import stationary

__all__ = ["several"]

_DIGITS = 60
_TOUCH = mpmath.mpf(10) ** -30

Ranked = Sequence[tuple[int, Term]]


def several(made: Maker, ordered: Ranked, difference: sp.Expr, x: sp.Symbol, asked: str) -> tuple[Case, ...]:
    """The zeros of ``difference``, whose terms ``ordered`` change sign more than once.

    Raises
    ------
    Undecided
        If the letters do not say how many there are.
    ScalingError
        If two zeros are too near to tell from none.
    """
    if all(term.coefficient.is_Rational and term.exponents[0].is_Rational for _, term in ordered):
        return _at_numbers(made, ordered, difference, x, asked)
    changes = [k for k in range(1, len(ordered)) if ordered[k][0] != ordered[k - 1][0]]
    if len(changes) == 2 and changes[1] == changes[0] + 1:
        return _around(made, ordered, changes[0], (difference, x), asked)
    most, fewest = len(changes), len(changes) % 2
    question = f"how often they meet: at most {most} times, at least {fewest}, by Descartes' rule; put numbers in"
    raise Undecided(asked, question)


def _around(made: Maker, ordered: Ranked, place: int, where: tuple[sp.Expr, sp.Symbol], asked: str) -> tuple[Case, ...]:
    """Two zeros on either side of the turning point, or none."""
    difference, x = where
    middle = ordered[place][1]
    rest = [term for k, (_, term) in enumerate(ordered) if k != place]
    over = sp.Add(*(-t.coefficient / middle.coefficient * x ** (t.exponents[0] - middle.exponents[0]) for t in rest))
    problem = Problem(asked, over, (x,))
    peeled = strip(made, problem)
    closed = solve_closed(made, problem, peeled)
    turn = closed[1][0] if closed else stationary(made, problem, peeled)
    if isinstance(turn, Root):
        raise Undecided(asked, f"{over} < 1 somewhere: they meet twice if so, else never; put numbers in")
    least, one = closed[2] if closed else over.subs(x, turn), sp.Integer(1)
    same = made.equal("divided by the one term between", difference, middle.at((x,)) * (1 - over))
    text = "over the one term between, the others fall to their least sum and rise: above 1 or twice through it"
    made.step("divide", text, difference, sp.Eq(over, 1, evaluate=False), same)
    sign = order.sign(one - least, made.domain)
    if sign == 0:
        return (Case((), ((x.name, turn),)),)
    below = Root(x, difference, (sp.Integer(0), turn), "the others, over the term between, fall there")
    above = Root(x, difference, (turn, sp.oo), "the others, over the term between, rise there")
    deep = () if sign else ((one, least),)
    twice = (Case((*deep, (turn, x)), ((x.name, below),)), Case((*deep, (x, turn)), ((x.name, above),)))
    never = () if sign == 1 else (Case(((least, one),) if not sign else (), ()),)
    return never if sign == -1 else twice + never


def _at_numbers(made: Maker, ordered: Ranked, difference: sp.Expr, x: sp.Symbol, asked: str) -> tuple[Case, ...]:
    """A case for each zero, in ascending order."""
    with mpmath.workdps(_DIGITS):
        terms = [(_number(term.coefficient), _number(term.exponents[0])) for _, term in ordered]
        cuts = _cuts(terms, asked)
        signs = [ordered[0][0], *(_sign(terms, mpmath.log(_number(cut)), asked) for cut in cuts), ordered[-1][0]]
    ends = [sp.Integer(0), *cuts, sp.oo]
    cases = []
    for k, (left, right) in enumerate(pairwise(signs)):
        if left == right:
            continue
        lo, hi = ends[k], ends[k + 1]
        when = tuple(pair for pair in ((x, lo), (hi, x)) if not pair[0].is_infinite and pair[1] != 0)
        owes = [
            made.positive(f"the difference at {sp.N(end, 6)}", difference.subs(x, end), sign, Domain())
            for end, sign in ((lo, left), (hi, right))
            if end in cuts
        ]
        root = Root(x, difference, (lo, hi), "no zero of the slope lies between")
        made.step(
            "isolate", "between two zeros of its slope the difference is monotone", difference, root.condition, *owes
        )
        cases.append(Case(when, ((x.name, root),)))
    return tuple(cases)


def _cuts(terms: Sequence[tuple[mpmath.mpf, mpmath.mpf]], asked: str) -> list[sp.Rational]:
    """Numbers of few digits beside the turning points, with the same signs."""
    turns = _turns(terms, asked)
    gap = min((right - left for left, right in pairwise(turns)), default=mpmath.mpf(1))
    cuts = []
    for u in turns:
        sign = _sign(terms, u, asked)
        for digits in range(2, _DIGITS):
            cut = sp.Rational(mpmath.nstr(mpmath.exp(u), digits))
            log = mpmath.log(_number(cut))
            if abs(log - u) < gap / 4 and _sign(terms, log) == sign:
                break
        cuts.append(cut)
    return cuts


def _turns(terms: Sequence[tuple[mpmath.mpf, mpmath.mpf]], asked: str) -> list[mpmath.mpf]:
    """Logarithms between which the sum, over its lowest power, is monotone."""
    lowest = terms[0][1]
    slope = [(c * (e - lowest), e - lowest) for c, e in terms[1:]]
    return _zeros(slope, asked) if len(slope) > 1 else []


def _zeros(terms: Sequence[tuple[mpmath.mpf, mpmath.mpf]], asked: str) -> list[mpmath.mpf]:
    """The logarithms of the zeros of a sum ``c*x**e`` with rising exponents."""
    cuts = _turns(terms, asked)
    reach = mpmath.mpf(1) + max((abs(u) for u in cuts), default=0)
    while _sign(terms, -reach) != mpmath.sign(terms[0][0]) or _sign(terms, reach) != mpmath.sign(terms[-1][0]):
        reach *= 2
    points, zeros = [-reach, *cuts, reach], []
    signs = [_sign(terms, u, asked) for u in points]
    for k in range(len(points) - 1):
        if signs[k] == signs[k + 1]:
            continue
        low, high = points[k], points[k + 1]
        for _ in range(int(_DIGITS / 0.3) + 20):
            middle = (low + high) / 2
            low, high = (middle, high) if _sign(terms, middle) == signs[k] else (low, middle)
        zeros.append((low + high) / 2)
    return zeros


def _sign(terms: Sequence[tuple[mpmath.mpf, mpmath.mpf]], u: mpmath.mpf, asked: str = "") -> int:
    """The sign at a logarithm; with ``asked``, :class:`ScalingError` where the terms all but cancel."""
    values = [c * mpmath.exp(e * u) for c, e in terms]
    total = mpmath.fsum(values)
    if asked and abs(total) <= _TOUCH * max(map(abs, values)):
        place = mpmath.nstr(mpmath.exp(u), 12)
        raise ScalingError(asked, f"they touch, or all but touch, at {place}", "move one of them a little")
    return int(mpmath.sign(total))


def _number(value: sp.Expr) -> mpmath.mpf:
    if not isinstance(value, sp.Rational):
        raise ScalingError("isolate zeros", f"{value} is no number", "put numbers in")
    return mpmath.mpf(value.p) / value.q
