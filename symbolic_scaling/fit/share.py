"""One constant shared by many tables, the others fitted to each: ``min_c sum_i n_i min_rest f_i(c, rest)``.

The outer problem has one unknown (:mod:`.together`). It is searched on a grid over what the tables give alone, then its
slope is brought to zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from numpy.typing import ArrayLike

from ..errors import FitError
from ..law import Law
from . import require
from . import tie as ties
from .ask import Asked
from .loss import Measure
from .result import FitResult
from .together import Together

__all__ = ["Shared", "shared"]

Tables: TypeAlias = Mapping[Any, tuple[Mapping[str, ArrayLike] | ArrayLike, ArrayLike]]


@dataclass(frozen=True)
class Shared:
    """The outcome of :func:`shared`.

    Parameters
    ----------
    constant, value : str, float
        What is shared.
    objective : float
        The mean, or sum, of the loss over all rows of all tables, priors included.
    separate : float
        The same when every table has its own value, without priors on the shared constant: what sharing costs.
    fits : tuple of (key, FitResult)
        Each table with the constant held.
    profile : tuple of (value, objective)
        The grid that was searched.
    """

    constant: str
    value: float
    objective: float
    separate: float
    fits: tuple[tuple[Any, FitResult], ...]
    profile: tuple[tuple[float, float], ...]


def shared(
    law: Law,
    tables: Tables,
    constant: str,
    *,
    residual: str = "response",
    loss: str = "squared",
    delta: float = 1e-3,
    reduce: str = "mean",
    sigma: Mapping[Any, ArrayLike] | None = None,
    weights: Mapping[Any, ArrayLike] | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    tie: Mapping[str, str] | None = None,
    fix: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
    on_bad: str = "drop",
    target: str = "numpy",
) -> Shared:
    """Fit a law to many tables with one constant in common.

    Parameters
    ----------
    law : Law
    tables : mapping of key to (x, y)
        As for :func:`~symbolic_scaling.fit.curve`.
    constant : str
        The shared one; a pure number such as an exponent if the tables differ in their units.
    sigma, weights : mapping of key to array (n,) or number, optional
        Of each table's rows.
    residual, loss, delta, reduce, priors, tie, fix, bounds, seed, on_bad, target
        As for :func:`~symbolic_scaling.fit.curve`.

    Raises
    ------
    FitError
        If there is no table, the law has no such free constant, or sigma or weights are of other tables.
    DataError
        If the arrays cannot be read as tables.

    Examples
    --------
    >>> import numpy as np
    >>> from symbolic_scaling import laws
    >>> x = np.geomspace(1e4, 1e9, 8)
    >>> tables = {floor: (x, floor + 30 * x**-0.4) for floor in (0.1, 0.2)}
    >>> round(shared(laws.get("m2"), tables, "c").value, 9)
    -0.4
    """
    require.law_given(law)
    names = [symbol.name for symbol in ties.tied(law, tie or {}).constants if symbol.name not in (fix or {})]
    if not tables or constant not in names:
        found = f"the free constants are {', '.join(names)}"
        raise FitError(f"share {constant} of {law.name} among {len(tables)} tables", found, "name one, and give tables")
    rows = _rows(law, tables, {"sigma": sigma, "weights": weights})
    held = (priors or {}, tie or {}, fix or {}, bounds or {})
    asked = Asked(Measure(residual, loss, delta), reduce, None, None, *held, seed, on_bad, target)
    problem = Together(law, tuple(tables.values()), rows, constant, asked)
    alone = problem.fits()
    profile = problem.search(alone)
    value = problem.refine(profile)
    fits = problem.fits(value)
    notes = problem.notes(value, fits)
    noted = tuple((key, replace(fit, notes=(*notes, *fit.notes))) for key, fit in zip(tables, fits, strict=True))
    return Shared(constant, value, problem.objective(fits, value), problem.objective(alone), noted, profile)


def _rows(law: Law, tables: Tables, given: Mapping[str, Mapping[Any, ArrayLike] | None]) -> list[dict[str, Any]]:
    """Sigma and weights of each table."""
    for name, columns in given.items():
        if columns is not None and (not isinstance(columns, Mapping) or set(columns) != set(tables)):
            remedy = "give a mapping that has the keys of the tables"
            raise FitError(f"share a constant of {law.name}", f"{name} is not of the same tables", remedy)
    return [{name: columns[key] for name, columns in given.items() if columns is not None} for key in tables]
