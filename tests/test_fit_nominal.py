"""What a level, a domain, a rank, an origin and BIC's price mean, each worked out again without the package's own way.

A share of a distribution, a cut at an end, an angle between columns, rows before and after a size.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import fit, laws
from symbolic_scaling.domain import Domain, Interval
from symbolic_scaling.fit import average, doubt
from symbolic_scaling.fit.box import Coordinate
from symbolic_scaling.fit.interval import METHODS
from symbolic_scaling.fit.rank import identified, settled

FEW = settings(max_examples=25, deadline=None, derandomize=True)
LINE = laws.formula("y = a + b*x", ("x",))
M2 = laws.get("m2")
X = np.geomspace(1e5, 1e8, 16)


# --- levels -----------------------------------------------------------------------------------------------------------


def redrawn(x, y, method, count):
    """Slopes of a line in new samples: rows drawn again, or its residuals, which leverage made small."""
    rng = np.random.default_rng(99)
    if method == "bootstrap":
        rows = rng.integers(len(x), size=(count, len(x)))
        x, y = x[rows], y[rows]
    else:
        slope, start = np.polyfit(x, y, 1)
        leverage = 1 / len(x) + (x - x.mean()) ** 2 / np.sum((x - x.mean()) ** 2)
        left = (y - start - slope * x) / np.sqrt(1 - leverage)
        y = start + slope * x + rng.choice(left - left.mean(), size=(count, len(x)))
        x = np.broadcast_to(x, y.shape)
    x = x - x.mean(axis=1, keepdims=True)
    return np.sum(x * y, axis=1) / np.sum(x**2, axis=1)


@pytest.mark.parametrize("method", ["bootstrap", "residuals"])
def test_a_bootstrap_interval_leaves_out_what_its_level_says(method):
    """Of a line's slope; one interval of 90 % is a sixth shorter than one of 95 %."""
    rng = np.random.default_rng(5)
    x = rng.uniform(1, 9, 30)
    y = 3 + 2 * x + 0.1 * rng.standard_normal(30)
    found, slopes = fit.curve(LINE, x, y, residual="absolute"), redrawn(x, y, method, 40_000)
    for level in (0.5, 0.9, 0.95):
        lo, hi = found.interval("b", method, level, samples=4000)
        below, above = np.mean(slopes < lo), np.mean(slopes > hi)
        scatter = 4 * math.sqrt((1 - level) / 2 / 4000)
        assert (below, above) == pytest.approx([(1 - level) / 2] * 2, abs=scatter), level


# --- domains ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_an_interval_is_cut_at_the_end_of_its_constant_s_domain(method):
    """An end that lies inside the interval of the same rows without it; refits stop a millionth before it."""
    y = (1.7 + 400 * X**-0.4) * np.exp(0.02 * np.random.default_rng(0).standard_normal(16))
    plain = fit.curve(M2, X, y)
    value, (lo, _) = plain.estimate["c"], plain.interval("c", method, samples=200)
    end = value + (lo - value) / 3
    domain = Domain(((M2.symbols["c"], Interval(sp.Rational(end), sp.Integer(0))),))
    found = fit.curve(replace(M2, domain=domain), X, y)
    assert found.estimate["c"] == pytest.approx(value, rel=1e-6)
    low, _ = found.interval("c", method, samples=200)
    assert end <= low == pytest.approx(end, rel=1e-5)


# --- ranks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("apart", "said"),
    [(3e-11, "rank of the Jacobian"), (3e-10, "practically"), (3e-7, "practically"), (3e-6, ""), (1.0, "")],
)
def test_two_columns_are_as_far_apart_as_half_their_angle(apart, said):
    """The singular values of two unit columns are apart by the tangent of half their angle."""
    law = laws.formula("y = a*x + b/x", ("x",))
    half = math.atan(apart)
    jacobian = np.array([[math.cos(half)] * 2, [math.sin(half), -math.sin(half)], [0.0, 0.0]])
    coordinates = tuple(Coordinate(s, 0.0, np.inf) for s in law.constants)
    missing, notes = identified(law, coordinates, np.array([0.0, 0.0, 1.0]), jacobian, np.zeros(2, dtype=int))
    assert missing == (["a", "b"] if said else [])
    assert [said in note for note in notes] == [True] * bool(said)
    # the residual's part along a direction counts where the rows determine that direction
    assert settled(np.array([0.0, 1.0, 1.0]), jacobian, np.zeros(2, dtype=int)) == (apart < 1e-6)
    assert doubt.of_end(law, coordinates, jacobian, np.zeros(2)) == (apart < 1e-6)


