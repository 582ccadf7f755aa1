"""Generated code beside ``sympy.lambdify(cse=True)``: residual and Jacobian at 1e6 points, one thread, one run.

``pytest tests/benchmarks/test_codegen_bench.py --benchmark-group-by=group --benchmark-columns=min,median`` puts the
ratios side by side. *Reused* writes into given arrays, as a fit does; *fresh* allocates its results, as lambdify does.
"""

import numpy as np
import pytest
import sympy as sp

from symbolic_scaling import codegen, laws

POINTS = 10**6
CONSTANTS = {"m4": (5.0, -0.3, 0.7, 0.05, 1.5), "chinchilla": (1.69, 406.4, 410.7, 0.34, 0.28)}
CASES = [("m4", "equation"), ("chinchilla", "response")]


def arguments(name, points=POINTS):
    rng = np.random.default_rng(0)
    inputs = [np.exp(rng.uniform(10, 25, points)) for _ in laws.get(name).inputs]
    return *inputs, rng.uniform(0.2, 1.2, points) if name == "m4" else rng.uniform(2, 4, points), *CONSTANTS[name]


def lambdified(name):
    """The residual with logarithms expanded by hand, as lambdify evaluates it fastest."""
    law = laws.get(name)
    residual = sp.expand_log(sp.log(law.form.lhs)) - sp.expand_log(sp.log(law.form.rhs))
    outputs = [residual, *(residual.diff(symbol) for symbol in law.constants)]
    return sp.lambdify((*law.inputs, law.response.symbol, *law.constants), outputs, cse=True)


@pytest.mark.parametrize(("name", "kind"), CASES, ids=[name for name, _ in CASES])
@pytest.mark.parametrize("how", ["lambdify", "fresh", "reused"])
def test_residual_and_jacobian(benchmark, name, kind, how):
    benchmark.group = f"residual and Jacobian of {name}, {kind}, {POINTS:.0e} points"
    given = arguments(name)
    if how == "lambdify":
        benchmark(lambdified(name), *given)
        return
    compiled = codegen.residual(laws.get(name), kind)
    out = compiled.value_and_gradient(*given)
    benchmark(compiled.value_and_gradient, *given, **({"out": out} if how == "reused" else {}))


@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_m4_through_its_root(benchmark, alpha):
    benchmark.group = f"residual and Jacobian of m4, response, {POINTS:.0e} points"
    compiled = codegen.residual(laws.get("m4"))
    given = (*arguments("m4")[:2], 20.0, -0.3, alpha, 0.1, 1.3)
    out = compiled.value_and_gradient(*given)
    benchmark(compiled.value_and_gradient, *given, out=out)


@pytest.mark.parametrize("sets", [1, 16, 64])
@pytest.mark.parametrize("kind", ["equation", "response"])
def test_batches_of_starts(benchmark, kind, sets):
    benchmark.group = f"m4 {kind}, 30 points, k parameter sets in one call"
    compiled = codegen.residual(laws.get("m4"), kind)
    x, y, *constants = arguments("m4", 30)
    columns = [np.full((sets, 1), value) for value in constants]
    benchmark(compiled.value_and_gradient, x, y, *columns)


@pytest.mark.parametrize("name", laws.names())
def test_compile_time(benchmark, name):
    benchmark.group = "compile the response residual, value and Jacobian"

    def fresh():
        sp.core.cache.clear_cache()
        return codegen.residual.__wrapped__(laws.get(name))

    benchmark.pedantic(fresh, rounds=3)
