"""``symscale``: one file per command, loaded when the command runs; ``--help`` loads none of them.

Exit codes: 0 done; 1 a negative answer; 2 usage or bad input; 3 budget exhausted; 141 nobody reads the output.
"""

from __future__ import annotations

import errno
import importlib
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from .. import __version__
from ..errors import ScalingError
from ..escape import terminal
from ._command import Group
from ._interrupts import remembered
from ._streams import held, put, tell

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "tour": "The main job on an embedded example: derive, verify, fit, extrapolate; writes a report folder.",
    "laws": "List the laws.",
    "show": "One law: formula, parameters, domain, source, published constants.",
    "derive": "Derive a gradient, optimum, frontier, ... of a law, step by step, each step verified.",
    "verify": "Give a verdict on every claim of a file, or on one statement.",
    "catalogue": "The statements of a paper, or a published derivation, with what is proved, off by rounding, false.",
    "digits": "How many digits of each constant a paper must print for its frontier to hold.",
    "claims": "List the displayed equations of a LaTeX draft as a claims file to fill in.",
    "check": "What to know about a table of runs before fitting it.",
    "fit": "Fit a law to a table of runs.",
    "structure": "Which terms, breaks and counterforces a table asks for, and the path to them.",
    "best": "Extrapolate a table by an average of laws and windows, with a band and the reasons.",
    "predict": "Extrapolate a saved fit, or ask which input reaches a response.",
    "plan": "What to train for a budget, what a target costs, and which laws say otherwise.",
    "backtest": "Fit laws to the first part of every curve and judge them on the rest.",
    "export": "A law, a derivation or a fit as stand-alone source in Python, NumPy, C or LaTeX.",
    "report": "A law, a derivation or a fit as a document; all of them as one linked book.",
}


class _Lazy(Group):
    """A group whose commands live in files of their own and load on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f".{cmd_name}", __name__).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group("symscale", cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="symscale")
def _symscale() -> None:
    """Derive, prove, evaluate and fit neural scaling laws.

    Every command takes --json and --help. Exit codes: 0 done; 1 a negative answer; 2 usage or bad input; 3 budget
    exhausted; 141 nobody reads the output.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit with its code; errors go to standard error, or to standard output as JSON."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in given
    try:
        with held(), remembered():
            code = _symscale.main(given, prog_name="symscale", standalone_mode=False)
    except ScalingError as error:
        _fail(error.as_dict(), str(error), error.exit_code, as_json)
    except click.ClickException as error:
        _usage(error, as_json)
    except (KeyboardInterrupt, click.Abort):
        _fail(
            _fields("Interrupted", "run the command", "it was interrupted", "start it again"), "interrupted", 3, as_json
        )
    except Exception as error:
        if _is_want_of_memory(error):
            fields = _fields(
                "BudgetExhausted", "run the command", "the memory ran out", "run it with more, or ask for less"
            )
            _fail(fields, f"{fields['asked']}: {fields['found']}; {fields['remedy']}", 3, as_json)
        tell(traceback.format_exc().rstrip())
        fields = _fields(type(error).__name__, "run the command", str(error), "this is a bug: report the traceback")
        _fail(fields, "this is a bug: please report it with the traceback above", 2, as_json)
    sys.exit(code if isinstance(code, int) else 0)


def _is_want_of_memory(error: Exception) -> bool:
    """Whether an error says that memory ran out; the loader of shared objects has only words for it."""
    if isinstance(error, ImportError):
        return "failed to map segment" in str(error)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def _usage(error: click.ClickException, as_json: bool) -> NoReturn:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "symscale"
    if not as_json:
        error.show()
        sys.exit(2)
    _fail(_fields("UsageError", f"run {path}", error.format_message(), f"see {path} --help"), "", 2, True)


def _fields(kind: str, asked: str, found: str, remedy: str) -> dict[str, str]:
    return {"kind": kind, "asked": asked, "found": found, "remedy": remedy, "where": ""}


def _fail(fields: dict[str, Any], message: str, code: int, as_json: bool) -> NoReturn:
    if as_json and sys.stdout is not None:
        import json

        put(json.dumps({"error": fields}, indent=2) + "\n")
    else:
        tell(terminal(f"symscale: {message}"))
    sys.exit(code)
