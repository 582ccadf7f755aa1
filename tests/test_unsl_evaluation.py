"""UNSL in doubles: value and derivatives equal many digits with sharp breaks, far inputs, and inputs at 0 and oo."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import codegen, fit, laws

SIZES = (
    {"n": 2},
    {"n": 1, "ceilings": (2, 3), "overfitting": True},
    {"m": 2, "n": 1, "S": 1, "U": {3: (1, 2)}, "ceilings": (4,)},
    {"m": 2, "n": 1, "S": 1, "overfitting": True, "ceilings": (2, 3, 4)},
    {"m": 2, "n": {(3, 0): 2}, "level": "K", "signs": -1},
    {"n": 2, "signs": 0},
)
FLATTENING = ((1.0, 0.5), (3.0, 2.0), (0.5, 0.1), (1.0, 0.2), (4.0, 9.0), (0.5, 0.3))  # two sets of bnsl


def drawn(law, share, sharpest):
    """Constants from numbers in (0, 1): falls in (-1.5, 1.5), widths of both signs down to ``sharpest``."""
    made = []
    for parameter, u in zip(law.parameters, share, strict=False):
        letter, symbol = parameter.symbol.name[0], parameter.symbol
        if letter == "c":
            made.append(3 * u - 1.5)
        elif letter == "f":
            size = sharpest ** (1 - u)
            made.append(-size if symbol.is_negative or (not symbol.is_positive and u < 0.5) else size)
        else:
            made.append(10.0 ** (8 * u - 2) if letter != "a" else u)
    return made


def plain(law, *symbols):
    """The printed expression, with symbols also its derivatives, without any rewriting, in many digits."""
    expressions = [law.explicit, *(law.explicit.diff(symbol) for symbol in symbols)]
    arguments = (*law.inputs, *law.constants)
    return codegen.compile(expressions if symbols else law.explicit, arguments, target="mpmath", lowered=False)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("target", ["numpy", pytest.param("numba", marks=pytest.mark.slow)])
@settings(deadline=None, derandomize=True, max_examples=12)
@given(data=st.data())
def test_value_and_derivatives_from_sharp_breaks_to_far_inputs(size, target, data):
    """f down to 1e-3 and x up to 1e30: every result to 1e-10, what lies below the doubles' range is 0."""
    law = laws.get("unsl", **size)
    unit = st.floats(0.02, 0.98)
    constants = drawn(law, data.draw(st.lists(unit, min_size=60, max_size=60)), 1e-3)
    exponents = data.draw(st.lists(st.floats(-6, 30), min_size=2, max_size=2))
    point = [*(10.0**e for e in exponents[: len(law.inputs)]), *constants]
    value, gradient = codegen.law(law, target).value_and_gradient(*point)
    exact, slopes = codegen.law(law, "mpmath").value_and_gradient(*point, dps=60)
    with mpmath.workdps(60):
        assert mpmath.almosteq(plain(law)(*point, dps=200), exact, 1e-40)
        assert abs(value / exact - 1) < 1e-13
        for symbol, found, wanted in zip(law.constants, gradient, slopes, strict=True):
            scale = abs(wanted) + abs(exact) * mpmath.mpf(10) ** -100
            assert abs(found - wanted) < 1e-10 * scale, (symbol, point)


def test_derivatives_equal_central_differences_of_40_digits():
    """The largest instance of issue 7, its printed expression in 150 digits, away from and inside a sharp break."""
    law = laws.get("unsl", **SIZES[3])
    rng = np.random.default_rng(3)
    printed = plain(law)
    for sharpest, x in ((0.1, (3e4, 2e7)), (1e-3, (1e30, 1e-3))):
        point = [*x, *drawn(law, rng.uniform(0.05, 0.95, 60), sharpest)]
        _, gradient = codegen.law(law).value_and_gradient(*point)
        with mpmath.workdps(160):
            for j, found in enumerate(gradient, len(x)):
                step = mpmath.mpf(10) ** -45 * abs(mpmath.mpf(point[j]))
                sides = [printed(*point[:j], point[j] + s * step, *point[j + 1 :], dps=150) for s in (1, -1)]
                wanted = (sides[0] - sides[1]) / (2 * step)
                assert abs(found - wanted) <= 1e-10 * abs(wanted) + 1e-100, law.constants[j - len(x)]


