"""What a fit says holds the user's numbers: in other units every note, box and message moves as the units do."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import errors, fit, laws
from symbolic_scaling.fit.certify import issue
from symbolic_scaling.fit.certify.cells import Search
from symbolic_scaling.fit.units import weights

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\*\*)")
STATED = re.compile(r"(\w+) = ([-+.e\d]+\d)")
TURN = re.compile(r"local \w+ at ([-+.e\d]+\d)")
X = np.geomspace(1e4, 1e8, 12)
WIGGLE = np.exp(0.01 * np.cos(40 * np.arange(12)))
TABLES = {
    "a floor": ("m2", (0.2 + 30 * X**-0.4) * WIGGLE, {}),
    "no floor": ("m2", 30 * X**-0.4 * np.exp(-0.003 * np.log(X / 1e4) ** 2) * WIGGLE, {}),
    "constant": ("m2", np.full(12, 0.7), {}),
    "a ceiling": ("m4", (0.2 + 3 * X**-0.2) * WIGGLE, {"residual": "equation"}),
    "bounded": ("m2", (0.2 + 30 * X**-0.4) * WIGGLE, {"bounds": {"eps_inf": (0.01, 0.1)}}),
    "one far off": ("m2", np.append((0.2 + 30 * X**-0.4)[:-1], 1.9), {"loss": "huber"}),
    "a turn": ("m2", 0.2 + (np.log(X / 1e6)) ** 2, {}),
}


def moved(options: dict, y_unit: float) -> dict:
    """Bounds of the floor in the other unit."""
    bounds = {name: (lo * y_unit, hi * y_unit) for name, (lo, hi) in options.get("bounds", {}).items()}
    return {**options, "bounds": bounds}


@settings(max_examples=4)
@given(st.sampled_from([(1e9, 1e-3), (1e-4, 1e5), (3.0, 0.7)]))
@pytest.mark.parametrize("case", TABLES)
def test_notes_and_boxes_move_as_the_units_do(case, units):
    name, y, options = TABLES[case]
    x_unit, y_unit = units
    law = laws.get(name)
    here = fit.curve(law, X, y, **options)
    there = fit.curve(law, X * x_unit, y * y_unit, **moved(options, y_unit))
    assert here.outcome == there.outcome
    factors = {s.name: unit_of(law, i, units) for i, s in enumerate(law.constants)}
    factors |= {"x": x_unit, law.response.symbol.name: y_unit}
    assert len(here.notes) == len(there.notes)
    for one, other in zip(here.notes, there.notes, strict=True):
        assert NUMBER.sub("#", one) == NUMBER.sub("#", other)
        pairs = zip(STATED.findall(one), STATED.findall(other), strict=True)
        checked = [(float(a[1]) * factors[a[0]], float(b[1])) for a, b in pairs if factors[a[0]] is not None]
        turns = zip(TURN.findall(one), TURN.findall(other), strict=True)
        checked += [(float(a) * x_unit, float(b)) for a, b in turns]
        for expected, found in checked:
            assert found == pytest.approx(expected, rel=2e-4, abs=1e-12), one
    for (text, *ends), (again, *scaled) in zip(here.box, there.box, strict=True):
        assert text.split("*")[0] == again.split("*")[0]
        factor = factors[re.match(r"\w+", text)[0]]
        if factor is not None:
            assert scaled == pytest.approx([end * factor for end in ends], rel=1e-9)


def unit_of(law, place: int, units: tuple[float, float]) -> float | None:
    """The factor of a constant where both units enter it with powers that are numbers."""
    powers = [weights(law, symbol)[place] for symbol in (*law.inputs, law.response.symbol)]
    if not all(power.is_number for power in powers):
        return None
    return math.prod(unit ** float(power) for unit, power in zip(units, powers, strict=True))


@settings(max_examples=30)
@given(
    st.floats(-1e6, 1e6).map(lambda v: float(f"{v:.4g}")),
    st.floats(1e-3, 1e3).map(lambda v: float(f"{v:.3g}")),
    st.sampled_from([1.0, 1e9, 1e-4]),
)
def test_a_bound_is_refused_in_the_numbers_that_were_given(lo, width, unit):
    y = unit * (0.2 + 30 * X**-0.4)
    for name, pair in (("eps_inf", (-abs(lo) - width, width)), ("beta", (abs(lo) + width, abs(lo) + width))):
        for call in (
            lambda b: fit.curve(laws.get("m2"), X, y, bounds=b),
            lambda b: fit.certify(fit.curve(laws.get("m2"), X, y, bounds=b)),
        ):
            with pytest.raises(errors.FitError) as refused:
                call({name: pair})
            said = [float(text) for text in NUMBER.findall(refused.value.asked.split(" to ")[1])]
            assert said == [float(f"{end:g}") for end in pair]


def test_a_lower_point_is_named_in_the_users_units():
    y = 5e4 * (0.2 + 30 * X**-0.4) * WIGGLE
    found = fit.curve(laws.get("m2"), X, y, residual="equation")
    problem = issue.read(found.problem)
    near = problem.located(problem.constants(found.estimate))[0]
    lower = Search(edges=(), tree=(), bound=0.0, lowest=0.0, at=near)
    text = issue._refuted(problem, found.certificate, lower, 0.5).text
    assert float(re.search(r"eps_inf = (\S+)", text)[1]) == pytest.approx(found.estimate["eps_inf"], rel=1e-5)
