"""Digits to publish: what a rounding of the constants does to the frontier (field case 1), and how many digits do."""

import json
import math
import random

import pytest

from symbolic_scaling import laws
from symbolic_scaling.catalogue.digits import digits
from symbolic_scaling.cli import main
from symbolic_scaling.errors import LawError

# N*, D*, D*/N* and L* of field case 1 at C = 5.76e23, computed independently.
CASES = {
    "hoffmann2022": (3.2189859e10, 2.9823057e12, 92.64737, 1.9307481),
    "hoffmann2022-unrounded": (4.0360938e10, 2.3785374e12, 58.93167, 1.91841205),
    "besiroglu2024": (7.2248703e10, 1.3287436e12, 18.39124, 1.97444111),
}


def optimum(*, A, B, E, alpha, beta, C):
    G = (alpha * A / (beta * B)) ** (1 / (alpha + beta))
    N, D = G * (C / 6) ** (beta / (alpha + beta)), (C / 6) ** (alpha / (alpha + beta)) / G
    return {"N": N, "D": D, "L": E + A / N**alpha + B / D**beta}


@pytest.mark.parametrize("name", CASES)
def test_the_outcomes_are_those_of_the_published_constants(name):
    found = {one.name: one for one in digits(laws.get("chinchilla"), name).outcomes}
    values = [found[key].value for key in ("N", "D", "D/N", "L")]
    assert values == pytest.approx(CASES[name], rel=1e-6)


def test_rounding_alone_reaches_from_the_unrounded_ratio_to_the_rounded_one():
    rounded = {one.name: one for one in digits(laws.get("chinchilla"), "hoffmann2022").outcomes}["D/N"]
    assert rounded.printed[0] < CASES["hoffmann2022-unrounded"][2] < CASES["hoffmann2022"][2] < rounded.printed[1]


@pytest.mark.parametrize("percent", ["5", "1", "0.1"])
def test_any_rounding_to_the_digits_keeps_the_outcomes(percent):
    """Constants moved within half of the last needed digit, at random, keep N*, D* and L* within the percent."""
    rng = random.Random(5)
    found = digits(laws.get("chinchilla"), "besiroglu2024", percent)
    exact = {name: float(text) for name, text in found.printed}
    centre = optimum(**exact, C=5.76e23)
    halves = {name: 10 ** (math.floor(math.log10(exact[name])) + 1 - count) / 2 for name, count in found.needed}
    for _ in range(300):
        moved = {name: value + rng.choice((-1, 1)) * halves[name] for name, value in exact.items()}
        for key, value in optimum(**moved, C=5.76e23).items():
            assert abs(value / centre[key] - 1) <= float(percent) / 100 * (1 + 1e-9)


def test_no_digit_can_be_spared():
    """With one digit less of any constant, some corner of the roundings moves an outcome by more than one percent."""
    found = digits(laws.get("chinchilla"), "besiroglu2024")
    exact = {name: float(text) for name, text in found.printed}
    centre = optimum(**exact, C=5.76e23)
    rng = random.Random(6)
    for spared in exact:
        worst = 0.0
        for _ in range(200):
            moved = {}
            for name, count in found.needed:
                unit = 10 ** (math.floor(math.log10(exact[name])) + 1 - count + (name == spared))
                moved[name] = exact[name] + rng.choice((-1, 1)) * unit / 2
            worst = max(worst, *(abs(v / centre[k] - 1) for k, v in optimum(**moved, C=5.76e23).items()))
        assert worst > 0.01, spared


def test_more_percent_needs_no_more_digits():
    one, ten = (dict(digits(laws.get("chinchilla"), "besiroglu2024", p).needed) for p in (1, 10))
    assert sum(ten.values()) < sum(one.values())


@pytest.mark.parametrize("arguments", [("m1",), ("chinchilla", "nobody"), ("chinchilla", None, "200")])
def test_what_cannot_be_asked(arguments):
    law, *rest = arguments
    with pytest.raises(LawError):
        digits(laws.get(law), *rest)


def test_the_command(capsys):
    with pytest.raises(SystemExit) as left:
        main(["digits", "chinchilla", "--published", "hoffmann2022", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert left.value.code == 0
    assert set(found["digits"]) == {"A", "B", "E", "alpha", "beta"}
    assert found["digits"]["alpha"] > 2, "the paper prints two digits of alpha"
    with pytest.raises(SystemExit):
        main(["digits", "chinchilla"])
    page = capsys.readouterr().out
    assert "For N*, D*, L* to hold to 1 % at C = 5.76e23, set hoffmann2022." in page
