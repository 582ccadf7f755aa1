"""Compute-efficient training after Kaplan et al. 2020 (arXiv 2001.08361): size, steps, batch, data, where to stop.

The critical batch depends on the loss that the compute buys, so the frontier has the loss inside its cost:
``C_min = 6 N B_crit(L) S_min``. At another batch B a run takes ``S = S_min (1 + B_crit/B)`` steps, (5.4), and
``C = C_min (1 + B/B_crit)`` compute, (5.5): the two solve the trade-off (5.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from .. import derive
from ..algebra.isolate import isolate
from ..algebra.peel import split
from ..errors import LawError, Undecided
from ..law import Cost
from ..records import Derivation
from .accounting import like, sheet
from .printed import allowed, digits
from .records import Amount, Plan, Sheet
from .sources import Source
from .units import DIGITS, PF_DAY, compute, evaluated, positive

__all__ = ["RATE", "Tables", "contradiction", "crossing", "data_for", "enough_data", "inside", "kaplan", "rate", "stop"]

C = sp.Symbol("C", positive=True)
EXCESS = sp.Symbol("delta", positive=True)
RATE = ("0.003239", "0.0001395")
"""The learning-rate rule (D.1), ``LR = .003239 - .0001395 log N``, as printed."""


@dataclass(frozen=True, eq=False)
class Tables:
    """The laws of the paper with their numbers; different tables hold different fits of the same letters.

    Parameters
    ----------
    steps : Source
        ``kaplan-ns``, L(N, S_min).
    batch : Source
        ``critical-batch``.
    data : Source
        ``kaplan-nd``, L(N, D).
    compute, tokens : Source
        ``kaplan-c`` and ``kaplan-d``, whose crossing is the contradiction of section 6.3.
    """

    steps: Source
    batch: Source
    data: Source
    compute: Source
    tokens: Source

    def __post_init__(self) -> None:
        wanted = {
            "steps": "kaplan-ns",
            "batch": "critical-batch",
            "data": "kaplan-nd",
            "compute": "kaplan-c",
            "tokens": "kaplan-d",
        }
        for field, name in wanted.items():
            found = getattr(self, field).law.name
            if found != name:
                raise LawError(f"plan with Kaplan's tables: {field}", f"it is of {found}", f"give a source of {name}")


def inside(tables: Tables) -> Derivation:
    """The frontier of L(N, S_min) with the critical batch of its own loss inside the compute, in FLOP."""
    law = tables.steps.law
    paid = 6 * law.symbols["N"] * law.symbols["S_min"] * tables.batch.law.form.rhs
    return derive.frontier(law, Cost(C, paid, "C_min = 6 N B_crit S_min, embeddings excluded"))


def kaplan(tables: Tables, budget: object, batch: object = None, tokens: object = None) -> Plan:
    """What to train for a compute ``C_min``, and at which batch, for how many steps, on how much data.

    Parameters
    ----------
    tables : Tables
    budget : str or number
        Compute at a batch far below the critical one.
    batch : number, optional
        In tokens; the critical one without it.
    tokens : number, optional
        In the data set; as many as keep the loss within 2 % of unlimited data, (4.4), without it.

    Raises
    ------
    DomainError
        If an amount is not positive or in another unit.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.plan import source
    >>> own = {"steps": "kaplan-ns", "batch": "critical-batch", "compute": "kaplan-c", "tokens": "kaplan-d"}
    >>> sets = {field: source(laws.get(name), "kaplan2020-table5") for field, name in own.items()}
    >>> made = kaplan(Tables(**sets, data=source(laws.get("kaplan-nd"), "kaplan2020-table2")), "1 PF-days")
    >>> f"{float(made['N']):.4g} {float(made['L']):.4g}"
    '6.033e+08 2.716'
    """
    flop, found = compute(budget), inside(tables)
    point = {**tables.steps.point, **tables.batch.point, C: flop}
    asked = "plan after Kaplan et al."
    n, s_min, reached = (evaluated(_closed(found, name), point, asked) for name in ("N", "S_min", "L"))
    critical = evaluated(tables.batch.law.form.rhs, {**point, tables.batch.law.symbols["L"]: reached}, asked)
    held = critical if batch is None else positive(batch, "the batch", "tokens")
    data = enough_data(tables, n, sp.Rational(2, 100)) if tokens is None else positive(tokens, "D", "tokens")
    rows = [
        Amount("N", n, "parameters"), Amount("L", reached, "nats/token"), Amount("B_crit", critical, "tokens"),
        Amount("S_min", s_min, "steps"), Amount("E_min", critical * s_min, "tokens"), Amount("B", held, "tokens"),
        *_at_batch(held, critical, s_min, flop), Amount("D", data, "tokens"),
        Amount("S_stop", stop(tables, n, data), "steps", note="(5.7), at these N and D"), rate(n),
    ]  # fmt: skip
    title = f"Kaplan et al. 2020, {tables.steps.label}: the best use of a compute"
    convention = "C_min = 6 N B_crit S_min, C = 6 N B S, embeddings excluded"
    spent = (Amount("C_min", flop, "FLOP"), Amount("C_min in PF-days", flop / PF_DAY, "PF-days"))
    seen = next(one.value for one in rows if one.name == "E")
    sheets = (_trade(critical, s_min, flop), contradiction(tables), _counted(n, seen))
    return Plan(title, convention, spent, tuple(rows), sheets)


def _counted(size: sp.Expr, tokens: sp.Expr) -> Sheet:
    """The FLOPs of the run by every convention, at the context and vocabulary of the paper."""
    title = (
        "What the conventions say of training at N on E tokens, N = 12 layers width^2, width = 128 layers, context 1024"
    )
    return sheet(like(size, sp.Integer(1024), sp.Integer(50257)), tokens, title)


def _closed(found: Derivation, name: str) -> sp.Expr:
    value = found[name]
    assert isinstance(value, sp.Expr)
    return value


def _at_batch(batch: sp.Expr, critical: sp.Expr, steps: sp.Expr, flop: sp.Expr) -> tuple[Amount, ...]:
    """Steps, tokens and compute at a batch, (5.4) and (5.5)."""
    taken = steps * (1 + critical / batch)
    return (
        Amount("S", taken, "steps"),
        Amount("E", batch * taken, "tokens"),
        Amount("C", flop * (1 + batch / critical), "FLOP"),
    )


def _trade(critical: sp.Expr, steps: sp.Expr, flop: sp.Expr) -> Sheet:
    """Time against compute: the batch from an eighth of the critical one to eight times it."""
    rows = []
    for power in range(-3, 4):
        batch = critical * sp.Integer(2) ** power
        taken, _, paid = _at_batch(batch, critical, steps, flop)
        rows.append((sp.Integer(2) ** power, batch, taken.value, taken.value / steps, paid.value, paid.value / flop))
    return Sheet(
        "Time against compute, (5.4) and (5.5)", ("B/B_crit", "B", "S", "S/S_min", "C", "C/C_min"), tuple(rows)
    )


def enough_data(tables: Tables, size: sp.Expr, excess: sp.Expr) -> sp.Float:
    """The tokens at which the loss is ``1 + excess`` times that of unlimited data, (4.3) solved as in (4.4)."""
    point = {**tables.data.point, tables.data.law.symbols["N"]: size, EXCESS: excess}
    return evaluated(data_for(tables), point, "find the data that avoid overfitting")


def data_for(tables: Tables) -> sp.Expr:
    """``D`` in N and the excess ``delta``: the law's own inverse at (1 + delta) times its limit."""
    law = tables.data.law
    unlimited = derive.limits(law)["D->oo"]
    solved = isolate(law.form, law.symbols["D"], law.domain)
    if solved is None or not isinstance(unlimited, sp.Expr):
        raise Undecided("find the data that avoid overfitting", "L(N, D) rises or falls in D")
    return solved.value.xreplace({law.response.symbol: (1 + EXCESS) * unlimited})


