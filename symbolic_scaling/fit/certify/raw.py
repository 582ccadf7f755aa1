"""The residual of a fit in ball arithmetic (python-flint ``arb``), from the law's form: what a certificate is rechecked
on.

``r = log left - log right`` of the form is differentiated as it stands; nothing comes from the separated columns that
the bound uses but the names of the linear constants, and that they are linear is proved here again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from flint import arb

from ...algebra.zero import prove_zero
from ...budget import cached
from ...domain import Domain
from ...errors import FitError
from ...law import Law
from ...verify.ball import Tape, evaluate, tape
from ..solve import Floats
from .problem import Problem, Terms, opened, rises
from .quadratic import pairs

__all__ = ["BITS", "Balls", "Raw", "ball", "raw"]

BITS = 64
Ball: TypeAlias = Any  # flint.arb, which has no types
Balls: TypeAlias = list[Ball]
Cell: TypeAlias = Sequence[tuple[float, float]]


def ball(lo: float, hi: float) -> Ball:
    """The smallest ball that holds an interval."""
    return arb(float(lo)) if lo == hi else arb(float(lo)).union(arb(float(hi)))


@dataclass(frozen=True)
class Code:
    """An expression as a tape, None where it is zero; ``uses``: the searched constants in it, by number.

    ``rises`` as in :func:`~.problem.rises`.
    """

    tape: Tape | None
    uses: tuple[int, ...]
    rises: tuple[int, ...] | None


@cached
def parts(
    law: Law, kind: str, terms: Terms, above: tuple[tuple[sp.Symbol, sp.Symbol], ...]
) -> tuple[tuple[Code, ...], ...]:
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
    domain = Domain(law.domain.ranges) if above else law.domain  # heights keep no relation
    found = []
    for part in (residual, *(sp.diff(residual, one) for one in u)):
        plain = opened(part.subs(origin), rest)
        first = [sp.diff(plain, s) for s in rest]
        second = [sp.diff(plain, rest[k], rest[m]) for k, m in pairs(len(rest))]
        found.append(tuple(_code(law, e, rest, domain) for e in (plain, *first, *second)))
    return tuple(found)


def _code(law: Law, e: sp.Expr, rest: tuple[sp.Symbol, ...], domain: Domain) -> Code:
    uses = tuple(k for k, s in enumerate(rest) if e.has(s))
    return Code(None if e == 0 else tape(e), uses, rises(law, e, rest, domain))


@dataclass(frozen=True, eq=False)
class Raw:
    """``parts`` with the rows they are evaluated on; vectors that cells share are evaluated once."""

    parts: tuple[tuple[Code, ...], ...]
    rest: tuple[sp.Symbol, ...]
    rows: tuple[dict[sp.Symbol, Ball], ...]
    roots: Balls
    known: dict[tuple[int, int, bool, Cell], tuple[Balls, Floats]] = field(default_factory=dict)

    def vector(self, part: int, which: int, cell: Cell, relative: bool = False) -> tuple[Balls, Floats]:
        """One derivative of one part on every row, weighted, over a cell: balls (none where zero), and their middles.

        ``relative`` allows the same number to be taken off every row.

        Raises
        ------
        Unclear
            If a ball is too wide to have a value.
        """
        code = self.parts[part][which]
        key = part, which, relative, tuple(cell[k] for k in code.uses)
        if key not in self.known:
            found: Balls = []
            if code.tape is not None:
                found = (self._differences(part, which, cell) if relative else None) or self._values(code.tape, cell)
                found = [value * root for value, root in zip(found, self.roots, strict=True)]
            self.known[key] = found, np.array([float(value.mid()) for value in found] or np.zeros(len(self.rows)))
        return self.known[key]

    def _values(self, code: Tape, cell: Cell) -> Balls:
        here = {s: ball(*cell[k]) for k, s in enumerate(self.rest)}
        return [evaluate(code, row | here, BITS) for row in self.rows]

    def _differences(self, part: int, which: int, cell: Cell) -> Balls | None:
        """The values less the middle row's, where it is proved that such differences rise or fall; else None."""
        code = self.parts[part][which]
        if code.tape is None or code.rises is None:
            return None
        self.vector(part, 0, cell)  # has a value all over the cell: nowhere in it does the law end
        one, two = (
            self._values(code.tape, [(end[side], end[side]) for end, side in zip(cell, sides, strict=True)])
            for sides in ([int(rise > 0) for rise in code.rises], [int(rise <= 0) for rise in code.rises])
        )
        middle = len(self.rows) // 2
        return [(a - one[middle]).union(b - two[middle]) for a, b in zip(one, two, strict=True)]


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
