"""The numbers of a law: response, slopes in the logarithms and shares of its parts, in doubles and in many digits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import mpmath
import numpy as np
import numpy.typing as npt
import sympy as sp

from ... import codegen, quantity
from ...budget import cached
from ...codegen import Compiled
from ...codegen.lower import Lowering
from ...errors import DataError, LawError
from ...law import Law
from ..sources import Source
from .parts import exponent, read

__all__ = ["DIGITS", "Array", "Model", "Span"]

Array: TypeAlias = npt.NDArray[np.float64]
Span: TypeAlias = tuple[float, float]

DIGITS = 40
_WIDER = 1e3
_WIDEST = 1e9  # where no rows say which inputs are met


class Model:
    """A law with numbers for its constants.

    Parameters
    ----------
    source : Source
    asked : str
        What the errors say was asked.
    """

    def __init__(self, source: Source, asked: str) -> None:
        law = source.law
        if law.explicit is None:
            raise LawError(asked, f"{law.name} is implicit", "take a law that gives its response")
        self.source, self.law, self.asked = source, law, asked
        self.inputs = tuple(symbol.name for symbol in law.inputs)
        self.exact = [source.constants[symbol.name] for symbol in law.constants]
        self.constants = [float(value) for value in self.exact]

    def slopes(self, points: Mapping[str, Any]) -> tuple[Array, Array]:
        """Response (n,) and its logarithm's slope in the logarithm of each input (m, n), at positive inputs."""
        at = [np.atleast_1d(np.asarray(points[name], dtype=np.float64)) for name in self.inputs]
        with np.errstate(all="ignore"):
            value, gradient = _response(self.law, "numpy").value_and_gradient(*at, *self.constants)
            return value, gradient * np.array(np.broadcast_arrays(*at)) / value

    def precise(self, logs: Mapping[str, Any]) -> tuple[Any, list[Any]]:
        """Response and slopes at logarithms of the inputs, as mpmath numbers."""
        with mpmath.workdps(DIGITS):
            at = [mpmath.exp(logs[name]) for name in self.inputs]
            value, gradient = _response(self.law, "mpmath").value_and_gradient(*at, *self.exact, dps=DIGITS)
            return value, [x * slope / value for x, slope in zip(at, gradient, strict=True)]

    def shares(self, points: Mapping[str, Any]) -> tuple[Array, Array]:
        """Response (n,) and the slope of its logarithm in the logarithm of each part (k, n)."""
        at = [np.atleast_1d(np.asarray(points[name], dtype=np.float64)) for name in self.inputs]
        compiled = _shares(self.law)
        zeros = [0.0] * len(compiled.coordinates)
        with np.errstate(all="ignore"):
            value, gradient = compiled.value_and_gradient(*at, *self.constants, *zeros)
            return value, gradient / value

    def held(self, given: Mapping[str, Any], free: tuple[str, ...]) -> dict[str, float]:
        """Numbers for the inputs that are not ``free``."""
        unknown = sorted(set(given) - set(self.inputs))
        doubled = sorted(set(given) & set(free))
        missing = [name for name in self.inputs if name not in given and name not in free]
        if unknown or doubled or missing:
            found = (
                f"no input {unknown[0]}" if unknown else f"{doubled[0]} is held" if doubled else f"{missing[0]} is open"
            )
            raise DataError(self.asked, found, f"hold every input of {', '.join(self.inputs)} but {', '.join(free)}")
        return {name: self.number(name, value) for name, value in given.items()}

    def number(self, name: str, value: Any) -> float:
        """A positive number, as people write them."""
        number = float(quantity.read(value).value) if isinstance(value, str) else float(value)
        if not 0 < number < math.inf:
            raise DataError(self.asked, f"{name} = {value}", "give a positive finite number")
        return number

    def spans(self, given: Mapping[str, Any], free: tuple[str, ...]) -> dict[str, Span]:
        """Where to look: as given, else the rows of a fit, a thousandfold wider, or what is typical, much wider."""
        unknown = sorted(set(given) - set(free))
        if unknown:
            raise DataError(self.asked, f"a range of {unknown[0]}", f"give ranges of {', '.join(free)}")
        return {name: self._span(name, given.get(name)) for name in free}

    def _span(self, name: str, given: Any) -> Span:
        if given is not None:
            lo, hi = (self.number(name, end) for end in given)
            if not lo < hi:
                raise DataError(self.asked, f"{name} from {lo:g} to {hi:g}", "give lo:hi with lo < hi")
            return lo, hi
        if self.source.fit is not None:
            rows = dict(self.source.fit.problem.x)[name]
            return float(rows.min()) / _WIDER, float(rows.max()) * _WIDER
        lo, hi = self.law.variables[self.inputs.index(name)].typical
        return lo / _WIDEST, hi * _WIDEST

    def grid(self, name: str, held: Mapping[str, Any], span: Span, count: int) -> Array:
        """Logarithms of an input: evenly, and closely where a break of the law turns, however sharp it is."""
        places = [np.linspace(math.log(span[0]), math.log(span[1]), count)]
        known = dict(zip(self.law.constants, self.exact, strict=True))
        lowered = Lowering(self.law.domain)
        for one in read(self.law).breaks:
            here = {symbol: sp.Float(held[symbol.name], 30) for symbol in self.law.inputs if symbol.name in held}
            slope = float(exponent(one.monomial, self.law.symbols[name]).evalf(30, subs=known))
            level = float(lowered.log(one.monomial.subs(self.law.symbols[name], 1)).evalf(30, subs={**known, **here}))
            if slope:
                places.append(-level / slope + np.linspace(-40, 40, 161) / abs(slope))
        found = np.unique(np.concatenate(places))
        return found[(found >= places[0][0]) & (found <= places[0][-1])]


@cached
def _response(law: Law, target: str) -> Compiled:
    return codegen.compile(
        law.explicit, (*law.inputs, *law.constants), law.inputs, target, scalars=law.constants, domain=law.domain
    )


@cached
def _shares(law: Law) -> Compiled:
    found = read(law)
    arguments = (*law.inputs, *law.constants, *found.scales)
    scalars = (*law.constants, *found.scales)
    return codegen.compile(found.scaled, arguments, found.scales, scalars=scalars, domain=law.domain)