def stop(tables: Tables, size: sp.Expr, tokens: sp.Expr) -> sp.Float:
    """The least steps after which training on so many tokens overfits, (5.7): L(N, S) reaches L(N, D) there."""
    law, gap = tables.data.law, sp.Symbol("gap", positive=True)
    unlimited = derive.limits(law)["D->oo"]
    assert isinstance(unlimited, sp.Expr) and law.explicit is not None
    here = {**tables.data.point, law.symbols["N"]: size, law.symbols["D"]: tokens}
    excess = evaluated(law.explicit - unlimited, here, "find where training overfits")
    own = tables.steps.law
    floor = derive.limits(own)["S_min->oo"]
    steps = _closed(derive.inverse(own, "S_min"), "S_min").xreplace({own.response.symbol: floor + gap})
    return evaluated(steps, {**tables.steps.point, gap: excess, own.symbols["N"]: size}, "find where training overfits")


def rate(size: sp.Expr) -> Amount:
    """The learning rate of the rule (D.1), and from which size on it gives none.

    Examples
    --------
    >>> f"{float(rate(sp.Integer(10)**9).value):.4g}"
    '0.0003481'
    """
    start, slope = (sp.Rational(text) for text in RATE)
    value = (start - slope * sp.log(size)).evalf(DIGITS)
    last = f"the rule (D.1) gives no rate above N = {float(sp.exp(start / slope)):.3g}"
    return Amount("LR", value, note=last if value <= 0 else "")


def crossing(tables: Tables, factor: sp.Expr, power: sp.Expr) -> dict[str, sp.Expr]:
    """Where the loss of ``D = factor C**power`` tokens meets that of the compute C, as expressions: C, D and L.

    Both are powers of C, so their ratio is one, and is 1 where ``C = coefficient**(-1/exponent)``.
    """
    own, data = tables.compute.law, tables.tokens.law
    assert own.explicit is not None and data.explicit is not None
    spent = own.inputs[0]
    tokens = factor * spent**power
    part = split(data.explicit.xreplace({data.inputs[0]: tokens}) / own.explicit, (spent,))
    if part is None:
        raise Undecided("find where data and compute meet", "their ratio is a power of the compute")
    meeting = part.coefficient ** (-1 / part.exponents[0])
    return {"C": meeting, "D": factor * meeting**power, "L": own.explicit.xreplace({spent: meeting})}


def contradiction(tables: Tables) -> Sheet:
    """Where compute-efficient training would outrun its data, with the trend of (6.7) and with that of table 6."""
    trends = {"(6.7), 4e10 C^.26": ("4e10", "0.26"), "table 6, 2e10 C^.27": ("2e10", "0.27")}
    k, p = sp.symbols("k p", positive=True)
    found, rows = crossing(tables, k, p), []
    for name, (factor, power) in trends.items():
        texts = {**digits(tables.compute), **digits(tables.tokens), k: factor, p: power}
        point = {symbol: sp.Rational(text) for symbol, text in texts.items()}
        values = [
            (evaluated(value, point, "find the contradiction"), allowed(value, texts)) for value in found.values()
        ]
        rows.append((name, *(cell for pair in values for cell in pair)))
    columns = tuple(cell for name in ("C in PF-days", "D", "L") for cell in (name, f"{name}, at the digits' ends"))
    title = "Where L(D(C)) meets L(C), (6.8), past which a trend must fail"
    return Sheet(title, ("tokens of a compute", *columns), tuple(rows))
