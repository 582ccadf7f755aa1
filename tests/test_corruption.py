"""Every answer owes a claim that fails when that answer alone is changed; a corrupted solver is caught as well.

Not covered: the radius of convergence of a series.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import sympy as sp
from every_answer import questions

from symbolic_scaling import budget, derive, laws, verify
from symbolic_scaling.algebra import balance
from symbolic_scaling.derive.obligations import obligations
from symbolic_scaling.errors import ScalingError
from symbolic_scaling.records import Derivation, Found, Reduction, Root, Series, Status

FEW = {"chinchilla", "m4", "sovit"}


def ways(value: sp.Expr) -> Iterator[sp.Expr]:
    """Five corruptions: twice as large, one more, the other sign, a doubled letter, another exponent."""
    yield 2 * value if value != 0 else sp.Integer(1)
    yield value + 1
    yield -value if value != 0 else sp.Integer(-1)
    for letter in sorted(value.free_symbols, key=str)[:1]:
        yield value.xreplace({letter: 2 * letter})
    powers = sorted((p for p in value.atoms(sp.Pow) if p.exp != -1 and p.base.free_symbols), key=sp.default_sort_key)
    for power in powers[:1]:
        yield value.xreplace({power: power.base ** (power.exp + 1)})


def corrupted(value: Found) -> Iterator[Found]:
    """The answer with one of its parts changed."""
    if isinstance(value, sp.Expr):
        yield from ways(value)
    elif isinstance(value, Root):
        yield from (replace(value, condition=other) for other in ways(value.condition))
    elif isinstance(value, Series):
        for place, (coefficient, power) in enumerate(value.terms):
            before, after = value.terms[:place], value.terms[place + 1 :]
            changed = [(other, power) for other in ways(coefficient)] + [(coefficient, power + 1)]
            yield from (replace(value, terms=(*before, one, *after)) for one in changed)
        if value.remainder is not None:
            yield replace(value, remainder=value.remainder + 1)
    elif isinstance(value, Reduction):
        for place, (letter, number) in enumerate(value.when):
            wrong = (letter, 1 - number)
            yield replace(value, when=(*value.when[:place], wrong, *value.when[place + 1 :]))


def missed(found: Derivation, every: int) -> list[str]:
    """The corruptions of one answer that no claim of the answers refutes; ``every`` so many are tried."""
    right = {claim.statement for claim in obligations(found)}
    escaped, count = [], 0
    for place, (key, value) in enumerate(found.found):
        for other in corrupted(value):
            count += 1
            if other == value or count % every:
                continue
            pairs = (*found.found[:place], (key, other), *found.found[place + 1 :])
            claims = [c for c in obligations(replace(found, found=pairs)) if c.statement not in right]
            if not any(verify.claim(c, budget=10, mend=False).status is Status.REFUTED for c in claims):
                escaped.append(f"{found.title}: {key} = {str(other)[:60]}")
    return escaped


def asked(name: str) -> Iterator[Derivation]:
    for label, ask in questions(laws.get(name)):
        if label != "hessian of all":
            try:
                with budget.limit(20):
                    yield ask()
            except ScalingError:
                continue


@pytest.mark.parametrize("name", sorted(FEW))
def test_a_changed_answer_is_caught(name: str) -> None:
    escaped = [one for found in asked(name) for one in missed(found, every=7)]
    assert not escaped


@pytest.mark.slow
@pytest.mark.parametrize("name", laws.names())
def test_every_changed_answer_is_caught(name: str) -> None:
    escaped = [one for found in asked(name) for one in missed(found, every=1)]
    assert not escaped


def test_answers_that_are_right_are_proved() -> None:
    for found in (derive.frontier(laws.get("chinchilla")), derive.envelope(laws.get("sovit"), "x_k")):
        assert {verify.claim(claim).status for claim in obligations(found)} == {Status.PROVED}
        assert {verdict.status for verdict in verify.derivation(found)} == {Status.PROVED}


def test_a_derivation_is_judged_by_its_answers() -> None:
    found = derive.frontier(laws.get("chinchilla"))
    wrong = replace(found, found=tuple((k, v + 1 if k == "exponent of L" else v) for k, v in found.found))
    statuses = {verdict.claim.name: verdict.status for verdict in verify.derivation(wrong)}
    assert statuses["answer exponent of L"] is Status.REFUTED
    assert {status for name, status in statuses.items() if name != "answer exponent of L"} != {Status.PROVED}


def test_a_corrupted_solver_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = balance.Balance.optimum
    monkeypatch.setattr(balance.Balance, "optimum", lambda self, place: 2 * right(self, place))
    found = derive.frontier(laws.get("chinchilla"))
    assert Status.REFUTED in {verify.claim(claim, mend=False).status for claim in obligations(found)}
