"""The search over structures: one part at a time, by its extrapolation to large values held out.

1. The first structure has the terms of the law in one input each, and no parts: bottlenecks (:mod:`..parts`).
2. Each part that may be put on, alone and with its ceiling or break, is put on the present structure on every fold
   (:mod:`.folds`) and judged on the rows held out. Its gain is the mean over blocks of rows of the logarithm of the
   ratio of the mean squares of log errors before and after; three standard errors of it are its uncertainty.
3. Of the parts whose gain exceeds their uncertainty, the one with the largest gain is taken, or a simpler one that is
   as good within its uncertainty; then 2 again. Where there is none the search ends.

Exponents of either sign let a term that rises stand for a counterforce, and the other way round: of parts of one size
that are as good the one whose constants say what its name says goes first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...budget import limit
from ...errors import BudgetExhausted, FitError
from ...law import Law
from .. import require
from ..ask import Asked
from ..front import curve
from ..loss import Measure
from ..parts import Part, optional, reduced
from ..rows import read
from ..solve import Floats
from .folds import Sample, fitted, folds, grown
from .records import Candidate, Step, Structure
from .tried import LEAST, Tried, because, better, inside
from .words import alike, first, named, strange

__all__ = ["structure"]

_BLOCKS = 8  # of the rows that a fold holds out
_ERRORS = 3.0  # standard errors that a gain must exceed
_FEW = 8  # rows of a block
_FAINT = 1e-3  # of the mean square: errors that no longer count


def structure(
    law: Law,
    x: Mapping[str, ArrayLike] | ArrayLike,
    y: ArrayLike,
    *,
    residual: str = "response",
    seed: int = 0,
    seconds: float | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> Structure:
    """Find the structure inside a rich law that extrapolates best.

    Parameters
    ----------
    law : Law
        The richest structure allowed, such as ``laws.get("unsl", m=2, n=1, S=1, overfitting=True)``; for a structure
        that is known take :func:`~symbolic_scaling.fit.curve`.
    x : array (n,) or mapping of name to array (n,)
        Inputs.
    y : array (n,)
        Response.
    residual : {"response", "relative", "absolute", "log1p"}
        What the fits square.
    seed : int
        The same seed gives the same path, if time does not end it.
    seconds : float, optional
        Wall-clock budget of the search; what was found by then is fitted to all rows.
    progress : callable
        Called with what is being tried.

    Returns
    -------
    Structure

    Raises
    ------
    FitError
        If the rows cannot be split, or no structure can be fitted.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> x = np.geomspace(1e2, 1e8, 80)
    >>> found = structure(laws.get("unsl", n=1), x, 0.3 + 20 * x**-0.4)
    >>> found.parts, found.law.form
    (('the sum of power laws in x',), Eq(y, a_0 + b_7/x**c_1_0_7))
    """
    require.law_given(law)
    if law.explicit is None:
        raise FitError(f"search the structure of {law.name}", "it is implicit in its response", "fit it by fit.curve")
    rows = read(law, x, y)
    table = {s.name: values for s, values in zip(law.inputs, rows.x, strict=True)}
    cuts = folds(table)
    if not cuts:
        raise FitError(f"search the structure of {law.name}", "no input has rows to hold out", "use fit.curve")
    samples = [Sample(table, rows.y, cut) for cut in cuts]
    search = _Search(law, samples, Asked(Measure(residual), seed=seed), progress)
    path, complete = [], True
    try:
        with limit(seconds):
            for step in search.steps():
                path.append(step)
    except BudgetExhausted:
        complete = False
    taken = [step.taken for step in path if step.taken is not None]
    if not taken:
        raise FitError(f"search the structure of {law.name}", "not even its first structure was fitted", _remedy(path))
    progress(f"fitting {taken[-1].what} to all rows")
    chosen = taken[-1].law
    found = curve(chosen, {s.name: table[s.name] for s in chosen.inputs}, rows.y, residual=residual, seed=seed)
    return Structure(tuple(path), found, tuple(cut.text for cut in cuts), complete)


def _remedy(path: list[Step]) -> str:
    return path[0].candidates[0].why if path else "give more time"


@dataclass(eq=False)
class _Search:
    """The table with its folds, and where the search is: what is off, constants and errors of the present structure."""

    law: Law
    samples: list[Sample]
    asked: Asked
    progress: Callable[[str], None]

    def __post_init__(self) -> None:
        self.off = optional(self.law)
        size = np.sum([np.log(values) for values in self.samples[0].x.values()], axis=0)
        self.blocks = [sample.fold.blocks(size, _BLOCKS, _FEW) for sample in self.samples]
        self.constants: list[dict[str, float]] = []
        self.errors = np.zeros(0)

    def steps(self) -> Iterator[Step]:
        """One step after the other, the last one without anything taken."""
        yield self._first()
        while self.constants and (able := self._able()):
            step = self._next(able)
            yield step
            if step.taken is None:
                return

    def _able(self) -> list[tuple[Part, ...]]:
        """The parts that may be put on, each alone and with a ceiling, or of a term a break, that it has."""
        switches = {part.switch for part in self.off}
        able: list[tuple[Part, ...]] = []
        for part in self.off:
            if not switches & set(part.within):
                inside = [o for o in self.off if (o.ceiling or part.end == 0) and part.switch in o.within]
                able += [(part,), *((part, one) for one in inside if switches & set(one.within) == {part.switch})]
        return [new for i, new in enumerate(able) if not any(alike(self.law, new, other) for other in able[:i])]

    def _first(self) -> Step:
        law = reduced(self.law, frozenset(self.off))
        what = first(law)
        self.progress(what)
        try:
            made = [fitted(law, sample, self.asked) for sample in self.samples]
        except FitError as refused:
            return Step((Candidate(what, law, math.nan, why=str(refused)),), None, "it cannot be fitted")
        self.constants, self.errors = made, self._judged(law, made)
        candidate = Candidate(what, law, float(self.errors.mean() ** 0.5))
        return Step((candidate,), candidate, "the search begins with it")

    def _judged(self, law: Law, constants: list[dict[str, float]]) -> Floats:
        """Mean squares of log errors in each block of rows held out."""
        means = []
        for found, sample, blocks in zip(constants, self.samples, self.blocks, strict=True):
            each = sample.squares(law, found)
            means += [each[block].mean() for block in blocks]
        return np.array(means)

    def _try(self, new: tuple[Part, ...]) -> Candidate | Tried:
        law = reduced(self.law, frozenset(self.off) - set(new))
        what = " with ".join(named(self.law, part) for part in new)
        self.progress(what)
        try:
            made = [
                grown(law, new, before, sample, self.asked)
                for before, sample in zip(self.constants, self.samples, strict=True)
            ]
        except FitError as refused:
            return Candidate(what, law, math.nan, why=str(refused))
        return self._scored(what, law, new, made)

    def _scored(self, what: str, law: Law, new: tuple[Part, ...], made: list[dict[str, float]]) -> Tried:
        errors = self._judged(law, made)
        least = _FAINT * float(self.errors.mean())
        fall = np.log(self.errors + least) - np.log(np.minimum(errors, 1e9) + least)
        spread = _ERRORS * float(fall.std(ddof=1)) / len(fall) ** 0.5
        candidate = Candidate(what, law, float(errors.mean() ** 0.5), float(fall.mean()), spread)
        return Tried(candidate, new, strange(law, new[0], made), made, errors)

    def _again(self, one: Tried) -> Tried:
        """The same structure fitted from no start, on each fold where that is closer to the rows."""
        law, made = one.candidate.law, []
        self.progress(f"{one.candidate.what}, from no start")
        for before, sample in zip(one.constants, self.samples, strict=True):
            both = (before, fitted(law, sample, self.asked))
            left = [float(sample.squares(law, found)[sample.fold.train].sum()) for found in both]
            made.append(both[int(np.argmin(left))])
        return self._scored(one.candidate.what, law, one.parts, made)

    def _next(self, able: list[tuple[Part, ...]]) -> Step:
        each = [self._try(new) for new in able]
        good = better(each)
        if good:  # what a richer structure does may be all there is to a part of it, found in a worse minimum
            best = max(good, key=lambda one: one.candidate.gain)
            each = [self._again(one) if isinstance(one, Tried) and inside(one, best) else one for one in each]
            good = better(each)
        candidates = tuple(one.candidate if isinstance(one, Tried) else one for one in each)
        if not good:
            return Step(candidates, None, "nothing extrapolates better by more than its uncertainty")
        best = max(good, key=lambda one: one.candidate.gain)
        level = [one for one in good if self._as_good(one, best)]
        size = {id(one): len(one.candidate.law.constants) for one in level}
        taken = min(level, key=lambda one: (size[id(one)], one.strange, one.candidate.error))
        self.off = tuple(one for one in self.off if one not in taken.parts)
        self.constants, self.errors = taken.constants, taken.errors
        return Step(candidates, taken.candidate, because(taken.candidate, best.candidate))

    def _as_good(self, one: Tried, best: Tried) -> bool:
        """Whether the best is not better by more than its uncertainty, block by block."""
        least = _FAINT * float(self.errors.mean())
        more = np.log(np.minimum(one.errors, 1e9) + least) - np.log(best.errors + least)
        return bool(more.mean() <= max(LEAST, _ERRORS * float(more.std(ddof=1)) / len(more) ** 0.5))
