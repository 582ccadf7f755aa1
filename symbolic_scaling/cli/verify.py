"""``symscale verify FILE|STATEMENT``: a verdict on every claim."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from . import _outputs
from ._command import Command
from ._common import as_json, exit_code, find_law, show, working
from ._verdicts import judged, with_jobs

if TYPE_CHECKING:
    from ..records import Claim, Verdict
    from ..report.blocks import Block
    from ..verify import Unread

__all__ = ["command"]

_KINDS = "positive nonnegative negative real integer"


@click.command("verify", cls=Command)
@click.argument("what", metavar="FILE|STATEMENT")
@click.option("--law", metavar="LAW", help="Take the names, the domain and the response of this law.")
@click.option("--symbols", metavar="'a b positive, c negative'", help=f"Declare the names of a statement: {_KINDS}.")
@click.option("--given", multiple=True, metavar="'a > b'", help="Assume this of a statement; may be repeated.")
@click.option("--in", "variable", metavar="x", help="What a statement with ~, prop or O(f) is about.")
@click.option("--at", type=click.Choice(["oo", "0"]), help="Where that variable goes; oo without it.")
@click.option("--latex", is_flag=True, help="Read STATEMENT as LaTeX, as where it holds a backslash or a brace.")
@click.option("--budget", type=float, default=20.0, show_default=True, help="Seconds a claim may take.")
@with_jobs
@click.option("--report", "out", type=click.Path(path_type=Path), help="Also write a page: .md, .tex, .json or .txt.")
@as_json
def command(*, what: str, budget: float, jobs: int | None, out: Path | None, as_json: bool, **options: Any) -> int:
    r"""Verify the claims of FILE (TOML or JSON), or one STATEMENT such as 'N*D^2 = D*D*N' or 'N^\alpha = ...'.

    Claims that do not read are listed with their reasons behind the verdicts on the others; the exit code is then 2.
    """
    from .. import report
    from ..report import export

    if out is not None:
        export.check(out)
    _outputs.check({"--report": out}, reads=[what] if _is_file(what) else [])
    unread: list[Unread] = []
    if _is_file(what):
        verdicts = judged(_claims(what, unread, **options), budget, jobs)
    else:
        verdicts = [_statement(what, budget, **options)]
    if out is not None:
        export.write(verdicts, out)
    listed = (
        {"unread": [{"id": one.name, "source": one.source, "why": str(one.error)} for one in unread]} if unread else {}
    )
    show({**report.as_json(verdicts), **listed}, [*report.blocks(verdicts), *_unread(unread)], as_json)
    return 2 if unread else exit_code(verdicts)


def _unread(unread: list[Unread]) -> list[Block]:
    """The claims of a file that do not read, each with its reason."""
    from ..report.blocks import Heading, Table

    rows = tuple((one.name, one.source, str(one.error)) for one in unread)
    return [Heading("Not read"), Table(("claim", "source", "why"), rows)] if unread else []


def _is_file(what: str) -> bool:
    """Whether the argument names a file; a statement holds a relation or a space, or neither ending."""
    return Path(what).suffix.lower() in {".toml", ".json"} or os.path.exists(what)


def _claims(what: str, unread: list[Unread], **options: Any) -> list[Claim]:
    """The claims of a file; those that do not read go to ``unread``."""
    from .. import catalogue

    if foreign := [name for name in ("law", "symbols", "given", "variable", "at", "latex") if options[name]]:
        named = " and ".join("--in" if name == "variable" else f"--{name}" for name in foreign)
        raise ScalingError(f"verify {what}", f"{named} is for one statement", "leave it out: the file says it")
    if Path(what).is_dir():
        raise ScalingError(f"verify {what}", "it is a folder", "name a claims file in it, .toml or .json")
    return catalogue.read_claims(what, unread)


def _statement(
    what: str, budget: float, *, law: str | None, symbols: str | None, given: tuple[str, ...], **options: Any
) -> Verdict:
    """The verdict on one statement."""
    from .. import verify

    options |= {"budget": budget, "latex": options["latex"] or None, "at": options["at"] or "oo"}
    if law and symbols:
        raise ScalingError(f"verify {what!r}", "both --law and --symbols are given", "give one of them")
    with working() as say:
        say(what)
        if law:
            return verify.about(find_law(law), what, given=given, **options)
        names = verify.declare(symbols or ())
        return verify.claim(what, symbols=names, domain=verify.assumed(given, names), **options)
