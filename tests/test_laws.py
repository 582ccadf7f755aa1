"""The laws against transcriptions by hand and numbers that papers print; sizes; constants of several tables."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from reference.transcriptions import TRANSCRIBED
from strategies import DIGITS, numeric, points

from symbolic_scaling import Domain, codegen, laws
from symbolic_scaling.algebra import order
from symbolic_scaling.errors import LawError, MixedTables

FEW = settings(
    max_examples=6, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize("name", TRANSCRIBED)
@FEW
@given(data=st.data())
def test_a_law_is_its_paper_s_formula(name: str, data: st.DataObject) -> None:
    law = laws.get(name)
    point = data.draw(points(law))
    with mpmath.workdps(DIGITS):
        numbers = {symbol.name: numeric(value, {}) for symbol, value in point.items()}
        expected = TRANSCRIBED[name](**numbers)
        # 1e-60: cancellation in E - 1 and powers up to 1e15 cost less than twenty of the 80 digits
        assert abs(numeric(law.explicit, point) - expected) < mpmath.mpf(10) ** -60 * abs(expected)
    got = codegen.law(law)(*(float(point[symbol]) for symbol in (*law.inputs, *law.constants)))
    slack = 1e-12 if name != "logarithm" else 1e-12 * float(numbers["a"]) / abs(float(expected))
    assert float(np.squeeze(got)) == pytest.approx(float(expected), rel=slack)


def test_every_new_law_is_transcribed() -> None:
    first = {"m1", "m2", "m3", "m4", "chinchilla", "sovit"}  # these are checked at 80 digits in test_every_law
    assert set(TRANSCRIBED) >= {"bnsl", "kaplan-nd", "routed"}
    assert not first & set(TRANSCRIBED)
    assert set(TRANSCRIBED) <= set(laws.names())


def constants(name: str, table: str, **sizes: object) -> dict[str, sp.Expr]:
    return laws.get(name, **sizes).published_set(table).exact()


def at(name: str, table: str, expression: Any = None, **inputs: str) -> float:
    """The law, or an expression of it, at printed constants and some inputs."""
    law = laws.get(name)
    values = {**constants(name, table), **{key: sp.Rational(value) for key, value in inputs.items()}}
    found = law.explicit if expression is None else expression
    return float(found.subs({law.symbols[key]: value for key, value in values.items()}))


def test_numbers_that_kaplan_prints() -> None:
    """arXiv 2001.08361: 2**-alpha_N = .95 (section 1.2); loss down 13 % doubles B_crit (figure 10); (6.8)'s L*."""
    double = at("kaplan-n", "kaplan2020-table5", N="2e9") / at("kaplan-n", "kaplan2020-table5", N="1e9")
    assert round(double, 2) == 0.95
    less = at("critical-batch", "kaplan2020-table5", L="2.61") / at("critical-batch", "kaplan2020-table5", L="3")
    assert round(less) == 2
    assert round(at("kaplan-c", "kaplan2020-table5", C_min="1e4"), 1) == 1.7
    # B_e = 2.0e6 at one PF-day (table 6)
    loss = str(sp.Rational(at("kaplan-c", "kaplan2020-table5", C_min="1")))
    assert f"{at('critical-batch', 'kaplan2020-table5', L=loss):.1e}" == "2.0e+06"


def test_eight_times_the_parameters_need_five_times_the_data() -> None:
    """arXiv 2001.08361, section 4.4: the same overfitting at 8 N and about 5 D."""
    law = laws.get("kaplan-nd")
    overfit = law.explicit / law.explicit.subs(law.symbols["D_c"], 0)
    before = at("kaplan-nd", "kaplan2020-table2", overfit, N="1e8", D="1e10")
    after = at("kaplan-nd", "kaplan2020-table2", overfit, N="8e8", D="4.64e10")  # 8**(.076/.103) = 4.64
    assert before == pytest.approx(after, rel=1e-3)


