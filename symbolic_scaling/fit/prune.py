"""A fitted law without the parts that its rows do not need.

A part goes if it moves no row (:mod:`.roles`), or if the law without it, fitted again from where it was, has the lower
BIC: ``n log`` of how many times larger the mean loss is than before is less than ``log n`` for each constant that goes
(Schwarz 1978; with a known sigma the rise of the sum in the place of the first). What is left is a law of its own, with
fewer constants; one part goes at a time, the one that to first order is missed least. A break that lies beyond all rows
is written from its other side before it goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from .. import notation
from . import require, select
from .canonical import canonical
from .ended import result_of
from .parts import Part, limit, parts, reduced
from .prepare import Ready, prepare
from .result import FitResult
from .roles import idle, roles
from .scatter import residuals
from .search import resume
from .solve import Floats
from .stages import FAR, off_values
from .symmetry import mirrors
from .units import exponents

__all__ = ["pruned"]

_TRIES = 3  # parts that are tried before nothing more goes
_HOPELESS = 30.0  # times what its constants are worth: a first estimate that is not looked into
_LEAST = 1e-24


def pruned(fit: FitResult) -> FitResult:
    """The fit of the law without the parts and terms that the rows do not need, and notes of what went and why.

    Parts whose constants are fixed, bounded, tied or have priors stay. Where nothing goes it is the same fit.

    Parameters
    ----------
    fit : FitResult
        Of an explicit law.

    Raises
    ------
    FitError
        If it is no fit.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1.0, 1e6, 60)
    >>> found = pruned(fit.curve(laws.get("unsl", n=0, ceilings=(3,)), x, 0.1 + 3 * x**-0.4))
    >>> found.law.constants
    (a_0, c_1_0_7, b_7)
    >>> found.notes[0]
    'dropped a_3, which changed no row'
    """
    require.fit_given(fit, "prune a fit")
    here, said = fit, []
    while (step := _next(here)) is not None:
        here, text = step
        said.append(text)
    if not said:
        why = "nothing is dropped: the rows ask for every part" if _candidates(fit) else "no part can be dropped"
        return replace(fit, notes=(*fit.notes, why))
    x = dict(fit.problem.x)
    now = here.predict({name: x[name] for name, _ in here.problem.x})
    moved = float(np.abs(np.log(now / fit.predict(x))).max())
    spread = float(np.sqrt(np.mean(np.log(fit.problem.y / fit.predict(x)) ** 2)))
    said.append(f"no prediction at a row moves by more than {moved:.2g} of itself; the residuals are {spread:.2g}")
    return replace(here, notes=(*said, *here.notes))


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A part that may go: all constants that go, and starts (c, k) of all constants in the user's units."""

    part: Part
    gone: tuple[sp.Symbol, ...]
    starts: Floats


def _candidates(fit: FitResult) -> list[_Candidate]:
    law, problem = fit.law, fit.problem
    if law.explicit is None:
        return []
    texts = [text for text, *_ in problem.priors] + [text for _, text in problem.tie]
    named = {s.name: s for s in law.constants}
    held = {name for name, _ in (*problem.fix, *problem.bounds)}
    held |= {s.name for text in texts for s in notation.parse(text, named).free_symbols}
    amplitudes = [s for s in law.constants if s.is_positive and s not in exponents(law)]
    found = []
    for part in (*parts(law), *(Part(s, (s,), end=sp.Integer(0)) for s in amplitudes)):
        rest = limit(law.explicit, {part.switch: part.end})
        if rest is None or rest in (0, sp.oo) or not rest.free_symbols & set(law.inputs):
            continue
        gone = tuple(s for s in law.constants if s not in rest.free_symbols)
        if not held & {s.name for s in gone} and (len(gone) > 1 or part.end != 0):  # a floor alone is no part
            found.append(_Candidate(part, gone, np.array(list(_starts(fit, part))).T))
    return found


