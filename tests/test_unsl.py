"""UNSL: the built expression against a direct transcription of (1) to (4) of arXiv 2605.26248 in loops."""

import random

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from symbolic_scaling import codegen, laws
from symbolic_scaling.errors import LawError
from symbolic_scaling.fit import law_record


def transcribed(x, v, size):
    """Equations (1) to (4) as printed; ``v`` gives a constant by its name, ``size`` the index sets and numbers."""
    m, S = size["m"], size["S"]

    def K(M, n, k):
        total = v[f"b_{k}"]
        for i in M:
            total *= x[i] ** -v[f"c_{i}_0_{k}"]
        for j in range(1, n + 1):
            inside = mpf(1)
            for i in M:
                inside *= x[i] ** v[f"c_{i}_{j}_{k}"]
            f = v[f"f_{j}_{k}"]
            total *= (1 + (inside / v[f"d_{j}_{k}"]) ** abs(1 / f)) ** -f
        return total

    def R(r):
        n, base = size["n"], r * (m + 1)
        total = K(size["U"][r], n.get((r, 0), 0), base) if r in size["U"] else mpf(0)
        for t in size["T"][r]:
            total += K((t,), n.get((r, t), 0), base + t)
        return total

    def over(q):
        return 1 / v[f"a_{q}"] if q in size["ceilings"] else mpf(0)

    def Q(q):
        total = 1 / (1 / R(q) + over(q))
        for s in range(1, S + 1):
            total += 1 / (R(q + s) + over(q + s))
        return total

    inner = 1 / Q(3)
    if size["overfitting"]:
        inner = 1 / (Q(3) + 1 / (Q(S + 4) + 1 / v["a_1"]))
    return v["a_0"] + 1 / (inner + over(2))


def instance(seed):
    """Random sizes, m and n up to 3 and S up to 1, with index sets of every kind."""
    draw = random.Random(seed)
    m, S, overfitting = draw.randint(1, 3), draw.randint(0, 1), draw.random() < 0.6
    everyone, last = range(1, m + 1), 2 * S + 4 if overfitting else S + 3
    U, T = {}, {}
    for r in range(3, last + 1):
        T[r] = tuple(i for i in everyone if draw.random() < 0.7)
        if draw.random() < 0.5 or not T[r]:
            U[r] = tuple(i for i in everyone if draw.random() < 0.7)
    drawn = {(r, t): draw.randint(0, 3) for r in T for t in range(m + 1)}
    n = {(r, t): count for (r, t), count in drawn.items() if (r in U if t == 0 else t in T[r])}
    ceilings = tuple(q for q in range(2, last + 1) if draw.random() < 0.5)
    return {
        "m": m,
        "n": n,
        "S": S,
        "U": U,
        "T": T,
        "ceilings": ceilings,
        "overfitting": overfitting,
        "signs": 0,
    }


def test_instances_cover_what_is_asked():
    """Every m and n up to 3, S of 0 and 1, first terms with and without bottlenecks, every ceiling, both signs of f."""
    made = [instance(seed) for seed in range(24)]
    assert {size["m"] for size in made} == {1, 2, 3} and {size["S"] for size in made} == {0, 1}
    assert {count for size in made for count in size["n"].values()} == {0, 1, 2, 3}
    assert {q for size in made for q in size["ceilings"]} == {2, 3, 4, 5, 6}
    assert {len(members) for size in made for sets in (size["U"], size["T"]) for members in sets.values()} >= {
        0,
        1,
        2,
        3,
    }
    assert {size["overfitting"] for size in made} == {True, False}


SEEDS = [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 24))]


@pytest.mark.parametrize("seed", SEEDS)
def test_equals_the_printed_equations(seed):
    size = instance(seed)
    law = laws.get("unsl", **size)
    draw = random.Random(seed + 1000)
    values = []
    for parameter in law.parameters:
        value = mpf(draw.uniform(*parameter.start))
        values.append(-value if parameter.symbol.name.startswith("f") and draw.random() < 0.5 else value)
    x = [mpf(10) ** draw.uniform(-1, 8) for _ in law.inputs]
    by_name = {symbol.name: value for symbol, value in zip(law.constants, values, strict=True)}
    with mpmath.workdps(60):
        wanted = transcribed(dict(enumerate(x, 1)), by_name, size)
        for found in (codegen.law(law, "mpmath")(*x, *values, dps=50), plain(law, x, values)):
            assert abs(found / wanted - 1) < mpf(10) ** -40


