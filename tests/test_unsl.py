"""UNSL: the built expression against a direct transcription of (1) to (4) of arXiv 2605.26248 in loops."""

import random

import mpmath
import pytest
from mpmath import mpf

from symbolic_scaling import codegen, laws
from symbolic_scaling.errors import LawError


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
    m, S = draw.randint(1, 3), draw.randint(0, 1)
    everyone = range(1, m + 1)
    U, T = {}, {}
    for r in range(3, 2 * S + 5):
        T[r] = tuple(i for i in everyone if draw.random() < 0.7)
        if draw.random() < 0.5 or not T[r]:
            U[r] = tuple(i for i in everyone if draw.random() < 0.7)
    n = {(r, t): draw.randint(0, 3) for r in T for t in range(m + 1)}
    ceilings = tuple(q for q in range(2, 2 * S + 5) if draw.random() < 0.5)
    return {
        "m": m,
        "n": n,
        "S": S,
        "U": U,
        "T": T,
        "ceilings": ceilings,
        "overfitting": draw.random() < 0.6,
        "signs": 0,
    }


@pytest.mark.parametrize("seed", range(12))
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
    [({"m": 0}, "1 to 9"), ({"S": 9}, "S from"), ({"T": {3: ["z"]}}, "'z'"), ({"m": 2, "inputs": ["N"]}, "m = 2"),
     ({"T": {3: ()}}, "no term"), ({"n": {(3, 1): "two"}}, "whole numbers"), ({"level": "Z"}, "level")],
)  # fmt: skip
def test_impossible_sizes_are_refused(sizes, said):
    with pytest.raises(LawError, match=said):
        laws.get("unsl", **sizes)
