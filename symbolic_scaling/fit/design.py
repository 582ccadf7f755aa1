"""The inputs of a table as exact arithmetic sees them: which values are one number, which inputs are powers of others.

Values that differ by rounding are one. An input that is a constant times rational powers of others on all rows is that
product, so that ``D = 20*N`` computed in floating point is exact again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from ..errors import DataError
from ..law import Law
from .generic import Base, Row
from .solve import Floats

__all__ = ["Design", "read"]

_SAME = 1e-12  # relative: one number
_DENOMINATOR = 24


@dataclass(frozen=True, eq=False)
class Design:
    """Distinct rows.

    Parameters
    ----------
    law : Law
    x : array (m, n)
    rows : tuple of Row
        Each row's inputs, and the factors of those that follow from others, as products of bases.
    follows : tuple of (Symbol, Expr)
        Inputs as a factor times powers of others.
    relations : tuple of (Symbol, str)
        What inputs that are one number, and factors, are, in words.
    """

    law: Law
    x: Floats
    rows: tuple[Row, ...]
    follows: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()
    relations: tuple[tuple[sp.Symbol, str], ...] = ()

    def where(self, expression: sp.Expr) -> str:
        """`` at D = 20*N``: what the inputs in an expression that the rows identify are."""
        said = [text for symbol, text in self.relations if symbol in expression.free_symbols]
        return f" at {', '.join(said)}" if said else ""


def read(law: Law, x: Mapping[str, ArrayLike] | ArrayLike) -> Design:
    """The distinct rows of a table of inputs.

    Raises
    ------
    DataError
        If names or lengths are wrong or an input is not a positive number.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> design = read(laws.get("chinchilla"), {"N": [1e8, 3e8, 1e8], "D": [2e9, 6e9, 2e9]})
    >>> design.x.shape
    (2, 2)
    """
    names = [symbol.name for symbol in law.inputs]
    given = x if isinstance(x, Mapping) else {names[0]: x}
    if set(given) != set(names):
        raise DataError(f"identify {law.name}", f"inputs {sorted(given)}", f"give {', '.join(names)}")
    try:
        columns = np.stack(np.broadcast_arrays(*(np.asarray(given[n], dtype=np.float64).ravel() for n in names)))
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"identify {law.name}", str(error), "give numbers, columns of one length") from None
    if not (columns.shape[1] and np.isfinite(columns).all() and (columns > 0).all()):
        raise DataError(f"identify {law.name}", "an input is missing or not positive", "give positive numbers")
    logs = np.log(columns)
    classes = np.stack([_classes(column) for column in logs])
    _, first = np.unique(classes, axis=1, return_index=True)
    first = np.sort(first)
    powers = _powers(logs[:, first], classes[:, first])
    rows = [{symbol: _product(j, powers[j], classes[:, i]) for j, symbol in enumerate(law.inputs)} for i in first]
    factors = {
        j: sp.Symbol(f"k_{law.inputs[j].name}", positive=True) for j, own in enumerate(powers) if own is not None
    }
    more: Row = {symbol: ((("factor", j, 0), Fraction(1)),) for j, symbol in factors.items()}
    return Design(
        law,
        columns[:, first],
        tuple({**row, **more} for row in rows),
        tuple((law.inputs[j], symbol * _powered(law, powers[j] or {})) for j, symbol in factors.items()),
        tuple(_said(law, logs[:, first], powers, factors)),
    )


def _powered(law: Law, powers: Mapping[int, Fraction]) -> sp.Expr:
    return sp.Mul(*(law.inputs[i] ** sp.Rational(power.numerator, power.denominator) for i, power in powers.items()))


def _said(
    law: Law, logs: Floats, powers: list[dict[int, Fraction] | None], factors: Mapping[int, sp.Symbol]
) -> Iterator[tuple[sp.Symbol, str]]:
    for j, symbol in enumerate(law.inputs):
        if np.ptp(logs[j]) <= _SAME * max(1.0, float(np.abs(logs[j]).max())):
            yield symbol, f"{symbol.name} = {np.exp(logs[j][0]):.6g}"
        elif (own := powers[j]) is not None:
            size = np.exp(np.mean(logs[j] - sum(float(power) * logs[i] for i, power in own.items())))
            name = factors[j].name
            yield factors[j], f"{symbol.name} = {name}*{_powered(law, own)}, {name} = {size:.6g}"


def _classes(logs: Floats) -> np.ndarray:
    """For each value the number of the group of equal ones that it is in."""
    order = np.argsort(logs)
    steps = np.diff(logs[order]) > _SAME * max(1.0, float(np.abs(logs).max()))
    found = np.empty(len(logs), dtype=np.int64)
    found[order] = np.append(0, np.cumsum(steps))
    return found


def _powers(logs: Floats, classes: np.ndarray) -> list[dict[int, Fraction] | None]:
    """For each input the powers of earlier ones that it is a constant times of; None where it is its own."""
    centred = logs - logs.mean(axis=1, keepdims=True)
    basis: list[int] = []
    found: list[dict[int, Fraction] | None] = []
    for j, column in enumerate(centred):
        powers = _relation(centred[basis], column) if basis and classes[j].max() > 0 else None
        found.append(None if powers is None else dict(zip(basis, powers, strict=True)))
        if powers is None and classes[j].max() > 0:
            basis.append(j)
    return found


def _relation(basis: Floats, column: Floats) -> list[Fraction] | None:
    solved = np.linalg.lstsq(basis.T, column, rcond=None)[0]
    powers = [Fraction(float(value)).limit_denominator(_DENOMINATOR) for value in solved]
    rest = column - np.array([float(power) for power in powers]) @ basis
    return powers if np.abs(rest).max() <= _SAME * 100 * max(1.0, float(np.abs(column).max())) else None


def _product(j: int, powers: Mapping[int, Fraction] | None, classes: np.ndarray) -> tuple[tuple[Base, Fraction], ...]:
    """One input on one row as a product of bases."""
    if powers is None:
        return ((("input", j, int(classes[j])), Fraction(1)),)
    others = ((("input", i, int(classes[i])), power) for i, power in powers.items() if power)
    return ((("factor", j, 0), Fraction(1)), *others)
