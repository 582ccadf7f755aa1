"""Optima as balances: where a sum of monomials is stationary, by linear algebra on exponents and logarithms.

Algorithm
---------
Given terms ``T_j = A_j * prod(x_i**e_ji)`` with ``A_j > 0`` and, optionally, a budget ``k * prod(x_i**p_i) = C``:

1. In ``u = log x`` each term is the exponential of a linear function, so the sum is convex and stationarity along the
   budget reads ``sum_j e_ji T_j = lambda p_i``: the terms' shares ``w_j = T_j / sum(T)`` solve a linear system. The
   shares come from the null space of ``[E^T | -p]``, computed over the field of rational functions of the exponents.
2. One-dimensional null space (degree of difficulty zero): the shares are known. They must be positive, else there is
   no interior optimum. Then ``T_j / T_1 = w_j / w_1`` and the budget are linear in ``u``; a determinant of fixed sign
   makes the solution unique, a missing rank makes it a family of optima.
3. A larger null space and one free direction: a sum of exponentials in one variable. With exponents of both signs its
   slope increases from -oo to oo and has one zero: in closed form for equally spaced exponents, else a Root.

Nothing here solves a nonlinear system, and every sign is decided by the domain or raised as a question.

Worked example: ``A/N**a + B/D**b`` under ``6*N*D = C``. The shares satisfy ``-a*w1 = lambda``, ``-b*w2 = lambda``, so
``w = (b, a)/(a + b)``. The logs satisfy ``a*log N - b*log D = log(a*A/(b*B))`` and ``log N + log D = log(C/6)``, with
determinant ``a + b > 0``: ``N = (a*A/(b*B))**(1/(a + b)) * (C/6)**(b/(a + b))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from ..budget import BITS, power_bits
from ..domain import Domain
from ..errors import NoOptimum, ScalingError
from . import order
from .peel import Term

__all__ = ["Balance", "Budget", "balance", "bound", "one_direction"]


@dataclass(frozen=True)
class Budget:
    """``amount`` is what the monomial ``cost`` must come to."""

    cost: Term
    amount: sp.Expr


@dataclass(frozen=True)
class Balance:
    """A solved balance.

    Parameters
    ----------
    shares : tuple of Expr
        ``T_j / sum(T)`` at the optimum; positive, they add to one.
    bases : tuple of Expr
        The known ratios of which every optimum is a product of powers; the budget's base, if any, comes last.
    powers : tuple of tuple of Expr
        ``powers[i][k]``: the exponent of base k in variable i.
    determinant : Expr
        Of the linear system in logs; its sign on the domain is fixed, so the optimum is unique.
    value, value_power : Expr
        The inner sum at the optimum, as ``(sum of products) * budget base**value_power``.
    """

    shares: tuple[sp.Expr, ...]
    bases: tuple[sp.Expr, ...]
    powers: tuple[tuple[sp.Expr, ...], ...]
    determinant: sp.Expr
    value: sp.Expr = sp.S.Zero
    value_power: sp.Expr = sp.S.Zero

    def optimum(self, variable: int) -> sp.Expr:
        """The optimal value of one variable."""
        return sp.Mul(*(b**p for b, p in zip(self.bases, self.powers[variable], strict=True)))


def balance(
    terms: Sequence[Term], domain: Domain, budget: Budget | None = None, asked: str = "find the optimum"
) -> Balance | None:
    """The interior minimum of a sum of monomials in closed form; None where the terms' shares are not determined.

    Parameters
    ----------
    terms : sequence of Term
        Positive amplitudes, distinct exponent vectors.
    budget : Budget, optional
        The monomial constraint.

    Raises
    ------
    NoOptimum
        If no positive shares balance the terms, or a family of points does equally well.
    Undecided
        If the domain does not fix a share's sign or the determinant's.
    ScalingError
        If numerical exponents have so many digits that exact powers would not fit in memory.

    Examples
    --------
    >>> a, b, k = sp.symbols("a b k", positive=True)
    >>> balance([Term(k, (-a,)), Term(sp.Integer(1), (b,))], Domain()).optimum(0)
    (a*k/b)**(1/(a + b))
    """
    shares = _shares(terms, domain, budget, asked)
    if shares is None:
        return None
    first = terms[0]
    rows = [_difference(term.exponents, first.exponents) for term in terms[1:]]
    bases = [
        sp.cancel(share / shares[0]) * first.coefficient / term.coefficient
        for share, term in zip(shares[1:], terms[1:], strict=True)
    ]
    if budget is not None:
        rows.append(tuple(budget.cost.exponents))
        bases.append(budget.amount / budget.cost.coefficient)
    matrix = DomainMatrix.from_Matrix(sp.Matrix(rows)).to_field() if rows else None
    if matrix is None or matrix.rank() < len(first.exponents):
        raise NoOptimum(asked, "a family of optima: the terms do not tell its members apart", "fix a variable")
    determinant = sp.factor(matrix.domain.to_sympy(matrix.det()))
    order.require_sign(determinant, domain, asked)
    inverse = [[sp.factor(entry) for entry in row] for row in matrix.inv().to_Matrix().tolist()]
    bases, powers = _upright(bases, inverse, len(rows) - (budget is not None), domain)
    for row in powers:
        bound(bases, row, asked)
    solved = Balance(tuple(shares), tuple(bases), tuple(map(tuple, powers)), determinant)
    value, power = _value(terms, solved, budget, asked)
    return replace(solved, value=value, value_power=power)


def _shares(terms: Sequence[Term], domain: Domain, budget: Budget | None, asked: str) -> list[sp.Expr] | None:
    """The terms' shares; None where the exponents leave them open."""
    columns = [list(term.exponents) for term in terms]
    if budget is not None:
        columns.append([-power for power in budget.cost.exponents])
    matrix = DomainMatrix.from_Matrix(sp.Matrix(columns).T).to_field()
    null = matrix.nullspace().to_Matrix()
    if null.rows > 1:
        return None
    weights = list(null)[: len(terms)] if null.rows else [sp.Integer(0)]
    pull = "no interior optimum: the terms all pull the same way"
    if weights[0] == 0:
        raise NoOptimum(asked, pull, "bound the variable or add a cost")
    ratios = [sp.cancel(weight / weights[0]) for weight in weights]
    if any(_sign_of_ratio(ratio, domain, asked) != 1 for ratio in ratios):
        raise NoOptimum(asked, pull, "bound the variable or add a cost")
    total = sp.Add(*ratios)
    return [sp.factor(sp.cancel(ratio / total)) for ratio in ratios]


