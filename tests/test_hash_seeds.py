"""Canonical output: what the engine says does not depend on the hash seed of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("every_answer.py")
PARTS = 4
SEEDS = 20


def answers(seed: int, part: int, parts: int) -> dict[str, str]:
    """Label -> digest of what it says, under a hash seed."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT), str(part), str(parts)],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(line.split("\t") for line in ran.stdout.splitlines())


def differing(found: list[dict[str, str]]) -> list[str]:
    assert all(one.keys() == found[0].keys() for one in found)
    return [label for label in found[0] if len({one[label] for one in found}) > 1]


def test_a_part_of_all_answers_is_the_same_under_two_seeds() -> None:
    found = [answers(seed, 7, 40) for seed in (0, 1)]
    assert len(found[0]) > 5
    assert not differing(found)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_is_the_same_under_twenty_seeds(part: int) -> None:
    found = [answers(seed, part, PARTS) for seed in range(SEEDS)]
    assert len(found[0]) > 40
    assert not differing(found)
