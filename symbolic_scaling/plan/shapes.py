"""Shapes of vision transformers after Alabdulmohsin et al. 2023 (arXiv 2305.13035): best sizes, scaling.

A fit of the law of one dimension gives its best size and ``s_k``. A small shape is scaled by
``x_k -> x_k tau**(s_k w_k)``, ``w_k`` one over the number of dimensions. The paper prints ``tau**(w_k)``, which does
not agree with its own ``s_k``: both are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp

from .. import derive, quantity
from ..errors import LawError
from . import vit
from .records import Amount, Plan, Sheet
from .sources import Source
from .sweeps import MULTIPLES, rounded, size_of
from .units import DIGITS, evaluated, positive, whole

__all__ = ["CLASSIFICATION", "DECODING", "best_size", "scale"]

CLASSIFICATION = {"width": "0.22", "depth": "0.45", "mlp": "0.6"}
DECODING = {"width": "0.25", "depth": "0.49", "mlp": "0.62"}
"""The printed exponents ``s_k``."""

GFLOP = sp.Integer(10) ** 9
STEPS = 200


def best_size(chosen: Source, budget: object, methods: Sequence[str] = ("delta",)) -> Plan:
    """The best size of one dimension at a compute, and its exponent ``s_k``, with intervals of a fit.

    Parameters
    ----------
    chosen : Source
        Of the law ``sovit``, or of another whose response falls and rises in its first input.
    budget : str or number
        In the unit of the law's second input, or with its own.
    methods : sequence of str

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.plan import source
    >>> own = {"alpha_k": 5, "a_k": "0.5", "beta_k": "0.1", "b_k": "0.4", "xi_k": 1, "c": "0.3", "eps_k": "0.1"}
    >>> made = best_size(source(laws.get("sovit"), constants=own), 10**10)
    >>> f"{float(made['s_k']):.4f}"
    '0.3333'
    """
    law = chosen.law
    if len(law.inputs) != 2:
        raise LawError(f"find the best size by {law.name}", "it has not two inputs", "take sovit, one dimension")
    x, t = law.inputs
    found = derive.optimum(law, x)
    names = {x.name: x.name, law.response.symbol.name: law.response.symbol.name, "s_k": f"exponent of {x.name}"}
    wanted = {name: found[key] for name, key in names.items()}
    closed = {name: value for name, value in wanted.items() if isinstance(value, sp.Expr)}
    unit = law.variables[1].unit
    written = positive(budget, str(t.name), "FLOP")
    money = written / GFLOP if unit == "GFLOP" and quantity.read(budget).unit == "FLOP" else written
    sure = chosen.sure(closed, {str(t.name): money}, methods)
    point = {**chosen.point, t: money}
    rows = []
    for name, value in closed.items():
        known = sure.get(name, Amount(name, sp.Integer(0)))
        number = evaluated(value, point, "find the best size")
        rows.append(Amount(name, number, "", known.intervals, known.note))
    spent = (Amount(str(t.name), money, unit),)
    return Plan(f"{law.name}, {chosen.label}: the best size at a compute", "the law's own compute", spent, tuple(rows))


def scale(
    start: Mapping[str, object],
    budget: object,
    examples: object,
    *,
    exponents: Mapping[str, object] = CLASSIFICATION,
    first_examples: object = None,
    beside: Mapping[str, object] | None = None,
) -> Plan:
    """A small shape scaled to a budget, by both exponents of tau and along the ``s_k`` until the budget is spent.

    Parameters
    ----------
    start : mapping
        Width, depth and mlp of a shape that is best at its own compute.
    budget : str or number
        Forward FLOPs over all examples; ``"9T GFLOP"`` is 9e21 FLOP.
    examples : number
        Images that the large shape sees.
    exponents : mapping
        ``s_k`` of each dimension; the printed ones of classification by default.
    first_examples : number, optional
        Images that the small shape saw; as many as the large one without it. With the compute of the small shape they
        give tau.
    beside : mapping, optional
        A published shape to compare with.

    Returns
    -------
    Plan
        The shape that spends the budget; a sheet of all rules, each with what it spends; with ``beside`` the tau that
        each of its dimensions implies.

    Examples
    --------
    >>> made = scale({"width": 608, "depth": 10, "mlp": 928}, "9T GFLOP", "40B", first_examples="600M")
    >>> [int(made[name]) for name in ("width", "depth", "mlp")]
    [1056, 31, 4224]
    """
    small = {name: whole(size_of(start, name), name) for name in vit.DIMENSIONS}
    powers = {name: positive(size_of(exponents, name), f"s of {name}") for name in vit.DIMENSIONS}
    money, shown = positive(budget, "the budget", "FLOP"), positive(examples, "the examples", "examples")
    seen = shown if first_examples is None else positive(first_examples, "the first examples", "examples")
    spent = vit.image(small)["GFLOP at 224"] * GFLOP * seen
    tau, share = money / spent, sp.Rational(1, len(small))
    even = dict.fromkeys(small, share)
    along = {name: powers[name] * share for name in small}
    reach = _reaching(small, along, money / shown)
    shapes = {
        "the small shape": dict(small),
        "tau^(w_k), as printed": _grown(small, even, tau),
        "tau^(s_k w_k)": _grown(small, along, tau),
        "along s_k, to the budget": _grown(small, along, reach),
    }
    final = _whole(shapes["along s_k, to the budget"])
    shapes["along s_k, to the budget, rounded"] = {k: sp.Integer(v) for k, v in final.items()}
    if beside:
        shapes["beside"] = {name: whole(size_of(beside, name), name) for name in vit.DIMENSIONS}
    rows = [Amount(name, sp.Integer(size)) for name, size in final.items()]
    counted = vit.image(final)
    rows += [counted.allocation[0], counted.allocation[1], Amount("tau", tau), Amount("tau that spends it", reach)]
    sheets: list[Sheet] = [_rules(shapes, money, shown)]
    notes: tuple[str, ...] = _WHY
    if beside:
        implied = _implied(small, along, shapes["beside"], tau)
        taus = sorted(row[2] for row in implied.rows)
        sheets.append(implied)
        notes += (f"No one tau takes the small shape to the one beside: its dimensions imply {sp.N(taus[0], 4)} to "
                  f"{sp.N(taus[-1], 4)}, so the s_k alone do not give it",)  # fmt: skip
    sheets.append(counted.sheets[1])
    given = (Amount("C", money, "FLOP"), Amount("examples", shown, "examples"), Amount("C of the small shape", spent))
    return Plan("A small shape scaled to a budget", vit.CONVENTION, given, tuple(rows), tuple(sheets), notes)


_WHY = (
    "Every dimension by tau^(1/3), as printed, multiplies the FLOPs of an image by about tau and keeps the "
    "proportions, whatever the s_k are; tau^(s_k w_k) moves them as x_k ~ t^(s_k) does",
)


def _grown(small: Mapping[str, sp.Expr], powers: Mapping[str, sp.Expr], tau: sp.Expr) -> dict[str, sp.Expr]:
    return {name: (size * tau.evalf(DIGITS) ** powers[name]).evalf(DIGITS) for name, size in small.items()}


def _whole(sizes: Mapping[str, sp.Expr]) -> dict[str, int]:
    """The sizes at the nearest multiples that hardware likes."""
    return {name: rounded(size, MULTIPLES[name]) for name, size in sizes.items()}


def _flops(sizes: Mapping[str, sp.Expr]) -> sp.Float:
    """Forward FLOPs of an image at 224 pixels, of sizes that need not be whole."""
    here = {vit.width: sizes["width"], vit.depth: sizes["depth"], vit.mlp: sizes["mlp"], **vit.patches(224)}
    return evaluated(vit.forward(), here, "count")


def _reaching(small: Mapping[str, sp.Expr], powers: Mapping[str, sp.Expr], flops: sp.Expr) -> sp.Float:
    """The tau at which an image costs so many FLOPs: the count rises with tau, its logarithm is halved in on."""
    lo, hi = sp.Float(-1, DIGITS), sp.Float(1, DIGITS)
    while _flops(_grown(small, powers, sp.exp(lo))) > flops:
        lo = 2 * lo
    while _flops(_grown(small, powers, sp.exp(hi))) < flops:
        hi = 2 * hi
    for _ in range(STEPS):
        middle = (lo + hi) / 2
        if middle in (lo, hi):
            break
        lo, hi = (middle, hi) if _flops(_grown(small, powers, sp.exp(middle))) < flops else (lo, middle)
    return sp.exp((lo + hi) / 2)


def _rules(shapes: Mapping[str, Mapping[str, sp.Expr]], money: sp.Expr, shown: sp.Expr) -> Sheet:
    rows = []
    for name, sizes in shapes.items():
        each = _flops(sizes)
        rows.append((name, *sizes.values(), each / GFLOP, each * shown / money))
    return Sheet("Rules", ("rule", *vit.DIMENSIONS, "GFLOP at 224", "part of the budget"), tuple(rows))


def _implied(
    small: Mapping[str, sp.Expr], powers: Mapping[str, sp.Expr], other: Mapping[str, sp.Expr], tau: sp.Expr
) -> Sheet:
    """The tau that takes each dimension alone to the other shape; were they one, the s_k would explain it."""
    rows = []
    for name, size in small.items():
        growth = sp.Float(other[name], DIGITS) / size
        own = growth ** (1 / powers[name])
        rows.append((name, growth, own, own / tau, (sp.log(growth) / sp.log(tau)).evalf(DIGITS)))
    columns = ("dimension", "grows by", "tau it implies", "over tau", "power of tau")
    return Sheet("The shape beside: what each of its dimensions says tau was", columns, tuple(rows))
