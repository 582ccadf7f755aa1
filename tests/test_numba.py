"""The numba target: the same numbers as NumPy's, for every law, residual and batch."""

import numpy as np
import pytest

from symbolic_scaling import codegen, laws
from symbolic_scaling.errors import DataError

pytest.importorskip("numba", reason="numba is not installed: pip install 'symbolic-scaling[numba]'")

POINTS, SETS = 60, 3


def drawn(law, seed):
    """Inputs over eight decades and three sets of constants from the law's start ranges."""
    rng = np.random.default_rng(seed)
    inputs = [np.exp(rng.uniform(2, 20, POINTS)) for _ in law.inputs]
    return inputs, [np.array([rng.uniform(*p.start) for _ in range(SETS)])[:, None] for p in law.parameters]


def same(found, wanted):
    """Equal to 1e-12, relative to the largest entry of each row: a slope may be a small difference of large terms."""
    assert (np.isfinite(found) == np.isfinite(wanted)).all()
    size = np.max(np.abs(wanted), axis=-1, keepdims=True, initial=1e-300, where=np.isfinite(wanted))
    with np.errstate(invalid="ignore"):
        assert np.all(~np.isfinite(wanted) | (np.abs(found - wanted) <= 1e-12 * size))


def compare(name, residual=None):
    law = laws.get(name)
    inputs, constants = drawn(law, 5)
    both = [
        codegen.law(law, target) if residual is None else codegen.residual(law, residual, target)
        for target in ("numpy", "numba")
    ]
    data = inputs if residual is None else [*inputs, np.random.default_rng(6).uniform(1.0, 2.0, POINTS)]
    wanted, found = (made.value_and_gradient(*data, *constants) for made in both)
    for a, b in zip(found, wanted, strict=True):
        same(a, b)
    same(both[1](*data, *constants), wanted[0])


def test_equal_to_numpy():
    compare("m4", "response")


@pytest.mark.slow
@pytest.mark.parametrize("residual", [None, "equation", "response"])
@pytest.mark.parametrize("name", laws.names())
def test_every_law_is_equal_to_numpy(name, residual):
    compare(name, residual)


def test_shapes_switches_and_results_in_place():
    vector, machine = (codegen.law(laws.get("m4"), target) for target in ("numpy", "numba"))  # alpha = 0: explicit
    x = np.geomspace(1e3, 1e9, 7)
    batch = np.array([(20.0, -0.3, alpha, 0.1, 30.0) for alpha in (0.0, 0.5, 0.0)]).T[..., None]
    wanted = vector.value_and_gradient(x, *batch)
    out = machine.value_and_gradient(x, *batch)
    again = machine.value_and_gradient(x, *batch, out=out)
    assert all(a is b for a, b in zip(out, again, strict=True))
    for a, b in zip(again, wanted, strict=True):
        assert a.shape == b.shape
        same(a, b)
    single = machine(1e4, 20.0, -0.3, 0.5, 0.1, 30.0)
    assert single.shape == ()
    np.testing.assert_allclose(single, vector(1e4, 20.0, -0.3, 0.5, 0.1, 30.0), rtol=1e-13)
    with pytest.raises(DataError):
        machine(x, 20.0, -0.3, np.ones(3), 0.1, 30.0)


def test_a_sharp_break_keeps_its_term():
    law = laws.get("bnsl")
    constants = (0.4, 2.3, 0.055, 5.66, 612.6, 1e-3)
    x = np.array([1e2, 612.0, 613.0, 1e5])
    np.testing.assert_allclose(codegen.law(law, "numba")(x, *constants), codegen.law(law)(x, *constants), rtol=1e-13)
