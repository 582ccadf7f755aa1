"""Generated code: equal to 50-digit evaluation far outside the typical range, in batches, at every target."""

import multiprocessing
import pickle
import tracemalloc
import warnings

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import codegen, laws
from symbolic_scaling.codegen import blocks, emit
from symbolic_scaling.errors import DataError, DomainError, ScalingError

EXPLICIT = ("m1", "m2", "m3", "chinchilla", "sovit")
M4 = (20.0, -0.3, 0.5, 0.1, 1.0)
BNSL_NAMES = ("x", "a", "b", "c0", "c1", "d1", "f1")
BNSL = (0.4, 2.3, 0.055, 5.66, 612.6)


@pytest.fixture(autouse=True)
def _warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def drawn(law, share, exponent):
    """Inputs 10**-9 ... 10**30 and constants inside the start ranges, from numbers in (0, 1)."""
    inputs = [10.0 ** (-9 + 39 * e) for e in exponent[: len(law.inputs)]]
    ends = [parameter.start for parameter in law.parameters]
    return inputs, [lo + (hi - lo) * s for (lo, hi), s in zip(ends, share, strict=False)]


def reference(expression, symbols, point, digits=60):
    """The expression as printed, evaluated without any rewriting."""
    plain = codegen.compile(expression, symbols, target="mpmath", lowered=False)
    return plain(*point, dps=digits)


def difference(expression, symbols, point, which):
    """A central difference at 150 digits: exact to 1e-40 of the slope and 1e-130 of the value over the constant."""
    step = mpmath.mpf(10) ** -20
    with mpmath.workdps(160):
        move = [mpmath.mpf(value) for value in point]
        width = step * (abs(move[which]) or 1)
        ends = []
        for side in (1, -1):
            shifted = list(move)
            shifted[which] += side * width
            ends.append(reference(expression, symbols, shifted, 150))
        return (ends[0] - ends[1]) / (2 * width)


unit = st.floats(0.02, 0.98)


@pytest.mark.parametrize("name", EXPLICIT)
@settings(deadline=None, max_examples=25, derandomize=True)
@given(share=st.lists(unit, min_size=7, max_size=7), exponent=st.lists(unit, min_size=2, max_size=2))
def test_response_and_gradient_equal_many_digits(name, share, exponent):
    law = laws.get(name)
    inputs, constants = drawn(law, share, exponent)
    point = (*inputs, *constants)
    symbols = (*law.inputs, *law.constants)
    true = reference(law.explicit, symbols, point)
    value, gradient = codegen.law(law).value_and_gradient(*point)
    many, slopes = codegen.law(law, "mpmath").value_and_gradient(*point, dps=40)
    assert abs(many / true - 1) < mpmath.mpf(10) ** -38
    if 1e-290 < true < 1e290:
        # exponents up to about 110 in the logarithm carry 1e-16 each
        assert abs(float(value) / true - 1) < 1e-12
    for j in range(len(law.constants)):
        slope = difference(law.explicit, symbols, point, len(inputs) + j)
        assert abs(slopes[j] - slope) <= mpmath.mpf(10) ** -20 * (abs(slope) + mpmath.mpf(10) ** -300)
        if 1e-290 < abs(slope) < 1e290:
            assert abs(float(gradient[j]) / slope - 1) < 1e-12


@pytest.mark.parametrize("kind", ["response", "equation"])
@pytest.mark.parametrize("name", EXPLICIT)
def test_residual_is_a_difference_of_logarithms(name, kind):
    law = laws.get(name)
    rng = np.random.default_rng(5)
    inputs = [10.0 ** rng.uniform(-9, 30, 40) for _ in law.inputs]
    constants = [sum(parameter.start) / 2 for parameter in law.parameters]
    truth = codegen.law(law)(*inputs, *constants)
    floor = constants[[p.symbol.name for p in law.parameters].index("eps_inf")] if name == "m2" else 0.0
    response = floor + (truth - floor) * rng.uniform(0.9, 1.1, 40)
    inside = (truth - floor > 1e-6 * truth) & (truth < 1e100)
    value = codegen.residual(law, kind)(*inputs, response, *constants)
    expected = np.log((response - floor) / (truth - floor)) if kind == "equation" else np.log(response / truth)
    # response - floor loses up to six of sixteen digits
    np.testing.assert_allclose(value[inside], expected[inside], rtol=0, atol=1e-9)
    assert inside.any()


