"""From the arguments of a fit to its problem: names checked, constants tied, rows read."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import notation
from ..budget import cached
from ..errors import FitError
from ..law import Law
from . import priors, require, rows, tie
from .loss import Measure
from .result import FitProblem
from .rows import Rows

__all__ = ["Asked", "versions"]


@dataclass(frozen=True, eq=False)
class Asked:
    """What a fit may be asked beside its law and its rows; as for :func:`~symbolic_scaling.fit.curve`."""

    measure: Measure = field(default_factory=Measure)
    reduce: str = "mean"
    sigma: ArrayLike | None = None
    weights: ArrayLike | None = None
    priors: Mapping[str, Any] = field(default_factory=dict)
    tie: Mapping[str, str] = field(default_factory=dict)
    fix: Mapping[str, float] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    seed: int = 0
    on_bad: str = "drop"
    target: str = "numpy"

    def problem(self, law: Law, x: Mapping[str, ArrayLike] | ArrayLike, y: ArrayLike) -> tuple[FitProblem, Rows]:
        """The problem and its rows.

        Raises
        ------
        FitError
            If the law is none, there are fewer distinct inputs than constants to fit, or a name, a bound, a tie or a
            prior is wrong.
        DataError
            If the arrays cannot be read as a table.
        """
        require.law_given(law)
        if self.reduce not in ("mean", "sum"):
            raise FitError(f"fit {law.name}", f"reduce {self.reduce!r}", "give mean or sum")
        if self.target not in ("numpy", "numba"):
            raise FitError(f"fit {law.name}", f"target {self.target!r}", "give numpy or numba")
        ties = tie.expressions(law, self.tie)
        both = sorted({s.name for s in ties} & {*self.fix, *self.bounds})
        if both:
            raise FitError(f"fit {law.name}", f"{both[0]} is tied, and fixed or bounded too", "do one of these")
        law = tie.tied(law, self.tie)
        fixed = require.fixed(law, self.fix)
        bounds = require.bounded(law, self.bounds, fixed)
        require.intervals(law, bounds)
        known = priors.read(law, self.priors, ties)
        read = rows.read(law, x, y, self.on_bad, weights=self.weights, sigma=self.sigma)
        require.distinct(law, read, len(law.constants) - len(fixed) - len(known))
        require.sides(law, read, fixed)
        problem = FitProblem(
            law=law,
            residual=self.measure.residual,
            x=tuple((symbol.name, values) for symbol, values in zip(law.inputs, read.x, strict=True)),
            y=read.y,
            counts=read.counts.astype(np.float64),
            fix=tuple((symbol.name, float(value)) for symbol, value in fixed.items()),
            bounds=tuple((symbol.name, pair) for symbol, pair in bounds.items()),
            seed=self.seed,
            target=self.target,
            rows_used=read.used,
            rows_dropped=read.dropped,
            digest=read.digest,
            versions=versions(),
            loss=self.measure.loss,
            delta=self.measure.delta,
            reduce=self.reduce,
            weights=read.weights,
            sigma=read.sigma,
            places=read.places,
            priors=known,
            tie=tuple((symbol.name, notation.text(expression)) for symbol, expression in ties.items()),
        )
        return problem, read


@cached
def versions() -> tuple[tuple[str, str], ...]:
    """What a fit was made with."""
    packages = ("symbolic-scaling", "numpy", "scipy", "sympy", "numba")
    found = {name: version(name) for name in packages if find_spec(name.replace("-", "_"))}
    return (("python", platform.python_version()), *found.items())
