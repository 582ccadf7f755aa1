"""What each term and each part of a fitted law does: how far the curve moves on the rows where it is taken off.

Parts are found in the expression of the law (:mod:`.parts`); all other constants stay as they are. A part that moves
no row by more than a thousandth of the residuals does nothing there: the law without it fits as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import sympy as sp

from .. import codegen
from ..law import Law
from . import require
from .parts import Part, parts, terms
from .result import FitResult
from .scatter import widths
from .solve import Floats
from .stages import off_values

__all__ = ["Role", "idle", "roles"]

_NOTHING = 1e-3  # of the root mean square of the residuals


@dataclass(frozen=True)
class Role:
    """One term or part of a fitted law.

    Parameters
    ----------
    switch : str
        The constant that takes it off.
    constants : tuple of str
        All that go with it.
    moves : float
        Root mean square over the rows of ``log y`` with it less ``log y`` without it.
    most : float
        The largest such change, with its sign.
    at : tuple of (input, value)
        The row of that change.
    beyond : float, optional
        Of a break: the share of the rows on its far side; 0 and 1 say that no row has met it.
    idle : bool
        Whether it does nothing on the rows.
    """

    switch: str
    constants: tuple[str, ...]
    moves: float
    most: float
    at: tuple[tuple[str, float], ...]
    beyond: float | None = None
    idle: bool = False


def roles(fit: FitResult) -> tuple[Role, ...]:
    """What each term and part does on the rows of a fit; empty for a law with one term and no parts.

    Raises
    ------
    FitError
        If it is no fit.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1.0, 1e4, 40)
    >>> y = 2 * x**-0.5 * (1 + (x / 100) ** 4) ** 0.1
    >>> for role in roles(fit.curve(laws.get("bnsl"), x, y)):
    ...     print(role.switch, role.constants, round(role.most, 2), role.at, role.beyond, role.idle)
    d1 ('c1', 'd1', 'f1') 1.84 (('x', 10000.0),) 0.5 False
    """
    require.fit_given(fit, "say the roles of parts")
    return tuple(_role(fit, part, change) for part, change in _changes(fit))


def idle(fit: FitResult) -> list[str]:
    """Notes on the parts that do nothing on the rows."""
    if fit.law.explicit is None:
        return []
    left = _residual(fit)
    return [_idle(fit.law, part) for part, change in _changes(fit) if np.abs(change).max() <= _NOTHING * left]


def _idle(law: Law, part: Part) -> str:
    """The note of a part that does nothing; its constants that stand elsewhere too are not meant."""
    rest: frozenset[sp.Basic] = frozenset()
    if part.end == 0 and law.explicit is not None:
        rest = frozenset(law.explicit.xreplace({part.switch: sp.Integer(0)}).free_symbols)
    names = [s.name for s in part.constants if s not in rest]
    change, them = ("changes", "it") if len(names) == 1 else ("change", "them")
    return f"{', '.join(names)} {change} no row: the law without {them} fits as well (fit.pruned, --prune)"


def _residual(fit: FitResult) -> float:
    """The root mean square of log residuals."""
    return float(np.sqrt(np.mean((np.log(fit.problem.y) - np.log(fit.predict(dict(fit.problem.x)))) ** 2)))


def _changes(fit: FitResult) -> Iterator[tuple[Part, Floats]]:
    """Each term and part, and by how much the logarithm of the curve is larger with it (n,)."""
    law = fit.law
    if law.explicit is None:
        return
    several = terms(law) if len(terms(law)) > 1 else ()
    inputs = [np.asarray(values, dtype=np.float64) for _, values in fit.problem.x]
    said = codegen.law(law)(*inputs, *(fit.estimate[s.name] for s in law.constants))
    for part in (*several, *parts(law)):
        off = {part.switch.name: 0.0} if part.end == 0 else {s.name: v for s, v in off_values(law, part).items()}
        with np.errstate(all="ignore"):
            without = codegen.law(law)(*inputs, *(off.get(s.name, fit.estimate[s.name]) for s in law.constants))
            change = np.log(said) - np.log(without)
        yield part, np.nan_to_num(change, nan=np.inf, posinf=np.inf, neginf=-np.inf)


def _role(fit: FitResult, part: Part, change: Floats) -> Role:
    inputs = [np.asarray(values, dtype=np.float64) for _, values in fit.problem.x]
    place = int(np.argmax(np.abs(change)))
    return Role(
        part.switch.name,
        tuple(s.name for s in part.constants),
        float(np.sqrt(np.mean(change**2))),
        float(change[place]),
        tuple((s.name, float(values[place])) for s, values in zip(fit.law.inputs, inputs, strict=True)),
        _beyond(fit.law, part, fit, inputs),
        bool(np.abs(change).max() <= _NOTHING * _residual(fit)),
    )


def _beyond(law: Law, part: Part, fit: FitResult, inputs: list[Floats]) -> float | None:
    """The share of the rows at which the base of a break is larger than 1; None where the part is no break."""
    bases = [
        p.base
        for p in sorted(law.residual.atoms(sp.Pow), key=str)
        if p.exp.free_symbols & widths(law) & set(part.constants) and part.switch in p.base.free_symbols
    ]
    simple = min(bases, key=sp.count_ops, default=None)
    if simple is None:
        return None
    names = [s for s in law.constants if s in simple.free_symbols]
    base = codegen.compile(simple, (*law.inputs, *names), domain=law.domain)
    return float(np.mean(base(*inputs, *(fit.estimate[s.name] for s in names)) > 1))