def bnsl():
    x, a, b, c0, c1, d1, f1 = symbols = sp.symbols(BNSL_NAMES, positive=True)
    formula = a + b * x ** (-c0) * (1 + (x / d1) ** (1 / f1)) ** (-c1 * f1)
    return formula, symbols, codegen.compile(formula, symbols, symbols[1:], scalars=symbols[1:])


@pytest.mark.parametrize(
    ("f1", "x", "expected"),
    [
        (0.001, 2000.0, 0.401869662374052759),
        (0.06, 100.0, 2.18536836824594495),
        (0.06, 300.0, 2.08068051208100244),
        (0.06, 612.6, 1.67703651336749099),
        (0.06, 928.0, 0.550476125176760184),
        (0.06, 1e24, 0.4),
        (0.001, 1e24, 0.4),
    ],
)
def test_a_sharp_break_loses_no_term(f1, x, expected):
    compiled = bnsl()[2]
    assert float(compiled(x, *BNSL, f1)) == pytest.approx(expected, rel=1e-12)
    # in one block with points that need the guarded form
    together = compiled([x, 1e24, 2000.0, 1.0], *BNSL, f1)
    assert float(together[0]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("x", "expected"),
    [(100.0, -8.1332204736696950e-15), (300.0, -6.85550274871183381e-7), (928.0, -0.0625045714003139949)],
)
def test_a_sharp_break_keeps_its_derivative(x, expected):
    gradient = bnsl()[2].value_and_gradient(x, *BNSL, 0.06)[1]
    assert float(gradient[3]) == pytest.approx(expected, rel=1e-12)


@settings(deadline=None, max_examples=25, derandomize=True)
@given(exponent=st.floats(-9, 30), width=st.floats(-3, 0.5), sign=st.sampled_from([-1, 1]), share=st.floats(0.05, 1.5))
def test_broken_law_at_any_sharpness_and_sign(exponent, width, sign, share):
    x, a, b, c0, c1, d1, f1 = symbols = [
        sp.Symbol(n, real=True) if n == "c1" else sp.Symbol(n, positive=True) for n in BNSL_NAMES
    ]
    formula = a + b * x ** (-c0) * (1 + (x / d1) ** (1 / f1)) ** (-c1 * f1)
    compiled = codegen.compile(formula, symbols, symbols[1:], scalars=symbols[1:])
    point = (10.0**exponent, 0.4, 2.3, 0.055, sign * share, 612.6, 10.0**width)
    true = reference(formula, symbols, point)
    value, gradient = compiled.value_and_gradient(*point)
    # the exponent c1*f1*log(1 + (x/d1)**(1/f1)) is at most 100 and carries 1e-16 for each unit
    assert abs(float(value) / true - 1) < 1e-12
    for j in range(1, 7):
        slope = difference(formula, symbols, point, j)
        if abs(slope) > 1e-30 * abs(true):
            assert abs(float(gradient[j - 1]) / slope - 1) < 1e-12


