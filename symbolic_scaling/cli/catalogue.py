"""``symscale catalogue [NAME]``: the statements of a paper, or a published derivation, with their verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import ScalingError
from . import _outputs
from ._command import Command, Option
from ._common import as_json, exit_code, show
from ._verdicts import judged, with_jobs

if TYPE_CHECKING:
    from ..records import Claim, Status

__all__ = ["command"]


@click.command("catalogue", cls=Command)
@click.argument("name", required=False)
@click.option(
    "--budget",
    type=float,
    default=20.0,
    show_default=True,
    help="Seconds a statement may take.",
    cls=Option,
    needs={"name": ()},
)
@with_jobs
@click.option(
    "--report",
    "out",
    type=click.Path(path_type=Path),
    help="Also write a page: .md, .tex, .json or .txt.",
    cls=Option,
    needs={"name": ()},
)
@as_json
def command(*, name: str | None, budget: float, jobs: int | None, out: Path | None, as_json: bool) -> int:
    """Check every statement of a paper, such as kaplan2020, or run a derivation, such as m4-expansion.

    Without NAME: what there is. The exit code is 0 where every verdict is the one that the catalogue states.
    """
    if name is None:
        _list(as_json)
        return 0
    from ..report import export, of_catalogue

    if out is not None:
        export.check(out)
        _outputs.check({"--report": out})
    title, claims = _claims(name)
    verdicts = judged([claim for claim, _ in claims], budget, jobs)
    expected = [status for _, status in claims]
    if out is not None:
        export.write(verdicts, out)
    value = {"name": name, "title": title, **of_catalogue.as_json(verdicts, expected)}
    show(value, of_catalogue.blocks(title, verdicts, expected), as_json)
    surprises = [verdict for verdict, status in zip(verdicts, expected, strict=True) if verdict.status is not status]
    return 0 if not surprises else exit_code(surprises) or 1


def _claims(name: str) -> tuple[str, tuple[tuple[Claim, Status], ...]]:
    """The title and the claims of a paper or a derivation."""
    from .. import catalogue

    if name in catalogue.papers():
        one = catalogue.paper(name)
        return one.title, one.claims
    if name in catalogue.names():
        entry = catalogue.get(name)
        return entry.title, entry.claims()
    have = ", ".join((*catalogue.papers(), *catalogue.names()))
    raise ScalingError(f"get {name!r} of the catalogue", f"there are {have}", "pick one of these")


def _list(as_json: bool) -> None:
    from .. import catalogue
    from ..report import of_catalogue

    papers = [(one.name, one.title, len(one.claims)) for one in map(catalogue.paper, catalogue.papers())]
    entries = [(one.name, one.title, one.law) for one in map(catalogue.get, catalogue.names())]
    value = {
        "papers": [{"name": name, "title": title, "statements": count} for name, title, count in papers],
        "derivations": [{"name": name, "title": title, "law": law} for name, title, law in entries],
    }
    show(value, of_catalogue.contents(papers, entries), as_json)
