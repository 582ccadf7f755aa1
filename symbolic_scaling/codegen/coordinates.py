"""Parameters <-> the coordinates in which a fit searches, with the derivative, for one start or many at once.

========== ================================= ==================================================================
kind       coordinate                        used for
========== ================================= ==================================================================
positive   log v                             amplitudes, exponents with a printed sign
negative   log(-v)                           the exponents of M1-M4
closed     v                                 a boundary 0 is admissible: floors, alpha, gamma
ordered    log(v - w)                        v above another parameter w: eps_0 above eps_inf
bounded    log((v - lo)/(hi - v))            the law's domain is a bounded open interval
linear     v                                 any other real number
fixed      none                              held at a value
========== ================================= ==================================================================

The parameter axis comes first everywhere: (p,) or (p, k) for k starts. ``natural(theta)[..., None]`` unpacks into the
arguments that a compiled residual takes, and its Jacobian (p, n) or (p, k, n) goes through :meth:`Coordinates.chain`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..errors import DomainError
from ..law import Law
from .arrays import Array
from .axis import Axis, admissible, axis_of, coordinate, difference

__all__ = ["Coordinates", "coordinates"]

Box = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Coordinates:
    """The map between p parameters and q free coordinates; make it with :func:`coordinates`.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> chart = coordinates(laws.get("m2"), {"eps_inf": (0.0, 1.0)}, fixed={"c": -0.5})
    >>> chart.kinds, chart.free
    (('positive', 'fixed', 'closed'), ('beta', 'eps_inf'))
    >>> theta = chart.fit([2.0, -0.5, 0.25])
    >>> chart.natural(theta).tolist()
    [2.0, -0.5, 0.25]
    """

    axes: tuple[Axis, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All parameters, in the law's order."""
        return tuple(axis.name for axis in self.axes)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each parameter."""
        return tuple(axis.kind for axis in self.axes)

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Parameters that have a coordinate, in the order of the coordinates."""
        return tuple(axis.name for axis in self.axes if axis.kind != "fixed")

    @cached_property
    def lower(self) -> Array:
        """Lower ends of the box in fit coordinates, shape (q,)."""
        return self._box[0]

    @cached_property
    def upper(self) -> Array:
        """Upper ends of the box in fit coordinates, shape (q,)."""
        return self._box[1]

    def natural(self, theta: npt.ArrayLike, held: Array | None = None) -> Array:
        """Parameters (p,) or (p, k) from coordinates (q,) or (q, k).

        ``held`` (f, k) are values of the fixed parameters for each start in place of the common ones.
        """
        given = self._checked(theta, len(self.free), "coordinates")
        layout = self._layout
        out = np.empty((len(self.axes), *given.shape[1:]))
        out[layout.fixed] = layout.values.reshape(-1, *(1,) * (given.ndim - 1)) if held is None else held
        out[layout.places] = self._values(given)
        for place, base in layout.ordered:
            out[place] += out[base]
        return out

    def fit(self, values: npt.ArrayLike) -> Array:
        """Coordinates (q,) or (q, k) from parameters (p,) or (p, k).

        Raises
        ------
        DomainError
            If a parameter has the wrong sign or order, or a bounded one leaves its interval.
        """
        given = self._checked(values, len(self.axes), "parameters")
        rows = []
        for j, axis in enumerate(self.axes):
            if axis.kind == "fixed":
                continue
            value = given[j] - given[axis.base] if axis.kind == "ordered" else given[j]
            if not np.all(admissible(axis, value)):
                raise DomainError(
                    f"find the fit coordinate of {axis.name}", f"{given[j]} for a {axis.kind} one", "move it inside"
                )
            rows.append(coordinate(axis, value))
        return np.array(rows).reshape(len(rows), *given.shape[1:])

    def ends(self, lo: Array, hi: Array) -> tuple[Array, Array]:
        """A box of the free parameters, (q,) or (q, k), in the coordinates; heights for ordered parameters."""
        layout = self._layout
        lower, upper = np.array(lo, dtype=np.float64), np.array(hi, dtype=np.float64)
        falling = layout.curved[layout.signs < 0]
        lower[falling], upper[falling] = -upper[falling], -lower[falling]
        with np.errstate(divide="ignore"):
            for array in (lower, upper):
                array[layout.curved] = np.log(np.maximum(array[layout.curved], 0.0))
                for row, (least, most) in layout.bounded:
                    array[row] = np.log(array[row] - least) - np.log(most - array[row])
        return lower, upper

    def derivative(self, theta: npt.ArrayLike) -> Array:
        """d parameter / d coordinate, shape (p, q) or (p, q, k)."""
        given = self._checked(theta, len(self.free), "coordinates")
        eye = np.eye(len(self.axes))
        if given.ndim == 1:
            return self.chain(eye, given).T
        return self.chain(np.repeat(eye[:, None], given.shape[1], axis=1), given).transpose(2, 0, 1)

    def chain(self, jacobian: Array, theta: npt.ArrayLike) -> Array:
        """A Jacobian in the parameters, (p, n) or (p, k, n), as one in the coordinates, (q, n) or (q, k, n)."""
        given = self._checked(theta, len(self.free), "coordinates")
        layout = self._layout
        total = np.array(jacobian) if layout.ordered else jacobian
        for place, base in reversed(layout.ordered):
            total[base] += total[place]
        return total[layout.places] * self._slopes(given)[..., None]

    def _values(self, given: Array) -> Array:
        """Parameters, or heights over the lesser parameter, from coordinates (q,) or (q, k)."""
        layout = self._layout
        out = given.copy()
        if layout.curved.size:
            out[layout.curved] = np.exp(given[layout.curved]) * layout.signs.reshape(-1, *(1,) * (given.ndim - 1))
        for row, (lo, hi) in layout.bounded:
            out[row] = lo + (hi - lo) * np.exp(-np.logaddexp(0.0, -given[row]))
        return out

    def _slopes(self, given: Array) -> Array:
        """Derivatives of :meth:`_values`."""
        layout = self._layout
        out = np.ones_like(given)
        out[layout.curved] = self._values(given)[layout.curved]
        for row, (lo, hi) in layout.bounded:
            out[row] = (hi - lo) * np.exp(-np.logaddexp(0.0, -given[row]) - np.logaddexp(0.0, given[row]))
        return out

    @cached_property
    def _box(self) -> Array:
        ends = np.array([(axis.lo, axis.hi) for axis in self.axes if axis.kind != "fixed"]).reshape(-1, 2).T
        return np.array(self.ends(*ends))

    @cached_property
    def _layout(self) -> _Layout:
        return _Layout.of(self.axes)

    def _checked(self, values: npt.ArrayLike, count: int, what: str) -> Array:
        array = np.asarray(values, dtype=np.float64)
        if array.ndim not in (1, 2) or array.shape[0] != count:
            raise DomainError(
                f"map {what}", f"shape {array.shape}", f"give ({count},), or ({count}, k) for k starts, one row a name"
            )
        return array


