"""One parameter's place in a fit: its kind, its box, and the coordinate of a value (:mod:`.coordinates`)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import DomainError
from ..law import Law, Parameter
from .arrays import Array

__all__ = ["Axis", "admissible", "axis_of", "coordinate", "difference"]


@dataclass(frozen=True)
class Axis:
    """One parameter: its kind, the ends of its box, and for ``ordered`` the position of the lesser parameter."""

    name: str
    kind: str
    lo: float
    hi: float
    base: int = -1
    span: tuple[float, float] = (-math.inf, math.inf)


def axis_of(
    law: Law, parameter: Parameter, names: list[str], box: dict[str, tuple[float, float]], fixed: dict[str, float]
) -> Axis:
    """The axis of a parameter: the kind that its domain asks for, inside its box."""
    name = parameter.symbol.name
    interval = law.domain.interval(parameter.symbol)
    span = (float(interval.lo), float(interval.hi))
    lo, hi = box.get(name, span)
    if name in fixed:
        return Axis(name, "fixed", float(fixed[name]), float(fixed[name]))
    lesser = _lesser(law, parameter)
    if lesser is not None:
        other = names[lesser]
        gap = box.get(f"{name} - {other}")
        if gap is not None or name not in box:
            return _valid(Axis(name, "ordered", *(gap or (0.0, math.inf)), base=lesser), law)
    if parameter.closed:
        kind = "closed"
    elif math.isfinite(span[0]) and math.isfinite(span[1]):
        kind = "bounded"
    else:
        kind = "positive" if span[0] >= 0 else "negative" if span[1] <= 0 else "linear"
    return _valid(Axis(name, kind, max(lo, span[0]), min(hi, span[1]), span=span), law)


def _valid(axis: Axis, law: Law) -> Axis:
    if not axis.lo < axis.hi:
        raise DomainError(
            f"make coordinates of {law.name}", f"{axis.name} in ({axis.lo}, {axis.hi})", "give lo < hi of its sign"
        )
    return axis


def _lesser(law: Law, parameter: Parameter) -> int | None:
    """Position of a parameter that lies below this one: directly, or with the response between them."""
    if parameter.above is None:
        return None
    for position, other in enumerate(law.parameters):
        between = other.below is not None and other.below == parameter.above
        if other.symbol == parameter.above or between:
            return position
    return None


def difference(axis: Axis, names: list[str]) -> str:
    """What names the bounds of an axis: its parameter, or the height over the lesser one."""
    return f"{axis.name} - {names[axis.base]}" if axis.kind == "ordered" else axis.name


def admissible(axis: Axis, value: Array) -> npt.NDArray[np.bool_]:
    """Whether values of the parameter, or heights over the lesser one, have a coordinate."""
    if axis.kind in ("positive", "ordered"):
        return np.greater(value, 0)
    if axis.kind == "negative":
        return np.less(value, 0)
    if axis.kind == "bounded":
        return np.greater(value, axis.span[0]) & np.less(value, axis.span[1])
    return np.greater_equal(value, axis.span[0]) & np.less_equal(value, axis.span[1])


def coordinate(axis: Axis, value: Array) -> Array:
    """The coordinate of admissible values."""
    with np.errstate(divide="ignore"):
        if axis.kind in ("positive", "ordered"):
            return np.log(value)
        if axis.kind == "negative":
            return np.log(-value)
        if axis.kind == "bounded":
            return np.log(value - axis.span[0]) - np.log(axis.span[1] - value)
    return value