@pytest.mark.parametrize("kind", ["response", "equation"])
@pytest.mark.parametrize("name", [*EXPLICIT, "m4"])
def test_a_batch_equals_its_members(name, kind):
    law = laws.get(name)
    compiled = codegen.residual(law, kind)
    rng = np.random.default_rng(3)
    inputs = [10.0 ** rng.uniform(3, 10, 50) for _ in law.inputs]
    y = rng.uniform(2.1, 2.4, 50)
    starts = np.array([[lo + (hi - lo) * s for lo, hi in (p.start for p in law.parameters)] for s in (0.2, 0.3, 0.17)])
    if name == "m4":
        starts[:, -1] = 3.0
    value, gradient = compiled.value_and_gradient(*inputs, y, *starts.T[..., None])
    assert value.shape == (3, 50) and gradient.shape == (len(law.constants), 3, 50)
    for k, start in enumerate(starts):
        one, slopes = compiled.value_and_gradient(*inputs, y, *start)
        np.testing.assert_allclose(value[k], one, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(gradient[:, k], slopes, rtol=1e-12)
    many = compiled(*[np.tile(x, (3, 1)) for x in inputs], np.tile(y, (3, 1)), *starts.T[..., None])
    np.testing.assert_allclose(many, value, rtol=1e-13, atol=1e-13)


def test_blocks_do_not_show():
    law = laws.get("chinchilla")
    compiled = codegen.residual(law)
    rng = np.random.default_rng(0)
    n = 2 * blocks.WIDTH + 17
    data = (10.0 ** rng.uniform(6, 12, n), 10.0 ** rng.uniform(8, 13, n), rng.uniform(2, 4, n))
    constants = (1.69, 406.4, 410.7, 0.34, 0.28)
    value, gradient = compiled.value_and_gradient(*data, *constants)
    for part in (slice(0, 5), slice(blocks.WIDTH - 2, blocks.WIDTH + 3), slice(n - 5, n)):
        few, slopes = compiled.value_and_gradient(*(d[part] for d in data), *constants)
        np.testing.assert_allclose(value[part], few, rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(gradient[:, part], slopes, rtol=1e-13)
    again = compiled.value_and_gradient(*data, *constants, out=(np.empty_like(value), np.empty_like(gradient)))
    np.testing.assert_array_equal(again[0], value)
    np.testing.assert_array_equal(again[1], gradient)


def test_a_floor_of_zero_is_admissible():
    value, gradient = codegen.residual(laws.get("chinchilla")).value_and_gradient(
        1e9, 1e10, 3.0, 0.0, 400.0, 410.0, 0.34, 0.28
    )
    total = 400 / 1e9**0.34 + 410 / 1e10**0.28
    assert float(value) == pytest.approx(np.log(3 / total), rel=1e-13)
    assert float(gradient[0]) == pytest.approx(-1 / total, rel=1e-13)
    gamma = codegen.law(laws.get("m3")).value_and_gradient(1e4, 2.0, 0.0, -0.5)[1][1]
    assert float(gamma) == pytest.approx(2.0 * 0.5 * 1e4**0.5, rel=1e-13)


def test_shapes_follow_the_data():
    x, c = sp.symbols("x c", positive=True)
    constant = codegen.compile(c**2, [x, c], [x, c], scalars=[c])
    value, gradient = constant.value_and_gradient(np.ones((2, 3)), 3.0)
    assert value.tolist() == [[9.0] * 3] * 2 and gradient.shape == (2, 2, 3) and not gradient[0].any()
    pair = codegen.compile([x, sp.Integer(7), x * c], [x, c], [c], scalars=[c])
    value, gradient = pair.value_and_gradient([1.0, 2.0], [[3.0], [4.0]])
    assert value.shape == (3, 2, 2) and gradient.shape == (3, 1, 2, 2)
    assert value[2].tolist() == [[3.0, 6.0], [4.0, 8.0]]
    assert codegen.law(laws.get("m1"))(4.0, 2.0, -0.5).shape == ()
    assert codegen.law(laws.get("m1"))(x=[4.0], c=-0.5, beta=2.0).tolist() == [1.0]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda f: f([1.0, 2.0], [1.0, 2.0, 3.0], 1, 1, 1, 1, 1), ["lengths differ", "N (2,)", "one length"]),
        (lambda f: f([1.0, 2.0], [1.0, 2.0], [1.0, 2.0], 1, 1, 1, 1), ["parameter E", "(2,)", "(k, 1)"]),
        (lambda f: f([[1.0, 2.0]] * 3, 1.0, [[1.0], [2.0]], 1, 1, 1, 1), ["(3, 2)", "2 parameter sets"]),
        (lambda f: f("many", 2.0, 1, 1, 1, 1, 1), ["evaluate at N", "'many'", "numbers"]),
        (lambda f: f(1.0, 2.0), ["2 arguments", "give N, D, E, A, B, alpha, beta"]),
        (lambda f: f(1.0, 2.0, 1, 1, 1, 1, 1, out=np.empty(3)), ["evaluate into out", "float64"]),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(DataError) as caught:
        call(codegen.law(laws.get("chinchilla")))
    assert all(word in str(caught.value) for word in words)


def test_wrong_expressions_are_named():
    x, y = sp.symbols("x y", positive=True)
    for arguments, wrt, word in (([x], [], "add them"), ([x, x], [], "once"), ([sp.Symbol("x"), y], [], "assumptions")):
        with pytest.raises(ScalingError, match=word):
            codegen.compile(x * y, arguments, wrt)
    with pytest.raises(ScalingError, match="no target prints"):
        codegen.compile(sp.gamma(x), [x])
    with pytest.raises(ScalingError, match="no such target"):
        codegen.compile(x, [x], target="fortran")
    with pytest.raises(DomainError, match="not positive"):
        codegen.compile(sp.log(-x - 1), [x])


def test_names_that_python_has_taken():
    names = ["lambda", "log", "copyto", "_s0", "x y", "out"]
    symbols = [sp.Symbol(name, positive=True) for name in names]
    compiled = codegen.compile(sp.Add(*(k * s for k, s in enumerate(symbols, 1))), symbols, symbols)
    value, gradient = compiled.value_and_gradient(*range(1, 7))
    assert value == 91 and gradient.tolist() == [1, 2, 3, 4, 5, 6]
    assert compiled.inputs == tuple(names)


@pytest.mark.parametrize("text", ["import os\n", "def f():\n    return ().__class__\n", "f = lambda: 1\n"])
def test_only_printed_text_is_executed(text):
    with pytest.raises(ScalingError, match="not a printer's text"):
        emit.load(text, ["f"], {})


def test_pickles_under_spawn():
    compiled = codegen.residual(laws.get("m4"))
    arguments = (np.array([1e3, 1e5]), np.array([0.9, 0.5]), *M4)
    before = compiled(*arguments)
    assert b"_loaded" not in pickle.dumps(compiled)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        after = pool.apply(compiled, arguments)
    np.testing.assert_array_equal(before, after)


def test_precision_is_asked_for_and_does_not_leak():
    before = mpmath.mp.dps
    value = codegen.law(laws.get("chinchilla"), "mpmath")(
        "70e9", "1.4e12", "1.69", "406.4", "410.7", "0.34", "0.28", dps=60
    )
    assert mpmath.mp.dps == before
    with mpmath.workdps(70):
        n, d = mpmath.mpf("70e9"), mpmath.mpf("1.4e12")
        true = (
            mpmath.mpf("1.69")
            + mpmath.mpf("406.4") * n ** -mpmath.mpf("0.34")
            + mpmath.mpf("410.7") * d ** -mpmath.mpf("0.28")
        )
        assert abs(value - true) < mpmath.mpf(10) ** -59
    third = codegen.compile(sp.Symbol("x") / 3, [sp.Symbol("x")], target="mpmath")
    assert mpmath.nstr(third(1, dps=40), 30) == "0." + "3" * 30


def test_memory_stays_in_the_blocks():
    compiled = codegen.residual(laws.get("chinchilla"))
    rng = np.random.default_rng(0)
    n = 10**6
    data = (10.0 ** rng.uniform(6, 12, n), 10.0 ** rng.uniform(8, 13, n), rng.uniform(2, 4, n))
    tracemalloc.start()
    try:
        compiled.value_and_gradient(*data, 1.69, 406.4, 410.7, 0.34, 0.28)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak - 6 * 8 * n < 5e6


def test_the_cost_card_says_what_it_costs():
    compiled = codegen.residual(laws.get("m4"), "equation")
    card = str(compiled)
    assert "equation residual of m4" in card and "3 log" in card
    assert compiled.source.count("log(") >= 3 and "exp(" not in compiled.source
    assert hash(codegen.residual(laws.get("m4"), "equation")) == hash(compiled)
