"""Training on fewer unique tokens than a budget asks for: size, tokens and epochs after Muennighoff et al. 2023.

From N, D and U unique tokens (arXiv 2305.16264): ``U_D = min(U, D)``, ``U_N`` the parameters for which ``U_D`` is the
compute-optimal data, or N if that is less, ``R_D = D/U_D - 1``, ``R_N = N/U_N - 1``. Along ``6 N D = C`` each term is
the exponential of a convex function of log N, as what repeats counts ever less: there is one valley, and golden
sections find its bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from .. import derive
from ..algebra.isolate import isolate
from ..errors import LawError
from ..law import Law
from ..records import Root
from .allocate import counted, remarks, spending
from .records import Amount, Plan, Sheet
from .sources import Chosen, Source, chosen_source
from .units import DIGITS, Machine, compute, evaluated, positive

__all__ = ["inputs", "repeat"]

REACH, SECTIONS = 60, 260
_FLAT = 100  # epochs beyond which the valley is flat
_NEAR = 3  # how far from the estimate a refit's best size is looked for, as a factor
_DATA = sp.Symbol("data", positive=True)


def repeat(
    chosen: Chosen,
    budget: object,
    unique: object,
    matched: Law,
    *,
    published: str | None = None,
    machine: Machine | None = None,
    methods: Sequence[str] = ("delta",),
) -> Plan:
    """The best size and number of epochs for a compute, where only so many tokens are unique.

    Parameters
    ----------
    chosen : Source, Law or FitResult
        Of the law ``data-constrained``.
    budget, unique : str or number
        Compute, and unique tokens.
    matched : Law
        ``chinchilla``, whose frontier says which size a number of unique tokens calls for.
    published : str, optional
        The printed set of a law.
    machine : Machine, optional
        Then the plan has hours and price.
    methods : sequence of str
        Of intervals, where the numbers are a fit's.

    Raises
    ------
    LawError
        If the law is another.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> made = repeat(laws.get("data-constrained"), "1e22", "25B", laws.get("chinchilla"))
    >>> float(made["epochs"]) > 1
    True
    """
    named = chosen_source(chosen, published)
    if {str(s.name) for s in named.law.inputs} != {"U_N", "R_N", "U_D", "R_D"}:
        raise LawError(f"plan repeated data with {named.law.name}", "it has other inputs", "take data-constrained")
    flop, own = compute(budget, machine), positive(unique, "the unique tokens", "tokens")
    called = _called(named, matched)
    asked = "plan repeated data"

    def at(size: sp.Expr) -> tuple[dict[str, sp.Expr], sp.Expr]:
        found = inputs(size, flop / (6 * size), own, called)
        return found, named.respond(found, asked)

    middle = sp.log(flop / 6).evalf(DIGITS) / 2
    size = sp.exp(_bottom(lambda u: at(sp.exp(u))[1], middle - REACH, middle + REACH))
    found, response = at(size)
    tokens = flop / (6 * size)
    epochs = tokens / found["U_D"]
    rows: tuple[Amount, ...] = (
        Amount("N", size, "parameters"), Amount("D", tokens, "tokens"), Amount("epochs", epochs),
        Amount("D/N", tokens / size), Amount("L", response, named.law.response.unit),
    )  # fmt: skip
    sheet = Sheet(
        "Other numbers of epochs at the same compute", ("epochs", "N", "D", "L"), tuple(_beside(at, flop, own))
    )
    title = f"{named.law.name}, {named.label}: the best use of a budget with {sp.N(own, 6)} unique tokens"
    given = (*spending(flop, machine), Amount("unique", own, "tokens"))
    notes = remarks(named, {})
    if named.fit is not None and epochs < _FLAT:
        rows = _sure(rows, _piece(named, matched, found), {"C": flop, "U": own}, named, methods)
    elif named.fit is not None:
        notes += ("No intervals: so many repetitions are worth nothing, and no size is better than the others",)
    if found["R_D"] > 5 * named.constants["R_D_star"]:
        notes += ("The last repetition is worth less than 1 % of the first: more unique tokens are needed",)
    return Plan(title, "C = 6*N*D: 6ND training FLOPs", given, rows, (sheet, *counted({"N": size, "D": tokens})), notes)


def _piece(named: Source, matched: Law, found: Mapping[str, sp.Expr]) -> tuple[Root, dict[str, sp.Expr]]:
    """The slope along the budget in the piece of the valley that holds the bottom, and the amounts in N."""
    law, (N, C, U) = named.law, (sp.Symbol(name, positive=True) for name in "NCU")
    tokens = C / (6 * N)
    data = U if found["R_D"] > 0 else tokens
    line = derive.frontier(matched)
    n, d = line["N"], line["D"]
    assert isinstance(n, sp.Expr) and isinstance(d, sp.Expr) and law.explicit is not None
    (money,) = (n.free_symbols & d.free_symbols) - set(matched.constants)
    spent = isolate(sp.Eq(_DATA, d, evaluate=False), money, matched.domain)
    assert spent is not None
    size = n.xreplace({money: spent.value}).xreplace({_DATA: data}) if found["R_N"] > 0 else N
    put = {"U_N": size, "R_N": N / size - 1, "U_D": data, "R_D": tokens / data - 1}
    response = law.explicit.xreplace({law.symbols[name]: value for name, value in put.items()})
    best = found["U_N"] * (1 + found["R_N"])
    root = Root(N, response.diff(N), (best / _NEAR, best * _NEAR), "the valley has one bottom")
    return root, {"N": N, "D": tokens, "epochs": tokens / data, "D/N": tokens / N, "L": response}


def _sure(
    rows: Sequence[Amount],
    piece: tuple[Root, dict[str, sp.Expr]],
    values: Mapping[str, sp.Expr],
    named: Source,
    methods: Sequence[str],
) -> tuple[Amount, ...]:
    """The amounts with their intervals; what no constant moves has none."""
    root, wanted = piece
    moved = {name: value for name, value in wanted.items() if value.free_symbols}
    sure = named.sure(moved, values, methods, root)
    known = {one.name: sure.get(one.name, one) for one in rows}
    return tuple(replace(one, intervals=known[one.name].intervals, note=known[one.name].note) for one in rows)


def _called(named: Source, matched: Law) -> Callable[[sp.Expr], sp.Expr]:
    """The size for which tokens are compute-optimal: the frontier's N at the budget whose D they are."""
    line = derive.frontier(matched)
    n, d = line["N"], line["D"]
    assert isinstance(n, sp.Expr) and isinstance(d, sp.Expr)
    (money,) = (n.free_symbols & d.free_symbols) - set(matched.constants)
    point = {symbol: named.constants[symbol.name] for symbol in matched.constants if symbol.name in named.constants}
    power = line["exponent of D"]
    assert isinstance(power, sp.Expr)

    def at(tokens: sp.Expr) -> sp.Expr:
        one = evaluated(d, {**point, money: sp.Integer(1)}, "match data")
        spent = (tokens / one) ** (1 / evaluated(power, point, "match data"))
        return evaluated(n, {**point, money: sp.Float(spent, DIGITS)}, "match data")

    return at


