"""``fit.best``: one call from a table to its extrapolation, with a band and the reasons.

Every candidate law is fitted in several windows of the rows; each is judged by how it extrapolates from earlier rows of
the same table to later ones, and their average is what is returned. Only the rows given are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, FitError
from ..law import Law
from . import average, reasons, rolling, select, windows
from .average import Calibration
from .averaged import LEVELS, Best, Extrapolation, Weighted
from .front import curve
from .result import FitResult
from .rolling import Candidate
from .solve import Floats
from .windows import Origin

__all__ = ["best"]

_EXACT = 1e-12  # the least noise of a row, relative: rounding
_OPTIONS = ("residual", "loss", "delta", "seed", "on_bad")
Inputs = Mapping[str, ArrayLike] | ArrayLike


def best(
    candidates: Iterable[Law] | Callable[[], Iterable[Law]] | None = None,
    *,
    x: Mapping[str, ArrayLike] | ArrayLike,
    y: ArrayLike,
    at: Mapping[str, ArrayLike] | ArrayLike | None = None,
    **options: object,
) -> Best:
    """Extrapolate a table: laws and windows averaged by how they extrapolate inside it.

    Parameters
    ----------
    candidates : iterable of Law, or a function that gives one
        Of the same inputs: ``laws.learning_curves()``.
    x : array (n,) or mapping of name to array (n,)
        Inputs.
    y : array (n,)
        Response.
    at : array or mapping of name to array, optional
        Where to extrapolate to; how far that is beyond the rows decides over which distances candidates are judged.
        Without it: at twice the size of the largest row.
    **options
        ``residual``, ``loss``, ``delta``, ``seed``, ``on_bad`` of :func:`~symbolic_scaling.fit.curve`.

    Raises
    ------
    FitError
        If there is no candidate, they take different inputs, or none can be fitted: each reason is given.
    DataError
        If the arrays cannot be read as a table.

    Notes
    -----
    The weights and the band are those of :mod:`symbolic_scaling.fit.average`; the windows and origins those of
    :mod:`symbolic_scaling.fit.windows`.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> x = np.geomspace(1e5, 1e8, 16)
    >>> found = best(laws.learning_curves, x=x, y=1.7 + 400 * x**-0.4, at=1e9)
    >>> found.fit.law.name, found.predict(1e9).round(6).tolist()
    ('m2', 1.800475)
    """
    laws = _laws(candidates)
    fits, refused = _fits(laws, x, y, options)
    inputs, measured = [values for _, values in fits[0].problem.x], fits[0].problem.y
    size = windows.sizes(inputs)
    asked = _asked(at, laws[0], inputs, size)
    far = float(windows.sizes(list(asked.values())).max())
    reach = windows.horizon(size, far)
    origins = windows.origins(size, reach)
    tried = [one for found in fits for one in rolling.follow(found, size, origins)]
    tried.append(rolling.stay(size, measured, origins))
    noise = _noise(fits)
    records = windows.running_best(size, measured)
    weighted, calibration = _weighted(tried, measured, origins, noise or 0.0, records)
    chosen = _heaviest(weighted)
    scores = tuple(select.score(each) for each in fits)
    found = Best(
        fits=fits,
        fit=_alone(chosen, fits, options),
        candidates=weighted,
        noise=noise,
        records=records,
        calibration=calibration,
        reach=float(np.exp(reach)),
        farthest=float(np.exp(far - size.max())),
        scores=scores,
        left=_left(fits, scores, chosen.law),
        refused=refused,
    )
    found = replace(found, predictions=_predictions(found, asked))
    return replace(found, because=reasons.because(found), against=reasons.against(found))


def _weighted(
    tried: Sequence[Candidate], measured: Floats, origins: Sequence[Origin], noise: float, records: bool
) -> tuple[tuple[Weighted, ...], Calibration]:
    """The candidates with their weights, the heaviest first, and what the average's own rolling errors say."""
    noise = max(noise, _EXACT)
    squares = rolling.squares(tried, measured, origins)
    before = average.prior([each.law and each.law.name for each in tried], records)

    def weighed(known: Floats) -> Floats:
        return average.weights(before, average.evidence(before, known, noise, records))

    after = weighed(squares)
    ahead = [np.array([each.ahead[place] for each in tried]) for place in range(len(origins))]
    truth = [np.log(measured[each.test]) for each in origins]
    weighted = tuple(
        Weighted(tried[i], float(after[i]), float(before[i]), tuple(np.sqrt(squares[i]).tolist()))
        for i in np.argsort(-after, kind="stable")
    )
    return weighted, average.calibrate(weighed, squares, ahead, truth, noise)


def _laws(candidates: Iterable[Law] | Callable[[], Iterable[Law]] | None) -> tuple[Law, ...]:
    """The candidates, all of the same inputs."""
    remedy = "give laws of the same inputs: laws.learning_curves(), say"
    if candidates is None:
        raise FitError("find the best law", "no candidates are given", remedy)
    laws = tuple(candidates() if callable(candidates) else candidates)
    wrong = [law for law in laws if not isinstance(law, Law)]
    if wrong or not laws:
        raise FitError("find the best law", f"{wrong[0]!r} is no law" if wrong else "there is no candidate", remedy)
    inputs = {tuple(symbol.name for symbol in law.inputs) for law in laws}
    if len(inputs) > 1:
        listed = " and ".join(", ".join(names) for names in sorted(inputs))
        raise FitError("find the best law", f"the candidates take different inputs: {listed}", remedy)
    repeated = sorted({law.name for law in laws if sum(other.name == law.name for other in laws) > 1})
    if repeated:
        raise FitError("find the best law", f"{repeated[0]} is given twice", "give each law once")
    return laws


