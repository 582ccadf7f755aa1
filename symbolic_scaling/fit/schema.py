"""What stands in a fit file: the kind of every value, and which arrays are of one length."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, get_args, get_origin, get_type_hints

from .result import Certificate, FitProblem, Minimum

__all__ = ["check", "check_lengths"]


def _record(record: type) -> dict[str, Any]:
    """The kinds of a record's fields, as it declares them."""
    return {name: _declared(hint) for name, hint in get_type_hints(record).items()}


def _declared(hint: Any) -> Any:
    inside = get_args(hint)
    if get_origin(hint) is tuple:
        return [_declared(inside[0])]
    if inside:
        return tuple(None if one is type(None) else _declared(one) for one in inside)
    return hint


_TEXTS = {str: str}
_NUMBERS = {str: float}
_ENDS = {str: [float]}
_END = (float, str, None)
_ITEM = {
    **{"symbol": [str], "doc": str, "unit": str, "latex": str, "closed": bool},
    **{"typical": [float], "start": [float], "above": (str, None), "below": (str, None)},
}
_LAW = {
    **{"name": str, "title": str, "source": str, "form": [str]},
    **{"response": _ITEM, "variables": [_ITEM], "parameters": [_ITEM]},
    "costs": [{"symbol": [str], "expression": str, "convention": str}],
    "ranges": [[(str, bool)]],
    "relations": [[str]],
    "published": [{"name": str, "source": str, "constants": _TEXTS, "note": str}],
}
_FIT = {
    "law": _LAW,
    **{"residual": str, "x": {str: [float]}, "y": [float], "counts": [float], "fix": _NUMBERS, "bounds": _ENDS},
    **{"loss": str, "delta": float, "reduce": str, "weights": ([float], None), "sigma": ([float], None)},
    **{"priors": _ENDS, "noise": float, "tie": _TEXTS, "seed": int, "target": str},
    **{"rows_used": [int], "places": [int], "rows_dropped": [{"row": int, "why": str}]},
    **{"digest": str, "versions": _TEXTS, "outcome": str, "box": _ENDS},
    "minima": [{**_record(Minimum), "constants": _NUMBERS}],
    "certificate": _record(Certificate),
    **{"degrees_of_freedom": int, "standard_errors": _NUMBERS, "intervals": _ENDS, "notes": [str]},
    "pure_error": ([float], None),
    "derived": [
        {"name": str, "method": str, "level": float, "value": _END, "lo": _END, "hi": _END, "note": str},
    ],
}


def check(content: Mapping[str, Any]) -> None:
    """Refuse a value of a fit file that is of another kind; what is missing is not asked for.

    Raises
    ------
    TypeError
        Naming the first such value.

    Examples
    --------
    >>> check({"digest": {}})
    Traceback (most recent call last):
    ...
    TypeError: digest holds {}
    """
    _check(content, _FIT, "")


def _check(value: Any, kind: Any, where: str) -> None:
    if isinstance(kind, tuple):
        kind = next((one for one in kind if _matches(value, one)), kind[0])
    if not _matches(value, kind):
        text = str(value)
        raise TypeError(f"{where} holds {text if len(text) <= 40 else text[:37] + '...'}")
    if isinstance(kind, list):
        for place, item in enumerate(value):
            _check(item, kind[0], f"{where}[{place}]")
    elif isinstance(kind, dict):
        for key, item in value.items():
            if (one := kind.get(str, kind.get(key))) is not None:
                _check(item, one, f"{where}.{key}" if where else key)


def _matches(value: Any, kind: Any) -> bool:
    """Whether a JSON value is of a kind, what is inside it left aside; whole numbers are numbers, truth values not."""
    if kind is None:
        return value is None
    if isinstance(kind, list | dict):
        return isinstance(value, type(kind))
    if isinstance(value, int) and kind in (int, float):
        return not isinstance(value, bool) and abs(value) <= sys.float_info.max
    return isinstance(value, kind)


def check_lengths(problem: FitProblem) -> None:
    """Refuse arrays that are not of one length, and places of rows that are not there.

    Raises
    ------
    ValueError
        Saying what does not fit together.
    """
    rows = len(problem.y)
    columns = {**dict(problem.x), "counts": problem.counts, "weights": problem.weights, "sigma": problem.sigma}
    for name, values in columns.items():
        if values is not None and values.shape != (rows,):
            raise ValueError(f"{name} has {len(values)} rows, the response {rows}")
    if sorted(dict(problem.x)) != sorted(symbol.name for symbol in problem.law.inputs):
        raise ValueError(f"x names {sorted(dict(problem.x))}, which are not the law's inputs")
    if problem.places and len(problem.places) != len(problem.rows_used):
        raise ValueError(f"{len(problem.places)} places of {len(problem.rows_used)} rows")
    if not all(0 <= place < rows for place in problem.places):
        raise ValueError(f"a place outside the {rows} distinct rows")