def inputs(size: sp.Expr, tokens: sp.Expr, unique: sp.Expr, called: Callable[[sp.Expr], sp.Expr]) -> dict[str, sp.Expr]:
    """The law's inputs from N, D and U; ``called`` gives the size that unique tokens call for."""
    data = min(unique, tokens)
    matched = min(called(data), size)
    return {"U_N": matched, "R_N": size / matched - 1, "U_D": data, "R_D": tokens / data - 1}


def _bottom(height: Callable[[sp.Expr], sp.Expr], low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """Where a function with one valley is least, by golden sections."""
    part = (sp.sqrt(5).evalf(DIGITS) - 1) / 2
    inner = [high - part * (high - low), low + part * (high - low)]
    heights = [height(u) for u in inner]
    for _ in range(SECTIONS):
        if high - low < sp.Float(10) ** (-DIGITS // 2):
            break
        if heights[0] < heights[1]:
            high, inner[1], heights[1] = inner[1], inner[0], heights[0]
            inner[0] = high - part * (high - low)
            heights[0] = height(inner[0])
        else:
            low, inner[0], heights[0] = inner[0], inner[1], heights[1]
            inner[1] = low + part * (high - low)
            heights[1] = height(inner[1])
    return (low + high) / 2


def _beside(
    at: Callable[[sp.Expr], tuple[dict[str, sp.Expr], sp.Expr]], flop: sp.Expr, own: sp.Expr
) -> list[tuple[sp.Expr | str, ...]]:
    rows: list[tuple[sp.Expr | str, ...]] = []
    for epochs in (1, 2, 4, 8, 16, 32):
        tokens = own * epochs
        size = flop / (6 * tokens)
        rows.append((sp.Integer(epochs), size, tokens, at(size)[1]))
    return rows
