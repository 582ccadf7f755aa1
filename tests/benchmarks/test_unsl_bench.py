"""UNSL of two inputs with a break, a counterforce and overfitting, 45 constants: building it, and value with gradient.

Building is timed in fresh processes, after ``import sympy``: the law, and value and all derivatives, compiled, loaded
and called once. Evaluation is timed at 2e5 points on one thread; ``extra_info`` has the nanoseconds a point. *Sharp*
breaks, f near 1e-3, are evaluated in log form; *smooth* ones directly; *fresh* calls also allocate 46 rows of results.
"""

import subprocess
import sys

import numpy as np
import pytest

from symbolic_scaling import codegen, laws

POINTS = 200_000
SIZES = {"m": 2, "n": 1, "S": 1, "overfitting": True, "ceilings": (2, 3, 4)}
BUILD = f"""
import time, sympy
start = time.perf_counter()
from symbolic_scaling import codegen, laws
law = laws.get("unsl", **{SIZES!r})
codegen.law(law).value_and_gradient(1e3, 1e6, *[0.5] * 45)
print(time.perf_counter() - start)
"""


def test_build_in_a_fresh_process(benchmark):
    benchmark.group = "build UNSL, 45 constants, seconds after import sympy: see extra_info"
    seconds = []

    def fresh():
        made = subprocess.run([sys.executable, "-c", BUILD], capture_output=True, text=True, check=True)
        seconds.append(float(made.stdout))

    benchmark.pedantic(fresh, rounds=5)
    benchmark.extra_info["build"] = min(seconds)


@pytest.mark.parametrize("how", ["fresh", "reused"])
@pytest.mark.parametrize("breaks", ["smooth", "sharp"])
@pytest.mark.parametrize("target", ["numpy", "numba"])
def test_value_and_all_derivatives(benchmark, target, breaks, how):
    if target == "numba":
        pytest.importorskip("numba")
    benchmark.group = f"UNSL, 45 constants, value and all derivatives at {POINTS:.0e} points"
    law = laws.get("unsl", **SIZES)
    assert len(law.constants) == 45
    rng = np.random.default_rng(1)
    width = {"smooth": 0.3, "sharp": 1e-3}[breaks]
    sizes = {"f": lambda: width * rng.uniform(0.5, 1), "c": lambda: rng.uniform(0.1, 0.5)}
    constants = [sizes.get(s.name[0], lambda: 10 ** rng.uniform(1, 4))() for s in law.constants]
    inputs = [10 ** rng.uniform(0, 10, POINTS) for _ in law.inputs]
    compiled = codegen.law(law, target)
    out = compiled.value_and_gradient(*inputs, *constants)
    assert np.isfinite(out[1]).all()
    benchmark(compiled.value_and_gradient, *inputs, *constants, **({"out": out} if how == "reused" else {}))
    if benchmark.stats is not None:
        benchmark.extra_info["ns a point"] = 1e9 * benchmark.stats.stats.min / POINTS
