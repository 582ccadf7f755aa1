"""Plans from fits whose rows leave constants open: what they determine goes on, all else is refused."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from symbolic_scaling import derive, errors, fit, laws, plan

N = np.array([5.3e7, 6.4e7, 1.6e8, 2.07e8, 3.2e8, 4.8e8])
REFUSED = [
    lambda fitted: plan.allocate(fitted, "1e22"),
    lambda fitted: plan.allocate(fitted, "1e22", "N*D"),
    lambda fitted: plan.invert(fitted, 3.0),
    lambda fitted: plan.invert(fitted, 3.0, held={"N": "1e8"}),
    lambda fitted: plan.multiplier(fitted, plan.source(laws.get("chinchilla"), "besiroglu2024"), "1e22"),
    lambda fitted: plan.multiplier(plan.source(laws.get("chinchilla"), "besiroglu2024"), fitted, "1e22"),
    lambda fitted: plan.judge(fitted, {"N": "1e8", "D": "4.4e9"}),
]


@cache
def fitted(tokens: float) -> plan.Source:
    """A fit to runs of one number of tokens; 0 stands for 20 a parameter, with equal exponents."""
    d, beta = (20 * N, 0.34) if tokens == 0 else (np.full(6, tokens), 0.28)
    tie = {"beta": "alpha"} if tokens == 0 else {}
    return plan.source(
        fit=fit.curve(laws.get("chinchilla"), {"N": N, "D": d}, 1.69 + 406.4 / N**0.34 + 410.7 / d**beta, tie=tie)
    )


@pytest.mark.parametrize("tokens", [4.4e9, 0])
@pytest.mark.parametrize("ask", REFUSED)
def test_what_the_rows_leave_open_is_refused(tokens, ask):
    with pytest.raises(errors.FitError, match=r"[ND] is not identified") as refused:
        ask(fitted(tokens))
    assert "identified: " in refused.value.found and "fix or tie" in refused.value.remedy


def test_what_the_rows_determine_goes_on():
    made = plan.invert(fitted(4.4e9), 3.0, held={"D": "4.4e9"})
    floor = 1.69 + 410.7 / 4.4e9**0.28
    assert float(made["N"]) == pytest.approx((406.4 / (3 - floor)) ** (1 / 0.34), rel=1e-8)


def test_a_quantity_of_a_fit_has_no_value_where_the_rows_leave_it_open():
    law, found = laws.get("chinchilla"), fitted(4.4e9).fit
    wanted = {"N*": derive.frontier(law)["N"], "A": "A", "here": "L"}
    given = {"C": 1e22, "N": 1e9, "D": 4.4e9}
    rows = {row.name: row for row in fit.interval_table(found, wanted, values=given, methods=("delta",))}
    assert np.isnan(rows["N*"].value) and "N* is not identified" in rows["N*"].note
    assert rows["A"].value == pytest.approx(406.4, rel=1e-8)
    assert rows["here"].value == pytest.approx(1.69 + 406.4 / 1e9**0.34 + 410.7 / 4.4e9**0.28, rel=1e-8)
    with pytest.raises(errors.FitError, match="not identified"):
        found.interval(wanted["N*"], values=given)


def test_a_target_below_the_floor_is_still_unattainable():
    n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 5), np.geomspace(1e9, 1e11, 5)))
    found = plan.source(fit=fit.curve(laws.get("chinchilla"), {"N": n, "D": d}, 1.7 + 400 / n**0.34 + 400 / d**0.28))
    for held in ({}, {"D": "1e10"}):
        with pytest.raises(errors.Unattainable, match=r"1\.7"):
            plan.invert(found, 1.5, held=held)
