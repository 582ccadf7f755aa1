"""The numbers of Kaplan et al. 2020 (arXiv 2001.08361) that follow from others, recomputed from what ``derive`` finds.

The exponents and factors of the compute frontier, (1.7), (6.1), (6.2), (6.4) and table 6; the data that avoid
overfitting, (4.4); training short of convergence and off the best size, (B.12) to (B.17); the contradiction, (6.7) and
(6.8).
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from .. import derive
from ..algebra.isolate import isolate
from ..law import Law
from .efficient import EXCESS, C, Tables, crossing, data_for, inside
from .printed import Recomputed, digits, sheet
from .records import Sheet
from .units import PF_DAY

__all__ = ["NOTE", "numbers", "printed"]

NOTE = (
    "A printed number may be judged from other printed ones too, with another verdict: symscale catalogue kaplan2020 "
    "puts C = 1e4 as printed into D = 4e10 C^.26 for the tokens of (6.8), whose last digits could still give 1e12 "
    "(ROUNDING); the rows of (6.8) here find C* first, from the crossing (REFUTED by table 6)"
)

SIZE_1 = sp.Symbol("N_1", positive=True)  # table 6: N = N_1 C**p, C in PF-days
POWER, FACTOR = sp.symbols("p k", positive=True)


def printed(tables: Tables) -> Sheet:
    """The numbers beside their recomputed values, each with its verdict."""
    return sheet("Printed numbers recomputed", numbers(tables), "Kaplan et al. 2020, arXiv 2001.08361")


def numbers(tables: Tables) -> tuple[Recomputed, ...]:
    """The numbers, each with the expression that gives it and the printed inputs."""
    return (*_frontier(tables), *_overfitting(tables), *_off(tables), *_trends(tables))


def _expression(value: object) -> sp.Expr:
    assert isinstance(value, sp.Expr)
    return value


def _frontier(tables: Tables) -> tuple[Recomputed, ...]:
    """From table 5: exponents, and the factors of table 6 at one PF-day."""
    found = inside(tables)
    values = tuple({**digits(tables.steps), **digits(tables.batch)}.items())
    N, S, L = (_expression(found[name]) for name in ("N", "S_min", "L"))
    power = {name: _expression(found[f"exponent of {name}"]) for name in ("N", "S_min", "L")}
    batch = tables.batch.law
    held = batch.form.rhs.xreplace({batch.symbols["L"]: L})
    alpha_N, alpha_C = tables.steps.law.symbols["alpha_N"], sp.Symbol("alpha_C", positive=True)
    day = {C: PF_DAY}
    rows = (
        ("(B.7) alpha_C", -power["L"], "0.052"), ("(6.4) alpha_C", -power["L"], "0.054"),
        ("(6.1) N ~ C^.73", power["N"], "0.73"), ("(6.2) S ~ C^.03", power["S_min"], "0.03"),
        ("(1.7) B ~ C^.24", 1 - power["N"] - power["S_min"], "0.24"),
        ("table 6, N at 1 PF-day", N.xreplace(day), "1.3e9"), ("table 6, B at 1 PF-day", held.xreplace(day), "2.0e6"),
        ("table 6, S_min at 1 PF-day", S.xreplace(day), "5.4e3"),
        ("table 6, D = 2 C/(6 N) at 1 PF-day", (C / (3 * N)).xreplace(day), "2e10"),
    )  # fmt: skip
    fitted = (Recomputed("(6.5) N ~ C^.71", alpha_C / alpha_N, "0.71", ((alpha_C, "0.054"), *values)),)
    return tuple(Recomputed(name, value, text, values) for name, value, text in rows) + fitted


def _overfitting(tables: Tables) -> tuple[Recomputed, ...]:
    """(4.4): the data in N to the power of the ratio of exponents; the excess is exact."""
    wanted, N = data_for(tables), tables.data.law.symbols["N"]
    values = tuple(digits(tables.data).items())
    power = sp.Symbol("alpha_N", positive=True) / sp.Symbol("alpha_D", positive=True)
    factor = wanted.xreplace({N: sp.Integer(1), EXCESS: sp.Rational(2, 100)})
    rows = (("(4.4) exponent", power, "0.74"), ("(4.4) factor", factor, "5e3"))
    return tuple(Recomputed(name, value, text, values) for name, value, text in rows)


def _off(tables: Tables) -> tuple[Recomputed, ...]:
    """(B.11); (B.12) to (B.14) at f = 10 % and f' = 2 %; (B.16), (B.17) at .6 and 2.2 times the best size."""
    law, values = tables.steps.law, tuple(digits(tables.steps).items())
    wasted = derive.suboptimality(law, "N", cost=law.symbols["N"] * law.symbols["S_min"])
    more, fewer = _expression(wasted["excess"]), _expression(wasted["ratio of S_min"])
    sizes, steps = (tuple(made[place] for made in map(_short(law), ("0.10", "0.02"))) for place in (0, 1))
    r = sp.Symbol("r", positive=True)
    rows = (
        ("(B.11) f", law.symbols["alpha_N"] / law.symbols["alpha_S"], "0.10"),
        ("(B.12)", sizes[0] / sizes[1], "2.7"),
        ("(B.13)", steps[0] / steps[1], "0.13"),
        ("(B.14)", sizes[0] * steps[0] / (sizes[1] * steps[1]), "0.35"),
        ("(B.16) at .6 N_eff", more.xreplace({r: sp.Rational("0.6")}), "1.2"),
        ("(B.16) at 2.2 N_eff", more.xreplace({r: sp.Rational("2.2")}), "1.2"),
        ("(B.17) at 2.2 N_eff, steps saved", 1 - fewer.xreplace({r: sp.Rational("2.2")}), "0.45"),
    )
    return tuple(Recomputed(name, value, text, values) for name, value, text in rows)


