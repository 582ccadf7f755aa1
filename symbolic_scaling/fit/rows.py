"""The rows of a fit: checked, bad ones dropped with a reason, exact duplicates counted once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..data.reasons import IN_ARRAY
from ..errors import DataError
from ..law import Law
from .solve import Floats

__all__ = ["Rows", "read"]


@dataclass(frozen=True, eq=False)
class Rows:
    """What a fit uses.

    ``x`` (m, n) the law's inputs in their order and ``y`` (n,) the response, distinct rows only, sorted by inputs;
    ``counts`` (n,) how often each stood there; ``used`` and ``dropped`` list row numbers from 1; ``digest`` is a hash
    of all that was used. ``weights`` (n,) are the user's, those of equal rows added, and ``sigma`` (n,) the spreads;
    rows of different sigma are distinct. ``places`` says which distinct row each row used is, from 0.
    """

    x: Floats
    y: Floats
    counts: NDArray[np.int_]
    used: tuple[int, ...]
    dropped: tuple[tuple[int, str], ...]
    digest: str
    weights: Floats | None = None
    sigma: Floats | None = None
    places: tuple[int, ...] = ()

    @property
    def duplicates(self) -> int:
        """Rows that repeat another one exactly."""
        return int(self.counts.sum() - len(self.counts))

    @cached_property
    def groups(self) -> NDArray[np.int_]:
        """For each row the number of its input among the different ones (n,)."""
        return np.append(0, np.cumsum((np.diff(self.x) != 0).any(axis=0)))[: self.x.shape[1]]

    @property
    def distinct_inputs(self) -> int:
        """How many different inputs there are."""
        return int(self.groups.max(initial=-1)) + 1


def read(
    law: Law,
    x: Mapping[str, ArrayLike] | ArrayLike,
    y: ArrayLike,
    on_bad: str = "drop",
    *,
    weights: ArrayLike | None = None,
    sigma: ArrayLike | None = None,
) -> Rows:
    """Check the arrays of a fit.

    Parameters
    ----------
    law : Law
        Names the inputs.
    x : array (n,) or mapping of name to array (n,)
        An array alone serves a law of one input.
    y : array (n,)
        The response.
    on_bad : {"drop", "raise"}
        What to do with rows that are missing, not finite or not positive.
    weights, sigma : array (n,) or number, optional
        A weight and a spread for each row.

    Raises
    ------
    DataError
        For wrong names or lengths, for text, and for bad rows under ``raise``: one error lists them all.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> rows = read(laws.get("m1"), [0.0, 1.0, 2.0], [5.0, 3.0, float("nan")])
    >>> rows.used, rows.dropped
    ((2,), ((1, 'x = 0 is not positive'), (3, 'eps_x is missing')))
    """
    if on_bad not in ("drop", "raise"):
        raise DataError("read rows", f"on_bad = {on_bad!r}", 'give "drop" or "raise"')
    names = [symbol.name for symbol in law.inputs]
    given: Mapping[str, Any] = x if isinstance(x, Mapping) else {names[0]: x}
    if set(given) != set(names):
        raise DataError(
            f"fit {law.name}", f"x names {sorted(given)}", f"the law's inputs are {', '.join(names)}: name each once"
        )
    label = law.response.symbol.name
    more = {name: given for name, given in (("sigma", sigma), ("weights", weights)) if given is not None}
    labels = [*names, label, *more]
    columns = np.stack(_columns(labels, [*(given[name] for name in names), y, *_filled(more, y).values()]))
    dropped = tuple((row + 1, why) for row, why in _bad(labels, columns))
    if dropped and on_bad == "raise":
        listed = "; ".join(f"row {row}: {why}" for row, why in dropped)
        raise DataError("read rows", listed, 'correct them or pass on_bad="drop"')
    keep = np.ones(columns.shape[1], dtype=bool)
    keep[[row - 1 for row, _ in dropped]] = False
    read = tuple((np.flatnonzero(keep) + 1).tolist())
    return _distinct(columns[:, keep], len(names), more, read, dropped)


def _filled(more: Mapping[str, Any], y: ArrayLike) -> dict[str, Any]:
    """A number in place of a column is that number in every row."""
    return {name: np.full(np.shape(y), given) if np.ndim(given) == 0 else given for name, given in more.items()}


def _distinct(
    columns: Floats, inputs: int, more: Iterable[str], used: tuple[int, ...], dropped: tuple[tuple[int, str], ...]
) -> Rows:
    digest = hashlib.sha256(np.ascontiguousarray(columns).tobytes()).hexdigest()
    weighted, spread = "weights" in more, "sigma" in more
    keys = columns[: inputs + 1 + spread]
    order = np.lexsort(keys[::-1])
    ordered = keys[:, order]
    apart = (np.diff(ordered) != 0).any(axis=0)
    first = np.flatnonzero(np.append(True, apart)[: len(used)])
    counts = np.diff(np.append(first, len(used)))
    weights = np.add.reduceat(columns[-1, order], first) if weighted and used else None
    places = np.empty(len(used), dtype=np.int_)
    places[order] = np.append(0, np.cumsum(apart))[: len(used)]
    distinct = ordered[:, first]
    sigma = distinct[-1] if spread else None
    return Rows(
        distinct[:inputs], distinct[inputs], counts, used, dropped, digest, weights, sigma, tuple(places.tolist())
    )


def _columns(names: list[str], given: list[Any]) -> list[Floats]:
    columns = []
    for name, values in zip(names, given, strict=True):
        array = np.asarray(values)
        if array.dtype.kind in "cmM":
            raise DataError(f"read {name}", f"it is not numbers but {array.dtype}", "give real numbers")
        try:
            column = np.asarray(array, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise DataError(f"read {name}", f"it is not numbers: {error}", "give numbers") from None
        if column.ndim != 1:
            raise DataError(f"read {name}", f"its shape is {column.shape}", "give one number a row")
        columns.append(column)
    lengths = sorted({len(column) for column in columns})
    if len(lengths) > 1:
        raise DataError("read rows", f"columns of {' and '.join(map(str, lengths))} rows", "give columns of one length")
    return columns


def _bad(names: list[str], columns: Floats) -> list[tuple[int, str]]:
    """(row from 0, reason) of every row that a fit of logarithms cannot use."""
    found = []
    for row in np.flatnonzero(~(np.isfinite(columns) & (columns > 0)).all(axis=0)):
        reasons = [_reason(name, value) for name, value in zip(names, columns[:, row], strict=True)]
        found.append((int(row), ", ".join(reason for reason in reasons if reason)))
    return found


def _reason(name: str, value: float) -> str:
    if np.isnan(value):
        return f"{name} is missing"
    if np.isinf(value):
        return f"{name} is infinite"
    return "" if value > 0 else IN_ARRAY.format(name, value)
