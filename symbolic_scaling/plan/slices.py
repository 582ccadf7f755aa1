"""IsoFLOP slices: at each budget a parabola of the response in the logarithm of the size, its vertex, and its bias.

Approach 2 of Hoffmann et al. 2022 (arXiv 2203.15556). A parabola has the wrong shape: along a budget the reducible
loss is ``alpha r**beta + beta r**(-alpha)``, r the size over the best one, so that the vertex through equally spaced
sizes is off even without noise. ``bias`` gives by how much in closed form; with a law, the bias of the sizes at hand
is computed exactly and taken off. A vertex counts only inside the sizes of its slice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import mpmath
import sympy as sp

from .. import derive, notation
from ..algebra.isolate import isolate
from ..errors import DataError, LawError
from ..law import Cost, Law
from .accounting import sheets_at
from .frontiers import Frontier, frontier
from .records import Amount, Plan, Sheet
from .sources import Source
from .units import DIGITS, evaluated, positive

__all__ = ["Vertex", "bias", "isoflop", "parabola"]

H = sp.Symbol("h", positive=True)


@dataclass(frozen=True)
class Vertex:
    """The vertex of a parabola in log N, or why it does not count; ``at`` is N."""

    at: sp.Expr | None
    value: sp.Expr | None
    why: str = ""


def parabola(sizes: Sequence[sp.Expr], values: Sequence[sp.Expr]) -> Vertex:
    """The least-squares parabola of values in the logarithm of positive sizes, with 50 digits.

    Examples
    --------
    >>> sizes = [sp.Integer(10), sp.Integer(100), sp.Integer(1000)]
    >>> f"{float(parabola(sizes, [sp.Integer(3), sp.Integer(2), sp.Integer(2)]).at):.6f}"
    '316.227766'
    >>> parabola(sizes, [sp.Integer(3), sp.Integer(2), sp.Rational(3, 2)]).why
    'the minimum lies outside the sizes'
    """
    if len(set(sizes)) < 3:
        return Vertex(None, None, "fewer than three sizes")
    with mpmath.workdps(DIGITS):
        logs = [mpmath.log(mpmath.mpf(str(sp.N(size, DIGITS)))) for size in sizes]
        middle = mpmath.fsum(logs) / len(logs)
        rows = mpmath.matrix([[1, u - middle, (u - middle) ** 2] for u in logs])
        right = mpmath.matrix([mpmath.mpf(str(sp.N(value, DIGITS))) for value in values])
        c, b, a = mpmath.qr_solve(rows, right)[0]
        if a <= 0:
            return Vertex(None, None, "the parabola has no minimum")
        place = -b / (2 * a)
        if not min(logs) < middle + place < max(logs):
            return Vertex(None, None, "the minimum lies outside the sizes")
        found = mpmath.exp(middle + place), c + b * place / 2
        return Vertex(*(sp.Float(str(value), DIGITS) for value in found))


def bias(law: Law, variable: str | sp.Symbol | None = None, cost: Cost | str | None = None) -> tuple[sp.Expr, sp.Expr]:
    """How far the vertex of three sizes ``exp(-h), 1, exp(h)`` times the best one lies off, in logarithms.

    Parameters
    ----------
    law : Law
        With a closed frontier in two inputs.
    variable : str or Symbol, optional
        The size; the law's first input without it.
    cost : Cost or str, optional

    Returns
    -------
    tuple of Expr
        The closed form in h, and its leading term for small h.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> bias(laws.get("chinchilla"))[1]
    h**2*(alpha - beta)/6
    """
    found = derive.suboptimality(law, variable, cost)
    share = found[f"excess of {law.response.symbol}"]
    if not isinstance(share, sp.Expr):
        raise LawError(f"find the bias of a parabola of {law.name}", "no closed form", "take a law of two inputs")
    ratio = next(s for s in sorted(share.free_symbols, key=str) if s.name in ("r", "ratio"))
    low, high = (share.xreplace({ratio: sp.exp(sign * H)}) for sign in (-1, 1))
    exact = -H / 2 * sp.cancel((high - low) / (high - 2 + low))
    second, third = (sp.diff(high, H, order).subs(H, 0) for order in (2, 3))
    return exact, sp.factor(-(H**2) / 6 * third / second)


def isoflop(
    rows: Iterable[tuple[object, object, object]],
    tolerance: object = "10%",
    chosen: Source | None = None,
    cost: Cost | sp.Expr | str | None = None,
) -> Plan:
    """Best sizes of slices of equal budget, and the power of the budget that they follow.

    Parameters
    ----------
    rows : iterable of (size, budget, response)
    tolerance : number
        Budgets within this part of the least one of a slice belong to it.
    chosen : Source, optional
        A law with its numbers: the bias of each slice's sizes is then shown and taken off.
    cost : Cost, Expr or str, optional

    Raises
    ------
    DataError
        If no slice has a minimum inside its sizes.

    Examples
    --------
    >>> sizes = [10**8, 10**9, 10**10]
    >>> rows = [(n * s, 10**20 * s**2, abs(n - 10**9) / n + 2) for n in sizes for s in (1, 10)]
    >>> f"{float(isoflop(rows)['exponent of N']):.3f}"
    '0.500'
    """
    part = positive(tolerance, "the tolerance")
    exact = [(positive(n, "N"), positive(c, "C"), positive(y, "the response")) for n, c, y in rows]
    slices = _slices(exact, part)
    line = frontier(chosen, cost) if chosen is not None else None
    made: list[tuple[sp.Expr | str, ...]] = []
    kept: list[tuple[sp.Expr, sp.Expr]] = []
    for budget, members in slices:
        sizes, values = [n for n, _, _ in members], [y for _, _, y in members]
        found, count = parabola(sizes, values), sp.Integer(len(members))
        if found.at is None or found.value is None:
            made.append((budget, count, "", "", *(("", "") if line else ()), found.why))
            continue
        off = _off(line, budget, sizes) if line else sp.Integer(1)
        if off is None:
            made.append((budget, count, found.at, found.value, "", "", "by the law no minimum shows at these sizes"))
            continue
        made.append((budget, count, found.at, found.value, *((off, found.at / off) if line else ()), ""))
        kept.append((budget, found.at / off))
    if not kept:
        whys = sorted({str(row[-1]) for row in made})
        raise DataError("find the minima of isoFLOP slices", "; ".join(whys) or "there are no rows", _REMEDY)
    columns = (
        "C",
        "rows",
        "N at the vertex",
        "response there",
        *(("bias", "N without it") if line else ()),
        "left out",
    )
    sheet = Sheet(f"Slices: budgets within {sp.N(100 * part, 4)} % of one another", columns, tuple(made))
    fitted = _power(kept)
    given = (Amount("rows", sp.Integer(len(exact))), Amount("slices", sp.Integer(len(slices))))
    budget, size = kept[-1]
    sheets = (sheet, *sheets_at(size, budget / (6 * size)))
    return Plan("IsoFLOP slices", line.convention if line else _RAW, given, fitted, sheets, _notes(line))


_REMEDY = "widen --tolerance, or add sizes on both sides of the minimum"
_RAW = "the table counts its budgets; D = C/(6 N) of the last slice below"


def _slices(
    rows: Sequence[tuple[sp.Expr, sp.Expr, sp.Expr]], part: sp.Expr
) -> list[tuple[sp.Expr, list[tuple[sp.Expr, sp.Expr, sp.Expr]]]]:
    """Rows whose budgets lie within a part of the least one, by budget; each slice with its geometric mean."""
    groups: list[list[tuple[sp.Expr, sp.Expr, sp.Expr]]] = []
    for row in sorted(rows, key=lambda one: one[1]):
        if groups and row[1] <= groups[-1][0][1] * (1 + part):
            groups[-1].append(row)
        else:
            groups.append([row])
    means = [sp.exp(sp.Add(*(sp.log(c).evalf(DIGITS) for _, c, _ in group)) / len(group)) for group in groups]
    return list(zip(means, groups, strict=True))


def _off(line: Frontier, budget: sp.Expr, sizes: Sequence[sp.Expr]) -> sp.Expr | None:
    """The vertex of the law's own values at the sizes over the law's best size; None where it does not count."""
    law, asked = line.source.law, "find the bias of a slice"
    size, other = law.inputs
    solved = isolate(sp.Eq(line.cost.symbol, line.cost.expression, evaluate=False), other, law.domain)
    if solved is None or law.explicit is None:
        raise LawError(asked, "the cost does not give the second input", "take 6*N*D")
    along = law.explicit.xreplace({other: solved.value})
    point = {**line.source.point, line.cost.symbol: budget}
    found = parabola(sizes, [evaluated(along, {**point, size: n}, asked) for n in sizes])
    return None if found.at is None else found.at / line.at(budget)[size.name]


def _power(kept: Sequence[tuple[sp.Expr, sp.Expr]]) -> tuple[Amount, ...]:
    """The least-squares line of log N in log C; with one slice, its size alone."""
    if len(kept) == 1:
        return (Amount("N", kept[0][1], "parameters"),)
    logs = [(sp.log(c).evalf(DIGITS), sp.log(n).evalf(DIGITS)) for c, n in kept]
    mean_c, mean_n = (sp.Add(*(pair[place] for pair in logs)) / len(logs) for place in (0, 1))
    slope = sp.Add(*((u - mean_c) * (v - mean_n) for u, v in logs)) / sp.Add(*((u - mean_c) ** 2 for u, _ in logs))
    return (Amount("exponent of N", slope), Amount("prefactor of N", sp.exp(mean_n - slope * mean_c)))


def _notes(line: Frontier | None) -> tuple[str, ...]:
    if line is None:
        return ("Without a law the bias of the parabola is not known",)
    exact, leading = bias(line.source.law, line.source.law.inputs[0], line.cost)
    said = f"log N at the vertex is off by {notation.text(exact)} for sizes exp(-h), 1, exp(h) times the best"
    return (f"{said}; for small h by {notation.text(leading)}",)
