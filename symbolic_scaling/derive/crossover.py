"""Where two laws of one input meet.

The difference is written as a sum of monomials in the input. Where the signs of its terms change once in the order of
their exponents, the laws meet once, in closed form for two monomials; where they do not change, never.

Several changes give cases (``crossings``).

Laws that are no sums of monomials meet once where their ratio is strictly monotone and passes 1 on its way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import sympy as sp

from ..algebra import order
from ..algebra.implicit import log_derivative
from ..algebra.limits import limit
from ..algebra.peel import Term, gathered
from ..domain import Domain
from ..errors import LawError, ScalingError, Unattainable, Undecided
from ..law import Law
from ..records import Derivation, Found, Question, Root
from .common import Given, Maker, elementary, facts, pick, where
from .crossings import several
from .descartes import only_zero, ranked

__all__ = ["crossover"]

_NEVER = "they never meet: one lies above the other everywhere"


def crossover(
    law: Law, other: Law, variable: str | sp.Symbol, given: Given = (), shared: Iterable[str | sp.Symbol] = ()
) -> Derivation:
    """Where two explicit laws give the same response.

    Parameters
    ----------
    law, other : Law
        Their inputs of one name are one quantity. A constant whose name both use stands for two numbers: the other
        law's is called ``name_2``.
    variable : str or Symbol
        An input of both.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the laws' own, in the letters after renaming.
    shared : sequence of str
        Constants that both laws have in common, such as one noise floor.

    Returns
    -------
    Derivation
        ``found``: the variable, an expression or a :class:`Root`, and the response there. Where they may meet several
        times, ``cases``: one for each meeting, with where it lies and what it needs, and one without any.

    Raises
    ------
    Unattainable
        If they never meet.
    Undecided
        If the domain leaves a sign or an order open, or how often the laws meet.
    LawError
        If the laws share no such input, or one is implicit.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = crossover(laws.get("kaplan-n"), laws.get("m1"), "N")
    Traceback (most recent call last):
    ...
    symbolic_scaling.errors.LawError: find N in the law 'm1': there are x; pick one of these
    >>> crossover(laws.get("m1"), laws.get("m1"), "x", given=["c > c_2"])["x"]
    (beta_2/beta)**(1/(c - c_2))
    """
    x, asked = pick(law, variable, law.inputs), f"find where {law.name} and {other.name} meet in {variable}"
    pick(other, variable, other.inputs)
    mine, its = (Maker(one, one.domain).explicit() for one in (law, other))
    if mine is None or its is None:
        raise LawError(asked, "one of the laws is implicit", "solve it first with closed_form")
    letters = _letters(law, other, {str(name) for name in shared})
    second = elementary(its).xreplace(letters)
    domain = _domain(law, other, letters, given)
    made = Maker(law, domain)
    first = elementary(mine)
    made.step("equate", "the same response", law.form, sp.Eq(first, second, evaluate=False))
    terms = gathered(first - second, (x,))
    question = Question("crossover", domain, (x,), form=first, other=second)
    title = f"crossover of {law.name} and {other.name} in {x}"
    if terms is None:
        value: sp.Expr | Root = _ratio(made, (first, second), x, asked)
    else:
        ordered = ranked(terms, domain, asked)
        if not ordered:
            raise ScalingError(asked, f"they give the same response at every {x}", "compare other laws")
        if sum(1 for left, right in pairwise(ordered) if left[0] != right[0]) > 1:
            cases = several(made, ordered, first - second, x, asked)
            if not any(case.found for case in cases):
                raise Unattainable(asked, _NEVER, "compare other laws")
            return Derivation(title, law, facts(domain), tuple(made.steps), (), cases, question)
        value = _meet(made, ordered, (first, second), x, asked)
    found: list[tuple[str, Found]] = [(x.name, value)]
    if isinstance(value, sp.Expr):
        there = first.subs(x, value)
        owes = made.equal("both laws give the same there", there, second.subs(x, value))
        made.step("evaluate", "the response where they meet", first, there, owes)
        found.append((law.response.symbol.name, there))
    return Derivation(title, law, facts(domain), tuple(made.steps), tuple(found), question=question)


def _letters(law: Law, other: Law, shared: set[str]) -> dict[sp.Symbol, sp.Symbol]:
    """The other law's symbols as they are called here."""
    mine, found = law.symbols, {other.response.symbol: law.response.symbol}
    for symbol in other.inputs:
        found[symbol] = mine[symbol.name] if mine.get(symbol.name) in law.inputs else symbol
    taken = {*mine, *(symbol.name for symbol in (*other.inputs, *other.constants))}
    for symbol in other.constants:
        if symbol.name in shared and mine.get(symbol.name) in law.constants:
            found[symbol] = mine[symbol.name]
        elif symbol.name in mine:
            name = f"{symbol.name}_2"
            while name in taken:
                name += "_2"
            found[symbol] = sp.Symbol(name, **symbol.assumptions0)
    return found


