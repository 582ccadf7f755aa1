"""A page of a derivation claims as much as its verdicts prove, in every format."""

from __future__ import annotations

import json
from functools import cache

import pytest

from symbolic_scaling import Derivation, Root, Status, Verdict, derive, laws, report
from symbolic_scaling.report import document, of_derivation, saved

TWO = "L = E + A/N^a + B/D^b"
FOUND = {
    "optimum": lambda: derive.optimum(laws.formula("L = A/N + B*N^2 + K*N^7", ["N"]), "N"),
    "frontier": lambda: derive.frontier(laws.get("chinchilla"), "C = 6*N*D + 2*N*D_inf"),
    "coupled": lambda: derive.frontier(laws.formula(TWO, ["N", "D"]), "6*N*D + N^2 + D^2", given=("a > 0", "b > 0")),
    "envelope": lambda: derive.envelope(laws.formula("L = E + A/N + B*N^2 + K*N^7 + P/D + Q*D", ["N", "D"]), "N,D"),
    "inverse": lambda: derive.inverse(laws.get("m4"), "x"),
    "two branches": lambda: derive.inverse(laws.get("sovit"), "x_k"),
    "crossover": lambda: derive.crossover(
        laws.get("m1"), laws.formula("y = p*x^(-q) + r*x^(-s)", ["x"]), "x", given=("s > q", "q > -c")
    ),
    "closed": lambda: derive.frontier(laws.get("chinchilla")),
}
SURE = ("is the only root", "It is unique:")


@cache
def made(name: str) -> Derivation:
    return FOUND[name]()


def judged(derivation: Derivation, status: Status | None, place: int) -> list[Verdict]:
    """All proved, but for the claim at a place: of that status, or without a verdict."""
    claims = list(dict.fromkeys(claim for step in derivation.steps for claim in step.owes))
    odd = claims[place % len(claims)]
    found = [Verdict(claim, Status.PROVED if claim != odd else status or Status.PROVED, "by hand") for claim in claims]
    return found if status else [verdict for verdict in found if verdict.claim != odd]


def pages(derivation: Derivation, verdicts: list[Verdict]) -> dict[str, str]:
    """The page in every format, and as it is read back from what --json prints."""
    told = {to: document.render(of_derivation.blocks(derivation, verdicts), to) for to in document.FORMATS}
    content = json.loads(json.dumps({"what": "derived", **report.as_json(derivation, verdicts)}))
    back = document.stored(saved.derivation(content, derivation.law), content)
    return {**told, "read back": document.render(back, "text")}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_proved_is_said_without_reserve(name: str) -> None:
    derivation = made(name)
    verdicts = judged(derivation, Status.PROVED, 0)
    rooted = any(isinstance(v, Root) for part in (derivation, *derivation.cases) for _, v in part.found)
    for to, page in pages(derivation, verdicts).items():
        assert "Not proved" not in page and "holds" not in page.split("Steps")[0], to
        assert all((said in page) == rooted for said in SURE), to
    assert report.as_json(derivation, verdicts)["proved"] is True


@pytest.mark.parametrize(("place", "status"), [(0, Status.UNDECIDED), (-1, Status.SUPPORTED), (1, None)])
@pytest.mark.parametrize("name", FOUND)
def test_what_is_open_is_said_before_the_result(name: str, place: int, status: Status | None) -> None:
    derivation = made(name)
    verdicts = judged(derivation, status, place)
    for to, page in pages(derivation, verdicts).items():
        assert not any(said in page for said in SURE), to
        if verdicts and (status or to != "read back"):
            assert "Not proved" in page and (status.name if status else "not judged") in page, to
    assert report.as_json(derivation, verdicts)["proved"] is (False if verdicts else None)


@pytest.mark.parametrize("name", FOUND)
def test_without_verdicts_nothing_is_called_unique(name: str) -> None:
    derivation = made(name)
    assert not any(said in page for page in pages(derivation, []).values() for said in SURE)
    assert report.as_json(derivation)["proved"] is None
