"""What a budget ended is no answer: it is not remembered, and a verdict says so."""

import contextlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

import symbolic_scaling
from symbolic_scaling import budget, laws
from symbolic_scaling.errors import BudgetExhausted
from symbolic_scaling.fit import notes
from symbolic_scaling.records import Status
from symbolic_scaling.verify import claim, support


def test_nothing_that_a_budget_ended_is_remembered() -> None:
    calls: list[int] = []

    @budget.cached
    def patient(number: int) -> bool:
        calls.append(number)
        with contextlib.suppress(BudgetExhausted):
            budget.check("look")
            return True
        return False

    @budget.cached
    def above(number: int) -> bool:
        return patient(number)

    with budget.limit(1e-9):
        assert [above(1), above(1), patient(1)] == [False] * 3 and len(calls) == 3
    assert [above(1), above(1), patient(1)] == [True] * 3 and len(calls) == 4


def test_a_fit_in_no_time_does_not_decide_for_the_next_whether_a_law_is_monotone() -> None:
    law = replace(laws.get("m1"), name="never-asked")
    with budget.limit(1e-9):
        assert not notes._monotone(law)
    assert notes._monotone(law)


@pytest.mark.parametrize("statement", ["x + 1/x >= 2", "(x + y)^2/(x*y) >= 4"])
def test_a_verdict_says_that_time_ended_the_proof(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = claim(statement, symbols="x y positive")
    assert whole.status is Status.PROVED and "out of time" not in dict(whole.evidence)
    monkeypatch.setattr(support, "PROOF_SHARE", 0.0)
    cut = claim(statement, symbols="x y positive")
    assert cut.status in (Status.SUPPORTED, Status.UNDECIDED) and dict(cut.evidence)["out of time"]


def test_every_memory_of_answers_is_this_one() -> None:
    root = Path(symbolic_scaling.__file__).parent
    files = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    held = {
        name for name, text in files.items() if re.search(r"\b(lru_cache|functools\.cache|import .*\bcache)\b", text)
    }
    assert held == {"budget.py"}
