"""How long verdicts take: the claims of reference/by_hand.toml and the papers of the catalogue, one after the other.

``extra_info`` holds the median and the 95th percentile of the seconds, and the longest.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from symbolic_scaling import catalogue, verify
from symbolic_scaling.records import Verdict

BY_HAND = Path(__file__).parents[1] / "reference" / "by_hand.toml"
BUDGET = 20.0


def judged(name: str) -> list[Verdict]:
    """The verdicts on the claims written by hand, or on those of every paper."""
    if name == "by hand":
        return verify.file(BY_HAND, budget=BUDGET)
    return [verdict for paper in catalogue.papers() for verdict in catalogue.check(paper, budget=BUDGET)]


@pytest.mark.parametrize("name", ["by hand", "papers"])
def test_verdicts(benchmark, name: str) -> None:
    found = benchmark.pedantic(judged, args=(name,), rounds=1)
    seconds = sorted(verdict.seconds for verdict in found)
    benchmark.extra_info.update(
        claims=len(seconds),
        median=statistics.median(seconds),
        percentile_95=seconds[int(0.95 * len(seconds))],
        longest=seconds[-1],
    )
    assert len(seconds) > 100