def _short(law: Law) -> Callable[[str], tuple[sp.Expr, sp.Expr]]:
    """Size and steps that end at a given loss, a part above the converged one, (B.11); taken at a loss of 1.

    Their ratios at two parts are the same at every loss.
    """
    N, L = law.symbols["N"], law.response.symbol
    unlimited = _expression(derive.limits(law)["S_min->oo"])
    steps = _expression(derive.inverse(law, "S_min")["S_min"])

    def at(part: str) -> tuple[sp.Expr, sp.Expr]:
        solved = isolate(sp.Eq(L, (1 + sp.Rational(part)) * unlimited, evaluate=False), N, law.domain)
        assert solved is not None
        size = solved.value.xreplace({L: sp.Integer(1)})
        return size, steps.xreplace({L: sp.Integer(1), unlimited: 1 / (1 + sp.Rational(part))})

    return at


def _trends(tables: Tables) -> tuple[Recomputed, ...]:
    """(6.6) to (6.8) from table 6 and from (6.7) as printed."""
    texts = {**digits(tables.compute), **digits(tables.tokens), SIZE_1: "1.3e9"}
    found = crossing(tables, FACTOR, POWER)
    size = SIZE_1 * found["C"] ** (1 - POWER)
    table6, as_printed = {FACTOR: "2e10", POWER: "0.27"}, {FACTOR: "4e10", POWER: "0.26"}
    rows: tuple[tuple[str, sp.Expr, str, dict[sp.Symbol, str]], ...] = (
        ("(6.6) D ~ C^.54", POWER * FACTOR, "0.54", {POWER: "0.73", FACTOR: "0.74"}),
        ("(6.7) exponent", 1 - POWER, "0.26", {POWER: "0.73"}),
        ("(6.7) factor from table 6", PF_DAY / (3 * SIZE_1), "4e10", {}),
        ("table 6, D_opt from its N_opt", PF_DAY / (3 * SIZE_1), "2e10", {}),
        ("table 6, exponent of D_opt", 1 - POWER, "0.27", {POWER: "0.73"}),
        ("(6.8) C* by (6.7)", found["C"], "1e4", as_printed), ("(6.8) C* by table 6", found["C"], "1e4", table6),
        ("(6.8) N* by table 6", size, "1e12", table6), ("(6.8) D* by table 6", found["D"], "1e12", table6),
        ("(6.8) L* by table 6", found["L"], "1.7", table6),
    )  # fmt: skip
    return tuple(Recomputed(name, value, text, tuple({**texts, **given}.items())) for name, value, text, given in rows)