def _sign_of_ratio(ratio: sp.Expr, domain: Domain, asked: str) -> int:
    """The sign of a quotient by that of its factors; the question names only those that are open."""
    sign, unknown = 1, sp.Integer(1)
    for factor in sp.Mul.make_args(sp.Mul(*sp.fraction(sp.factor(ratio)))):
        known = order.sign(factor, domain)
        sign, unknown = (sign, unknown * factor) if known is None else (sign * known, unknown)
    return sign * order.require_sign(unknown, domain, asked)


def _difference(left: Sequence[sp.Expr], right: Sequence[sp.Expr]) -> tuple[sp.Expr, ...]:
    return tuple(a - b for a, b in zip(left, right, strict=True))


def _upright(
    bases: list[sp.Expr], powers: list[list[sp.Expr]], count: int, domain: Domain
) -> tuple[list[sp.Expr], list[list[sp.Expr]]]:
    """Turn each of the first ``count`` bases over where the first variable that has it has it to a negative power."""
    for k in range(count):
        signs = (order.sign(row[k], domain) for row in powers)
        if next((sign for sign in signs if sign), 1) == -1:
            bases = [*bases[:k], 1 / bases[k], *bases[k + 1 :]]
            powers = [[-p if j == k else p for j, p in enumerate(row)] for row in powers]
    return bases, powers


def bound(bases: Sequence[sp.Expr], powers: Sequence[sp.Expr], asked: str) -> None:
    """Refuse rational powers of numbers that SymPy would write out as integers of thousands of digits."""
    for base, power in zip(bases, powers, strict=True):
        number = base.as_coeff_Mul()[0]
        if not (number.is_Rational and power.is_Rational):
            continue
        if power_bits(int(number.p * number.q).bit_length(), Fraction(int(power.p))) > BITS:
            found = f"the exponent {power} has too many digits"
            raise ScalingError(asked, found, "write symbols for the exponents, put the numbers in afterwards")


def _value(terms: Sequence[Term], solved: Balance, budget: Budget | None, asked: str) -> tuple[sp.Expr, sp.Expr]:
    """The sum at the optimum, and the budget's power in it: every term has the same one."""
    products, power = [], sp.Integer(0)
    free = solved.bases[:-1] if budget else solved.bases
    for term in terms:
        powers = [
            sp.factor(sp.Add(*(e * row[k] for e, row in zip(term.exponents, solved.powers, strict=True))))
            for k in range(len(solved.bases))
        ]
        bound(solved.bases, powers, asked)
        products.append(sp.Mul(term.coefficient, *(b**p for b, p in zip(free, powers, strict=False))))
        power = powers[-1] if budget else power
    return sp.Add(*products) * solved.bases[-1] ** power, power


def one_direction(
    terms: Sequence[Term], variables: Sequence[sp.Symbol], domain: Domain, asked: str = "find the optimum"
) -> tuple[sp.Expr, sp.Expr | None]:
    """The slope of a sum of monomials in one variable, and its only positive zero in closed form or None.

    Returns
    -------
    (Expr, Expr or None)
        The slope ``sum(e_j * T_j)`` in the logarithm; its zero where three exponents are equally spaced.

    Raises
    ------
    NoOptimum
        If the exponents all have one sign.
    ScalingError
        If there are several variables.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> one_direction([Term(sp.Integer(1), (sp.Integer(e),)) for e in (-1, 1, 3)], (x,), Domain())
    (3*x**3 + x - 1/x, sqrt(-1/6 + sqrt(13)/6))
    """
    if len(variables) != 1:
        raise ScalingError(asked, "several free directions and more terms than they determine", "fix a variable")
    signs = {order.sign(term.exponents[0], domain) for term in terms}
    if not {1, -1} <= signs:  # of both signs the others do not matter: the sum is convex and rises at both ends
        for term in terms:
            order.require_sign(term.exponents[0], domain, asked)
        found = "no interior optimum: the terms all pull the same way"
        raise NoOptimum(asked, found, "bound the variable or add a cost")
    slope = sp.Add(*(term.exponents[0] * term.at(variables) for term in terms))
    return slope, _quadratic(terms, domain)


def _quadratic(terms: Sequence[Term], domain: Domain) -> sp.Expr | None:
    """The positive zero of ``p*z**2 + q*z - r`` with z a power of the variable, for three equally spaced exponents."""
    if len(terms) != 3:
        return None
    for low, middle, high in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        exponents = [terms[k].exponents[0] for k in (low, middle, high)]
        step = sp.cancel(exponents[1] - exponents[0])
        if sp.cancel(exponents[2] - exponents[1] - step) == 0 and order.sign(step, domain) == 1:
            r, q, p = (terms[k].coefficient * e for k, e in zip((low, middle, high), exponents, strict=True))
            zero = (-q + sp.sqrt(q**2 - 4 * p * r)) / (2 * p)
            return sp.expand_mul(zero) ** (1 / step)
    return None
