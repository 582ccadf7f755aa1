"""``fit.best`` on the 92 learning curves of arXiv 2209.06640, one default call each, in one process.

``pytest tests/benchmarks/test_best_bench.py``. Must-hold of issue 6: at most 60 s.
"""

from __future__ import annotations

from curves import needs_tables, training

from symbolic_scaling import fit, laws

pytestmark = needs_tables


def every():
    return [fit.best(laws.learning_curves, x=x, y=y) for x, y in training()]


def test_best_of_92_curves(benchmark):
    found = benchmark.pedantic(every, rounds=1, warmup_rounds=0)
    assert len(found) == 92 and all(best.predictions for best in found)
