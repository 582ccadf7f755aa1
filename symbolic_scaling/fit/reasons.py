"""Why an extrapolation is what it is, in words: what decided between laws and windows, and what contradicts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from .averaged import Best, Weighted
from .result import Outcome
from .select import Left

__all__ = ["against", "because"]

_MUCH = 1.5  # times what was foretold: worth saying
_ODD = 10.0  # times the scatter of the other rows
_RESOLVED = 1e-6


def because(best: Best) -> tuple[str, ...]:
    """What decided."""
    return tuple(_decided(best))


def against(best: Best) -> tuple[str, ...]:
    """What contradicts, or is not known."""
    return tuple(_doubts(best))


def _decided(best: Best) -> Iterator[str]:
    first = next(each for each in best.candidates if each.candidate.law is not None)
    stays = next((each for each in best.candidates if each.candidate.law is None), None)
    yield f"{first.name} {best.window(first)} carries {first.weight:.0%} of the weight, the most of any law and window"
    yield "weight by law: " + _listed(_by_law(best.candidates))
    if first.errors:
        text = f"extrapolated by a factor of {best.reach:.3g} from {len(first.errors)} earlier origins it errs by"
        text += f" {first.error:.2g} (root mean square of log y)"
        if stays is not None:
            text += f"; the last value held errs by {stays.error:.2g}"
        yield text
    else:
        yield "too few rows for any rolling extrapolation: the weights are those before evidence"
    finite = [each for each in best.scores if math.isfinite(each.aicc)]
    if finite:
        ordered = sorted(finite, key=lambda each: each.aicc)
        yield "AICc over all rows: " + ", ".join(f"{each.law} {each.aicc:.1f}" for each in ordered)
    if best.left:
        errors = ", ".join(f"{each.error:.2g}" for each in best.left)
        yield f"{first.name} without the {_counted(best.left)} errs there by {errors}"
    if best.noise is not None:
        yield f"the rows scatter by {best.noise:.2g} of log y about the closest law"


def _doubts(best: Best) -> Iterator[str]:
    first = next(each for each in best.candidates if each.candidate.law is not None)
    heaviest = max(_by_law(best.candidates).items(), key=lambda pair: pair[1])[0]
    for criterion in ("aicc", "bic"):
        known = [each for each in best.scores if math.isfinite(getattr(each, criterion))]
        lowest = min(known, key=lambda each: getattr(each, criterion)).law if known else heaviest
        if lowest != heaviest:
            name = {"aicc": "AICc", "bic": "BIC"}[criterion]
            yield f"{name} prefers {lowest}, extrapolation {heaviest}"
    yield from _of_the_largest(first.name, best.left)
    if len(first.errors) in (1, 2):
        yield f"judged at {len(first.errors)} earlier origin{'s' if len(first.errors) > 1 else ''} only"
    if best.calibration.scale > _MUCH:
        yield f"its own rolling errors are {best.calibration.scale:.2g} times those foretold; the bands are widened so"
    if best.farthest > best.reach * (1 + _RESOLVED):
        yield (
            f"it is asked for a factor of {best.farthest:.3g} beyond the rows, and is judged over {best.reach:.3g} only"
        )
    if best.noise is None:
        yield "no law has a row to spare: nothing is known of the noise, so there is no band"
    for fit in best.fits:
        if fit.outcome in (Outcome.WRONG_SHAPE, Outcome.NOT_CONVERGED):
            notes = [note for note in fit.notes if "not monotone" in note]
            yield "; ".join([f"{fit.law.name}: {fit.outcome.value}", *notes])
    for law, why in best.refused:
        yield f"{law} takes no part: {why}"


def _of_the_largest(name: str, left: Sequence[Left]) -> Iterator[str]:
    if left and left[0].error > max(_ODD * left[0].inside, _RESOLVED):
        yield (
            f"the largest row lies {left[0].error:.2g} of log y from what the others foretell, which scatter by"
            f" {left[0].inside:.2g}: look at that run, or leave it out"
        )
    floors = [each.floor for each in left if each.floor is not None]
    if floors and np.ptp(floors) > 0.1 * max(floors):
        yield (
            f"the floor of {name} moves between {min(floors):.4g} and {max(floors):.4g} as the {_counted(left)} are"
            " left out"
        )


def _by_law(candidates: Sequence[Weighted]) -> dict[str, float]:
    total: dict[str, float] = {}
    for each in candidates:
        total[each.name] = total.get(each.name, 0.0) + each.weight
    return dict(sorted(total.items(), key=lambda pair: -pair[1]))


def _listed(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


def _counted(left: Sequence[Left]) -> str:
    return " / ".join(("largest", *(f"{each.sizes} largest" for each in left[1:]))) + " sizes"
