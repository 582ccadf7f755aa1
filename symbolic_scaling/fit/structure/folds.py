"""Large values held out inside a table, and a structure fitted to the rest of it.

For each input the rows with its largest values are held out, a small part of the range of its logarithm: what bends
before it can be seen. Rows held out are judged in blocks of their order in size, because neighbours err together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ... import codegen
from ...law import Law
from ..ask import Asked
from ..front import curve
from ..growth import Grown, put_on, swept
from ..parts import Part, gathered
from ..prepare import prepare
from ..solve import Floats, minimise
from ..stages import off_values, some_rows, tamed

__all__ = ["Fold", "Sample", "fitted", "folds", "grown"]

_SHARE = 0.12  # of the range of log x that is held out, or more where that is few rows
_WIDEST, _STEP = 0.5, 0.04
_FEWEST = 0.08  # of the rows on either side of a cut
_ROWS = 2000  # that a structure is fitted to
_STEPS = 120


@dataclass(frozen=True, eq=False)
class Fold:
    """``train`` and ``test`` (n,) rows, and in words which are held out."""

    train: NDArray[np.bool_]
    test: NDArray[np.bool_]
    text: str

    def blocks(self, size: Floats, most: int, few: int) -> list[NDArray[np.int_]]:
        """The numbers of the rows held out, in blocks by ``size`` (n,): at most so many, none of fewer rows."""
        rows = np.flatnonzero(self.test)
        count = min(most, max(2, len(rows) // few))
        return [b for b in np.array_split(rows[np.argsort(size[rows], kind="stable")], count) if b.size]


def folds(x: Mapping[str, Floats]) -> tuple[Fold, ...]:
    """The cuts that leave enough rows on both sides; none without rows.

    Examples
    --------
    >>> [fold.text for fold in folds({"x": np.geomspace(1.0, 1e4, 50)})]
    ['x > 3.31e+03']
    """
    made = []
    for name, values in x.items():
        log = np.log(values)
        for share in np.arange(_SHARE, _WIDEST, _STEP) if len(log) else ():
            cut = log.max() - share * np.ptp(log)
            test = log > cut
            if min(test.mean(), 1 - test.mean()) >= _FEWEST:
                made.append(Fold(~test, test, f"{name} > {np.exp(cut):.3g}"))
                break
    return tuple(made)


@dataclass(frozen=True, eq=False)
class Sample:
    """A table, ``x`` name -> (n,) and ``y`` (n,), and one fold of it."""

    x: Mapping[str, Floats]
    y: Floats
    fold: Fold

    def rows(self, law: Law, seed: int) -> tuple[dict[str, Floats], Floats]:
        """Inputs of a law and response on at most so many rows of those to fit."""
        rows = np.flatnonzero(self.fold.train)
        rows = np.sort(np.random.default_rng(seed).permutation(rows)[:_ROWS])
        return {s.name: self.x[s.name][rows] for s in law.inputs}, self.y[rows]

    def squares(self, law: Law, constants: Mapping[str, float]) -> Floats:
        """Squared log errors of all rows (n,), infinite where a law has no value."""
        with np.errstate(all="ignore"):
            said = codegen.law(law)(*(self.x[s.name] for s in law.inputs), *(constants[s.name] for s in law.constants))
            found = (np.log(said) - np.log(self.y)) ** 2
        return np.asarray(np.where(np.isfinite(found), found, np.inf))


def fitted(law: Law, sample: Sample, asked: Asked) -> dict[str, float]:
    """The constants of a law fitted to the rows of a fold, from no start."""
    x, y = sample.rows(law, asked.seed)
    return curve(law, x, y, residual=asked.measure.residual, seed=asked.seed).estimate


def grown(
    law: Law, new: tuple[Part, ...], before: Mapping[str, float], sample: Sample, asked: Asked
) -> dict[str, float]:
    """The constants of a law with new parts, put on as one on the law whose constants are ``before``."""
    part = replace(new[0], constants=tuple(s for s in law.constants if any(s in one.constants for one in new)))
    problem, _ = asked.problem(law, *sample.rows(law, asked.seed))
    with np.errstate(all="ignore"):
        ready = prepare(problem)
        whole, frame = tamed(ready.objective), ready.frame
        off = {s.name: value for s, value in off_values(law, part).items()}
        start = np.array([[before.get(s.name, off.get(s.name, 1.0))] for s in law.constants])
        inside = frame.within(start)
        for i, symbol in enumerate(law.constants):
            if symbol in part.constants:
                inside[i] = off[symbol.name]
        few = some_rows(whole, 600, np.random.default_rng(asked.seed))
        added = put_on(few, Grown(inside, np.zeros(1), ()), part, (), [asked.seed])
        added = swept(ready.objective, added, gathered(law), asked.seed, once=True)
        solved = minimise(whole, whole.locate(added.constants), whole.lo, whole.hi, steps=_STEPS, bend=True)
        best = int(np.argmin(solved.cost))
        constants = frame.outside(whole.constants(solved.u[best : best + 1]))[:, 0]
    return {s.name: float(value) for s, value in zip(law.constants, constants, strict=True)}
