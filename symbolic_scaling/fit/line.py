"""One line of a many-curve result: what came of one curve, as a record and as a line of JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import ScalingError
from .result import FitResult

__all__ = ["Dropped", "Key", "Line", "of_error", "of_fit", "read", "text"]

Key = tuple[tuple[str, Any], ...]
Dropped = tuple[tuple[int, str], ...]

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=str)


@dataclass(frozen=True)
class Line:
    """What came of one curve.

    Parameters
    ----------
    by : tuple of (column, value)
        The curve.
    outcome : str
        Name of an :class:`~symbolic_scaling.fit.Outcome`, or ``ERROR``.
    objective : float
        As that of a fit; NaN after an error, and so the numbers below.
    estimate, standard_errors : mapping of constant to value
    intervals : mapping of constant to (lo, hi)
        Nominal 95 %.
    rows : int
        Rows used.
    dropped : tuple of (row, why)
    degrees_of_freedom, agree, starts : int
        Of ``starts``, ``agree`` ended in the best minimum.
    notes : tuple of str
    error : mapping
        ``kind``, ``asked``, ``found``, ``remedy``, ``where``; empty without one.
    """

    by: Key
    outcome: str
    objective: float = math.nan
    estimate: Mapping[str, float] = field(default_factory=dict)
    standard_errors: Mapping[str, float] = field(default_factory=dict)
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    rows: int = 0
    dropped: Dropped = ()
    degrees_of_freedom: int = 0
    agree: int = 0
    starts: int = 0
    notes: tuple[str, ...] = ()
    error: Mapping[str, str] = field(default_factory=dict)


def of_fit(by: Key, fit: FitResult, dropped: Dropped) -> Line:
    """The line of a fit made alone."""
    return Line(
        by=by,
        outcome=fit.outcome.name,
        objective=float(fit.objective),
        estimate=fit.estimate,
        standard_errors=dict(fit.standard_errors),
        intervals={name: (lo, hi) for name, lo, hi in fit.intervals},
        rows=len(fit.problem.rows_used),
        dropped=dropped,
        degrees_of_freedom=fit.degrees_of_freedom,
        agree=fit.certificate.agree,
        starts=fit.certificate.starts,
        notes=fit.notes,
    )


def of_error(by: Key, error: ScalingError, rows: int, dropped: Dropped) -> Line:
    """The line of a curve that could not be fitted."""
    return Line(by, "ERROR", rows=rows, dropped=dropped, error=error.as_dict())


def text(line: Line) -> str:
    """One line of JSON, the newline included.

    Examples
    --------
    >>> print(text(Line((("task", "a"),), "OPTIMUM_REACHED", 1e-4, {"c": -0.5}, rows=30)), end="")
    {"by": {"task": "a"}, "outcome": "OPTIMUM_REACHED", "objective": 0.0001, "estimate": {"c": -0.5}, ...}
    """
    value = {**vars(line), "by": dict(line.by), "dropped": [{"row": row, "why": why} for row, why in line.dropped]}
    value["objective"] = _number(line.objective)
    value["standard_errors"] = {name: _number(error) for name, error in line.standard_errors.items()}
    value["intervals"] = {name: [_number(end) for end in ends] for name, ends in line.intervals.items()}
    return _ENCODER.encode(value) + "\n"


def read(content: str | bytes) -> Line:
    """The line that :func:`text` wrote."""
    value = json.loads(content)
    value["objective"] = _read(value["objective"], math.nan)
    value["standard_errors"] = {name: _read(error, math.inf) for name, error in value["standard_errors"].items()}
    value["by"] = tuple(value["by"].items())
    value["dropped"] = tuple((each["row"], each["why"]) for each in value["dropped"])
    ends = value["intervals"].items()
    value["intervals"] = {name: (_read(lo, -math.inf), _read(hi, math.inf)) for name, (lo, hi) in ends}
    return Line(**{**value, "notes": tuple(value["notes"])})


def _number(value: float) -> float | None:
    """Infinity and NaN are no numbers of JSON."""
    return value if math.isfinite(value) else None


def _read(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value