# (f1, x, y, relative difference): a sharp break at f1 = .001, and the same curve with a smooth one, at 60 digits.
BROKEN = (
    ("0.001", "2000", 0.401869662374052759),
    ("0.06", "100", 2.18536836824594495),
    ("0.06", "300", 2.08068051208100244),
    ("0.06", "612.6", 1.67703651336749099),
    ("0.06", "928", 0.550476125176760184),
    ("0.06", "1e24", 0.4),
)


@pytest.mark.parametrize(("width", "x", "expected"), BROKEN)
def test_a_sharp_break_keeps_its_digits(width: str, x: str, expected: float) -> None:
    compiled = codegen.law(laws.get("bnsl"))
    got = compiled(float(x), 0.4, 2.3, 0.055, 5.66, 612.6, float(width))
    assert float(np.squeeze(got)) == pytest.approx(expected, rel=1e-12)


def test_experts_saturate_between_the_printed_ends() -> None:
    """arXiv 2202.01169: Ehat(1) = E_start, Ehat(oo) = E_max."""
    law = laws.get("routed")
    dense = law.explicit.subs(law.symbols["E"], 1)
    by_hand = TRANSCRIBED["routed"]
    exact = {key: float(value) for key, value in constants("routed", "clark2022-s-base").items()}
    got = float(dense.subs({law.symbols["N"]: 10**9, **{law.symbols[k]: v for k, v in exact.items()}}))
    start = 10 ** (exact["a"] * 9 + (exact["b"] + 9 * exact["c"]) * np.log10(exact["E_s"]) + exact["d"])
    assert got == pytest.approx(start, rel=1e-12)
    end = 10 ** (exact["a"] * 9 + (exact["b"] + 9 * exact["c"]) * np.log10(exact["E_m"]) + exact["d"])
    assert float(by_hand(N=mpmath.mpf(10) ** 9, E=mpmath.mpf(10) ** 30, **exact)) == pytest.approx(end, rel=1e-12)


def test_four_bits_keep_776_thousandths_of_the_parameters() -> None:
    """arXiv 2411.04330 at gamma_w = 2.6745: 1 - exp(-4/gamma_w) = .776."""
    law = laws.get("precision")
    s = law.symbols
    term = law.explicit - s["E"] - s["B"] / s["D"] ** s["beta"]
    ratio = (term.subs(s["P_w"], 4) / term.subs(s["N"], s["N"])).subs({s["alpha"]: 1})
    few = float(ratio.subs({s["P_w"]: 1000, s["gamma_w"]: sp.Rational("2.6745")}))
    assert round(1 / few, 3) == 0.776


def test_repeated_data_in_the_first_epoch_is_chinchilla() -> None:
    """arXiv 2305.16264: with R_N = R_D = 0 the law is Chinchilla's in U_N and U_D; A = 521, B = 1488, E = 1.87."""
    law, plain = laws.get("data-constrained"), laws.get("chinchilla")
    once = law.explicit.subs({law.symbols["R_N"]: 0, law.symbols["R_D"]: 0})
    renamed = plain.explicit.subs({plain.symbols["N"]: law.symbols["U_N"], plain.symbols["D"]: law.symbols["U_D"]})
    assert once == renamed
    exact = constants("data-constrained", "muennighoff2023")
    assert [f"{float(exact[key]):.4g}" for key in ("A", "B", "E")] == ["520.8", "1488", "1.869"]


@pytest.mark.parametrize("name", laws.names())
def test_published_constants_are_the_law_s(name: str) -> None:
    law = laws.get(name)
    own = {symbol.name: symbol for symbol in law.constants}
    for printed in law.published:
        values = printed.exact()
        assert set(values) <= set(own)
        assert printed.note or set(values) == set(own)
        assert all(law.domain.interval(own[key]).contains(value.evalf(30)) for key, value in values.items())