def _starts(fit: FitResult, part: Part) -> Iterator[list[float]]:
    """The constants as they are, and with a break of the part written from its other side."""
    values = {s: fit.estimate[s.name] for s in fit.law.constants}
    yield list(values.values())
    for mirror in mirrors(fit.law):
        turned = mirror.turned(values) if mirror.width in part.constants else {}
        if turned and all(0 < abs(value) < FAR for s, value in turned.items() if s.is_positive):
            yield list({**values, **turned}.values())


def _next(fit: FitResult) -> tuple[FitResult, str] | None:
    """The fit without one part more and what is said of it; None where all are needed."""
    candidates = _candidates(fit)
    if not candidates:
        return None
    ready = prepare(fit.problem)
    nothing = {role.switch for role in roles(fit) if role.idle}
    estimates = [0.0 if one.part.switch.name in nothing else _estimate(fit, ready, one) for one in candidates]
    for i in np.argsort(estimates, kind="stable")[:_TRIES]:
        one = candidates[i]
        worth = select.worth(len(one.gone), len(fit.problem.y))
        if estimates[i] > _HOPELESS * worth:
            break
        made = _without(fit, one)
        if made is None:
            continue
        rise = _rise(fit, made.objective)
        names = ", ".join(s.name for s in one.gone)
        if one.part.switch.name in nothing:
            return made, f"dropped {names}, which changed no row"
        if rise < worth and made.outcome.success:
            times = made.objective / max(fit.objective, _LEAST)
            said = f"the loss is {times:.6g} times what it was, which is less than {len(one.gone)} constants are worth"
            return made, f"dropped {names}: {said} (BIC falls by {worth - rise:.3g})"
    return None


def _rise(fit: FitResult, objective: float) -> float:
    """Twice the fall of the log likelihood from a fit to one with this objective."""
    n, problem = len(fit.problem.y), fit.problem
    if problem.known:
        return (objective - fit.objective) * (float(problem.loads.sum()) if problem.reduce == "mean" else 1.0)
    return n * float(np.log(max(objective, _LEAST) / max(fit.objective, _LEAST)))


def _estimate(fit: FitResult, ready: Ready, one: _Candidate) -> float:
    """That rise to first order, all constants that stay free."""
    objective, law = ready.objective, fit.law
    off = {one.part.switch: 1 / FAR} if one.part.end == 0 else off_values(law, one.part)
    u = objective.locate(ready.frame.within(one.starts))
    _, jacobian = objective(u)
    stay = [j for j, c in enumerate(objective.coordinates) if c.symbol not in one.gone]
    constants = objective.constants(u)
    for symbol, value in off.items():
        constants[law.places[symbol]] = value
    left = residuals(objective, constants)
    lowest = np.inf
    for r, columns in zip(left, jacobian[:, : len(objective.weights)][:, :, stay], strict=True):
        norms = np.linalg.norm(columns, axis=0)
        unit = columns[:, norms > 0] / norms[norms > 0]
        if np.isfinite(r).all() and np.isfinite(unit).all():
            lowest = min(lowest, float(np.sum((r - unit @ np.linalg.lstsq(unit, r, rcond=None)[0]) ** 2)))
    return _rise(fit, lowest * objective.printed) if np.isfinite(lowest) else np.inf


def _without(fit: FitResult, one: _Candidate) -> FitResult | None:
    """The fit of the law without a part, continued from the constants that stay; None where it has none."""
    law = reduced(fit.law, frozenset({one.part}))
    names = {s.name for s in law.inputs}
    problem = replace(fit.problem, law=law, x=tuple(pair for pair in fit.problem.x if pair[0] in names))
    stay = [fit.law.places[s] for s in law.constants]
    with np.errstate(all="ignore"):
        ready = prepare(problem)
        begun = ready.objective.locate(ready.frame.within(one.starts[stay]))
        dropped = ", ".join(s.name for s in one.gone)
        found = resume(ready.objective, begun, f"continued from the fit with {dropped}")
        if not len(found.u):
            return None
        objective, found = canonical(found.within or ready.objective, found)
        made = result_of(problem, ready.rows, ready.frame, objective, found)
    return replace(made, notes=(*made.notes, *idle(made)))
