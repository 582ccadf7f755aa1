"""How often nominal 95 % intervals hold the truth: 500 planted sets with 1 % noise, constants drawn anew for each.

Exponents and the response ten times beyond the largest input, on the designs of ``planted.py``. Profiles are judged for
all laws; first-order intervals for those whose constants stay off their walls. A count of 500 has a standard deviation
of 1 %.
"""

from __future__ import annotations

import numpy as np
import pytest
from planted import planted

from symbolic_scaling import codegen, fit
from symbolic_scaling.fit.interval import interval_table

LAWS = {
    "m2": (("c",), {"x": 1e14}, ("delta", "profile")),
    "m4": (("c", "alpha"), {"x": 1e14}, ("profile",)),
    "chinchilla": (("alpha", "beta"), {"N": 1e12, "D": 1e14}, ("delta", "profile")),
}


def held(name: str, seeds: range) -> dict[tuple[str, str], list[bool]]:
    """(quantity, method) -> whether its interval held the truth, set by set."""
    exponents, far, methods = LAWS[name]
    found: dict[tuple[str, str], list[bool]] = {}
    for seed in seeds:
        law, x, constants = planted(name, seed)
        predict, y = codegen.law(law), law.response.symbol.name
        exact = predict(*x.values(), *constants.values())
        noise = 0.01 * np.random.default_rng(10_000 + seed).standard_normal(len(exact))
        made = fit.curve(law, x, exact * np.exp(noise))
        truth = {**constants, y: float(predict(*far.values(), *constants.values()))}
        for row in interval_table(made, {key: key for key in (*exponents, y)}, values=far, methods=methods):
            found.setdefault((row.name, row.method), []).append(row.lo <= truth[row.name] <= row.hi)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_nominal_95_percent_intervals_cover_92_to_98_percent(name):
    for key, hits in held(name, range(500)).items():
        assert len(hits) == 500
        assert 0.92 <= np.mean(hits) <= 0.98, (name, key, np.mean(hits))


@pytest.mark.parametrize("name", ["m2", "chinchilla"])
def test_a_few_sets_are_covered_as_often_as_chance_allows(name):
    """12 sets of one law: less than 8 hits of a 95 % interval have a chance of 2e-4."""
    for hits in held(name, range(12)).values():
        assert sum(hits) >= 8
