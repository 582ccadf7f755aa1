"""Plans after Kaplan et al. 2020: the frontier by brute force, the printed numbers with their verdicts."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
import sympy as sp

from symbolic_scaling import errors, laws, plan
from symbolic_scaling.plan import efficient, kaplan_printed

TABLE = "kaplan2020-table5"
TABLES = plan.Tables(
    steps=plan.source(laws.get("kaplan-ns"), TABLE),
    batch=plan.source(laws.get("critical-batch"), TABLE),
    data=plan.source(laws.get("kaplan-nd"), "kaplan2020-table2"),
    compute=plan.source(laws.get("kaplan-c"), TABLE),
    tokens=plan.source(laws.get("kaplan-d"), TABLE),
)
with mpmath.workdps(60):
    N_c, S_c, a, s = (mpmath.mpf(text) for text in ("8.8e13", "2.1e3", "0.076", "0.76"))
    B_star, b, PF_DAY = (mpmath.mpf(text) for text in ("2.1e8", "0.21", "8.64e19"))


def loss_at(n: Any, compute: Any) -> Any:
    """(B.3): the loss that is the same on both sides, by halving; both sides fall apart monotonically."""
    lo, hi = (N_c / n) ** a, mpmath.mpf(1000)
    for _ in range(200):
        mid = (lo + hi) / 2
        more = (N_c / n) ** a + (6 * B_star * S_c * n / (mid ** (1 / b) * compute)) ** s
        lo, hi = (mid, hi) if more > mid else (lo, mid)
    return (lo + hi) / 2


@pytest.mark.parametrize("days", ["1", *(pytest.param(days, marks=pytest.mark.slow) for days in ("1e-3", "1e4"))])
def test_brute_force_finds_the_same_size(days: str) -> None:
    with mpmath.workdps(40):
        made = plan.kaplan(TABLES, f"{days} PF-days")
        compute = mpmath.mpf(days) * PF_DAY
        best, low, high = mpmath.mpf(str(made["N"])), mpmath.mpf(10), mpmath.mpf(40)
        for _ in range(100):  # thirds of a valley, in the logarithm of N
            left, right = low + (high - low) / 3, high - (high - low) / 3
            fewer = loss_at(mpmath.exp(left), compute) < loss_at(mpmath.exp(right), compute)
            low, high = (low, right) if fewer else (left, high)
        assert abs(mpmath.exp((low + high) / 2) / best - 1) < mpmath.mpf("1e-12")
        assert abs(loss_at(best, compute) / mpmath.mpf(str(made["L"])) - 1) < mpmath.mpf("1e-30")


def test_the_batch_solves_the_trade_off() -> None:
    made = plan.kaplan(TABLES, "1 PF-days", batch="524288")
    left = (made["S"] / made["S_min"] - 1) * (made["E"] / made["E_min"] - 1)
    assert abs(left - 1) < 1e-40  # (5.1)
    assert abs(made["C"] / (6 * made["N"] * made["E"]) - 1) < 1e-40
    assert abs(made["C_min"] / (6 * made["N"] * made["E_min"]) - 1) < 1e-40
    critical = plan.kaplan(TABLES, "1 PF-days")
    assert abs(critical["S"] / critical["S_min"] - 2) < 1e-40
    for ratio, _, _, steps, _, paid in critical.sheets[0].rows:
        assert abs((steps - 1) * (paid - 1) - 1) < 1e-40 and abs(paid - 1 - ratio) < 1e-40


def test_early_stopping_and_enough_data() -> None:
    """(5.7) and (4.4) by the printed formulas at numbers."""
    made = plan.kaplan(TABLES, "1 PF-days", tokens="1e10")
    n, d = float(made["N"]), 1e10
    c, e, p, q = 6.4e13, 1.8e13, 0.076, 0.103
    gap = ((c / n) ** (p / q) + e / d) ** q - (c / n) ** p
    assert float(made["S_stop"]) == pytest.approx(2100 / gap ** (1 / 0.76), rel=1e-10)
    enough = float(efficient.enough_data(TABLES, made["N"], sp.Rational(2, 100)))
    assert (1 + (n / c) ** (p / q) * e / enough) ** q - 1 == pytest.approx(0.02, rel=1e-10)
    assert enough == pytest.approx(5e3 * n**0.74, rel=0.15)  # as printed, to its one digit


def test_the_learning_rate_rule_ends() -> None:
    assert float(efficient.rate(sp.Integer(1)).value) == pytest.approx(0.003239)
    assert "1.21e+10" in efficient.rate(sp.Integer(10) ** 11).note and not efficient.rate(sp.Integer(10) ** 9).note


# the verdicts of derivations/kaplan_*.py and of the claims file, where they judge the same number
VERDICTS = {
    "(B.7) alpha_C": "CONSISTENT",
    "(6.4) alpha_C": "REFUTED",
    "(6.1) N ~ C^.73": "REFUTED",
    "(6.2) S ~ C^.03": "REFUTED",
    "(1.7) B ~ C^.24": "ROUNDING",
    "table 6, N at 1 PF-day": "REFUTED",
    "table 6, B at 1 PF-day": "ROUNDING",
    "table 6, S_min at 1 PF-day": "REFUTED",
    "table 6, D = 2 C/(6 N) at 1 PF-day": "REFUTED",
    "(6.5) N ~ C^.71": "CONSISTENT",
    "(4.4) exponent": "CONSISTENT",
    "(4.4) factor": "ROUNDING",
    "(B.11) f": "CONSISTENT",
    "(B.12)": "CONSISTENT",
    "(B.13)": "CONSISTENT",
    "(B.14)": "ROUNDING",
    "(B.16) at .6 N_eff": "CONSISTENT",
    "(B.16) at 2.2 N_eff": "CONSISTENT",
    "(B.17) at 2.2 N_eff, steps saved": "CONSISTENT",
    "(6.6) D ~ C^.54": "CONSISTENT",
    "(6.7) exponent": "ROUNDING",
    "(6.7) factor from table 6": "REFUTED",
    "table 6, D_opt from its N_opt": "CONSISTENT",
    "table 6, exponent of D_opt": "CONSISTENT",
    "(6.8) C* by (6.7)": "REFUTED",
    "(6.8) C* by table 6": "CONSISTENT",
    "(6.8) N* by table 6": "CONSISTENT",
    "(6.8) D* by table 6": "REFUTED",
    "(6.8) L* by table 6": "CONSISTENT",
}


def test_the_printed_numbers_get_their_verdicts() -> None:
    rows = kaplan_printed.printed(TABLES).rows
    assert {str(row[0]): str(row[4]) for row in rows} == VERDICTS


def test_the_contradiction_lies_where_both_laws_meet() -> None:
    for (k, p), row in zip((("4e10", "0.26"), ("2e10", "0.27")), efficient.contradiction(TABLES).rows, strict=True):
        days, tokens, loss = (float(row[place]) for place in (1, 3, 5))
        assert (3.1e8 / days) ** 0.050 == pytest.approx(loss, rel=1e-12)
        assert (5.4e13 / tokens) ** 0.095 == pytest.approx(loss, rel=1e-12)
        assert float(k) * days ** float(p) == pytest.approx(tokens, rel=1e-12)


def test_tables_are_not_exchanged() -> None:
    with pytest.raises(errors.LawError, match="batch"):
        plan.Tables(TABLES.steps, TABLES.data, TABLES.data, TABLES.compute, TABLES.tokens)
