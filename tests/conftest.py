"""Fixtures of several test files: commands run in this process; random tests draw the same examples on every run.

``pytest --hypothesis-profile anew`` draws others.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import settings

from symbolic_scaling import cli

settings.register_profile("seeded", derandomize=True, deadline=None)
settings.register_profile("anew", derandomize=False, deadline=None)
settings.load_profile("seeded")


@pytest.fixture
def symscale(capsys):
    """Run a command in this process: exit code, standard output, standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            cli.main(arguments)
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return run


@pytest.fixture
def answer(symscale):
    """Run a command with ``--json`` that must end with ``code`` and say nothing else; its object."""

    def run(*arguments: str, code: int = 0):
        got, out, err = symscale(*arguments, "--json")
        assert got == code and err == "", out + err
        return json.loads(out)

    return run
