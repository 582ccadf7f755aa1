"""Random and mutated inputs give a parse or a typed error; nothing runs, hangs or fills the memory (see inputs.py)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


def read_inputs(seed, count, seconds):
    """What the reading process reports; it has 1 GB and ends itself where one input takes too long."""
    script = str(Path(__file__).with_name("inputs.py"))
    run = subprocess.run(
        [sys.executable, script, str(seed), str(count)], capture_output=True, text=True, timeout=seconds, check=False
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
    found = json.loads(run.stdout)
    assert not found["faults"], found["faults"][:20]
    assert found["read"] > count / 50 and found["refused"] > count / 2, found
    return found


def test_inputs_are_read_or_refused():
    assert read_inputs(1, 700, 300)["judged"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
def test_many_inputs_are_read_or_refused(seed):
    assert read_inputs(seed, 10_000, 7200)["judged"] > 50
