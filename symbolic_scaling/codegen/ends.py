"""A law at inputs 0 and oo: limits of the response and of its derivatives in the constants.

Array arithmetic of infinities gives a limit or NaN: where a power law falls by ``-c_0*log(x)`` and a break gives back
``f*softplus(...)``, both are infinite. Such points are evaluated again in many digits, twice, with ``log(x)`` at
``+-10^k`` and ten times as far: what stays is the limit, what grows is infinite, what shrinks is 0. The exponent k is
large enough for a slope of ``log(y)`` in ``log(x)`` that is not exactly zero to show in doubles of any size, and the
digits for one that is exactly zero to leave what stands behind it.

With several inputs at an end the limit may depend on the way there. They go together, and each in turn goes further
than the others; where the answers differ there is no limit, and the result is NaN.

Worked example: BNSL with ``c0 = -c1 = f = 1/2`` is ``a + b*x^(-1/2)*(1 + (x/d)^2)^(1/4)``, which tends at x = oo to
``a + b*d^(-1/2)``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import mpmath
import numpy as np

from ..errors import ScalingError
from .arrays import Array

if TYPE_CHECKING:
    from ..law import Law
    from .compiled import Compiled

__all__ = ["limit", "repair"]

_FAR = 60  # |log(x)| is 10^60 where all constants are of order one
_SAME = 1e-25  # relative change from one distance to the next of what stays


def repair(law: Law, data: Mapping[str, Any], parameters: Mapping[str, Any], outputs: Sequence[Array]) -> None:
    """Replace NaN of ``outputs``, value or value and gradient, at inputs 0 and oo by limits.

    Parameters
    ----------
    law : Law
        What the call evaluated.
    data, parameters : mapping
        As the call took them.
    outputs : sequence of array
        Value (n,) or (k, n), and gradient with an axis more in front; changed in place.
    """
    points = np.broadcast_arrays(*(np.asarray(values, dtype=np.float64) for values in data.values()))
    ends = np.any([(each == 0) | np.isposinf(each) for each in points], axis=0)
    if not ends.any():
        return
    value, *gradient = outputs
    lost = np.isnan(value) | np.any(np.isnan(gradient[0]), axis=0) if gradient else np.isnan(value)
    lost &= np.broadcast_to(ends, value.shape)
    if not lost.any():
        return
    from .api import law as compiled

    twin, shape = compiled(law, "mpmath"), value.shape
    columns = [np.broadcast_to(each, shape) for each in (*points, *map(np.asarray, parameters.values()))]
    for at in map(tuple, np.argwhere(lost)):
        found = limit(twin, [float(column[at]) for column in columns], len(points), slopes=bool(gradient))
        value[at] = found[0]
        for slope in gradient:
            slope[(slice(None), *at)] = found[1:]


def limit(twin: Compiled, numbers: Sequence[float], inputs: int, *, slopes: bool) -> list[float]:
    """Value, and with ``slopes`` derivatives, at numbers of which the first ``inputs`` may be 0 or oo.

    Examples
    --------
    >>> from symbolic_scaling import codegen, laws
    >>> twin = codegen.law(laws.get("bnsl"), "mpmath")
    >>> limit(twin, [math.inf, 1.0, 3.0, 0.5, -0.5, 4.0, 0.5], 1, slopes=False)
    [2.5]
    """
    at_end = [j for j in range(inputs) if numbers[j] in (0.0, math.inf)]
    sizes = [abs(number) for number in numbers if 0 < abs(number) < math.inf]
    exponent = _FAR + math.ceil(-2 * math.log10(min([1.0, *sizes])))
    ways = [dict.fromkeys(at_end, 1)] + [{**dict.fromkeys(at_end, 1), j: 2} for j in at_end if len(at_end) > 1]
    made = [_along(twin, numbers, exponent, way, slopes=slopes) for way in ways]
    return [each[0] if all(_equal(other, each[0]) for other in each) else math.nan for each in zip(*made, strict=True)]


def _along(
    twin: Compiled, numbers: Sequence[float], exponent: int, way: Mapping[int, int], *, slopes: bool
) -> list[float]:
    """What is reached where ``log(x_j)`` is ``10^exponent`` to the power that ``way`` gives each input there."""
    digits = 2 * exponent * max(way.values()) + 60
    pairs = []
    for more in (0, 1):
        with mpmath.workdps(digits):
            far = {j: mpmath.exp(mpmath.mpf(10) ** ((exponent + more) * power)) for j, power in way.items()}
            ends = {j: far[j] if numbers[j] else 1 / far[j] for j in way}
            point = [ends.get(j, number) for j, number in enumerate(numbers)]
        try:
            value, gradient = twin.value_and_gradient(*point, dps=digits) if slopes else (twin(*point, dps=digits), ())
        except (ScalingError, ValueError, ZeroDivisionError, OverflowError):
            return [math.nan] * (1 + (len(twin.coordinates) if slopes else 0))
        pairs.append([value, *gradient])
    return [_told(near, far) for near, far in zip(*pairs, strict=True)]


def _told(near: Any, far: Any) -> float:
    """The limit of a value from two distances."""
    if not (mpmath.isfinite(near) and mpmath.isfinite(far)):
        return math.nan
    if abs(far - near) <= _SAME * abs(far):
        return float(far)
    if abs(far) > 2 * abs(near):
        return math.inf if far > 0 else -math.inf
    return 0.0 if abs(far) < abs(near) / 2 else math.nan


def _equal(one: float, other: float) -> bool:
    return one == other or abs(one - other) <= 1e-13 * abs(other)
