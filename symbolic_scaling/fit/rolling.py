"""Rolling extrapolation: a law refitted to the rows up to each origin and asked for the rows beyond it.

One fit of all rows gives every refit its starts (:mod:`.subsets`), so a law costs one search and one batch, whatever
the number of windows and origins. A window that leaves a law no row to spare at an origin is not judged there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .. import codegen
from ..law import Law
from .result import FitResult
from .solve import Floats
from .subsets import optima
from .windows import SHARES, Mask, Origin, distinct, inside

__all__ = ["Candidate", "follow", "log_prediction", "squares", "stay"]


@dataclass(frozen=True, eq=False)
class Candidate:
    """One law fitted in one window, or the response staying where it is (``law`` None).

    ``share`` of the range of log sizes is left out; ``rows`` (n,) are fitted; ``constants`` (c,) of the law, or the
    last response; ``ahead`` the log predictions (t,) at the rows that judge each origin, and ``judged`` whether there
    were rows enough for one: NaN without.
    """

    law: Law | None
    share: float
    rows: Mask
    constants: Floats
    ahead: tuple[Floats, ...]
    judged: tuple[bool, ...]

    def log_predict(self, inputs: Sequence[Floats]) -> Floats:
        """The logarithm of the response at inputs in the law's order; NaN where it is not positive."""
        if self.law is None:
            return np.full(np.shape(inputs[0]), float(np.log(self.constants[0])))
        return log_prediction(self.law, self.constants, inputs)


def log_prediction(law: Law, constants: Floats, inputs: Sequence[Floats]) -> Floats:
    """The logarithm of a law's response: constants (..., c), inputs (n,) -> (..., n)."""
    spread = np.moveaxis(np.atleast_2d(constants), -1, 0)[:, :, None]
    with np.errstate(all="ignore"):
        found: Floats = np.log(np.asarray(codegen.law(law)(*inputs, *spread), dtype=np.float64))
    found = np.where(np.isfinite(found), found, np.nan)
    return found if np.ndim(constants) > 1 else found[0]


def follow(result: FitResult, size: Floats, origins: Sequence[Origin]) -> tuple[Candidate, ...]:
    """The windows of one law, each refitted at all rows and at every origin.

    Parameters
    ----------
    result : FitResult
        Of all rows.
    size : array (n,)
        Log sizes of its rows.
    origins : sequence of Origin
    """
    problem, every = result.problem, np.ones(len(size), dtype=bool)
    needs = len(result.law.constants) - len(problem.fix) + 1
    inputs = [values for _, values in problem.x]
    masks: dict[tuple[float, int], Mask] = {}
    for share in SHARES:
        mask = inside(size, every, share)
        known = any(np.array_equal(mask, other) for other in masks.values())
        if share and (known or distinct(inputs, mask) < needs):
            continue
        masks[share, -1] = mask
        for place, origin in enumerate(origins):
            part = inside(size, origin.train, share)
            if distinct(inputs, part) >= needs:
                masks[share, place] = part
    constants = dict(zip(masks, optima(result, list(masks.values())), strict=True))
    constants[0.0, -1] = np.array([value for _, value in result.minima[0].constants])
    return tuple(
        Candidate(
            law=result.law,
            share=share,
            rows=mask,
            constants=constants[share, -1],
            ahead=_ahead(result, share, constants, origins),
            judged=tuple((share, place) in constants for place in range(len(origins))),
        )
        for (share, last), mask in masks.items()
        if last == -1
    )


def stay(size: Floats, y: Floats, origins: Sequence[Origin]) -> Candidate:
    """The response stays at that of the largest row; of several of that size, at their geometric mean."""
    every = np.ones(len(size), dtype=bool)
    ahead = tuple(np.full(int(each.test.sum()), _last(size, y, each.train)) for each in origins)
    return Candidate(None, 0.0, every, np.exp([_last(size, y, every)]), ahead, (True,) * len(origins))


def squares(candidates: Sequence[Candidate], y: Floats, origins: Sequence[Origin]) -> Floats:
    """Mean squared errors of log predictions at each origin, (m, j).

    Infinite where a law has no positive value, NaN where it is not judged.
    """
    table = np.empty((len(candidates), len(origins)))
    for i, candidate in enumerate(candidates):
        for j, origin in enumerate(origins):
            error = float(np.mean((candidate.ahead[j] - np.log(y[origin.test])) ** 2))
            table[i, j] = error if not candidate.judged[j] or np.isfinite(error) else np.inf
    return table


def _ahead(
    result: FitResult, share: float, constants: Mapping[tuple[float, int], Floats], origins: Sequence[Origin]
) -> tuple[Floats, ...]:
    inputs, found = [values for _, values in result.problem.x], []
    for place, origin in enumerate(origins):
        if (share, place) in constants:
            there = [values[origin.test] for values in inputs]
            found.append(log_prediction(result.law, constants[share, place], there))
        else:
            found.append(np.full(int(origin.test.sum()), np.nan))
    return tuple(found)


def _last(size: Floats, y: Floats, train: Mask) -> float:
    used = size[train]
    return float(np.mean(np.log(y[train][used >= used.max() - 1e-9])))
