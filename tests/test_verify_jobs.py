"""Claims judged in processes: verdicts and order are those of one process; a lost process is a typed error."""

import json
import os
import subprocess
import sys

import pytest

from symbolic_scaling import catalogue, cli, verify
from symbolic_scaling.cli import _pool
from symbolic_scaling.errors import ClaimError, ScalingError

POSITIVE = {"x": "positive", "a": "positive"}
CLAIMS = [
    {"id": "slow", "kind": "equal", "statement": "x**a*(x + a)**2 = x**(a + 2) + a*x**(a + 1)", "symbols": POSITIVE},
    {"id": "proved", "kind": "equal", "statement": "log(x**a) = a*log(x)", "symbols": POSITIVE},
    {"id": "limit", "kind": "limit", "statement": "Limit(a + 1/x, x, oo) = a", "symbols": POSITIVE},
    {"id": "where", "kind": "proportional", "statement": "N prop C^p", "in": "C",
     "where": [["N", "chinchilla", "frontier", "6*N*D"]], "let": [["p", "beta/(alpha + beta)"]]},
    {"id": "number", "kind": "number", "statement": "2**(-a)", "printed": "0.95", "values": {"a": "0.076"},
     "symbols": {"a": "positive"}},
]  # fmt: skip


@pytest.fixture
def path(tmp_path):
    (tmp_path / "claims.json").write_text(json.dumps({"claims": CLAIMS}))
    return tmp_path / "claims.json"


def verdicts(capsys, *arguments):
    with pytest.raises(SystemExit):
        cli.main([*map(str, arguments), "--json"])
    found = json.loads(capsys.readouterr().out)["verdicts"]
    return [{key: value for key, value in one.items() if key != "seconds"} for one in found]


def test_verdicts_do_not_depend_on_the_number_of_processes(path, capsys):
    alone = verdicts(capsys, "verify", path, "--jobs", 1)
    assert [one["id"] for one in alone] == [claim["id"] for claim in CLAIMS]
    assert [one["status"] for one in alone] == ["REFUTED", "PROVED", "PROVED", "PROVED", "CONSISTENT"]
    assert verdicts(capsys, "verify", path, "--jobs", 2) == alone


def test_a_paper_is_checked_in_processes(capsys):
    assert verdicts(capsys, "catalogue", "gadre2024", "--jobs", 2) == verdicts(capsys, "catalogue", "gadre2024")


def test_a_file_with_where_needs_what_resolves_it(path):
    found = verify.file(path, make=catalogue.claim_of)
    assert [one.claim.name for one in found] == [claim["id"] for claim in CLAIMS]
    with pytest.raises(ClaimError, match="where"):
        verify.file(path)


def test_a_process_that_dies_is_a_typed_error():
    with pytest.raises(ScalingError, match="ended from outside"), _pool.workers(2) as executor:
        list(executor.map(os._exit, [1, 1]))


FAILS = """
from symbolic_scaling import cli
from symbolic_scaling.__main__ import main
from symbolic_scaling.cli import _pool
from symbolic_scaling.errors import DataError

def fail(*given, **options):
    with _pool.workers(2) as executor:
        answers = [executor.submit(bytes, 1 << 24) for _ in range(9)]
        answers[0].result()
        raise DataError("ask", "found", "remedy")

if __name__ == "__main__":
    _pool._cores = lambda: 2
    cli._symscale.main = fail
    main()
"""


def test_a_command_that_fails_while_answers_are_sent_ends(tmp_path):
    """A process that is ended inside a long answer never sends its rest, and nobody waits for it."""
    (tmp_path / "fails.py").write_text(FAILS)
    command = [sys.executable, "fails.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 2 and run.stderr.startswith("symscale: ask: found; remedy")