def plain(law, x, values):
    """The expression as it stands, without the rewriting of evaluation in log form."""
    return codegen.compile(law.explicit, (*law.inputs, *law.constants), target="mpmath", lowered=False)(
        *x, *values, dps=50
    )


def test_inputs_are_named_and_sets_may_name_them():
    law = laws.get("unsl", m=2, inputs=("N", "D"), T={3: ["D"]}, U={3: {"N", "D"}})
    assert [s.name for s in law.inputs] == ["N", "D"]
    assert law == laws.get("unsl", m=2, inputs=("N", "D"), T={3: (2,)}, U={3: (1, 2)})
    assert {s.name for s in law.constants} == {
        "a_0", "b_9", "c_1_0_9", "c_2_0_9", "c_1_1_9", "c_2_1_9", "d_1_9", "f_1_9",
        "b_11", "c_2_0_11", "c_2_1_11", "d_1_11", "f_1_11",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "said"),
    [({"m": 0}, "1 to 9"), ({"m": True}, "1 to 9"), ({"S": 9}, "S from"), ({"T": {3: ["z"]}}, "'z'"),
     ({"m": 2, "inputs": ["N"]}, "m = 2"), ({"inputs": ["b_3"]}, "'b_3'"), ({"inputs": ["y"]}, "'y'"),
     ({"T": {3: ()}}, "no term"), ({"U": 3}, "give U="), ({"n": {(3, 1): "two"}}, "whole numbers"),
     ({"n": {"a": 1}}, "whole numbers"), ({"n": {(3, 2): 1}}, "no K"), ({"level": "Z"}, "level"),
     ({"ceilings": (9,)}, "no a_9"), ({"U": {4: [1]}}, "no R"), ({"overfitting": "yes"}, "true or false")],
)  # fmt: skip
def test_impossible_sizes_are_refused(sizes, said):
    with pytest.raises(LawError, match=said):
        laws.get("unsl", **sizes)


def test_inputs_say_how_many_and_keys_may_be_text():
    law = laws.get("unsl", inputs=["N", "D"], n={"3,0": 1}, U={"3": ["N", "D"]})
    assert law == laws.get("unsl", m=2, inputs=("N", "D"), n={(3, 0): 1}, U={3: (1, 2)})


LEVELS = [
    ("mbnsl", {"m": 2, "n": 2}, {"m": 2, "n": {(3, 0): 2}, "level": "K"}, lambda name: f"{name}_9"),
    ("saturated", {"m": 2, "S": 1, "ceilings": (3, 4)}, {"m": 2, "S": 1, "ceilings": (3, 4), "level": "Q"}, str),
    ("bottlenecks", {"m": 2, "U": [1], "n": {0: 2, 1: 1}},
     {"m": 2, "U": {3: [1]}, "n": {(3, 0): 2, (3, 1): 1}, "level": "R"},
     lambda name: f"{name[: name.rindex('_')]}_{9 + int(name.split('_')[-1])}"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "alone", "inside", "there"), LEVELS, ids=[level[0] for level in LEVELS])
def test_levels_alone_are_the_levels_inside_without_the_floor(name, alone, inside, there):
    """Equations (4), (2) and (3): the same expression in their own letters."""
    law, whole = laws.get(name, **alone), laws.get("unsl", **inside)
    letters = {symbol: whole.symbols[there(symbol.name)] for symbol in law.constants}
    assert law.explicit.xreplace(letters) == whole.explicit - whole.symbols["a_0"]
    with_floor = laws.get(name, **alone, floor=True)
    assert with_floor.explicit == law.explicit + with_floor.symbols["a_0"]


