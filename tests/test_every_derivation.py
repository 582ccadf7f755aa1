"""Every file of ``derivations/``: each claim gets the verdict that the file states, and planted errors are caught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import sympy as sp

from symbolic_scaling import Claim, Domain, Equal, Law, Status, catalogue, derive, laws, nodes, verify
from symbolic_scaling.errors import ScalingError
from symbolic_scaling.law import Parameter, Variable

NAMES = catalogue.names()


def printed(name: str, law: Law | None = None) -> list[Claim]:
    """What the paper prints, put to a law."""
    entry = catalogue.get(name)
    owed = {claim for found in entry.derivations(law) for claim in found.claims}
    return [claim for claim, _ in entry.claims(law) if claim not in owed]


def refuted(claims: list[Claim]) -> bool:
    """Whether one of the claims is refuted."""
    return any(verify.claim(claim).status is Status.REFUTED for claim in claims)


def with_form(law: Law, form: sp.Equality) -> Law:
    return replace(law, form=form)


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_gets_the_verdict_that_its_file_states(name: str) -> None:
    outcome = catalogue.run(name)
    assert outcome.verdicts
    assert not outcome.surprises, [(v.claim.name, v.status, v.evidence) for v in outcome.surprises]


@pytest.mark.parametrize("name", NAMES)
def test_a_lost_factor_in_the_law_breaks_what_the_paper_prints(name: str) -> None:
    law = laws.get(catalogue.get(name).law)
    for constant in law.constants:
        if law.form.rhs.has(constant):
            lost = with_form(law, law.form.xreplace({constant: 2 * constant}))
            assert refuted(printed(name, lost)), constant


def flipped(law: Law) -> Iterator[Law]:
    """The law with the sign of one exponent turned, for every power of an input."""
    powers = sorted(law.form.rhs.atoms(sp.Pow), key=sp.default_sort_key)
    for power in powers:
        if power.base in law.inputs and power.exp.free_symbols:
            turned = law.form.rhs.xreplace({power: power.base**-power.exp})
            yield with_form(law, sp.Eq(law.form.lhs, turned, evaluate=False))


@pytest.mark.parametrize("name", NAMES)
def test_a_flipped_exponent_in_the_law_is_caught(name: str) -> None:
    broken = list(flipped(laws.get(catalogue.get(name).law)))
    assert broken
    for law in broken:
        try:
            claims = printed(name, law)
        except ScalingError:  # the engine finds no optimum in a law that has none
            continue
        assert refuted(claims), law.form


def planted(claim: Claim) -> Iterator[Claim]:
    """An equality with a lost factor, and with the sign of one exponent turned, on its right side."""
    assert isinstance(claim.statement, Equal)
    left, right = claim.statement.left, claim.statement.right
    if right == 0:
        return
    yield replace(claim, statement=Equal(left, 2 * right))
    powers = sorted((p for p in right.atoms(sp.Pow) if p.exp.free_symbols), key=sp.default_sort_key)
    for power in powers[:1]:
        turned = right.xreplace({power: power.base**-power.exp})
        yield replace(claim, statement=Equal(left, turned))


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_answer_is_refuted(name: str) -> None:
    equalities = [claim for claim in printed(name) if isinstance(claim.statement, Equal)]
    wrong = [error for claim in equalities for error in planted(claim)]
    assert len(wrong) > len(equalities) / 2
    for claim in wrong:
        assert verify.claim(claim).status is Status.REFUTED, claim.statement


def test_a_wrong_optimum_breaks_what_its_steps_owe(monkeypatch: pytest.MonkeyPatch) -> None:
    from symbolic_scaling.algebra import balance

    right = balance.Balance.optimum
    monkeypatch.setattr(balance.Balance, "optimum", lambda self, place: 2 * right(self, place))
    for found in (derive.frontier(laws.get("chinchilla")), derive.optimum(laws.get("sovit"), "x_k")):
        broken = {verdict.claim.name for verdict in verify.derivation(found) if verdict.status is Status.REFUTED}
        assert any("stationary" in name for name in broken)
        assert "the law at the optimum" in broken


def with_node() -> Law:
    """A law whose form holds one of the package's own functions."""
    y, x, A, c = sp.symbols("y x A c", positive=True)
    return Law(
        name="node",
        title="A law with a node",
        source="test",
        response=Variable(y, "response"),
        variables=(Variable(x, "input"),),
        parameters=(Parameter(A, "amplitude"), Parameter(c, "exponent", start=(0.1, 2.0))),
        form=sp.Eq(y, A * nodes.log1p(x ** (-c)), evaluate=False),
        domain=Domain(),
    )


def test_a_wrong_node_derivative_breaks_the_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    law = with_node()
    assert {v.status for v in verify.derivation(derive.gradient(law))} == {Status.PROVED}
    monkeypatch.setattr(nodes.log1p, "_slope", lambda self, u: 1 / (1 + u) ** 2)
    sp.core.cache.clear_cache()
    verdicts = verify.derivation(derive.gradient(law))
    monkeypatch.undo()
    sp.core.cache.clear_cache()
    assert {v.status for v in verdicts} == {Status.REFUTED}
