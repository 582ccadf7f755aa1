"""The numbers of a derivation: what was found as an expression by evaluation, as a root by solving, as a series by sum.

Powers of exact numbers with long exponents are never formed: everything is evaluated with 30 digits or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from .. import notation
from ..errors import DomainError, ScalingError
from ..records import Case, Derivation, Found, Root, Series
from .roots import Solver, exact

__all__ = ["evaluate"]


def evaluate(
    derivation: Derivation, numbers: Mapping[str, Any], target: str = "numpy", digits: int = 15
) -> dict[str, Any]:
    """Every answer of a derivation at numbers.

    Parameters
    ----------
    derivation : Derivation
    numbers : mapping
        A number by name for every letter of the answers: int, float, Fraction, Rational, or decimal text. With the
        target ``numpy`` also arrays, broadcast against one another.
    target : {"numpy", "mpmath"}
        Floats and arrays of them, or mpmath numbers.
    digits : int
        To which roots are solved.

    Returns
    -------
    dict
        Key -> number, infinite where a limit is. With cases the key says of which, as in ``x if x > x_best``.
        Reductions have no number.

    Raises
    ------
    ScalingError
        If a name has no number, nothing found holds a given name, or an answer has no real value there.
    DomainError
        If a number is outside the range of its name.

    Examples
    --------
    >>> from symbolic_scaling import derive, laws
    >>> paid = derive.frontier(laws.get("chinchilla"), "C = 6*N*D + 2*N*D_inf")
    >>> fit = laws.get("chinchilla").published_set("besiroglu2024").exact()
    >>> best = evaluate(paid, {**fit, "C": [1e21, 1e22], "D_inf": 1e11})
    >>> [f"{N:.4g}" for N in best["N"]]
    ['1.446e+09', '6.829e+09']
    """
    if target not in ("numpy", "mpmath"):
        raise ScalingError(f"evaluate the {derivation.title}", f"no target {target!r}", "take numpy or mpmath")
    cases = [case for case in derivation.cases if case.found] or [Case((), derivation.found)]
    branches = [_Branch(derivation, case, digits) for case in cases]
    names = sorted({symbol.name for branch in branches for symbol in branch.letters})
    _check_names(derivation, numbers, names)
    arrays = [np.asarray(numbers[name], dtype=object) for name in names]
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    columns = [np.broadcast_to(array, shape).ravel() for array in arrays]
    rows = []
    for place in range(int(np.prod(shape, dtype=int))):
        point = {name: exact(column[place], name) for name, column in zip(names, columns, strict=True)}
        rows.append(
            {key: value for branch in branches if branch.holds(point) for key, value in branch.at(point).items()}
        )
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if not keys:
        raise ScalingError(f"evaluate the {derivation.title}", "no case has an answer there", "give other numbers")
    nan = float("nan")  # a point at which a case does not hold
    if target == "mpmath":
        return {key: rows[0][key] if not shape else [row.get(key, mpmath.nan) for row in rows] for key in keys}
    return {
        key: float(rows[0][key]) if not shape else np.array([float(row.get(key, nan)) for row in rows]).reshape(shape)
        for key in keys
    }


def _check_names(derivation: Derivation, numbers: Mapping[str, Any], names: Sequence[str]) -> None:
    asked, have = f"evaluate the {derivation.title}", {*derivation.law.symbols, *names}
    if foreign := sorted(set(numbers) - have):
        raise ScalingError(asked, f"it has no {', '.join(foreign)}", f"its names are {', '.join(sorted(have))}")
    if missing := [name for name in names if name not in numbers]:
        remedy = f"say --at {','.join(f'{name}=...' for name in missing)}"
        sets = ", ".join(one.name for one in derivation.law.published if one.exact().keys() & set(missing))
        found = f"no number for {', '.join(missing)}"
        raise ScalingError(asked, found, remedy + (f", or --published {sets}" if sets else ""))


class _Branch:
    """The answers of one case and the roots among them."""

    def __init__(self, derivation: Derivation, case: Case, digits: int) -> None:
        self.asked, self.domain, self.digits = f"evaluate the {derivation.title}", derivation.law.domain, digits
        said = ", ".join(f"{notation.text(more)} > {notation.text(less)}" for more, less in case.when)
        self.label = f" if {said}" if said else ""
        self.answers: dict[str, sp.Expr] = {key: _expression(v) for key, v in case.found if isinstance(v, _NUMERIC)}
        roots = tuple(value for _, value in case.found if isinstance(value, Root))
        if not self.answers:
            raise ScalingError(self.asked, "it found no number", "leave out the numbers")
        self.when = case.when
        self.solver = Solver(roots, digits)
        self.unknown = {root.symbol for root in roots}
        said_of = {s for pair in case.when for side in pair for s in side.free_symbols}
        letters = (_letters(self.answers.values(), roots) | said_of) - self.unknown
        self.letters = sorted(letters, key=lambda s: str(s.name))

    def holds(self, point: Mapping[str, sp.Expr]) -> bool:
        """Whether what the case says of known letters is so."""
        known = {symbol: point[symbol.name] for symbol in self.letters}
        gaps = [more - less for more, less in self.when if not (more - less).free_symbols & self.unknown]
        return all(self._number("a condition", gap, known) > 0 for gap in gaps)

    def at(self, point: Mapping[str, sp.Expr]) -> dict[str, Any]:
        """Key -> mpmath number at one point."""
        for symbol in self.letters:
            interval = self.domain.interval(symbol)
            if not interval.contains(point[symbol.name].evalf(2 * self.digits)):
                found = f"{symbol} = {point[symbol.name]} lies outside {interval}"
                raise DomainError(self.asked, found, "check the number")
        solved = self.solver(point)
        known = {symbol: point[symbol.name] for symbol in self.letters}
        known |= {symbol: sp.Float(value, 2 * self.digits) for symbol, value in solved.items()}
        return {f"{key}{self.label}": self._number(key, answer, known) for key, answer in self.answers.items()}

    def _number(self, key: str, answer: sp.Expr, known: Mapping[sp.Symbol, sp.Expr]) -> Any:
        value = answer.doit().evalf(2 * self.digits, subs=dict(known))
        if value in (sp.oo, -sp.oo):
            return mpmath.inf if value == sp.oo else -mpmath.inf
        if not (value.is_real and value.is_number):
            raise ScalingError(self.asked, f"{key} has no real value there", "check the numbers")
        return mpmath.mp.make_mpf(value._mpf_) if value.is_Float else mpmath.mpf(value.p) / value.q


_NUMERIC = (sp.Expr, Root, Series)


def _expression(found: Found) -> sp.Expr:
    """A root is its symbol, a series the sum of its terms."""
    if isinstance(found, Series):
        return sp.Add(*(value * found.small**power for value, power in found.terms))
    assert isinstance(found, sp.Expr | Root)
    return found.symbol if isinstance(found, Root) else found


def _letters(answers: Iterable[sp.Expr], roots: Iterable[Root]) -> set[sp.Symbol]:
    """Every symbol of the answers, the conditions and the brackets."""
    parts = [*answers, *(part for root in roots for part in (root.condition, *root.bracket))]
    return {symbol for part in parts for symbol in part.free_symbols}