def _fits(
    laws: Sequence[Law], x: Inputs, y: ArrayLike, options: Mapping[str, Any]
) -> tuple[tuple[FitResult, ...], tuple[tuple[str, str], ...]]:
    """Each law fitted to all rows, and why some were not."""
    unknown = sorted(set(options) - set(_OPTIONS))
    if unknown:
        raise FitError("find the best law", f"no option {unknown[0]!r}", f"there are {', '.join(_OPTIONS)}")
    fits, refused = [], []
    for law in laws:
        try:
            fits.append(curve(law, x, y, **options))
        except FitError as error:
            refused.append((law.name, str(error)))
    if not fits:
        raise FitError("find the best law", "; ".join(why for _, why in refused), "add rows, or give simpler laws")
    return tuple(fits), tuple(refused)


def _left(fits: Sequence[FitResult], scores: Sequence[select.Score], chosen: Law | None) -> tuple[select.Left, ...]:
    """The largest rows left out of the chosen law, and of the one that the criteria prefer."""
    closest = select.preferred(scores, "bic")
    laws = [fit for fit in fits if fit.law == chosen or (closest is not None and fit.law.name == closest.law)]
    return tuple(one for fit in laws for one in select.leave_largest_out(fit))


def _heaviest(weighted: Sequence[Weighted]) -> Candidate:
    """The law with the largest weight over its windows, in the heaviest of these."""
    known = [each for each in weighted if each.candidate.law is not None]
    total = {each.name: sum(other.weight for other in known if other.name == each.name) for each in known}
    return max(known, key=lambda each: (total[each.name], each.weight)).candidate


def _noise(fits: Sequence[FitResult]) -> float | None:
    """The standard deviation of log y about the closest law, two rows to spare where there are; None without any."""
    found = {2: [np.inf], 1: [np.inf]}
    for fit in fits:
        spare = fit.degrees_of_freedom
        inputs = [values for _, values in fit.problem.x]
        constants = np.array([value for _, value in fit.minima[0].constants])
        wrong = rolling.log_prediction(fit.law, constants, inputs) - np.log(fit.problem.y)
        if spare > 0 and np.isfinite(wrong).all():
            found[min(spare, 2)].append(float(np.sum(wrong**2)) / spare)
    least = min(found[2]) if np.isfinite(min(found[2])) else min(found[1])
    return float(np.sqrt(least)) if np.isfinite(least) else None


def _alone(candidate: Candidate, fits: Sequence[FitResult], options: Mapping[str, Any]) -> FitResult:
    """The fit of one law in its window."""
    whole = next(fit for fit in fits if fit.law == candidate.law)
    if candidate.rows.all():
        return whole
    repeat = np.repeat(np.flatnonzero(candidate.rows), whole.problem.counts[candidate.rows].astype(np.int_))
    inputs = {name: values[repeat] for name, values in whole.problem.x}
    return curve(whole.law, inputs, whole.problem.y[repeat], **options)


def _asked(at: Inputs | None, law: Law, inputs: Sequence[Floats], size: Floats) -> dict[str, Floats]:
    """Where to extrapolate to, one array (t,) an input; without it twice the size of the largest row."""
    names = [symbol.name for symbol in law.inputs]
    if at is None:
        largest = int(np.argmax(size))
        far = windows.FACTOR ** (1 / len(names))
        return {name: values[largest : largest + 1] * far for name, values in zip(names, inputs, strict=True)}
    given = at if isinstance(at, Mapping) else {names[0]: at}
    if set(given) != set(names):
        raise DataError("extrapolate", f"inputs {sorted(given)}", f"give {', '.join(names)}")
    try:
        arrays = np.broadcast_arrays(*(np.asarray(given[name], dtype=np.float64) for name in names))
    except (TypeError, ValueError) as error:
        raise DataError("extrapolate", str(error), "give numbers, of one length for all inputs") from None
    if not arrays[0].size or not all(((array > 0) & np.isfinite(array)).all() for array in arrays):
        raise DataError("extrapolate", "an input is missing, or not positive and finite", "give positive inputs")
    return {name: array.ravel() for name, array in zip(names, arrays, strict=True)}


def _predictions(found: Best, asked: Mapping[str, Floats]) -> tuple[Extrapolation, ...]:
    values = found.predict(asked)
    bands = [(level, *found.band(asked, level)) for level in LEVELS] if found.noise is not None else []
    return tuple(
        Extrapolation(
            tuple((name, float(column[i])) for name, column in asked.items()),
            float(value),
            tuple((level, float(lo[i]), float(hi[i])) for level, lo, hi in bands),
        )
        for i, value in enumerate(values)
    )
