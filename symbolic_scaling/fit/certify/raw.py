"""The residual of a fit in ball arithmetic (python-flint ``arb``), from the law's form: what a certificate is rechecked
on.

``r = log left - log right`` of the form is differentiated as it stands; nothing comes from the separated columns that
the bound uses but the names of the linear constants, and that they are linear is proved here again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from flint import arb

from ...algebra.zero import prove_zero
from ...errors import FitError
from ...law import Law
from ...verify.ball import Tape, evaluate, tape
from ..solve import Floats
from .problem import Problem, Terms
from .quadratic import pairs

__all__ = ["BITS", "Balls", "Raw", "ball", "raw"]

BITS = 64
Ball: TypeAlias = Any  # flint.arb, which has no types
Balls: TypeAlias = list[Ball]


def ball(lo: float, hi: float) -> Ball:
    """The smallest ball that holds an interval."""
    return arb(float(lo)) if lo == hi else arb(float(lo)).union(arb(float(hi)))


@dataclass(frozen=True)
class Part:
    """A column or the offset: value, slopes and second derivatives as tapes, None where zero.

    ``uses``: the searched constants in each of them.
    """

    tapes: tuple[Tape | None, ...]
    uses: tuple[tuple[int, ...], ...]


@cache
def parts(law: Law, kind: str, terms: Terms, above: tuple[tuple[sp.Symbol, sp.Symbol], ...]) -> tuple[Part, ...]:
    """The offset, then a part for each linear constant: value, slopes, second derivatives by the searched constants.

    Raises
    ------
    FitError
        If the residual is not proved linear in those constants.
    """
    left, right = law.form.lhs, law.form.rhs
    if kind == "response" and law.explicit is not None:
        left, right = law.response.symbol, law.explicit
    rest = terms.rest
    u = [sp.Dummy(symbol.name, real=True) for symbol in terms.linear]
    written = {s: sp.exp(t) if log else t for s, t, log in zip(terms.linear, u, terms.logs, strict=True)}
    residual = (sp.log(left) - sp.log(right)).xreplace(written | {s: s + base for s, base in above})
    for one, two in combinations_with_replacement(u, 2):
        if prove_zero(sp.diff(residual, one, two), law.domain) is None:
            raise FitError(f"recheck a fit of {law.name}", f"not linear in {one}, {two}", "certify again")
    origin = dict.fromkeys(u, sp.Integer(0))
    found = []
    for part in (residual, *(sp.diff(residual, one) for one in u)):
        plain = part.subs(origin)
        made = [
            plain,
            *(sp.diff(plain, s) for s in rest),
            *(sp.diff(plain, rest[k], rest[m]) for k, m in pairs(len(rest))),
        ]
        uses = tuple(tuple(k for k, s in enumerate(rest) if e.has(s)) for e in made)
        found.append(Part(tuple(None if e == 0 else tape(e) for e in made), uses))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Raw:
    """``parts`` with the rows they are evaluated on; vectors that cells share are evaluated once."""

    parts: tuple[Part, ...]
    rest: tuple[sp.Symbol, ...]
    rows: tuple[dict[sp.Symbol, Ball], ...]
    roots: Balls
    known: dict[tuple[int, int, tuple[tuple[float, float], ...]], tuple[Balls, Floats]] = field(default_factory=dict)

    def vector(self, part: int, which: int, cell: Sequence[tuple[float, float]]) -> tuple[Balls, Floats]:
        """One derivative of one part on every row, weighted, over a cell: balls (none where zero), and their middles.

        Raises
        ------
        Unclear
            If a ball is too wide to have a value.
        """
        code, uses = self.parts[part].tapes[which], self.parts[part].uses[which]
        key = part, which, tuple(cell[k] for k in uses)
        if key not in self.known:
            here = {self.rest[k]: ball(*cell[k]) for k in uses}
            found: Balls = []
            if code is not None:
                pairs_ = zip(self.rows, self.roots, strict=True)
                found = [evaluate(code, row | here, BITS) * root for row, root in pairs_]
            self.known[key] = found, np.array([float(value.mid()) for value in found] or np.zeros(len(self.rows)))
        return self.known[key]


def raw(problem: Problem) -> Raw:
    """The residual of a problem."""
    objective, terms = problem.objective, problem.terms
    law, table = objective.law, objective.table
    above = tuple((c.symbol, c.base) for c in objective.coordinates if c.base is not None)
    made = parts(law, objective.kind, terms, above)
    fixed = {symbol: arb(float(value)) for symbol, value in objective.fixed.items()}
    columns = dict(zip((*law.inputs, law.response.symbol), (*table.x, table.y), strict=True))
    rows = [fixed | {s: arb(float(values[i])) for s, values in columns.items()} for i in range(len(table.y))]
    return Raw(made, terms.rest, tuple(rows), [arb(float(weight)).sqrt() for weight in objective.pull])
