"""The statements of papers: every one gets the verdict that its file states, and the command shows them."""

import json
import tomllib
import zipfile
from importlib.resources import files

import pytest

from symbolic_scaling import catalogue, verify
from symbolic_scaling.cli import main
from symbolic_scaling.errors import ClaimError
from symbolic_scaling.records import Status

CLAIMS = [(name, claim, status) for name in catalogue.papers() for claim, status in catalogue.paper(name).claims]


@pytest.mark.parametrize(("name", "claim", "status"), CLAIMS, ids=[f"{n} {c.name}" for n, c, _ in CLAIMS])
def test_every_statement_gets_the_verdict_that_its_file_states(name, claim, status):
    verdict = verify.claim(claim, mend=False)
    assert verdict.status is status, verdict.evidence


def test_the_files_say_where_each_statement_stands():
    for name in catalogue.papers():
        text = files("symbolic_scaling.catalogue").joinpath("claims", f"{name}.toml").read_text(encoding="utf-8")
        entries = tomllib.loads(text)["claims"]
        assert all(entry["source"] and entry["expect"] for entry in entries)
        assert len({entry["id"] for entry in entries}) == len(entries)


def test_each_kind_of_verdict_is_met():
    assert {status for _, _, status in CLAIMS} == {
        Status.PROVED, Status.CONSISTENT, Status.ROUNDING, Status.REFUTED,
    }  # fmt: skip


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code, capsys.readouterr().out


def test_the_command_lists_what_there_is(capsys):
    code, out = run(capsys, "catalogue", "--json")
    listed = json.loads(out)
    assert code == 0
    assert {one["name"] for one in listed["papers"]} == set(catalogue.papers())
    assert {one["name"] for one in listed["derivations"]} == set(catalogue.names())


def test_the_command_runs_a_paper(capsys):
    code, out = run(capsys, "catalogue", "besiroglu2024", "--json")
    verdicts = json.loads(out)["verdicts"]
    assert code == 0
    assert [one["id"] for one in verdicts] == [claim.name for claim, _ in catalogue.paper("besiroglu2024").claims]
    assert all(one["status"] == one["expected"] and "2404.10102" in one["source"] for one in verdicts)


def test_the_page_quotes_what_is_false(capsys):
    code, out = run(capsys, "catalogue", "rosenfeld2019")
    assert code == 0
    assert "6 proved, 1 false" in out
    assert "no joint power law is false as printed: at " in out


def test_the_command_runs_a_derivation(capsys):
    code, out = run(capsys, "catalogue", "m3-tail", "--json")
    assert code == 0
    assert {one["status"] for one in json.loads(out)["verdicts"]} == {"PROVED"}


def test_an_unknown_name_is_an_error(capsys):
    code, out = run(capsys, "catalogue", "nobody1999", "--json")
    assert code == 2
    assert "kaplan2020" in json.loads(out)["error"]["found"]
    with pytest.raises(ClaimError):
        catalogue.paper("nobody1999")


@pytest.mark.slow
def test_the_wheel_holds_the_claims(tmp_path):
    pip = pytest.importorskip("pip._internal.cli.main")
    root = str(files("symbolic_scaling").joinpath(".."))
    assert pip.main(["wheel", "--no-deps", "--no-build-isolation", "-q", "-w", str(tmp_path), root]) == 0
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        assert "symbolic_scaling/catalogue/claims/kaplan2020.toml" in wheel.namelist()
