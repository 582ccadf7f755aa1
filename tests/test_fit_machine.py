"""The search as machine code ends where that of NumPy ends."""

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import FitError

pytest.importorskip("numba", reason="numba is not installed: pip install 'symbolic-scaling[numba]'")


def curve(seed, n=25):
    rng = np.random.default_rng(seed)
    x = np.geomspace(1e4, 1e8, n)
    return x, (0.3 + 20 * x**-0.4) * np.exp(0.02 * rng.standard_normal(n))


def same(law, x, y, **asked):
    found, wanted = (fit.curve(law, x, y, target=target, **asked) for target in ("numba", "numpy"))
    assert found.outcome == wanted.outcome
    assert found.notes == wanted.notes
    for a, b in zip(found.minima, wanted.minima, strict=True):
        assert a.objective == pytest.approx(b.objective, rel=1e-9)
    for name, value in wanted.estimate.items():
        assert found.estimate[name] == pytest.approx(value, rel=1e-5)
    return found


def test_m4_under_both_residuals_and_what_a_saved_fit_keeps(tmp_path):
    law = laws.get("m4")
    same(law, *curve(0), residual="equation")
    found = same(law, *curve(0))
    found.save(tmp_path / "fit.json")
    assert fit.load(tmp_path / "fit.json").problem.target == "numba"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["m1", "m2", "m3", "logarithm", "kaplan-d"])
def test_other_laws_of_one_input(name):
    for seed in range(3):
        same(laws.get(name), *curve(seed))


@pytest.mark.slow
def test_fixed_constants_and_several_inputs():
    rng = np.random.default_rng(3)
    N, D = 10 ** rng.uniform(7, 10, 40), 10 ** rng.uniform(8, 11, 40)
    y = (1.7 + 400 / N**0.34 + 400 / D**0.28) * np.exp(0.01 * rng.standard_normal(40))
    same(laws.get("chinchilla"), {"N": N, "D": D}, y)
    same(laws.get("chinchilla"), {"N": N, "D": D}, y, fix={"E": 1.7})
    same(laws.get("chinchilla"), {"N": N, "D": D}, y, loss="huber")


def test_an_unknown_target_is_refused():
    with pytest.raises(FitError, match="fortran"):
        fit.curve(laws.get("m1"), *curve(0), target="fortran")