@dataclass(frozen=True)
class _Layout:
    """The axes as index arrays, so that many starts are mapped by few array operations.

    ``fixed`` and ``places``: parameters that are held, with their ``values``, and that have a coordinate. ``curved``:
    coordinates that are logarithms, with the ``signs`` of their parameters; ``bounded``: logits, with their intervals;
    ``ordered``: pairs (parameter, lesser parameter).
    """

    fixed: npt.NDArray[np.int_]
    values: Array
    places: npt.NDArray[np.int_]
    curved: npt.NDArray[np.int_]
    signs: Array
    bounded: tuple[tuple[int, tuple[float, float]], ...]
    ordered: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, axes: tuple[Axis, ...]) -> _Layout:
        free = [axis for axis in axes if axis.kind != "fixed"]
        logs = [row for row, axis in enumerate(free) if axis.kind in ("positive", "negative", "ordered")]
        held = [j for j, axis in enumerate(axes) if axis.kind == "fixed"]
        return cls(
            np.array(held, dtype=np.int_),
            np.array([axes[j].lo for j in held]),
            np.array([j for j, axis in enumerate(axes) if axis.kind != "fixed"], dtype=np.int_),
            np.array(logs, dtype=np.int_),
            np.array([-1.0 if free[row].kind == "negative" else 1.0 for row in logs]),
            tuple((row, axis.span) for row, axis in enumerate(free) if axis.kind == "bounded"),
            tuple((j, axis.base) for j, axis in enumerate(axes) if axis.kind == "ordered"),
        )


def coordinates(law: Law, box: Box | None = None, fixed: Mapping[str, float] | None = None) -> Coordinates:
    """Fit coordinates of a law's parameters inside a box.

    Parameters
    ----------
    law : Law
    box : mapping, optional
        Parameter -> (lo, hi). ``"eps_0 - eps_inf"`` bounds the difference of two ordered parameters, which then
        becomes the coordinate. Where ``eps_0`` itself is bounded, it keeps its own.
    fixed : mapping, optional
        Parameters held at a value.

    Raises
    ------
    DomainError
        If a name is unknown, or an interval is empty or has the wrong sign.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> chart = coordinates(laws.get("m4"), {"eps_inf": (0.0, 0.4), "eps_0 - eps_inf": (1e-3, 10.0)})
    >>> chart.kinds
    ('positive', 'negative', 'closed', 'closed', 'ordered')
    """
    given, held = dict(box or {}), dict(fixed or {})
    names = [symbol.name for symbol in law.constants]
    axes = tuple(axis_of(law, parameter, names, given, held) for parameter in law.parameters)
    unknown = sorted({*given, *held} - set(names) - {difference(axis, names) for axis in axes})
    if unknown:
        raise DomainError(f"make coordinates of {law.name}", f"unknown {', '.join(unknown)}", f"use {', '.join(names)}")
    return Coordinates(axes)
