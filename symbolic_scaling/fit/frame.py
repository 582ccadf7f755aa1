"""The units of a fit: each input over its geometric mean, the response over its largest value, and the way back.

A unit keeps the user's size where the law fixes it, or where a fixed or bounded constant would change with a free
exponent (``--fix beta=5`` in ``beta*x**c``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp

from ..budget import cached
from ..errors import FitError
from ..law import Law
from .box import Coordinate, Table
from .rows import Rows
from .solve import Floats
from .units import factors, weights

__all__ = ["Frame", "changeable"]


@dataclass(frozen=True, eq=False)
class Frame:
    """``sizes``: the size of each input's unit and of the response's, in the user's units."""

    law: Law
    sizes: tuple[float, ...]

    @classmethod
    def choose(cls, law: Law, rows: Rows, fixed: Mapping[sp.Symbol, float], given: frozenset[sp.Symbol]) -> Frame:
        """The units in which the rows are of order 1; ``given`` are the constants with bounds of the user's."""
        natural = [*np.exp(np.log(rows.x).mean(axis=1)), rows.y.max()]
        free = changeable(law, fixed, given)
        return cls(law, tuple(float(size) if may else 1.0 for size, may in zip(natural, free, strict=True)))

    def table(self, rows: Rows) -> Table:
        """The rows in the units of the fit."""
        return Table(rows.x / np.array(self.sizes[:-1])[:, None], rows.y / self.sizes[-1])

    def factors(self, constants: Floats) -> Floats:
        """Constant in the user's units over constant in the fit's, (c, k); 0 or infinity where that is no number."""
        with np.errstate(over="ignore", under="ignore"):
            found: Floats = np.exp(factors(self.law)(*np.log(self.sizes), *constants))
        return found

    def inside(self, values: Mapping[sp.Symbol, float], fixed: Mapping[sp.Symbol, float]) -> dict[sp.Symbol, float]:
        """Values of the user's in the units of the fit; exponents that matter are among ``fixed``.

        Raises
        ------
        FitError
            If a value has none.
        """
        if not values:
            return {}
        point = [float(values.get(s, fixed.get(s, 1.0))) for s in self.law.constants]
        by_symbol = dict(zip(self.law.constants, self.factors(np.array(point)[:, None])[:, 0], strict=True))
        for symbol, value in values.items():
            if not 0 < by_symbol[symbol] < np.inf:
                found = f"{symbol.name} = {value:g} is no number at the sizes of these rows"
                raise FitError(f"fit {self.law.name}", found, "measure the inputs in other units, or leave it free")
        return {symbol: float(value) / float(by_symbol[symbol]) for symbol, value in values.items()}

    def outside(self, constants: Floats) -> Floats:
        """Constants (c, k) in the user's units."""
        with np.errstate(all="ignore"):
            return constants * self.factors(constants)

    def within(self, constants: Floats) -> Floats:
        """Constants (c, k) of the user's in the units of the fit."""
        return constants / self.factors(constants)

    def chain(self, gradient: Floats, constants: Floats) -> Floats:
        """A gradient in the user's constants, (c, k), as one in those of the fit, at constants (c, k) of the fit."""
        with np.errstate(all="ignore"):
            return self._chained(gradient, constants)

    def _chained(self, gradient: Floats, constants: Floats) -> Floats:
        logs, slopes = factors(self.law).value_and_gradient(*np.log(self.sizes), *constants)
        moved = np.where(gradient == 0, 0.0, gradient * np.exp(logs))
        found: Floats = moved + np.einsum("ik,ijk->jk", moved * constants, slopes)
        return found

    def walled(self, c: Coordinate) -> tuple[str, float]:
        """What a coordinate bounds, a height above another constant included, and that factor."""
        text, factor = self.bounded(c.symbol)
        return (text if c.base is None else f"{c.symbol.name} - {c.base.name}"), factor

    def bounded(self, symbol: sp.Symbol) -> tuple[str, float]:
        """What the box bounds, and the factor of its numbers in the user's units.

        ``("eps_inf", 0.98)`` where the factor is a number, ``("beta*9.02e+07**c", 0.98)`` where an exponent decides it.
        """
        text, factor = symbol.name, 1.0
        position = self.law.places[symbol]
        for unit, size in zip((*self.law.inputs, self.law.response.symbol), self.sizes, strict=True):
            number, power = _power(self.law, unit, position)
            if size != 1.0 and power:
                text += f"*{size:.3g}**{power}"
            elif size != 1.0:
                factor *= size**number
        return text, factor


def changeable(law: Law, fixed: Mapping[sp.Symbol, float], given: frozenset[sp.Symbol]) -> list[bool]:
    """Which units may change, of the inputs and of the response; ``given`` are constants with bounds of the user's."""
    free = []
    for unit in (*law.inputs, law.response.symbol):
        powers = weights(law, unit)
        free.append(
            powers is not None
            and all(
                power.subs(fixed).is_number
                for symbol, power in zip(law.constants, powers, strict=True)
                if symbol in fixed or symbol in given
            )
        )
    return free


@cached
def _power(law: Law, unit: sp.Symbol, position: int) -> tuple[float, str]:
    """The power of a unit in a constant: a number and "", or 0 and minus the power as text where it holds exponents."""
    powers = weights(law, unit)
    if powers is None or powers[position].is_number:
        return (0.0 if powers is None else float(powers[position])), ""
    text = str(-powers[position])
    return 0.0, text if text.isidentifier() else f"({text})"
