"""Claims files: TOML and JSON, and errors that name the claim and the key."""

import json

import pytest

from symbolic_scaling import verify
from symbolic_scaling.errors import ClaimError
from symbolic_scaling.records import Number

TOML = """
[[claims]]
id = "one"
kind = "equal"
statement = "v/u = u"
symbols = {N = "positive"}
let = [["u", "1 + N"], ["v", "u**2"]]
sample = {N = [0.10, 2]}
expect = "holds"

[[claims]]
id = "two"
kind = "number"
statement = "a"
printed = "0.1"
values = {a = 0.10}
symbols = {a = "positive"}
"""


def test_toml_and_json_mean_the_same(tmp_path):
    (tmp_path / "claims.toml").write_text(TOML)
    as_json = {
        "claims": [
            {"id": "one", "kind": "equal", "statement": "v/u = u", "symbols": {"N": "positive"}, "expect": "holds",
             "let": [["u", "1 + N"], ["v", "u**2"]], "sample": {"N": [0.1, 2]}},
            {"id": "two", "kind": "number", "statement": "a", "printed": "0.1", "values": {"a": "0.10"},
             "symbols": {"a": "positive"}},
        ]
    }  # fmt: skip
    (tmp_path / "claims.json").write_text(json.dumps(as_json))
    read = verify.read_claims(tmp_path / "claims.toml")
    assert read == verify.read_claims(tmp_path / "claims.json")
    assert isinstance(read[1].statement, Number) and read[1].statement.values[0][1] == "0.10"
    verdicts = verify.file(tmp_path / "claims.toml")
    assert [(v.claim.name, v.status.name) for v in verdicts] == [("one", "PROVED"), ("two", "CONSISTENT")]


GOOD = {"id": "c", "kind": "equal", "statement": "a = a", "symbols": {"a": "positive"}}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"extra": 1}, "extra"),
        ({"kind": "asymptotic"}, "in"),
        ({"kind": None}, "kind"),
        ({"statement": "a"}, "statement"),
        ({"statement": "a = b"}, "statement"),
        ({"statement": ""}, "statement"),
        ({"statement": "a < 1"}, "kind"),
        ({"kind": "limit"}, "statement"),
        ({"kind": "inequality"}, "kind"),
        ({"symbols": {"a": "complex"}}, "symbols"),
        ({"symbols": {"a b": "real"}}, "symbols"),
        ({"symbols": ["a"]}, "symbols"),
        ({"let": [["a", "1"]]}, "let"),
        ({"let": [["u", "w"], ["w", "1"]]}, "let"),
        ({"let": {"u": "1"}}, "let"),
        ({"sample": {"b": [1, 2]}}, "sample"),
        ({"sample": {"a": [2, 1]}}, "sample"),
        ({"sample": {"a": [-2, -1]}}, "sample"),
        ({"sample": {"a": 1}}, "sample"),
        ({"values": {"a": "1"}}, "values"),
        ({"printed": "1"}, "printed"),
        ({"expect": "true"}, "expect"),
        ({"where": [["N", "chinchilla", "frontier", "6*N*D"]]}, "where"),
        ({"kind": "number"}, "values"),
        ({"kind": "number", "values": {"a": "x"}}, "values"),
        ({"kind": "number", "values": {"a": "-1"}}, "values"),
        ({"kind": "number", "values": {"a": "1"}, "printed": "2"}, "statement"),
        ({"kind": "number", "values": {"a": "1"}, "tolerance": -1}, "tolerance"),
    ],
    ids=lambda one: str(one)[:40],
)
def test_what_does_not_read_names_claim_and_key(change, key):
    entry = {name: value for name, value in {**GOOD, **change}.items() if value is not None}
    with pytest.raises(ClaimError) as caught:
        verify.claim_of(entry)
    assert caught.value.asked == f"claim c: {key}"


def test_a_file_lists_all_of_its_errors(tmp_path):
    entries = [GOOD, {**GOOD, "id": "x", "kind": "unheard-of"}, {**GOOD, "id": "y", "statement": "a +"}, GOOD, 3]
    path = tmp_path / "claims.json"
    path.write_text(json.dumps({"claims": entries}))
    with pytest.raises(ClaimError) as caught:
        verify.read_claims(path)
    for text in ("4 claims", "claim x: kind", "claim y: statement", "claim 5", "claim c: id"):
        assert text in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"claims": 1}', '{"claims": [], "x": 1}', '{"a": 1, "a": 2}', "[" * 100_000, "NaN"]
)
def test_broken_files_are_typed_errors(tmp_path, text):
    path = tmp_path / "claims.json"
    path.write_text(text)
    with pytest.raises(ClaimError):
        verify.read_claims(path)


def test_a_missing_file_is_a_typed_error(tmp_path):
    with pytest.raises(ClaimError, match="check the path"):
        verify.read_claims(tmp_path / "none.toml")
