"""Claims of the kinds that papers make get the verdicts that were derived by hand in reference/by_hand.toml."""

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from symbolic_scaling import verify

PATH = Path(__file__).parent / "reference" / "by_hand.toml"
CLAIMS = tomllib.loads(PATH.read_text(encoding="utf-8"), parse_float=Decimal)["claims"]
VERDICTS = {"holds": "PROVED", "consistent": "CONSISTENT", "rounding": "ROUNDING", "refuted": "REFUTED"}


@pytest.mark.parametrize("entry", CLAIMS, ids=[f"{entry['id']} {entry['statement']}" for entry in CLAIMS])
def test_a_claim_gets_the_verdict_derived_by_hand(entry):
    found = verify.claim(verify.claim_of(entry), mend=False)
    assert found.status.name == VERDICTS[entry["expect"]], found.evidence


def test_every_kind_of_verdict_is_asked_for():
    asked = {(entry["kind"], entry["expect"]) for entry in CLAIMS}
    for kind in ("equal", "limit", "inequality"):
        assert {(kind, "holds"), (kind, "refuted")} <= asked
    assert {("number", expect) for expect in ("consistent", "rounding", "refuted")} <= asked
