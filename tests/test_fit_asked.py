"""What a fit is asked that it cannot do: each refusal names its cause and what to do."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from symbolic_scaling import cli, codegen, fit, laws
from symbolic_scaling.errors import FitError
from symbolic_scaling.fit import backtest

M2 = laws.get("m2")
X = np.geomspace(1e4, 1e9, 12)
Y = 50 * X**-0.4 + 0.5


@pytest.mark.parametrize(
    ("y", "options", "cause"),
    [
        (Y * np.nan, {}, "12 rows cannot be used: rows 1, 2, 3, 4, 5 and 7 more: eps_x is missing"),
        (-Y, {}, "rows 1, 2, 3, 4, 5 and 7 more: eps_x is not positive"),
        (Y, {"sigma": -1.0}, "rows 1, 2, 3, 4, 5 and 7 more: sigma = -1 is not positive"),
        (Y, {"weights": -1.0}, "weights = -1 is not positive"),
        (np.where(X > 4e4, -Y, Y), {}, "2 distinct x in 2 usable rows; 10 rows cannot be used: rows 3, 4"),
    ],
    ids=("missing", "negative", "sigma", "weights", "few"),
)
def test_rows_that_cannot_be_used_are_named(y, options, cause):
    with pytest.raises(FitError) as refused:
        fit.curve(M2, X, y, **options)
    assert cause in refused.value.found
    assert "correct the rows" in refused.value.remedy


def test_a_note_of_many_dropped_rows_is_short():
    x = np.tile(X, 40)
    found = fit.curve(laws.get("m1"), x, np.where(x < 1e6, -1.0 - x, 3 * x**-0.1))
    assert found.notes[0] == "200 rows dropped: rows 1, 2, 3, 4, 5 and 195 more: eps_x is not positive"
    assert len(found.problem.rows_dropped) == 200


TEXTS = [
    lambda law: fit.curve(law, X, Y),
    lambda law: fit.identify(law, X),
    lambda law: fit.many({"x": X, "y": Y, "of": ["a"] * 12}, by="of", x="x", y="y", law=law),
    lambda law: fit.shared(law, {"a": (X, Y)}, "c"),
    lambda law: fit.structure(law, X, Y),
    lambda law: fit.best([law], x=X, y=Y),
    lambda law: backtest.contenders([law]),
]


@pytest.mark.parametrize("ask", TEXTS)
@pytest.mark.parametrize(("text", "remedy"), [("m2", "laws.get"), ("y = a*x^b", "laws.formula"), (3, "laws.get")])
def test_a_law_that_is_none_says_how_to_make_one(ask, text, remedy):
    with pytest.raises(FitError) as refused:
        ask(text)
    assert remedy in refused.value.remedy or "laws.learning_curves()" in refused.value.remedy


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"bounds": {"c": (-np.inf, -0.1)}}, "the ends are -inf and -0.1"),
        ({"bounds": {"c": (np.nan, -0.1)}}, "the ends are nan and -0.1"),
        ({"bounds": {"c": -0.1}}, "no pair of numbers"),
        ({"bounds": {"c": (-0.1, -0.3)}}, "the interval is empty"),
        ({"bounds": {"c": (-0.3, -0.1)}, "fix": {"c": -0.4}}, "fixed at -0.4, outside -0.3 to -0.1"),
    ],
)
def test_bounds_are_finite_and_hold_what_is_fixed(options, cause):
    with pytest.raises(FitError) as refused:
        fit.curve(M2, X, Y, **options)
    assert cause in refused.value.found
    with pytest.raises(FitError) if "empty" not in cause else nullcontext():
        fit.many({"x": X, "y": Y, "of": ["a"] * 12}, by="of", x="x", y="y", law=M2, **options)


def test_what_is_fixed_inside_its_bounds_is_fixed():
    found = fit.curve(M2, X, Y, bounds={"c": (-0.5, -0.1)}, fix={"c": -0.4})
    assert found.estimate == pytest.approx({"beta": 50, "c": -0.4, "eps_inf": 0.5}, rel=1e-6)


@pytest.mark.parametrize("level", ["0", "1", "200%", "-5%"])
def test_a_level_outside_0_to_1_is_refused_though_nothing_is_asked_at_it(level, tmp_path, capsys):
    (tmp_path / "t.csv").write_text("x,y\n1,4\n10,3\n100,2.5\n1000,2.25\n")
    asked = ["fit", str(tmp_path / "t.csv"), "--law", "m1", "--x", "x=x", "--y", "y", "--level", level]
    with pytest.raises(SystemExit) as left:
        cli.main(asked)
    assert left.value.code == 2
    assert "--level" in capsys.readouterr().err


def test_a_wall_of_the_domain_is_the_end_of_the_printed_box():
    law = laws.get("routed")
    n, e = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e7, 1e10, 5), 2.0 ** np.arange(10)))
    y = codegen.law(law)(n, e, -0.0791, -0.1207, 0.0098, 0.5578, 0.9, 300.0)
    found = fit.curve(law, {"N": n, "E": e}, y)
    assert found.estimate["E_s"] == 1
    assert any("E_s = 1 " in wall and "lower end of its box" in wall for wall in found.minima[0].walls)
    assert {text: lo for text, lo, _ in found.box}["E_s"] == 1


@pytest.mark.parametrize("at", ["x=-5", "x=0"])
def test_a_response_is_not_asked_for_at_an_input_that_is_not_positive(at, tmp_path, capsys):
    (tmp_path / "t.csv").write_text("x,y\n1,4\n10,3\n100,2.5\n1000,2.25\n")
    asked = ["fit", str(tmp_path / "t.csv"), "--law", "m1", "--x", "x=x", "--y", "y", "--of", "eps_x", "--at", at]
    with pytest.raises(SystemExit) as left:
        cli.main(asked)
    assert left.value.code == 2
    assert "x is positive" in capsys.readouterr().err


def test_a_fit_prints_as_a_few_lines():
    found = fit.curve(M2, np.append(X, -1), np.append(Y, 1), fix={"c": -0.4})
    lines = str(found).splitlines()
    assert len(lines) < 8 and len(str(found)) < 500 and "\n" not in repr(found)
    assert lines[0].startswith("m2: ") and lines[1].startswith("OPTIMUM_REACHED on 12 rows")
    assert "c = -0.4 (fixed)" in lines and any(line.startswith("beta = 50 +- ") for line in lines)
    assert lines[-1] == "note: 1 rows dropped: row 13: x = -1 is not positive"


def test_fits_of_many_curves_print_as_a_line():
    table = {"x": X, "y": Y, "of": ["a"] * 11 + ["b"]}
    found = fit.many(table, by="of", x="x", y="y", law=M2)
    assert str(found) == "m2 fitted to 2 curves by of: 1 OPTIMUM_REACHED, 1 ERROR"
    assert len(repr(found)) < 80


def test_rows_of_an_input_of_0_say_how_to_keep_them_where_the_law_holds_there():
    law = laws.get("data-constrained")
    grid = np.meshgrid(np.geomspace(1e7, 1e9, 4), [0.1, 5.0, 20.0], np.geomspace(1e9, 1e11, 4), [0.0, 0.2, 8.0, 40.0])
    inputs = {s.name: axis.ravel() for s, axis in zip(law.inputs, grid, strict=True)}
    planted = {"E": 1.87, "A": 521.0, "B": 1488.0, "alpha": 0.353, "beta": 0.36, "R_N_star": 5.3, "R_D_star": 15.4}
    loss = codegen.law(law)(*inputs.values(), *(planted[s.name] for s in law.constants))
    (note,) = [note for note in fit.curve(law, inputs, loss).notes if "in place of 0" in note]
    assert note.startswith("rows of R_D = 0 are left out") and "give R_D = 2e-07 in place" in note
    kept = fit.curve(law, {**inputs, "R_D": np.where(inputs["R_D"] == 0, 2e-7, inputs["R_D"])}, loss)
    assert kept.estimate == pytest.approx(planted, rel=1e-4)
    assert not [note for note in kept.notes if "in place of 0" in note]


def test_a_law_that_is_infinite_at_0_says_no_such_thing():
    assert not [note for note in fit.curve(M2, np.append(0, X), np.append(9, Y)).notes if "in place of 0" in note]
