"""Why an extrapolation is what it is, in words: what decided between laws and windows, and what contradicts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from . import outliers
from .averaged import Best, Weighted
from .notes import kept_inside
from .result import Outcome
from .select import Left, preferred

__all__ = ["against", "because"]

_MUCH = 1.5  # times what was foretold: worth saying
_ODD = 10.0  # times the scatter of the other rows
_RESOLVED = 1e-6
_FEW = 2  # origins
_SPARE = 2  # rows that a law must have beyond its constants to be called close
_DRIFT = 0.1  # of a floor


def because(best: Best) -> tuple[str, ...]:
    """What decided."""
    return tuple(_decided(best))


def against(best: Best) -> tuple[str, ...]:
    """What contradicts, or is not known."""
    return tuple(_doubts(best))


def _decided(best: Best) -> Iterator[str]:
    first = best.chosen
    stays = next((each for each in best.candidates if each.candidate.law is None), None)
    yield "weights: " + _listed(best.by_law)
    yield f"{first.name} has its largest weight, {first.weight:.0%}, {best.window(first)}"
    if not math.isnan(first.error):
        text = f"extrapolated by a factor of {best.reach:.3g} from {_origins(first)} it errs by"
        text += f" {first.error:.2g} (root mean square of log y)"
        if stays is not None:
            text += f"; the last value held errs by {stays.error:.2g}"
        yield text
    else:
        yield f"too few rows for a rolling extrapolation of {first.name}: its weight is the one before evidence"
    judged = [each for each in best.scores if not each.note]
    if judged:
        ordered = sorted(judged, key=lambda each: each.aicc)
        yield "AICc over all rows: " + ", ".join(f"{each.law} {each.aicc:.1f}" for each in ordered)
    if left := _left(best, first):
        errors = ", ".join(f"{each.error:.2g}" for each in left)
        yield f"{first.name} without the {_counted(left)} errs there by {errors}"
    if best.records:
        yield "the response never turns and repeats itself exactly: a running best, which scatters less than runs do"
    if best.noise is not None:
        yield f"the rows scatter by {best.noise:.2g} of log y about the closest law"


def _doubts(best: Best) -> Iterator[str]:
    first = best.chosen
    heaviest = next(iter(best.by_law))
    for criterion in ("aicc", "bic"):
        lowest = preferred(best.scores, criterion) if sum(not each.note for each in best.scores) > 1 else None
        if lowest is not None and lowest.law != heaviest:
            name = {"aicc": "AICc", "bic": "BIC"}[criterion]
            yield f"{name} prefers {lowest.law}, extrapolation {heaviest}"
    for note in dict.fromkeys(each.note for each in best.scores if each.note):
        yield f"{', '.join(each.law for each in best.scores if each.note == note)}: {note}"
    if math.isfinite(best.limit):
        yield kept_inside(best.limit)
    yield from _odd(best.left)
    yield from _drift(best)
    if 0 < _judged(first) <= _FEW:
        yield f"judged from {_origins(first)} only"
    if best.calibration.scale > _MUCH:
        yield f"its own rolling errors are {best.calibration.scale:.2g} times those foretold; the bands are widened so"
    if best.farthest > best.reach * (1 + _RESOLVED):
        yield (
            f"it is asked for a factor of {best.farthest:.3g} beyond the rows, and is judged over {best.reach:.3g} only"
        )
    if best.noise is None:
        yield "no law has a row to spare: nothing is known of the noise, so there is no band"
    whole = next(fit for fit in best.fits if fit.law == best.fit.law)
    yield from (f"{whole.law.name}: {note}" for note in whole.notes if note.startswith(outliers.SAID))
    for fit in best.fits:
        if fit.outcome in (Outcome.WRONG_SHAPE, Outcome.NOT_CONVERGED):
            notes = [note for note in fit.notes if "not monotone" in note]
            yield "; ".join([f"{fit.law.name}: {fit.outcome.value}", *notes])
    for law, why in best.refused:
        yield f"{law} takes no part: {why}"


def _odd(left: Sequence[Left]) -> Iterator[str]:
    """The largest row, where the law that describes the others best does not foretell it at all."""
    able = [each for each in left if each.sizes == 1 and each.spare >= _SPARE]
    if not able:
        return
    closest = min(able, key=lambda each: each.inside)
    if closest.error > max(_ODD * closest.inside, _RESOLVED):
        yield (
            f"the largest row lies {closest.error:.2g} of log y from what {closest.law} foretells of it, and the others"
            f" scatter by {closest.inside:.2g}: look at that run, or leave it out"
        )


def _drift(best: Best) -> Iterator[str]:
    """The floor of the chosen law on all rows, and as the largest are left out."""
    law, left = best.fit.law, _left(best, best.chosen)
    names = [p.symbol.name for p in law.parameters if p.below == law.response.symbol]
    whole = next(fit for fit in best.fits if fit.law == law)
    floors = [whole.estimate[name] for name in names[:1]] + [each.floor for each in left if each.floor is not None]
    if len(floors) > 1 and np.ptp(floors) > _DRIFT * max(floors):
        yield (
            f"the floor of {law.name} is {floors[0]:.4g}, and between {min(floors[1:]):.4g} and {max(floors[1:]):.4g}"
            f" without the {_counted(left)}"
        )


def _origins(first: Weighted) -> str:
    return "one earlier origin" if _judged(first) == 1 else f"{_judged(first)} earlier origins"


def _judged(first: Weighted) -> int:
    return sum(not math.isnan(error) for error in first.errors)


def _left(best: Best, first: Weighted) -> tuple[Left, ...]:
    return tuple(each for each in best.left if each.law == first.name)


def _listed(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


def _counted(left: Sequence[Left]) -> str:
    return " / ".join(("largest", *(f"{each.sizes} largest" for each in left[1:]))) + " sizes"
