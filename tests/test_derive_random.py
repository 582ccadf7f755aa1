"""No call hangs: every question to a random law ends in a derivation or in a typed error, within its budget.

What is answered is then looked at numerically, and a part of the steps is verified.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest
import sympy as sp
from random_answers import LOOKS, look
from random_laws import EXPONENTS, power_law, random_cost, random_law

from symbolic_scaling import Derivation, Status, budget, derive, laws, verify
from symbolic_scaling.errors import ScalingError, Undecided

SECONDS = 2.0
GRACE = 1.0  # one step between two looks at the clock
LAWS = tuple(laws.get(name) for name in laws.names())


QUESTIONS = tuple(sorted(set(derive.__all__) - {"invert_value"}))


KINDS = {"closed_form": "between between between own-side", "crossover": "plain", "envelope": "plain plain inside"}
SIZES = {"suboptimality": 2, "crossover": 1}
LETTERS = ("a", "b", "c", "a_2", "b_2", "c_2")


def question(name: str, rng: random.Random) -> tuple[Callable[[], Derivation], str]:
    """One question to one random law, and how it reads; of most kinds for most questions, of those it is for often."""
    apt = {"kinds": KINDS[name]} if name in KINDS and rng.random() < 0.9 else {}
    sized = {"size": SIZES[name]} if name in SIZES and rng.random() < 0.9 else {}
    law, other = (random_law(rng, **apt, **sized) for _ in range(2))
    if name == "crossover" and rng.random() < 0.5:
        law, other = power_law(rng), power_law(rng)
    cost = random_cost(rng, law)
    x = rng.choice([s for s in law.inputs if name != "crossover" or s in other.inputs] or law.inputs).name
    known = {s.name for s in law.constants} | {f"{s.name}_2" for s in {*law.constants} & {*other.constants}}
    rising = itertools.pairwise(letter for letter in LETTERS if letter in known)
    ordered = [f"{more} > {less}" for less, more in rising] if rng.random() < 0.5 else []
    about: dict[str, tuple[Any, ...]] = {
        "inverse": (x,),
        "optimum": (x,),
        "envelope": (x,),
        "series": (x, 3, rng.choice((0, "oo"))),
        "frontier": (cost,),
        "suboptimality": (x, cost),
        "sensitivity": (x, cost),
        "crossover": (other, x, ordered),
        "reduction": ((other, *LAWS),),
        "closed_form": (
            {
                rng.choice([s for s in law.constants if s in EXPONENTS] or law.constants).name: rng.choice(
                    (sp.Rational(1, 2), 1, 2)
                )
            },
        ),
    }
    ask = getattr(derive, name)
    asked = about.get(name, ())
    return lambda: ask(law, *asked), f"{name} of {law.form}, {asked if name != 'reduction' else other.form}"


def ask(name: str, rng: random.Random) -> tuple[str, Derivation | None]:
    """What came of one question; it ends within its budget and says what is missing."""
    call, said = question(name, rng)
    start = time.process_time()
    found: Derivation | None = None
    try:
        with budget.limit(SECONDS):
            found = call()
        outcome = "Derivation"
    except Undecided as gap:
        assert gap.question, said
        outcome = "Undecided"
    except ScalingError as error:
        assert error.asked and error.found and error.remedy, said
        outcome = type(error).__name__
    except Exception as error:
        raise AssertionError(said) from error
    spent = time.process_time() - start
    assert spent < SECONDS + GRACE, (spent, said)
    if found is not None:
        assert found.found or found.cases or name == "reduction", said
        values = [value for _, value in found.found if isinstance(value, sp.Expr)]
        assert not any(value.has(sp.nan, sp.zoo) for value in values), said
    return outcome, found


def nothing_refuted(found: Derivation) -> None:
    """No step that the engine takes is false."""
    try:
        with budget.limit(SECONDS):
            verdicts = verify.derivation(found)
    except ScalingError:
        return
    assert not [v for v in verdicts if v.status is Status.REFUTED], (found.law.form, found.title)


def run(name: str, numbers: Iterable[int], checked: int) -> tuple[dict[str, int], int]:
    """Outcomes by kind, and how many answers were looked at; every ``checked``-th derivation's claims are verified."""
    seen: dict[str, int] = {}
    looked = 0
    for number in numbers:
        rng = random.Random(f"{name} {number}")
        outcome, found = ask(name, rng)
        seen[outcome] = seen.get(outcome, 0) + 1
        if found is not None:
            looked += look(name, found, rng)
            if number % checked == 0:
                nothing_refuted(found)
    return seen, looked


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_ends(name: str) -> None:
    run(name, range(10), 10)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_ends_on_two_thousand_laws(name: str) -> None:
    seen, looked = run(name, range(2000), 20)
    assert seen.get("Derivation", 0) > (0 if name == "closed_form" else 50), seen  # not all are refused
    assert looked > 50 or name not in LOOKS, (looked, seen)
    print(name, seen, looked)
