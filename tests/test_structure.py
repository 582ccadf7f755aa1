"""The search over structures: planted parts are found, parts that are not there are not, and the path says why."""

from __future__ import annotations

import numpy as np
import pytest
from planted_unsl import NOISE, instance, rmsle

from symbolic_scaling import fit, laws, report
from symbolic_scaling.errors import FitError
from symbolic_scaling.fit.parts import core, gathered, optional, parts, reduced

SUM, BREAK = "the sum of power laws in x", "a break (d_1_7)"
ONE = laws.get("unsl", n=1, signs=0)
ALL = (1, 2)
RICH = {
    "m": 2,
    "n": {(3, 0): 1},
    "S": 1,
    "U": dict.fromkeys(range(3, 7), ALL),
    "T": dict.fromkeys(range(4, 7), ()),
    "overfitting": True,
    "signs": 0,
}


def table(*, broken, rows=300, seed=0):
    rng = np.random.default_rng(seed)
    x = 10 ** rng.uniform(2, 8, rows)
    factor = (1 + (x / 1e5) ** 4) ** -0.1 if broken else 1.0
    return x, (0.02 + 5 * x**-0.25 * factor) * np.exp(0.01 * rng.standard_normal(rows))


@pytest.mark.parametrize("broken", [False, True])
def test_a_break_is_found_where_there_is_one(broken):
    said = []
    found = fit.structure(ONE, *table(broken=broken), progress=said.append)
    assert found.parts == ((SUM, BREAK) if broken else (SUM,))
    assert found.complete
    assert found.error < 2 * NOISE
    assert said[:2] == [SUM, BREAK]
    assert [symbol.name in found.fit.estimate for symbol in parts(ONE)[0].constants] == [broken] * 3
    last = found.path[-1]
    assert (last.taken is None) or broken
    page = report.text(found)
    assert "Taken: the sum of power laws in x: the search begins with it." in page


def test_a_path_repeats_and_its_time_may_end():
    x, y = table(broken=True, rows=120)
    one, two = (fit.structure(ONE, x, y, seed=3) for _ in range(2))
    assert [[c.error for c in step.candidates] for step in one.path] == [
        [c.error for c in step.candidates] for step in two.path
    ]
    assert one.fit.estimate == two.fit.estimate
    with pytest.raises(FitError, match="give more time"):
        fit.structure(ONE, x, y, seconds=1e-9)


@pytest.mark.parametrize(
    ("law", "rows", "said"), [("m4", 40, "implicit"), ("unsl", 1, "rows to hold out"), ("unsl", 3, "needs at least")]
)
def test_what_cannot_be_searched_is_refused(law, rows, said):
    x = np.geomspace(1.0, 100.0, rows)
    with pytest.raises(FitError, match=said):
        fit.structure(laws.get(law), x, 0.5 / x + 0.1)


def test_the_command_prints_the_path(tmp_path, answer):
    x, y = table(broken=True, rows=150)
    place, saved = tmp_path / "runs.csv", tmp_path / "fit.json"
    place.write_text("size,loss\n" + "\n".join(f"{float(a)!r},{float(b)!r}" for a, b in zip(x, y, strict=True)))
    found = answer("structure", str(place), "--x", "x=size", "--y", "loss", "--save", str(saved))["structure"]
    assert found["parts"] == [SUM, BREAK]
    assert found["path"][1]["taken"] == BREAK
    assert {"what", "constants", "error", "gain", "uncertainty", "why"} == set(found["path"][1]["candidates"][0])
    assert fit.load(saved).law.constants == reduced(laws.get("unsl", signs=0), frozenset()).constants


def test_parts_of_a_law_are_nested_as_its_expression_is():
    law = laws.get("unsl", **RICH, inputs=("N", "D"))
    names = {part.switch.name: [s.name for s in part.within] for part in optional(law)}
    assert names["d_1_9"] == ["b_9"]
    assert names["b_18"] == ["b_15"]
    assert names["a_1"] == ["b_15"]
    assert names["b_12"] == []
    assert {s.name for s in core(law).inputs} == {"N", "D"}
    everything = {s for part in parts(law) for s in part.constants} | set(core(law).constants)
    assert everything == set(law.constants)
    assert {s for part in gathered(law) for s in part.constants} == {s for part in parts(law) for s in part.constants}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 18])
def test_a_term_is_not_taken_with_a_break_because_it_alone_ended_in_a_worse_minimum(seed):
    rng = np.random.default_rng(seed)
    n, lr = 10 ** rng.uniform(5, 9, 800), 10 ** rng.uniform(-5, -1, 800)
    y = (0.3 + 30 * n**-0.3 + 0.002 * lr**-0.45 + n**0.25 * lr**1.4 / 0.5) * np.exp(0.01 * rng.standard_normal(800))
    rich = laws.get("unsl", inputs=("N", "lr"), n={(3, 0): 1}, U={3: ("N", "lr")}, signs=0)
    found = fit.structure(rich, {"N": n, "lr": lr}, y)
    assert len(found.law.constants) == 8
    assert found.error < 2 * NOISE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("bottlenecks", []),
        ("hyperbreak", ["a term", "a hyperbreak"]),
        ("overfitting", ["a counterforce", "a ceiling"]),
        ("learning-rate", ["a counterforce"]),
    ],
)
def test_planted_structures_are_found_in_four_of_five(kind, wanted):
    right, errors = 0, []
    for seed in range(5):
        planted = instance(kind, 200 + seed)
        found = fit.structure(laws.get("unsl", **RICH, inputs=tuple(planted.x)), planted.x, planted.y)
        said = " ".join(found.parts[1:])
        right += all(part in said for part in wanted) and len(found.parts) <= 1 + len(wanted)
        errors.append(
            rmsle(found.fit.predict({s.name: planted.later[s.name] for s in found.law.inputs}), planted.later_y)
        )
    assert right >= 4
    assert np.sum(np.array(errors) <= 2 * NOISE) >= 4, errors


@pytest.mark.parametrize("y", [[], [np.nan, -1.0]], ids=["empty", "bad"])
def test_a_table_without_usable_rows_has_no_structure(y):
    with pytest.raises(FitError, match="no input has rows to hold out"):
        fit.structure(ONE, np.geomspace(1.0, 10.0, len(y)), y)


@pytest.mark.parametrize("read", [fit.pruned, fit.roles])
@pytest.mark.parametrize("given", [None, ONE, "fit.json"], ids=["none", "law", "file"])
def test_what_is_no_fit_is_refused(read, given):
    with pytest.raises(FitError, match="is no fit"):
        read(given)
