"""Plans at the edges: FLOP tables, conventions, units, typed nonsense, the commands and what they load."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from symbolic_scaling import errors, laws, plan
from symbolic_scaling.cli import main
from symbolic_scaling.plan import units

CHINCHILLA = laws.get("chinchilla")
REFIT = plan.source(CHINCHILLA, "besiroglu2024")


# FIELD_CASES 9: sequence 2048, vocabulary 32000
@pytest.mark.parametrize(
    ("sizes", "N", "flops", "ratio"),
    [
        ((10, 640, 2560, 10, 64), 73728000, 929877196800, 1.0264),
        ((24, 1280, 5120, 10, 128), 552140800, 7353453772800, 1.0838),
        ((40, 3584, 14336, 28, 128), 6794117120, 83021046743040, 0.9944),
    ],
)
def test_the_flop_table_of_chinchilla(sizes: tuple[int, ...], N: int, flops: int, ratio: float) -> None:
    given_sizes = dict(zip(("layers", "width", "mlp", "heads", "key"), sizes, strict=True))
    made = plan.account(given_sizes, convention="hoffmann")
    assert (int(made["N"]), int(made["C"])) == (N, flops)
    assert round(float(made["C"] / (6 * made["N"] * 2048)), 4) == ratio


def test_conventions_differ_as_said() -> None:
    small = {"layers": 10, "width": 640, "mlp": 2560, "heads": 10, "key": 64}
    full = plan.account(small, convention="hoffmann-embed")
    assert round(float(full["C"] / (6 * full["N"] * 2048)), 2) == 1.58
    apart = {"layers": 47, "width": 4608, "mlp": 18432, "heads": 32, "key": 128}
    assert round(float(plan.account(apart, convention="hoffmann")["N"]) / 1e6, 1) == 12566.8
    for layers, width, N in ((36, 1280, 708e6), (2, 128, 393.2e3)):  # Kaplan 2020, section 3
        made = plan.account({"layers": layers, "width": width}, convention="kaplan")
        assert float(made["N"]) == pytest.approx(N, rel=1e-3)
    forward, train = (plan.CONVENTIONS[name].token for name in ("2ND", "6ND"))
    assert sp.expand(3 * forward - train) == 0
    kaplan, causal, train = (plan.CONVENTIONS[name].token for name in ("kaplan", "kaplan-causal", "6ND-reused"))
    assert sp.expand(2 * (kaplan - causal) - (kaplan - train)) == 0, "half of all that is not 6 N"


LARGE = {"layers": 32, "width": 4096, "heads": 32, "mlp": 14336, "vocab": 128256, "context": 131072}


def test_positions_heads_and_matrices_are_counted_as_the_shape_says() -> None:
    def counted(convention: str = "6ND-untied", **more: object) -> int:
        return int(plan.account({**LARGE, **more}, convention=convention)["N"])

    assert (counted(), counted(positions="rotary")) == (7493124096, 6956253184)
    assert counted(positions="learned") == counted() and counted(positions="none") == counted(positions="rotary")
    # Llama 3 8B (arXiv 2407.21783, table 3): 8.03e9 with the norms' 65 * 4096
    assert counted(positions="rotary", kv_heads=8, gated=True) + 65 * 4096 == 8030261248
    # Llama 2 70B: layers 80, width 8192, mlp 28672, 64 heads on 8, vocabulary 32000; 68976648192 with 161 norms
    large = {"layers": 80, "width": 8192, "mlp": 28672, "heads": 64, "kv_heads": 8, "vocab": 32000}
    made = plan.account({**large, "positions": "rotary", "gated": "true"}, convention="6ND-untied")
    assert int(made["N"]) + 161 * 8192 == 68976648192
    relative = 32 * 4096 * 4096
    assert counted("hoffmann") - counted("hoffmann", positions="rotary") == relative
    assert counted("kaplan", positions="relative") - counted("kaplan") == relative


@pytest.mark.parametrize("name", sorted(plan.CONVENTIONS))
def test_fewer_heads_of_keys_and_values_save_their_matrices_alone(name: str) -> None:
    whole, grouped = (plan.account({**LARGE, "kv_heads": many}, convention=name) for many in (32, 8))
    saved = 2 * 32 * 4096 * 24 * 128
    assert int(whole["N"] - grouped["N"]) == saved
    assert int(whole["C"] - grouped["C"]) == 2 * plan.CONVENTIONS[name].passes * saved * 131072
    assert plan.account({**LARGE, "kv_heads": 32}, convention=name)["C"] == plan.account(LARGE, convention=name)["C"]


def test_what_is_counted_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    def said_of(*more: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["plan", "account", *more])
        assert ended.value.code == 0
        return " ".join(capsys.readouterr().out.split())

    said = said_of("--shape", "layers=2,width=64,heads=4", "--convention", "6ND-embed")
    assert "learned ones, context times width" in said and "positions=rotary has none" in said
    assert "4 heads of queries on 4 of keys and values" in said and "biases and norms are not counted" in said
    said = said_of("--shape", "layers=2,width=64,heads=4,kv_heads=2,positions=rotary,gated=yes")
    assert "positions: rotary" in said and "3 matrices, gated" in said and "on 2 of keys" in said


def test_layers_that_are_shared_are_stored_once_and_paid_at_every_use() -> None:
    sizes = {"layers": 4, "width": 64, "heads": 4, "context": 32, "vocab": 100}
    for name, one in plan.CONVENTIONS.items():
        shared, deep = (plan.account({**sizes, **more}, convention=name) for more in ({"uses": 3}, {"layers": 12}))
        assert shared["N"] == plan.account(sizes, convention=name)["N"] < deep["N"]
        if one.computed or one.reused:
            assert shared["C"] == deep["C"], name
        else:
            assert shared["C"] == plan.account(sizes, convention=name)["C"], name


def test_an_output_matrix_of_its_own_is_stored_and_paid() -> None:
    tied, untied = (
        plan.account({"layers": 2, "width": 64, "vocab": 100}, convention=f"6ND-{name}") for name in ("embed", "untied")
    )
    assert float(untied["N"] - tied["N"]) == 64 * 100 and untied["C"] / tied["C"] == untied["N"] / tied["N"]


PLANS: dict[str, Callable[[], plan.Plan]] = {
    "allocate": lambda: plan.allocate(REFIT, "1e24"),
    "inference": lambda: plan.allocate(REFIT, "1e24", "C = 6*N*D + 2*N*D_inf", beside={"D_inf": "1e12"}),
    "judge": lambda: plan.judge(REFIT, {"N": "7B", "D": "2T"}),
    "invert": lambda: plan.invert(REFIT, "2.0"),
    "held": lambda: plan.invert(REFIT, "2.0", held={"N": "7e10"}),
    "compare": lambda: plan.compare([REFIT, plan.source(CHINCHILLA, "hoffmann2022")], "1e24"),
    "repeat": lambda: plan.repeat(laws.get("data-constrained"), "1e22", "25B", CHINCHILLA),
    "shape": lambda: plan.image({"width": 1152, "depth": 27, "mlp": 4304}),
    "scale": lambda: plan.scale({"width": 608, "depth": 10, "mlp": 928}, "9T GFLOP", "40B"),
}


@pytest.mark.parametrize("name", PLANS)
def test_every_plan_says_how_it_counts_and_what_others_would_say(name: str) -> None:
    made = PLANS[name]()
    assert made.convention
    beside = [sheet for sheet in made.sheets if {"convention", "counted"} & set(sheet.columns[:1])]
    assert len(beside) == 1 and len(beside[0].rows) >= 7 and all(row[-1] for row in beside[0].rows)


def test_units() -> None:
    made = plan.allocate(REFIT, "5.76e23 FLOP", machine=plan.Machine.read("312TFLOPS", "50%", "2"))
    assert float(made["C in PF-days"]) == pytest.approx(6666.67, rel=1e-6)
    assert float(made["hours"]) == pytest.approx(5.76e23 / (156e12 * 3600), rel=1e-14)
    assert made["paid"] == 2 * made["hours"]
    rented = plan.allocate(REFIT, "1000 GPU-hours", machine=plan.Machine.read("312TFLOPS", "50%"))
    assert rented["C"] == 1000 * 156 * 10**12 * 3600
    bits = plan.invert(REFIT, "2.9 bits")["L"]
    assert float(2.9 / bits) == pytest.approx(1.4426950408889634, rel=1e-15)


REFUSED: dict[str, Callable[[], object]] = {
    "zero budget": lambda: plan.allocate(REFIT, 0),
    "negative budget": lambda: plan.allocate(REFIT, "-1e20"),
    "tokens for compute": lambda: plan.allocate(REFIT, "1e12 tokens"),
    "hours of no machine": lambda: plan.allocate(REFIT, "10 GPU-hours"),
    "bits for tokens": lambda: plan.invert(REFIT, 2, held={"D": "3 bits"}),
    "tokens for a loss": lambda: plan.invert(REFIT, "2 tokens"),
    "utilisation above 1": lambda: plan.Machine.read("1e12", 2),
    "width and heads": lambda: plan.account({"layers": 2, "width": 100, "heads": 3}),
    "heads that do not share": lambda: plan.account({"layers": 2, "width": 96, "heads": 6, "kv_heads": 4}),
    "positions of a new kind": lambda: plan.account({"layers": 2, "width": 64, "positions": "sideways"}),
    "gated by half": lambda: plan.account({"layers": 2, "width": 64, "gated": "half"}),
    "half a layer": lambda: plan.account({"layers": "2.5", "width": 100}),
    "a run without tokens": lambda: plan.judge(REFIT, {"N": 1}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_nonsense_is_a_domain_error_with_a_remedy(case: str) -> None:
    with pytest.raises(errors.DomainError) as caught:
        REFUSED[case]()
    assert caught.value.remedy


def test_laws_that_cannot_be_planned_with_say_why() -> None:
    for asked in (
        lambda: plan.allocate(plan.source(laws.get("m2"), constants={"beta": 1, "c": -1, "eps_inf": 1}), 1),
        lambda: plan.source(CHINCHILLA, "nobody1999"),
        lambda: plan.source(CHINCHILLA, "besiroglu2024", constants={"E": 1}),
        lambda: plan.allocate(REFIT, 1e20, beside={"D_inf": 1}),
        lambda: plan.compare([REFIT, REFIT], 1e20),
        lambda: plan.account({"layers": 1, "width": 1}, convention="mine"),
    ):
        with pytest.raises(errors.LawError):
            asked()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--json"])
    return int(ended.value.code or 0), json.loads(capsys.readouterr().out)


def test_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    refit = ("--law", "chinchilla", "--published", "besiroglu2024")
    code, made = run(capsys, "plan", "allocate", *refit, "--compute", "5.76e23FLOP")
    assert code == 0 and made["convention"].startswith("C = 6*D*N: 6ND")
    assert made["allocation"]["D/N"]["value"] == pytest.approx(18.39124, rel=1e-6)
    code, made = run(capsys, "plan", "invert", *refit, "--target", "1.5")
    assert code == 1 and made["error"]["kind"] == "Unattainable" and "1.8172" in made["error"]["found"]
    code, made = run(capsys, "plan", "allocate", *refit, "--run", "N=7B,D=2T")
    assert code == 0 and made["allocation"]["C over the least"]["value"] > 1
    code, made = run(capsys, "plan", "compare", "besiroglu2024,hoffmann2022", "--compute", "1e24")
    assert code == 0 and [row["set"] for row in made["tables"][0]["rows"]] == ["besiroglu2024", "hoffmann2022"]
    code, made = run(capsys, "plan", "compare", "besiroglu2024,hoffmann2022", "--inference", "1T")
    assert code == 0 and "D_inf" in made["convention"]
    rented = ("--compute", "1e5 GPU-hours", "--peak", "312TFLOPS", "--utilisation", "50%")
    code, made = run(capsys, "plan", "allocate", "--law", "data-constrained", "--unique", "1B", *rented)
    assert code == 0 and made["budget"]["hours"]["value"] == 1e5
    code, made = run(
        capsys, "plan", "allocate", "--law", "data-constrained", "--unique", "1B", *rented, "--cost", "N*D"
    )
    assert code == 2 and "--cost" in made["error"]["remedy"]
    code, made = run(
        capsys, "plan", "account", "--shape", "layers=10,width=640,heads=10,key=64", "--convention", "hoffmann"
    )
    assert code == 0 and made["allocation"]["C"]["value"] == 929877196800
    code, made = run(capsys, "plan", "allocate", *refit, "--compute", "0FLOP")
    assert code == 2 and made["error"]["kind"] == "DomainError"


def test_allocate_loads_nothing_numeric() -> None:
    asked = "plan allocate --law chinchilla --published besiroglu2024 --compute 1e24FLOP --json"
    code = (
        "import sys\nfrom symbolic_scaling.cli import main\n"
        f"try: main({asked.split()!r})\nexcept SystemExit: print(*sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(shown.splitlines()[-1].split())
    assert "sympy" in loaded and not {"numpy", "scipy"} & loaded


UNSL = laws.get("unsl", inputs=("N", "D"), n=0)
ADMITTED = {"a_0": 1, "b_10": 400, "c_1_0_10": 0.34, "b_11": 410, "c_2_0_11": 0.28}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("b_10", -400, r"b_10 = -400 for unsl.*b_10 lies in \(0, oo\); match its sign"),
        ("b_10", 0, r"b_10 lies in \(0, oo\)"),
        ("a_0", -5, r"a_0 lies in \(0, oo\), or is 0; match its sign"),
        ("a_0", "1e999999999", "no real number"),
        ("a_0", "1/0", "no real number"),
        *(("a_0", value, "no real number") for value in ("nan", float("inf"), "x", None, 1j, True, [1])),
        ("zz", 3, "no constant 'zz'; it has a_0, c_1_0_10, b_10"),
    ],
)
def test_constants_that_a_law_does_not_admit_are_refused(name: str, value: object, said: str) -> None:
    with pytest.raises(errors.LawError, match=said):
        plan.source(UNSL, constants={**ADMITTED, name: value})


def test_constants_at_the_ends_that_a_law_admits_are_taken() -> None:
    for value in (0, 0.0, "0", "1e-5", "1/3", sp.sqrt(2), 0.1):
        assert abs(plan.source(UNSL, constants={**ADMITTED, "a_0": value}).constants["a_0"] - sp.S(value)) < 1e-12


@pytest.mark.parametrize(
    ("constants", "said"),
    [("d_1=-10,f_1=.1", "d_1 lies in"), ("d_1=0,f_1=.1", "d_1 lies"), ("d_1=10,f_1=0", "f_1 lies")],
)
def test_breaks_need_constants_inside_their_intervals(symscale, constants, said):
    numbers = f"c_1_0=.3,c_2_0=.1,c_1_1=.5,c_2_1=-.25,b=2,{constants}"
    code, _, err = symscale("plan", "breaks", "--law", "mbnsl(inputs=N,D)", "--constants", numbers)
    assert code == 2 and said in err and "Traceback" not in err


@pytest.mark.parametrize(("days", "hours"), [("10 GPU-days", "240 GPU-hours"), ("1.5 TPU d", "36 chip-h")])
def test_a_day_has_24_hours(days, hours):
    machine = plan.Machine.read("312TFLOPS", "50%")
    assert units.compute(days, machine) == units.compute(hours, machine)
    assert units.compute("1 GPU-hour", machine) == 312 * 10**12 * 1800
