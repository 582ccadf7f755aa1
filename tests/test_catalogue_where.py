"""Names that claims take from derivations."""

import pytest

from symbolic_scaling import catalogue, verify
from symbolic_scaling.errors import ClaimError
from symbolic_scaling.records import Status

FRONTIER = [["N", "chinchilla", "frontier", "6*N*D"], ["D", "chinchilla", "frontier", "6*N*D"]]


def verdict(**keys):
    return verify.claim(catalogue.claim_of({"id": "it", "kind": "equal", **keys})).status


@pytest.mark.parametrize(
    ("statement", "where", "expected"),
    [
        ("6*N*D = C", FRONTIER, Status.PROVED),
        ("5*N*D = C", FRONTIER, Status.REFUTED),
        ("a = beta/(alpha + beta)", [["a", "chinchilla", "exponent of N of frontier"]], Status.PROVED),
        ("a = alpha/(alpha + beta)", [["a", "chinchilla", "exponent of N of frontier"]], Status.REFUTED),
        ("y - E = A/N^alpha + B/D^beta", [["y", "chinchilla", "L of law"]], Status.PROVED),
        ("top = eps_0", [["top", "m4", "x->0 of limits"]], Status.PROVED),
        ("x_k = (alpha_k*a_k*t^c/(beta_k*b_k))^(1/(a_k + b_k))", [["x_k", "sovit", "optimum", "x_k"]], Status.PROVED),
    ],
)
def test_a_name_means_what_the_derivation_found(statement, where, expected):
    assert verdict(statement=statement, where=where) is expected


def test_the_relations_of_the_law_come_along():
    ends = [["top", "m4", "x->0 of limits"], ["x", "m4", "inverse", "x"]]
    entry = {"id": "it", "kind": "inequality", "statement": "top > eps_x", "where": ends}
    assert verify.claim(catalogue.claim_of(entry)).status is Status.PROVED


def test_names_of_a_claims_file_are_resolved(tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(
        '[[claims]]\nid = "drift"\nkind = "proportional"\nstatement = "D/N prop C^((alpha - beta)/(alpha + beta))"\n'
        'in = "C"\nwhere = [["N", "chinchilla", "frontier"], ["D", "chinchilla", "frontier"]]\n'
    )
    (claim,) = catalogue.read_claims(path)
    assert verify.claim(claim).status is Status.PROVED
    with pytest.raises(ClaimError, match="claim drift: where"):
        verify.read_claims(path)


@pytest.mark.parametrize(
    "where",
    [
        "chinchilla",
        [["N", "chinchilla"]],
        [["N", "nowhere", "frontier"]],
        [["N", "chinchilla", "fortune"]],
        [["Z", "chinchilla", "frontier"]],
        [["x_k", "sovit", "optimum"]],
        [["N", 3, "frontier"]],
    ],
)
def test_what_cannot_be_resolved_names_claim_and_key(where):
    with pytest.raises(ClaimError) as error:
        catalogue.claim_of({"id": "it", "kind": "equal", "statement": "1 = 1", "where": where})
    assert error.value.asked == "claim it: where"
