"""A block of curves: the unit in which many curves are read, fitted and written down.

Its rows lie one curve after the other. Curves of about the same length are stacked and searched together; one that the
stack cannot serve (too few rows, constant, inputs along one line, a law with scattered starts) is fitted alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..errors import FitError, ScalingError
from ..law import Law
from . import batch, front, line, require, tie, twins
from .distinct import Distinct, distinct
from .judge import judge
from .line import Dropped, Key, Line
from .loss import Measure
from .prepare import SMALLEST
from .rows import Rows
from .solve import Floats
from .stack import Index, stack

__all__ = ["Block", "Job", "fit_block"]

_POINTS = 1 << 15  # rows searched together: what fits the cache
_TINY = np.finfo(float).tiny


@dataclass(frozen=True, eq=False)
class Block:
    """Some curves.

    Parameters
    ----------
    keys : tuple of tuple of (column, value)
    ends : array (k + 1,)
        Curve i has the rows from ``ends[i]`` to ``ends[i + 1]``.
    x, y : array (m, n), (n,)
        Inputs in the law's order, and the response: finite and positive.
    dropped : mapping of curve to tuple of (row, why)
        Rows of the source that cannot be used, where there are any.
    more : mapping of name to array (n,)
        ``sigma`` and ``weights`` of the rows, where they are given.
    """

    keys: tuple[Key, ...]
    ends: Index
    x: Floats
    y: Floats
    dropped: Mapping[int, Dropped] = field(default_factory=dict)
    more: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def digest(self) -> str:
        """The SHA-256 of all of it."""
        more = sorted(self.more.items())
        found = hashlib.sha256(repr((self.keys, sorted(self.dropped.items()), [name for name, _ in more])).encode())
        for array in (self.ends, self.x, self.y, *(values for _, values in more)):
            found.update(array.tobytes())
        return found.hexdigest()


@dataclass(frozen=True, eq=False)
class Job:
    """What is fitted to every curve: a law, and the options of :func:`~symbolic_scaling.fit.curve`."""

    law: Law
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def batched(self) -> bool:
        """Whether curves may be stacked: squares of residuals without a unit, no priors."""
        plain = {"residual", "fix", "bounds", "tie", "seed", "reduce", "target"}
        squared = self.options.get("loss", "squared") == "squared" and not self.options.get("priors")
        kind = self.options.get("residual", "response")
        others = {name for name in self.options if name not in plain | {"loss", "delta", "priors"}}
        return squared and kind in ("response", "equation", "relative") and not others


def fit_block(job: Job, block: Block) -> list[Line]:
    """What comes of every curve of a block, in order; never raises for a curve."""
    made: dict[int, Line] = {}
    if job.batched:
        with np.errstate(all="ignore"):
            made = _together(job, block)
    return [made[i] if i in made else _alone(job, block, i) for i in range(len(block))]


def _alone(job: Job, block: Block, i: int) -> Line:
    rows = slice(block.ends[i], block.ends[i + 1])
    x = {symbol.name: values[rows] for symbol, values in zip(job.law.inputs, block.x, strict=True)}
    dropped = block.dropped.get(i, ())
    more: dict[str, Any] = {name: values[rows] for name, values in block.more.items()}
    refused: ScalingError
    try:
        return line.of_fit(block.keys[i], front.curve(job.law, x, block.y[rows], **job.options, **more), dropped)
    except ScalingError as error:
        refused = error
    except np.linalg.LinAlgError as error:
        refused = FitError(f"fit {job.law.name}", f"the numbers do not permit it: {error}", "look at the rows")
    return line.of_error(block.keys[i], refused, len(block.y[rows]), dropped)


def _together(job: Job, block: Block) -> dict[int, Line]:
    """The curves that can be stacked, by number."""
    try:
        law = tie.tied(job.law, job.options.get("tie") or {})
        fixed = require.fixed(law, job.options.get("fix") or {})
        given = require.named(law, job.options.get("bounds") or {})
        require.intervals(law, given)
    except ScalingError:
        return {}  # each curve says so
    measure = Measure(job.options.get("residual", "response"))
    how = batch.plan(law, measure, frozenset(fixed))
    if how is None or len(fixed) == len(law.constants):
        return {}
    rows = distinct(block.ends, block.x, block.y, block.more)
    found: dict[int, Line] = {}
    for members in _buckets(rows, _able(law, fixed, rows)):
        try:
            found |= _stacked(job, block, rows, members, (law, measure, fixed, given, how))
        except (ScalingError, np.linalg.LinAlgError):
            continue
    return found


def _able(law: Law, fixed: Mapping[sp.Symbol, float], rows: Distinct) -> NDArray[np.bool_]:
    """Which curves can be stacked: enough different inputs, a response that varies, and terms that rows tell apart."""
    k, lengths = len(rows.ends) - 1, rows.lengths
    curve = np.repeat(np.arange(k), lengths)
    new = np.append(True, (np.diff(rows.x) != 0).any(axis=0) | (np.diff(curve) != 0))[: len(curve)]
    able = np.bincount(curve[new], minlength=k) >= max(len(law.constants) - len(fixed), 1)
    least, most = np.full(k, np.inf), np.zeros(k)
    np.minimum.at(least, curve, rows.y)
    np.maximum.at(most, curve, rows.y)
    able &= (least < most) & (least / most > _TINY)
    for values in rows.x:
        low, high = np.full(k, np.inf), np.zeros(k)
        np.minimum.at(low, curve, values)
        np.maximum.at(high, curve, values)
        able &= low / high > _TINY
    if "sigma" in rows.more:
        least = np.full(k, np.inf)
        np.minimum.at(least, curve, rows.more["sigma"])
        able &= (least > SMALLEST) & (least < 1 / SMALLEST)
    sided = any(law.response.symbol in (p.above, p.below) for p in law.parameters if p.symbol in fixed)
    if sided or twins.exchangeable(law):
        for i in np.flatnonzero(able):
            able[i] = _apart(law, fixed, rows.rows(int(i), ()), sided)
    return able


def _apart(law: Law, fixed: Mapping[sp.Symbol, float], rows: Rows, sided: bool) -> bool:
    try:
        if sided:
            require.sides(law, rows, fixed)
    except FitError:
        return False
    ones = {symbol: 1.0 for symbol in law.constants if symbol not in fixed}
    return not twins.exchanged(law, rows.x, ones)


def _buckets(rows: Distinct, able: NDArray[np.bool_]) -> list[Index]:
    """The curves that are stacked together: of lengths within an eighth of each other, as many as fit the cache."""
    lengths = rows.lengths
    octave = np.floor(np.log2(np.maximum(lengths, 1)))
    step = np.ceil(lengths / 2.0**octave * 8)
    found = []
    for level in np.unique(np.column_stack([octave, step])[able], axis=0):
        members = np.flatnonzero(able & (octave == level[0]) & (step == level[1]))
        size = max(1, _POINTS // int(lengths[members].max()))
        found += [members[i : i + size] for i in range(0, len(members), size)]
    return found


def _stacked(job: Job, block: Block, rows: Distinct, members: Index, problem: Sequence[Any]) -> dict[int, Line]:
    """The lines of curves of about one length."""
    law, measure, fixed, given, how = problem
    lengths = rows.lengths[members]
    step = np.arange(lengths.max())
    real = step < lengths[:, None]
    places = rows.ends[members, None] + np.minimum(step, lengths[:, None] - 1)
    counts = np.where(real, rows.counts[places], 0)
    loads, precision, size = _weighed(rows, places, real)
    made = stack(law, measure, (rows.x[:, places], rows.y[places], loads), fixed, given)
    found = batch.find(made, how, int(job.options.get("seed", 0)))
    outside = made.outside(made.constants(found.ends.u))
    used = counts.sum(axis=1)
    dropped = [block.dropped.get(int(i), ()) for i in members]
    odd = (used > lengths) | np.array([bool(each) for each in dropped]) | _repeated(made.table.x, real)
    judged = judge(
        made,
        found,
        outside,
        rows=lambda i: rows.rows(int(members[i]), dropped[i]),
        counts=lengths,
        odd=odd,
        weighed=(precision, "sigma" in rows.more) if rows.more else None,
        squares=found.ends.cost * size["mean"] if "sigma" in rows.more else None,
    )
    printed = found.ends.cost * size[job.options.get("reduce", "mean")]
    names, lines = [symbol.name for symbol in law.constants], {}
    fine = np.isfinite(printed) & np.isfinite(outside).all(axis=0)
    for i in np.flatnonzero(fine).tolist():
        if (each := judged[i]) is None:
            continue
        lines[int(members[i])] = Line(
            by=block.keys[members[i]],
            outcome=each.outcome.name,
            objective=float(printed[i]),
            estimate=dict(zip(names, outside[:, i].tolist(), strict=True)),
            standard_errors=dict(each.errors),
            intervals={name: (lo, hi) for name, lo, hi in each.intervals},
            rows=int(used[i]),
            dropped=dropped[i],
            degrees_of_freedom=int(lengths[i]) - len(made.coordinates),
            agree=int(found.agree[i]),
            starts=int(found.starts[i]),
            notes=each.notes,
        )
    return lines


def _weighed(rows: Distinct, places: Index, real: NDArray[np.bool_]) -> tuple[Floats, Floats, dict[str, Floats]]:
    """What rows count in the objective and in the errors (k, n), and the printed objectives over the one minimised."""
    loads = np.where(real, rows.loads[places], 0.0)
    total = {"sum": loads.sum(axis=1), "mean": np.ones(len(places))}
    once = loads if "weights" in rows.more else real.astype(np.float64)
    loads = loads / loads.max(axis=1, keepdims=True) if "weights" in rows.more else loads
    if "sigma" not in rows.more:
        return loads, once, total
    sigma = rows.more["sigma"][places]
    least = sigma.min(axis=1, keepdims=True)
    weighed = loads * (least / sigma) ** 2
    share = weighed.sum(axis=1) / loads.sum(axis=1) / least[:, 0] ** 2
    return weighed, once / sigma**2, {name: share * each for name, each in total.items()}


def _repeated(x: Floats, real: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who has several distinct rows of one input (k,)."""
    same = (np.diff(x, axis=2) == 0).all(axis=0) & real[:, 1:]
    return same.any(axis=1)
