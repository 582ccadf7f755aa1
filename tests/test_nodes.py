"""The stable functions: values against elementary forms at many digits, derivatives against differences."""

import subprocess
import sys

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling.nodes import entropy, expit, expm1, log1mexp, log1p, logsumexp, softplus

U = sp.Symbol("u", real=True)
ONE = {
    softplus: ((-900, 900), lambda u: mpmath.log(1 + mpmath.exp(u))),
    expit: ((-900, 900), lambda u: 1 / (1 + mpmath.exp(-u))),
    entropy: ((-900, 900), lambda u: mpmath.log(1 + mpmath.exp(u)) - u / (1 + mpmath.exp(-u))),
    log1mexp: ((-900, -1e-9), lambda u: mpmath.log(1 - mpmath.exp(u))),
    log1p: ((-0.99, 1e9), lambda u: mpmath.log(1 + u)),
    expm1: ((-50, 50), lambda u: mpmath.exp(u) - 1),
}


@pytest.mark.parametrize("node", ONE, ids=lambda node: node.__name__)
@settings(deadline=None, max_examples=12, derandomize=True)
@given(share=st.floats(0.001, 0.999))
def test_value_and_derivative_equal_many_digits(node, share):
    (lo, hi), plain = ONE[node]
    point = sp.Rational(lo + (hi - lo) * share)
    with mpmath.workdps(1000):  # exp(-900) has 391 zeros behind the point
        value, slope = (mpmath.mpf(e.subs(U, point).evalf(40)) for e in (node(U), node(U).diff(U)))
        u, step = mpmath.mpf(point.p) / point.q, mpmath.mpf(10) ** -300
        assert abs(value - plain(u)) <= abs(value) * mpmath.mpf(10) ** -38
        difference = (plain(u + step) - plain(u - step)) / (2 * step)
        # the difference itself is off by about step**2, which counts where the slope is 0
        assert abs(slope - difference) <= abs(slope) * mpmath.mpf(10) ** -36 + mpmath.mpf(10) ** -590


@settings(deadline=None, max_examples=30, derandomize=True)
@given(logs=st.lists(st.integers(-2000, 2000), min_size=2, max_size=5))
def test_logsumexp_loses_no_term(logs):
    value = logsumexp(*map(sp.Integer, logs)).evalf(40)
    with mpmath.workdps(60):
        true = mpmath.log(mpmath.fsum(mpmath.exp(u) for u in logs))
        assert abs(mpmath.mpf(value) - true) <= abs(true) * mpmath.mpf(10) ** -35 + mpmath.mpf(10) ** -35


def test_derivatives_are_shares():
    a, b, c = sp.symbols("a b c", real=True)
    total = logsumexp(a, b, c)
    shares = sum(total.diff(s) for s in (a, b, c)).subs({a: 3, b: -2, c: 1})
    assert abs(shares.evalf(30) - 1) < sp.Float(10) ** -28
    assert logsumexp(c, a, b) == total
    assert logsumexp(a) == a


def test_nodes_do_not_import_numpy():
    code = "import sys, symbolic_scaling.nodes; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