@pytest.mark.parametrize(
    ("name", "sizes", "said"),
    [("mbnsl", {"n": -1}, "n from 0"), ("bottlenecks", {"n": {2: 1}}, "its terms are 0 to 1"),
     ("bottlenecks", {"T": ["z"]}, "'z' in T"), ("saturated", {"ceilings": (4,)}, "no a_4"),
     ("saturated", {"S": 4}, "S from")],
)  # fmt: skip
def test_impossible_levels_are_refused(name, sizes, said):
    with pytest.raises(LawError, match=said):
        laws.get(name, **sizes)


def test_saved_laws_of_open_signs_come_back():
    law = laws.get("unsl", n=1, signs=0)
    assert law_record.from_json(law_record.as_json(law)).form == law.form


ABSENT = [
    ("unsl", {"n": {(3, 0): 1}}, r"no K\(0\) of R\(3\) .*n may name \(3, 1\)"),
    ("unsl", {"signs": {(1, 9): -1}}, r"no f_1_9 .*signs may name \(1, 7\)"),
    ("unsl", {"level": "Q", "ceilings": 2}, "no a_2 .*it may have a_3"),
    ("unsl", {"level": "K", "ceilings": 3}, "no a_3 .*no ceiling"),
    ("unsl", {"level": "K", "S": 3}, "S = 3 at level K"),
    ("unsl", {"level": "R", "overfitting": True}, "level y alone"),
    ("unsl", {"level": "K", "U": {3: (1,)}}, r"no R\(3\)"),
    ("bottlenecks", {"n": {0: 1}}, "no term 0 .*n may name 1"),
    ("bottlenecks", {"signs": {(7, 77): -1}}, r"no f_7_77 .*signs may name \(1, 1\)"),
    ("saturated", {"ceilings": 2}, "no a_2 .*it may have a_3"),
    ("bottlenecks", {"m": 2, "T": {1}, "n": 0}, "x_2 stands in no set U or T"),
    ("unsl", {"m": 2, "U": {3: ()}, "T": {3: ()}}, "x_1, x_2 stand in no set U or T"),
]


@pytest.mark.parametrize(("name", "sizes", "said"), ABSENT, ids=str)
def test_sizes_of_what_is_absent_are_refused_with_what_exists(name, sizes, said):
    with pytest.raises(LawError, match=said):
        laws.get(name, **sizes)


KINDS = [
    ("unsl", {"inputs": None}), ("unsl", {"inputs": 5}), ("unsl", {"ceilings": [[2]]}), ("unsl", {"ceilings": None}),
    ("unsl", {"ceilings": True}), ("unsl", {"U": {3: [[1]]}}), ("unsl", {"T": {3: [True]}}), ("unsl", {"S": 1.0}),
    ("unsl", {"S": True}), ("unsl", {"n": 1.0}), ("unsl", {"n": True}), ("unsl", {"overfitting": 2}),
    ("unsl", {"n": {(3.5, 1): 1}}), ("unsl", {"U": {3.5: [1]}}), ("unsl", {"n": {(3, 1): True}}),
    ("unsl", {"signs": 5}), ("unsl", {"n": {3: 1, "a": 2}}), ("unsl", {"m": 1.0}),
    ("unsl", {"n": {(3, 1): bytearray()}}),
    ("saturated", {"S": 1.0}), ("saturated", {"floor": "no"}), ("mbnsl", {"floor": 1}), ("mbnsl", {"n": True}),
    ("bottlenecks", {"floor": None}), ("bottlenecks", {"T": 2.5}), ("bottlenecks", {"n": None}), ("bnsl", {"n": True}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "sizes"), KINDS, ids=str)
def test_sizes_of_another_kind_are_refused_whatever_was_made_before(name, sizes):
    for whole in ({"n": 1}, {"S": 1}, {"m": 1}):
        if set(whole) <= set(laws.sizes(name)):
            laws.get(name, **whole)
    with pytest.raises(LawError):
        laws.get(name, **sizes)


def test_whole_numbers_of_arrays_are_whole_numbers():
    assert laws.get("unsl", S=np.int64(1), n={(3, 1): np.int64(2)}) == laws.get("unsl", S=1, n={(3, 1): 2})


def test_named_inputs_number_the_term_of_one_level():
    named = laws.get("unsl", inputs=("N", "D"), level="K")
    assert named == laws.get("unsl", m=2, inputs=("N", "D"), level="K") and "b_9" in named.symbols
