"""Laws that come in sizes, as commands take them."""

from __future__ import annotations

import json

import pytest

from symbolic_scaling import laws
from symbolic_scaling.cli._common import find_law, is_name


def test_sizes_in_brackets_are_those_of_the_library() -> None:
    assert find_law("bnsl(n=3)") == laws.get("bnsl", n=3) != find_law("bnsl")
    shapes = find_law("sovit-joint(dimensions=width,depth)")
    assert shapes == laws.get("sovit-joint", dimensions=("width", "depth"))
    assert shapes == laws.get("sovit-joint", dimensions="width, depth")
    assert is_name("bnsl(n=2)") and is_name("m1") and not is_name("y(x) = a*(x)") and not is_name("y = a*x")


def test_commands_take_sized_laws(answer) -> None:
    shown = answer("show", "bnsl(n=2)")

    assert shown["sizes"] == {"n": 2} and "d2" in shown["form"]
    found = answer("derive", "bnsl(n=2)", "limits", "--given", "c0 > 0", "--given", "c0 + c1 + c2 > 0")
    assert found["result"] == {"x->0": "oo", "x->oo": "a"}


@pytest.mark.parametrize(
    ("law", "sizes"),
    [
        ("mbnsl", {"m": 1, "n": 1, "inputs": ["x"], "signs": 1, "floor": False}),
        ("mbnsl(inputs=N,D)", {"m": 2, "n": 1, "inputs": ["N", "D"], "signs": 1, "floor": False}),
        ("bottlenecks(m=2, n={1: 2})", {"m": 2, "n": {"1": 2}, "U": None, "T": None, "inputs": ["x_1", "x_2"],
                                        "signs": 1, "floor": False}),
        ("unsl(inputs=N,D, n={(3,0): 1}, U={3: N}, ceilings=2)",
         {"m": 2, "n": {"3,0": 1}, "S": 0, "U": {"3": "N"}, "T": [], "ceilings": [2], "overfitting": False,
          "inputs": ["N", "D"], "signs": 1, "level": "y"}),
    ],
)  # fmt: skip
def test_sizes_shown_are_the_instances(answer, law: str, sizes: dict[str, object]) -> None:
    shown = answer("show", law)["sizes"]
    assert shown == sizes
    assert laws.get(law.partition("(")[0], **shown) == find_law(law)


def test_mappings_sets_and_switches_are_read() -> None:
    text = "unsl(m=2, S=1, inputs=N,D, n={(3, 0): 2, (4,1): 1}, U={3: [N, D], 4: N}, T={3: []}, overfitting=true)"
    assert find_law(text) == laws.get(
        "unsl", m=2, S=1, inputs=("N", "D"), n={(3, 0): 2, (4, 1): 1}, U={3: ("N", "D"), 4: ("N",)}, T={3: ()},
        overfitting=True,
    )  # fmt: skip
    assert find_law("unsl(ceilings=2)") == laws.get("unsl", ceilings=(2,))
    assert find_law("mbnsl(inputs=N,D)") == laws.get("mbnsl", m=2, inputs=("N", "D"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bnsl(n=1.5)", "no whole number"),
        ("bnsl(m=2)", "its sizes are n=1"),
        ("m1(n=2)", "none"),
        ("unsl(m)", "no size=value"),
        ("unsl(m=2, m=3)", "twice"),
        ("unsl(n={a})", "no mapping"),
        ("unsl(U={3: [Z]})", "name inputs: x"),
        ("unsl(n={(3,9): 1})", "t from 0 to 1"),
    ],
)
def test_wrong_sizes_are_said(symscale, text: str, said: str) -> None:
    code, _, err = symscale("show", text)
    assert code == 2 and said in err


def test_derivations_of_sized_laws_read_back(answer, symscale, tmp_path) -> None:
    law = "unsl(inputs=N,D, n=0)"
    found = answer("derive", law, "frontier", "--cost", "6*N*D", "--given", "c_1_0_10 > 0", "--given", "c_2_0_11 > 0")
    assert found["law"] == law
    (tmp_path / "frontier.json").write_text(json.dumps(found))
    code, out, _ = symscale("export", str(tmp_path / "frontier.json"), "--to", "latex")
    assert code == 0 and "c_{20,11}" in out