def test_broken_power_laws_of_any_size() -> None:
    assert laws.sizes("bnsl") == {"n": 1}
    for n in range(4):
        assert len(laws.get("bnsl", n=n).constants) == 3 * n + 3
    assert laws.get("bnsl", n=1) == laws.get("bnsl")
    s = laws.get("bnsl", n=3).symbols
    assert {(s["d2"], s["d1"]), (s["d3"], s["d2"])} <= set(laws.get("bnsl", n=3).domain.relations)
    assert not laws.get("bnsl", n=2).published
    assert laws.get("bnsl").published
    plain = laws.get("bnsl", n=0)
    assert plain.explicit == plain.symbols["a"] + plain.symbols["b"] * plain.symbols["x"] ** -plain.symbols["c0"]


@FEW
@given(data=st.data())
def test_three_breaks_against_the_transcription(data: st.DataObject) -> None:
    law = laws.get("bnsl", n=3)
    point = data.draw(points(law, far=1))
    with mpmath.workdps(DIGITS):
        expected = TRANSCRIBED["bnsl"](**{symbol.name: numeric(value, {}) for symbol, value in point.items()})
        assert abs(numeric(law.explicit, point) - expected) < mpmath.mpf(10) ** -60 * abs(expected)


def test_joint_shapes_of_any_dimensions() -> None:
    law = laws.get("sovit-joint", dimensions=("width", "depth"))
    assert [symbol.name for symbol in law.inputs] == ["x_width", "x_depth", "t"]
    single, alone = laws.get("sovit"), laws.get("sovit-joint", dimensions=("k",))
    renamed = {alone.symbols[k]: single.symbols[v] for k, v in {"xi": "xi_k", "eps_inf": "eps_k", "f": "f_k"}.items()}
    assert sp.expand(alone.residual.xreplace(renamed) - single.residual) == 0


@pytest.mark.parametrize(
    ("name", "sizes", "found"),
    [
        ("bnsl", {"m": 2}, "its sizes are n=1"),
        ("m1", {"n": 2}, "its sizes are none"),
        ("bnsl", {"n": -1}, "n = -1"),
        ("bnsl", {"n": 1.5}, "n = 1.5"),
        ("sovit-joint", {"dimensions": ()}, "dimensions = ()"),
        ("sovit-joint", {"dimensions": ("width", "width")}, "width"),
        ("kaplan", {}, "kaplan-nd"),
    ],
)
def test_sizes_that_no_law_has(name: str, sizes: dict[str, object], found: str) -> None:
    with pytest.raises(LawError) as caught:
        laws.get(name, **sizes)
    assert found in caught.value.found
    assert caught.value.remedy


def test_constants_of_one_table_belong_together() -> None:
    table = "kaplan2020-table5"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both = laws.combine(laws.get("kaplan-ns").published_set(table), laws.get("critical-batch").published_set(table))
    assert set(both) == {"N_c", "S_c", "alpha_N", "alpha_S", "B_star", "alpha_B"}


def test_mixed_tables_warn() -> None:
    steps = laws.get("kaplan-ns").published_set("kaplan2020-table3")
    batch = laws.get("critical-batch").published_set("kaplan2020-table5")
    with pytest.warns(MixedTables, match=r"kaplan2020-table3, kaplan2020-table5.*not fitted together"):
        assert laws.combine(steps, batch)["alpha_B"] == sp.Rational(21, 100)


def test_two_values_of_one_constant_are_refused() -> None:
    sets = [laws.get("kaplan-ns").published_set(f"kaplan2020-table{k}") for k in (3, 5)]
    with pytest.raises(LawError, match="N_c is 65000000000000 in kaplan2020-table3 and 88000000000000"):
        laws.combine(*sets)


def test_laws_on_other_domains_are_other_laws():
    law = laws.get("m2")
    x = law.inputs[0]
    near = replace(law, domain=Domain.make({x: (2, 10)}))
    assert law == replace(law) and hash(law) == hash(replace(law))
    assert law != near and len({law, near, replace(near, domain=Domain.make({x: (2, 20)}))}) == 3
    grows = sp.log(x)
    assert [codegen.law(one).law.domain for one in (law, near)] == [law.domain, near.domain]
    assert [order.sign(grows, one.domain) for one in (law, near)] == [None, 1]
