"""A cold ``symscale plan allocate`` beside a cold ``import sympy``, processes of their own, in one run."""

from __future__ import annotations

import subprocess
import sys
import time

ASKED = "plan allocate --law chinchilla --published besiroglu2024 --compute 1e24FLOP"


def cold(*arguments: str) -> float:
    """The shortest of three wall times of a process."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def test_a_cold_plan_beside_a_cold_sympy(benchmark) -> None:
    planned = benchmark.pedantic(cold, args=("-m", "symbolic_scaling", *ASKED.split()), rounds=1)
    benchmark.extra_info["over import sympy"] = planned / cold("-c", "import sympy")
