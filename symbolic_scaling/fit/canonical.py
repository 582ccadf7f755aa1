"""One form for a curve that can be written in several: the same constants from any seed and any order of the rows.

Breaks are written from the side on which their first input is large, its exponent positive, as the paper of UNSL has
it (arXiv 2605.26248: c' = |c1|); what may be exchanged stands in order: breaks by where the first input meets them, the
others at their mean logarithm, and terms by their exponents. Only what :mod:`.symmetry` proves is used, and only where
nothing that the user fixed, bounded or has a prior on would be another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from .box import Coordinate
from .minima import Minima
from .objective import Objective
from .symmetry import Exchange, Mirror, exchanges, mirrors
from .units import exponents

__all__ = ["canonical"]

_LEVEL = 1e-9  # by how much a sum of squares may change, relative to it
_NOTHING = 1e-24


@dataclass(eq=False)
class _Form:
    """One minimum: values, walls touched and box of each free constant, and which one each was."""

    values: dict[sp.Symbol, float]
    at: dict[sp.Symbol, int]
    box: dict[sp.Symbol, Coordinate]
    was: dict[sp.Symbol, sp.Symbol]
    changed: bool = False


def canonical(objective: Objective, found: Minima) -> tuple[Objective, Minima]:
    """The minima in their one form, and the objective, whose box follows its constants.

    Parameters
    ----------
    objective : Objective
    found : Minima

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1.0, 1e6, 60)
    >>> y = 2 * x**-0.4 * (1 + (x / 300) ** 4) ** 0.075
    >>> found = fit.curve(laws.get("unsl", signs=0), x, y).estimate
    >>> round(found["c_1_1_7"], 6), round(found["d_1_7"] ** (1 / found["c_1_1_7"]), 3)
    (0.3, 300.0)
    """
    law = objective.law
    if not len(found.u) or objective.priors is not None or not (mirrors(law) or exchanges(law)):
        return objective, found
    symbols = [c.symbol for c in objective.coordinates]
    constants, forms = objective.constants(found.u), []
    for i in range(len(found.u)):
        values = dict(zip(law.constants, constants[:, i].tolist(), strict=True))
        sides = dict(zip(symbols, found.at[i].tolist(), strict=True))
        box = dict(zip(symbols, objective.coordinates, strict=True))
        forms.append(_formed(objective, _Form(values, sides, box, {s: s for s in symbols})))
    if not any(form.changed for form in forms):
        return objective, found
    within = replace(objective, coordinates=tuple(forms[0].box[s] for s in symbols))
    natural = np.array([[form.values[s] for form in forms] for s in law.constants])
    u = within.chart.fit(natural).T
    r, jacobian = within(u)
    cost = np.einsum("kn,kn->k", r, r)
    if not np.all(np.abs(cost - found.cost) <= _LEVEL * found.cost + _NOTHING):  # numbers out of range
        return objective, found
    at = np.array([[form.at[s] for s in symbols] for form in forms])
    was = [symbols.index(forms[0].was[s]) for s in symbols]
    loose = tuple(place for place, before in enumerate(was) if before in found.loose)
    return within, replace(found, u=u, r=r, jacobian=jacobian, cost=cost, at=at, loose=loose)


def _formed(objective: Objective, form: _Form) -> _Form:
    for mirror in mirrors(objective.law):
        _turn(form, mirror)
    means = {s: float(row.mean()) for s, row in zip(objective.law.inputs, np.log(objective.table.x), strict=True)}
    pairs = exchanges(objective.law)
    for _ in pairs:  # as a bubble sort does
        before = form.was.copy()
        for pair in pairs:
            one, two = _keys(objective, form, pair, means)
            if two < one:
                _swap(form, pair)
        if form.was == before:
            break
    return form


def _turn(form: _Form, mirror: Mirror) -> None:
    """Write a break from its other side, if its first exponent is negative and nothing stands in the way."""
    now = form.values
    free = all(s in form.box and not form.at[s] and form.box[s].base is None for s, _ in mirror.moved)
    if not free or now[mirror.first] >= 0 or not (new := mirror.turned(now)):
        return
    box = {s: _turned(form.box[s], s, expression) for s, expression in mirror.moved}
    if all(box[s].lo < value < box[s].hi for s, value in new.items()):
        form.values, form.box, form.changed = {**now, **new}, {**form.box, **box}, True


def _turned(c: Coordinate, symbol: sp.Symbol, expression: sp.Expr) -> Coordinate:
    """The box of what a constant becomes; the user's stays."""
    if c.given:
        return c
    if expression == -symbol:
        return replace(c, lo=-c.hi, hi=-c.lo)
    return replace(c, lo=1 / c.hi, hi=1 / c.lo) if expression == 1 / symbol else c


def _swap(form: _Form, pair: Exchange) -> None:
    """Exchange the constants of a pair, if nothing stands in the way."""
    couples = list(zip(pair.one, pair.two, strict=True))
    if not all(s in form.box and form.box[s].base is None for couple in couples for s in couple):
        return
    if any(_ends(form.box[a]) != _ends(form.box[b]) for a, b in couples if form.box[a].given or form.box[b].given):
        return
    for kept in (form.values, form.at, form.was):
        kept.update({k: v for a, b in couples for k, v in ((a, kept[b]), (b, kept[a]))})
    boxes = form.box
    form.box = {**boxes, **{s: replace(boxes[t], symbol=s) for a, b in couples for s, t in ((a, b), (b, a))}}
    form.changed = True


def _ends(c: Coordinate) -> tuple[float, float, bool]:
    return float(c.lo), float(c.hi), c.given


def _keys(
    objective: Objective, form: _Form, pair: Exchange, means: dict[sp.Symbol, float]
) -> Iterator[tuple[float, ...]]:
    """What orders the two of a pair."""
    powers = exponents(objective.law)
    for symbols, base in zip((pair.one, pair.two), pair.bases, strict=True):
        if base is not None:
            yield (_place(objective, form, base, means),)
        else:
            first = sorted(symbols, key=lambda s: s not in powers)
            yield tuple(form.values[s] for s in first)


def _place(objective: Objective, form: _Form, base: sp.Expr, means: dict[sp.Symbol, float]) -> float:
    """The logarithm of the first input where ``base`` is 1, the other inputs at their means."""
    total, rate = 0.0, 0.0
    first = next(s for s in objective.law.inputs if s in base.free_symbols)
    for part, power in base.as_powers_dict().items():
        size = float(power.xreplace({s: sp.Float(form.values[s]) for s in power.free_symbols}))
        if part == first:
            rate = size
        else:
            total += size * (means[part] if part in means else float(np.log(form.values[part])))
    return -total / rate if rate else np.inf
