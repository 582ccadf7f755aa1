"""Soundness by generation: no false claim is PROVED, no true one is REFUTED, and few true ones stay open."""

from __future__ import annotations

import collections
from dataclasses import replace

import pytest
from generated_claims import KINDS, Made, made

from symbolic_scaling import verify
from symbolic_scaling.records import Claim
from symbolic_scaling.verify import second

FAST, SLOW = 8 * len(KINDS), 20_000
HOLDS = ("PROVED", "CONSISTENT")
MOST_OPEN = 0.08


def claim(one: Made) -> Claim:
    """The claim of an entry, with its given relations."""
    read = verify.claim_of(one.entry)
    if not one.given:
        return read
    names = verify.declare(one.entry["symbols"])
    return replace(read, domain=verify.assumed(one.given, names, read.domain))


@pytest.mark.parametrize("count", [FAST, pytest.param(SLOW, marks=pytest.mark.slow)])
def test_no_false_claim_is_proved_and_no_true_one_refuted(count):
    assert len(KINDS) >= 14
    tally: dict[str, collections.Counter[str]] = {kind.__name__: collections.Counter() for kind in KINDS}
    for seed in range(count):
        one = made(seed)
        asked = claim(one)
        if one.true:
            second.check(asked)
        found = verify.claim(asked, mend=False)
        status = found.status.name
        assert status not in (HOLDS if not one.true else ("REFUTED",)), (seed, one, found.evidence)
        assert found.method != "the computer algebra failed", (seed, one, found.evidence)
        tally[one.kind][f"{'true' if one.true else 'false'} {'holds' if status in HOLDS else status}"] += 1
    total = sum(tally.values(), collections.Counter())
    true = {name: number for name, number in total.items() if name.startswith("true")}
    left_open = sum(number for name, number in true.items() if name != "true holds")
    assert left_open <= MOST_OPEN * sum(true.values()), tally


def test_every_kind_makes_both_true_and_false_claims():
    seen = {(one.kind, one.true) for one in map(made, range(20 * len(KINDS)))}
    assert len(seen) == 2 * len(KINDS)