def _domain(law: Law, other: Law, letters: dict[sp.Symbol, sp.Symbol], given: Given) -> Domain:
    """What either law states, the response and its bounds left out: it is eliminated."""
    ranges = tuple((letters.get(symbol, symbol), interval) for symbol, interval in other.domain.ranges)
    pairs = tuple((more.xreplace(letters), less.xreplace(letters)) for more, less in other.domain.relations)
    met = Domain(law.domain.ranges, law.domain.relations).meet(Domain((), pairs))
    for pair in ranges:
        met = met.meet(Domain((pair,)))
    y = law.response.symbol
    met = Domain(met.ranges, tuple(pair for pair in met.relations if not any(side.has(y) for side in pair)))
    names = {symbol.name: symbol for symbol in letters.values()} | {
        s.name: s for s in other.constants if s not in letters
    }
    return met.meet(where(law, given, names)) if given else met


def _meet(
    made: Maker, ordered: Sequence[tuple[int, Term]], sides: tuple[sp.Expr, sp.Expr], x: sp.Symbol, asked: str
) -> sp.Expr | Root:
    """The only zero of a sum of monomials."""
    value = only_zero(made, ordered, sides, x, asked)
    if value is None:
        raise Unattainable(asked, _NEVER, "compare other laws")
    return value


def _ratio(made: Maker, sides: tuple[sp.Expr, sp.Expr], x: sp.Symbol, asked: str) -> Root:
    """The crossing of two laws whose ratio is strictly monotone and passes 1."""
    slope = log_derivative(sides[0], x) - log_derivative(sides[1], x)
    if any(order.sign(side, made.domain) != 1 for side in sides):
        raise ScalingError(asked, "the laws are no sums of monomials, nor known to be positive", "compare numerically")
    direction = order.sign(slope, made.domain)
    if not direction:
        raise Undecided(asked, f"the ratio of the laws rises or falls strictly in {x}")
    ratio = sides[0] / sides[1]
    ends = [limit(ratio, x, point, made.domain) for point in (sp.Integer(0), sp.oo)]
    passes = [1 if end == sp.oo else order.require_sign(end - 1, made.domain, asked) for end in ends]
    if passes != [-direction, direction]:
        raise Unattainable(
            asked, f"they never meet: their ratio goes from {ends[0]} to {ends[1]}", "compare other laws"
        )
    way = "rises" if direction > 0 else "falls"
    owes = [made.positive(f"the ratio {way}", sp.Derivative(sp.log(ratio), x), direction)]
    owes += [made.tends(f"at {p}", ratio, x, p, end) for p, end in zip((sp.Integer(0), sp.oo), ends, strict=True)]
    made.step("root", f"the ratio of the laws {way} strictly through 1", ratio, sp.Eq(ratio, 1, evaluate=False), *owes)
    return Root(x, sides[0] - sides[1], (sp.Integer(0), sp.oo), f"the ratio of the laws {way} strictly")
