"""Random constants for a part of a law, where the rows can show it.

Scales are drawn through the rows: a constant that carries the unit ``x**c`` of an input is ``x0**c`` of a random row x0
times a random factor, so that a break lies among the rows and a new term meets the response at one of them. Exponents
are drawn in equal ratios from what bends the response a little to what bends it much over the range of the rows, and
widths between what the law says. A part's own draws are compared by what is left of the present residual where the
effect of the draw is added and all constants that are already there are free to first order.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..budget import cached
from ..law import Law
from .objective import Objective
from .parts import Part, parts
from .solve import Floats
from .units import exponents, factors, weights

__all__ = ["draw", "residuals", "scores", "widths"]

_FLAT, _STEEP = 0.3, 8.0  # what a drawn exponent times the range of log x is
_FACTOR = 1.5  # deviation of the logarithm of the factor of an amplitude
_STRONGEST = 1.5  # times its drawn effect
_ALIKE = 0.98  # cosine between effects that are one start


def draw(objective: Objective, part: Part, count: int, rng: np.random.Generator) -> dict[sp.Symbol, Floats]:
    """Values (count,) of each constant of a part, in the units of the fit and inside its box."""
    law, table = objective.law, objective.table
    logs = np.log(table.x)
    spread = float(np.ptp(logs, axis=1).max()) or 1.0
    slopes, narrow = exponents(law), widths(law)
    by_symbol = {p.symbol: p for p in law.parameters}
    made: dict[sp.Symbol, Floats] = {}
    for s in part.constants:
        lo, hi = by_symbol[s].start
        if s in narrow:
            near, far = sorted((abs(lo), abs(hi)))
            values = np.exp(rng.uniform(np.log(max(near, 0.02)), np.log(far), count))
        elif s in slopes:
            values = np.exp(rng.uniform(np.log(_FLAT / spread), np.log(_STEEP / spread), count))
        else:
            continue
        sign = 1.0 if s.is_positive else -1.0 if s.is_negative else rng.choice([-1.0, 1.0], count)
        made[s] = sign * values
    switches = {one.switch for one in parts(law) if not one.ceiling}
    row = rng.integers(len(table.y), size=count)
    at = np.vstack([logs[:, row], np.log(table.y[row])])
    known = np.array([made.get(s, np.zeros(count)) for s in law.constants])
    carried = factors(law)(*at[..., None], *known[..., None]).reshape(len(known), count)
    for s, log in zip(law.constants, carried, strict=True):
        if s in part.constants and s not in made:
            broken = s in switches and not _of_response(law, s)
            made[s] = np.exp(log + (0.0 if broken else rng.normal(0.0, _FACTOR, count)))
    return made


@cached
def widths(law: Law) -> frozenset[sp.Symbol]:
    """Constants by which an exponent is divided."""
    inverse = {q.base for p in law.residual.atoms(sp.Pow) for q in p.exp.atoms(sp.Pow) if q.exp == -1}
    return frozenset(s for base in inverse for s in base.free_symbols & exponents(law))


def _of_response(law: Law, symbol: sp.Symbol) -> bool:
    """Whether a constant carries the response's unit."""
    powers = weights(law, law.response.symbol)
    return powers is not None and powers[law.places[symbol]] != 0


def scores(objective: Objective, present: Floats, candidates: Floats) -> tuple[Floats, NDArray[np.int_]]:
    """How low each candidate may bring the sum of squares, and the order in which they are starts.

    Parameters
    ----------
    objective : Objective
        With the present constants free.
    present : array (p,)
        Its coordinates.
    candidates : array (c, k)
        All constants of the law.

    Returns
    -------
    costs : array (k,)
    order : array (m,)
        Of candidates whose effects differ, the best first.
    """
    r, jacobian = (rows[:, : len(objective.weights)] for rows in objective(present[None]))  # priors know no effects
    norms = np.linalg.norm(jacobian[0], axis=0)
    basis, _ = np.linalg.qr(jacobian[0][:, norms > 0] / norms[norms > 0])
    effect = residuals(objective, candidates) - r
    effect = np.where(np.isfinite(effect), effect, 0.0)
    effect -= (effect @ basis) @ basis.T
    left = r[0] - (r[0] @ basis) @ basis.T
    size = np.maximum(np.einsum("kn,kn->k", effect, effect), 1e-300)
    share = np.clip(-(effect @ left) / size, 0.0, _STRONGEST)
    costs = left @ left + share * (2 * (effect @ left) + share * size)
    costs[size < 1e-20] = np.inf
    directions = effect / np.sqrt(size)[:, None]
    return costs, _apart(costs, directions)


def residuals(objective: Objective, constants: Floats) -> Floats:
    """Weighted residuals (k, n) at all constants (c, k) of the law, without their gradient."""
    with np.errstate(all="ignore"):
        r = objective.compiled(*objective.table.x, objective.table.y, *constants[:, :, None])
        z, _ = objective.measure(r, objective.table.y, objective.inverse)
    found: Floats = z * np.sqrt(objective.weights)
    return found


def _apart(costs: Floats, directions: Floats, most: int = 24) -> NDArray[np.int_]:
    """The numbers of the best candidates whose effects differ, the best first."""
    left = np.argsort(costs, kind="stable")
    left = left[np.isfinite(costs[left])]
    chosen: list[int] = []
    while left.size and len(chosen) < most:
        chosen.append(int(left[0]))
        left = left[directions[left] @ directions[left[0]] < _ALIKE]
    return np.array(chosen, dtype=np.int_)