# --- rolling origins --------------------------------------------------------------------------------------------------


@FEW
@given(
    squares=st.lists(st.lists(st.floats(1e-8, 1.0), min_size=3, max_size=3), min_size=2, max_size=4),
    noise=st.floats(1e-3, 1.0),
)
def test_an_origin_is_foretold_with_weights_from_the_others_alone(squares, noise):
    """The best candidate of the other origins is asked; errors are the roots of their squares, truths 0."""
    table = np.array(squares)
    ahead = [np.sqrt(column)[:, None] for column in table.T]

    def best(known):
        return np.eye(len(known))[np.argmin(known.sum(axis=1))]

    wrong = []
    for place in range(3):
        total = [sum(row) - row[place] for row in squares]
        lowest = min(range(len(total)), key=lambda i: np.delete(table, place, axis=1).sum(axis=1)[i])
        wrong.append(table[lowest, place] / noise**2)
    made = average.calibrate(best, table, ahead, [np.zeros(1)] * 3, noise)
    assert made.scale**2 == pytest.approx((average.DOUBT + sum(wrong)) / (average.DOUBT + 3), rel=1e-9)
    assert made.freedom == average.DOUBT + 3


@pytest.mark.parametrize("at", [2e8, 3e9])
def test_origins_are_fitted_to_what_lies_before_and_judged_as_far_as_is_asked(at):
    """Errors of the last value and of M1 at every origin, from the rows up to it alone."""
    y = (1.7 + 400 * X**-0.4) * np.exp(0.005 * np.random.default_rng(0).standard_normal(16))
    found = fit.best([laws.get("m1"), M2], x=X, y=y, at=at)
    factor = min(max(at / X[-1], 2.0), (X[-1] / X[0]) ** 0.25)
    assert found.reach == pytest.approx(factor)
    ends = {int(np.sum(X[-1] * factor ** (-step / 2) * (1 + 1e-9) >= X)) for step in (1, 2, 3, 4)}
    last, power = [], []
    for end in sorted(ends, reverse=True):
        after = slice(end, max(end + 1, int(np.sum(X[end - 1] * factor * (1 + 1e-9) >= X))))
        slope, start = np.polyfit(np.log(X[:end]), np.log(y[:end]), 1)
        last.append(np.sqrt(np.mean(np.log(y[after] / y[end - 1]) ** 2)))
        power.append(np.sqrt(np.mean((start + slope * np.log(X[after]) - np.log(y[after])) ** 2)))
    own = {(each.name, each.candidate.share): each.errors for each in found.candidates}
    assert own["last value", 0.0] == pytest.approx(last, rel=1e-9)
    assert own["m1", 0.0] == pytest.approx(power, rel=1e-6)


# --- BIC --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [None, 0.01], ids=["own noise", "known noise"])
@pytest.mark.parametrize(("reach", "times"), [(60, (1.2, 1.8)), (88, (0.6, 0.9))])
def test_a_part_stays_exactly_where_it_lowers_bic(reach, times, sigma):
    """A bend at the first rows of a curve of 60 that is worth some ``times`` the logarithm of 60."""
    x = np.geomspace(1.0, 1e6, 60)
    y = (0.1 + 1 / (x**0.4 / 3 + 1 / reach)) * np.exp(0.01 * np.random.default_rng(3).standard_normal(60))
    full = fit.curve(laws.get("unsl", n=0, ceilings=(3,)), x, y, sigma=sigma, reduce="sum")
    plain = fit.curve(M2, x, y, sigma=sigma, reduce="sum")
    lost = plain.objective - full.objective if sigma else 60 * math.log(plain.objective / full.objective)
    assert times[0] < lost / math.log(60) < times[1]
    assert len(fit.pruned(full).law.constants) == (4 if lost > math.log(60) else 3)