def limits(law, constants, ends):
    """Value and derivatives of the printed expression as log x goes from 300 to 330, in more digits than cancel."""
    found, printed = [], plain(law, *law.constants)
    for distance in (300, 330):
        with mpmath.workdps(2500):
            far = mpmath.exp(distance)
            point = [*(far if e == np.inf else 1 / far if e == 0 else e for e in ends), *constants]
            found.append(printed(*point, dps=2500))
    return [told(near, far) for near, far in zip(*found, strict=True)]


def told(near, far):
    """Falls are multiples of 1/4: what changes at all grows with log x at least, or fades as fast."""
    if abs(far - near) < 1e-14 * abs(far):
        return float(far)
    return float(mpmath.sign(far)) * np.inf if abs(far) > 1.01 * abs(near) else 0.0


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 10))])
@pytest.mark.parametrize("size", SIZES[:3], ids=str)
def test_an_input_of_zero_or_infinity_is_a_limit(size, seed):
    law = laws.get("unsl", **size)
    constants = drawn(law, np.random.default_rng(seed).uniform(0.02, 0.98, 60), 0.2)
    constants = [round(4 * v) / 4 if s.name[0] == "c" else v for s, v in zip(law.constants, constants, strict=True)]
    ends = [(0.0, np.inf)[seed % 2], *([1e3] if len(law.inputs) == 2 else [])]
    value, gradient = codegen.law(law).value_and_gradient(*ends, *constants)
    np.testing.assert_allclose([value, *gradient], limits(law, constants, ends), rtol=1e-12)


def test_slopes_that_cancel_leave_what_stands_behind_them():
    """``b x^-c0 (1 + x^c1/d)`` with c0 = c1 tends to b/d, and its derivatives in c0 and c1 grow with log x."""
    law = laws.get("unsl", n=1, signs=-1)
    names = [symbol.name for symbol in law.constants]
    at = {"a_0": 0.25, "b_7": 3.0, "c_1_0_7": 0.5, "c_1_1_7": 0.5, "d_1_7": 4.0, "f_1_7": -1.0}
    value, slopes = codegen.law(law).value_and_gradient([np.inf, 0.0], *(at[name] for name in names))
    assert value.tolist() == [1.0, np.inf]
    by_name = dict(zip(names, slopes[:, 0], strict=True))
    assert by_name["b_7"] == 0.25 and by_name["d_1_7"] == -0.1875 and by_name["a_0"] == 1
    assert by_name["c_1_0_7"] == -np.inf and by_name["c_1_1_7"] == np.inf


def test_no_limit_where_it_depends_on_the_way():
    law = laws.get("unsl", m=2, n=0, level="K")
    constants = dict.fromkeys((symbol.name for symbol in law.constants), 0.5)
    compiled = codegen.law(law)
    both = compiled(np.inf, np.inf, **constants), compiled(np.inf, 0.0, **constants)
    assert both[0] == 0.5 and np.isnan(both[1])


def test_batches_and_given_arrays_have_limits_too():
    law = laws.get("bnsl")
    constants = [np.array([[u], [v]]) for u, v in FLATTENING]
    compiled = codegen.law(law)
    value, gradient = compiled.value_and_gradient([1e3, np.inf], *constants)
    again = compiled.value_and_gradient([1e3, np.inf], *constants, out=(value.copy(), gradient.copy()))
    assert value[:, 1].tolist() == [1.0, 0.5] and np.isfinite(gradient).all()
    np.testing.assert_array_equal(again[1], gradient)


def test_fits_predict_at_the_ends():
    x = np.geomspace(1e2, 1e8, 25)
    found = fit.curve(laws.get("m2"), x=x, y=0.5 + 3 * x**-0.3)
    assert found.predict([0.0, np.inf]).tolist() == [np.inf, found.estimate["eps_inf"]]


def test_value_and_gradient_are_one_pass():
    """No logarithm of an input and no exponential of a component is taken twice: value adds nothing to the gradient."""
    law = laws.get("unsl", m=2, n=1, S=1, overfitting=True, ceilings=(2, 3, 4))
    made = codegen.law(law)
    block = made.source.split("def both_block(")[1].split("\ndef ")[0]
    assert "(v0, v1) = data" in block and block.count("    log(v0,") == block.count("    log(v1,") == 1
    breaks, terms = 8, 8
    assert dict(made.operations.transcendental)["exp"] == 2 * breaks + terms
    assert "power(" not in block
