"""Start-up: importing the package beside importing SymPy, and ``symscale --help`` beside a bare interpreter.

Each is the CPU time of fresh processes, taken in turn within one run; ``extra_info`` holds the ratio and the excess.
"""

import os
import statistics
import subprocess
import sys

import pytest

ROUNDS = 15
COMMANDS = {
    "bare": ["-c", "pass"],
    "sympy": ["-c", "import sympy"],
    "package": ["-c", "import symbolic_scaling"],
    "laws": ["-c", "from symbolic_scaling import laws; laws.get('chinchilla')"],
    "help": ["-m", "symbolic_scaling", "--help"],
}


def cpu_seconds(arguments: list[str]) -> float:
    """User and system time of one fresh interpreter."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("name", COMMANDS)
def test_start(benchmark, name: str) -> None:
    turns = [
        (cpu_seconds(COMMANDS["bare"]), cpu_seconds(COMMANDS["sympy"]), cpu_seconds(COMMANDS[name]))
        for _ in range(ROUNDS)
    ]
    bare, sympy, own = (statistics.median(column) for column in zip(*turns, strict=True))
    benchmark.extra_info |= {"cpu": own, "over_bare": own - bare, "over_sympy": own / sympy}
    benchmark.pedantic(cpu_seconds, args=(COMMANDS[name],), rounds=5)
    print(f"{name}: {own:.3f} s CPU, {own - bare:+.3f} s over bare Python, {own / sympy:.2f} times import sympy")
