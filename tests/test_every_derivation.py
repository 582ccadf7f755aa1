"""Every file of ``derivations/``: each claim gets the verdict that the file states, and planted errors are caught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import sympy as sp

from symbolic_scaling import Claim, Domain, Equal, Law, Status, catalogue, derive, laws, nodes, verify
from symbolic_scaling.errors import NoOptimum, Undecided
from symbolic_scaling.law import Parameter, Variable

NAMES = catalogue.names()


def printed(name: str, law: Law | None = None) -> list[Claim]:
    """What the paper prints and the file holds to be true, put to a law."""
    entry = catalogue.get(name)
    owed = {claim for found in entry.derivations(law) for claim in found.claims}
    return [claim for claim, status in entry.claims(law) if status is Status.PROVED and claim not in owed]


def with_form(law: Law, form: sp.Equality) -> Law:
    return replace(law, form=form)


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_gets_the_verdict_that_its_file_states(name: str) -> None:
    outcome = catalogue.run(name)
    assert outcome.verdicts
    assert not outcome.surprises, [(v.claim.name, v.status, v.evidence) for v in outcome.surprises]


def caught(name: str, law: Law) -> str:
    """How a wrong law shows: a claim that it changes is refuted, or the engine says that it has no such answer."""
    right = printed(name)
    try:
        changed = [claim for claim in printed(name, law) if claim not in right]
    except (NoOptimum, Undecided) as error:
        return type(error).__name__
    return "refuted" if any(verify.claim(claim, mend=False).status is Status.REFUTED for claim in changed) else ""


def with_lost_factors(law: Law) -> Iterator[Law]:
    """The law with one constant doubled, for every constant of the right side."""
    for constant in law.constants:
        if law.form.rhs.has(constant):
            yield with_form(law, law.form.xreplace({constant: 2 * constant}))


def with_flipped_exponents(law: Law) -> Iterator[Law]:
    """The law with the sign of one exponent turned, for every power of something that moves with an input."""
    for power in sorted(law.form.rhs.atoms(sp.Pow), key=sp.default_sort_key):
        if power.base.has(*law.inputs) and power.exp.free_symbols:
            turned = law.form.rhs.xreplace({power: power.base**-power.exp})
            yield with_form(law, sp.Eq(law.form.lhs, turned, evaluate=False))


PLANTS = (with_lost_factors, with_flipped_exponents)


@pytest.mark.parametrize("name", NAMES)
def test_an_error_in_the_law_is_caught(name: str) -> None:
    right = laws.get(catalogue.get(name).law)
    seen: list[str] = []
    for plant in PLANTS:
        wrong = list(plant(right))
        assert wrong
        for law in wrong:
            seen.append(caught(name, law))
            assert seen[-1], law.form
    assert seen.count("refuted") > 2  # and not only the engine's refusals


def planted(claim: Claim) -> Iterator[Claim]:
    """An equality with a lost factor, and with the sign of one exponent turned, on its right side."""
    assert isinstance(claim.statement, Equal)
    left, right = claim.statement.left, claim.statement.right
    powers = sorted((p for p in right.atoms(sp.Pow) if p.exp.free_symbols), key=sp.default_sort_key)
    wrong = [2 * right, *(right.xreplace({power: power.base**-power.exp}) for power in powers[:1])]
    for other in wrong:
        if differs(right, other, claim.domain):
            yield replace(claim, statement=Equal(left, other))


def differs(right: sp.Expr, other: sp.Expr, domain: Domain) -> bool:
    """Whether two expressions have different values at a point: what looks wrong may be an identity."""
    (point,) = domain.sample(right.free_symbols | other.free_symbols, 1, seed=3)
    first, second = (side.evalf(30, subs=point) for side in (right, other))
    return bool(abs(first - second) > sp.Float(10) ** -20 * abs(first))


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
