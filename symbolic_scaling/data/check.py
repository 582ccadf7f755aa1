"""What a fitter should know about a sample before fitting: findings, each with its rows and a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .accuracy import LARGEST_LOSS, limit, rises
from .design import degenerate
from .outlying import outlying
from .select import Sample
from .turns import turns

__all__ = ["Finding", "check", "pure_error"]

_PROMINENT = 0.05
_NAMED = 4


@dataclass(frozen=True)
class Finding:
    """One thing found: its kind, the rows concerned (numbers in the source) and a sentence."""

    kind: str
    rows: tuple[int, ...]
    text: str


def check(sample: Sample, needs: int = 3) -> tuple[Finding, ...]:
    """Look at a sample.

    Parameters
    ----------
    sample : Sample
        From :func:`~symbolic_scaling.data.select`.
    needs : int
        Distinct inputs that the law needs: its number of parameters.

    Returns
    -------
    tuple of Finding
        Kinds: ``duplicates``, ``far off``, ``too few points``, ``accuracy``, ``percent``, ``not monotone``, ``cost``,
        ``design``.

    Examples
    --------
    >>> from symbolic_scaling.data import read, select
    >>> sample = select(read({"x": [1, 2, 4, 8], "acc": [0.5, 0.6, 0.7, 0.75]}), "x", "acc")
    >>> [finding.text for finding in check(sample)]
    ['values rise with x and lie in [0,1]: accuracy? fit 1-acc: --let y=1-acc']
    """
    looks = (
        _duplicates(sample),
        _far(sample),
        _too_few(sample, needs),
        _scale(sample),
        _monotone(sample),
        _cost(sample),
        _design(sample),
    )
    return tuple(finding for look in looks for finding in look)


def pure_error(sample: Sample) -> tuple[float, int]:
    """Variance of replicates that differ, and its degrees of freedom; exact duplicates count once.

    Examples
    --------
    >>> from symbolic_scaling.data import read, select
    >>> sample = select(read({"x": [1, 1, 2], "y": [3.0, 5.0, 2.0]}), "x", "y")
    >>> pure_error(sample)
    (2.0, 1)
    """
    distinct = np.unique(np.column_stack([*sample.x.values(), sample.y]), axis=0)
    _, place = np.unique(distinct[:, :-1], axis=0, return_inverse=True)
    place = place.reshape(-1)
    counts = np.bincount(place)
    means = np.bincount(place, distinct[:, -1]) / counts
    freedom = int(len(distinct) - len(counts))
    squares = float(np.sum((distinct[:, -1] - means[place]) ** 2))
    return (squares / freedom if freedom else float("nan")), freedom


def _duplicates(sample: Sample) -> Iterator[Finding]:
    stacked = np.column_stack([*sample.x.values(), sample.y])
    _, first = np.unique(stacked, axis=0, return_index=True)
    again = sorted(set(range(len(stacked))) - set(first.tolist()))
    if again:
        text = f"{len(again)} exact duplicate row{'s' if len(again) > 1 else ''}"
        yield Finding("duplicates", tuple(int(row) for row in sample.rows[again]), text)


def _far(sample: Sample) -> Iterator[Finding]:
    """Rows far from a smooth surface through the others, with no law."""
    rows = outlying(sample.x, sample.y)
    if rows.size:
        named = [
            ", ".join([*(f"{name} = {values[row]:.6g}" for name, values in sample.x.items())])
            + f": {sample.response} = {sample.y[row]:.6g}"
            for row in rows[:_NAMED].tolist()
        ]
        listed = "; ".join(named) + (f" and {len(rows) - _NAMED} more" if len(rows) > _NAMED else "")
        text = f"far from what the other rows say: {listed}; diverged, or another run?"
        yield Finding("far off", tuple(int(row) for row in sample.rows[rows]), text)


def _too_few(sample: Sample, needs: int) -> Iterator[Finding]:
    distinct = len(np.unique(np.column_stack(list(sample.x.values())), axis=0))
    if distinct < needs:
        names = ", ".join(sample.x)
        yield Finding("too few points", (), f"{distinct} distinct {names}: the law needs at least {needs}")


def _scale(sample: Sample) -> Iterator[Finding]:
    """Accuracy or percent in place of a loss."""
    low, high = float(sample.y.min()), float(sample.y.max())
    x, name = list(sample.x.values()), sample.response
    if limit(x, sample.y) == 1:
        text = f"values rise with {next(iter(sample.x))} and lie in [0,1]: accuracy? fit 1-{name}: --let y=1-{name}"
        yield Finding("accuracy", (), text)
    elif LARGEST_LOSS < high <= 100 and low >= 0:
        remedy = f"1-{name}/100" if rises(x, sample.y) else f"{name}/100"
        text = f"values reach {high:.4g} and stay below 100: percent? fit {remedy}: --let y={remedy}"
        yield Finding("percent", (), text + ", or scale the ceiling of the law")


def _monotone(sample: Sample) -> Iterator[Finding]:
    """Local extrema of a curve that stand out from its range and from its noise."""
    if len(sample.x) != 1:
        return
    (x,) = sample.x.values()
    found = turns(x, sample.y, _PROMINENT)
    if not found:
        return
    named = ", ".join(f"local {kind} at {at:.12g}" for at, kind in found[:_NAMED])
    named += f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    rows = tuple(int(row) for at, _ in found for row in sample.rows[x == at])
    yield Finding("not monotone", rows, f"not monotone: {named}; monotone laws do not apply")


def _cost(sample: Sample) -> Iterator[Finding]:
    """Compute that differs from 6ND where all three are given."""
    if not {"N", "D", "C"} <= set(sample.x):
        return
    ratio = sample.x["C"] / (6 * sample.x["N"] * sample.x["D"])
    far = np.abs(np.log(ratio)) > np.log(1.02)
    if far.any():
        text = f"C is {ratio.min():.4g} to {ratio.max():.4g} times 6*N*D: which layers does it count?"
        yield Finding("cost", tuple(int(row) for row in sample.rows[far]), text)


def _design(sample: Sample) -> Iterator[Finding]:
    """Runs that do not vary N and D apart; C follows from both."""
    inputs = {name: values for name, values in sample.x.items() if name != "C" or not {"N", "D"} <= set(sample.x)}
    if len(inputs) > 1:
        for text in degenerate(inputs):
            yield Finding("design", (), text)
