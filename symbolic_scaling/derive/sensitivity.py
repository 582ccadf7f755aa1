"""How the optimum moves with every constant: ``d log(optimum) / d parameter``, exact, of closed forms and of roots.

A closed form is a product of powers: its logarithm is differentiated factor by factor. A root x of ``G(x, p) = 0``
moves by the implicit function theorem, ``d log x/dp = -G_p/(x*G_x)``, an expression in x itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import sympy as sp

from ..algebra.implicit import derivative, log_derivative
from ..errors import LawError
from ..law import Cost, Law
from ..records import Claim, Derivation, Found, Question, Root
from .common import Given, Maker, pick, where
from .frontier import frontier
from .optimum import optimum
from .price import price_of

__all__ = ["sensitivity"]


def sensitivity(
    law: Law,
    variable: str | sp.Symbol | None = None,
    cost: Cost | sp.Expr | str | None = None,
    given: Given = (),
    fixed: Iterable[str | sp.Symbol] = (),
) -> Derivation:
    """The derivative of the logarithm of one optimal input with respect to every constant.

    Parameters
    ----------
    law : Law
        With a cost, its own or ``cost``: the optimum is that of ``frontier``; without one, that of ``optimum``.
    variable : str or Symbol, optional
        The input whose optimum it is; the first one by default.
    cost, given, fixed
        As for ``frontier``.

    Returns
    -------
    Derivation
        ``found`` by constant: the law's parameters, the cost's letters and the budget. Multiply by the constant to
        have an elasticity, by its standard error to have the relative error of the optimum. The roots that they are
        written in follow as ``optimal N``.

    Raises
    ------
    NoOptimum, Undecided
        As ``frontier`` and ``optimum``.
    LawError
        If ``variable`` is held.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = sensitivity(laws.get("chinchilla"))
    >>> found["A"], found["E"], found["C"]
    (1/(A*(alpha + beta)), 0, beta/(C*(alpha + beta)))
    """
    x = pick(law, variable, law.inputs) if variable is not None else law.inputs[0]
    asked = f"find how the optimum of {law.name} in {x} moves"
    letters: tuple[sp.Symbol, ...] = ()
    if cost is None and not law.costs:
        best = optimum(law, x, given)
        letters = tuple(s for s in law.inputs if s != x)
    else:
        paid, held = price_of(law, cost), {pick(law, name, law.inputs) for name in fixed}
        if x in held:
            raise LawError(asked, f"{x} is held", "take another input")
        best = frontier(law, paid, given, tuple(held))
        own = paid.expression.free_symbols - {*law.inputs, *law.constants, law.response.symbol}
        letters = (paid.symbol, *sorted(own, key=lambda s: str(s.name)), *sorted(held, key=lambda s: str(s.name)))
    made = Maker(law, where(law, given, {s.name: s for s in letters}))
    roots = tuple(value for name, value in best.found if isinstance(value, Root) and name == value.symbol.name)
    found: list[tuple[str, Found]] = []
    for constant in (*law.constants, *letters):
        found.append((constant.name, _moves(made, x, best[x.name], constant, roots)))
    found += [(f"optimal {root.symbol}", root) for root in roots]
    optimum_of = best[x.name]
    form = optimum_of if isinstance(optimum_of, sp.Expr) and not roots else None
    title, question = f"sensitivity of the optimal {x} of {law.name}", Question("sensitivity", made.domain, form=form)
    return Derivation(title, law, best.given, (*best.steps, *made.steps), tuple(found), question=question)


def _moves(made: Maker, x: sp.Symbol, value: Found, constant: sp.Symbol, roots: tuple[Root, ...]) -> sp.Expr:
    """``d log(optimum) / d constant`` and its step; an optimum in terms of roots moves with them too."""
    if isinstance(value, Root):
        moved = _follow(made, value, roots, constant)[x] / x
        made.step("implicit", "the condition stays zero", sp.Derivative(sp.log(x), constant), moved)
        return moved
    assert isinstance(value, sp.Expr)
    moved, raw = log_derivative(value, constant), sp.Derivative(sp.log(value), constant)
    for root in (root for root in roots if value.has(root.symbol)):
        rate = _follow(made, root, roots, constant)[root.symbol]
        moved += log_derivative(value, root.symbol) * rate
        raw += sp.Derivative(sp.log(value), root.symbol) * rate
    moved = sp.factor_terms(sp.expand_mul(moved, deep=False))
    owes = made.equal(f"d log {x}/d {constant}", raw, moved)
    made.step("differentiate", "the logarithm, factor by factor", sp.Derivative(sp.log(x), constant), moved, owes)
    return moved


def _determinant(matrix: sp.Matrix) -> sp.Expr:
    """By permutations, nothing multiplied out: the matrices are small and their entries long."""
    total = sp.Integer(0)
    for order in permutations(range(matrix.rows)):
        sign = sp.LeviCivita(*order)
        total += sign * sp.Mul(*(matrix[row, column] for row, column in enumerate(order)))
    return total


def _cramer(made: Maker, size: int) -> list[Claim]:
    """Cramer's rule in letters: ratios of determinants solve the linear system."""
    slopes = sp.Matrix(size, size, lambda i, j: sp.Symbol(f"m_{i}{j}", positive=True))
    pulls = sp.Matrix([sp.Symbol(f"v_{i}", positive=True) for i in range(size)])
    ratios = [_replaced(slopes, place, pulls) for place in range(size)]
    whole = _determinant(slopes)
    return [
        made.equal(
            f"Cramer's rule, row {i + 1}", sp.Add(*(slopes[i, j] * ratios[j] for j in range(size))), pulls[i] * whole
        )
        for i in range(size)
    ]


def _replaced(slopes: sp.Matrix, place: int, pulls: sp.Matrix) -> sp.Expr:
    turned = slopes.copy()
    turned[:, place] = pulls
    return _determinant(turned)


def _follow(made: Maker, root: Root, roots: tuple[Root, ...], constant: sp.Symbol) -> dict[sp.Symbol, sp.Expr]:
    """``d root / d constant``, with the roots that stand in one another's conditions, by Cramer's rule."""
    coupled = [
        one
        for one in roots
        if one is root or any(one.condition.has(other.symbol) for other in roots if other is not one)
    ]
    coupled = coupled if any(root.condition.has(one.symbol) for one in roots if one is not root) else [root]
    slopes = sp.Matrix([[derivative(one.condition, by.symbol) for by in coupled] for one in coupled])
    pulls = sp.Matrix([-derivative(one.condition, constant) for one in coupled])
    whole, rates = _determinant(slopes), {}
    for place, one in enumerate(coupled):
        rates[one.symbol] = _replaced(slopes, place, pulls) / whole
    owes = [
        made.equal(f"slope of the condition on {one.symbol} in {by}", sp.Derivative(one.condition, by), moved)
        for one, row, pull in zip(coupled, slopes.tolist(), pulls, strict=True)
        for by, moved in zip((*(two.symbol for two in coupled), constant), (*row, -pull), strict=True)
    ]
    owes += _cramer(made, len(coupled))
    before = sp.Derivative(root.symbol, constant)
    made.step("implicit", "every condition stays zero: a linear system", before, rates[root.symbol], *owes)
    return rates
