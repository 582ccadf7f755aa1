"""``symscale report``: any law, derivation, fit or result as a document; ``--book`` everything at once, linked."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from ..errors import ScalingError
from . import _outputs, _record
from ._command import Command, Option
from ._common import as_json, counting, exit_code, find_law, names, show, working

if TYPE_CHECKING:
    from ..records import Verdict
    from ..report.blocks import Block
    from ..report.figures import Figure

__all__ = ["command"]


@click.command("report", cls=Command)
@click.argument("record", metavar="LAW|DERIVATION|ANY.json", required=False)
@click.option(
    "--to", "target", type=click.Choice(("md", "latex", "snippet", "text", "json")), default="md", show_default=True
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), metavar="DIR|FILE", help="A folder, or one .md, .tex, .txt, .json."
)
@click.option("--book", type=click.Path(path_type=Path), metavar="DIR", help="All laws, derivations, claims; linked.")
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Of a book: this law, derivation or paper; repeat it.",
    cls=Option,
    needs={"book": ()},
)
@click.option(
    "--variables",
    default="",
    metavar="N,D",
    help="Which names of a formula are its inputs.",
    cls=Option,
    without=("book",),
)
@click.option("--budget", type=float, default=20.0, show_default=True, help="Seconds a statement may take.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that judge claims.")
@as_json
def command(*, record: str | None, book: Path | None, only: tuple[str, ...], as_json: bool, **asked: Any) -> int:
    """Write a law, a published derivation, a saved fit, or what any command printed with --json, as a document.

    A folder holds the document with a fit's pictures, and their numbers as CSV beside each.
    """
    if (record is None) == (book is None):
        raise ScalingError("report", "neither a record nor --book, or both", "say report RECORD, or report --book DIR")
    if book is not None:
        if asked["out"] or asked["target"] != "md":
            raise ScalingError("report --book", "-o and --to have no meaning there", "leave them out")
        return _book(book, only, asked["budget"], asked["jobs"], as_json)
    if only:
        raise ScalingError("report", "--only chooses parts of a book", "leave it out, or say --book DIR")
    return _document(str(record), as_json, **asked)


def _book(place: Path, only: tuple[str, ...], budget: float, jobs: int, as_json: bool) -> int:
    from ..report import book

    _outputs.check({}, {"--book": place})
    with working() as say:
        say("deriving")
        chosen = book.contents(only)
        claims = chosen.claims
    verdicts = _judged(claims, budget, jobs)
    chosen_words = "".join(f" --only {name}" for name in only)
    files = book.write(place, chosen, verdicts, f"symscale report --book {place.name}{chosen_words}")
    _show(files, as_json)
    expected = [status for part in chosen.stated for _, status in part]
    surprises = [verdict for verdict, status in zip(verdicts, expected, strict=True) if verdict.status is not status]
    return 0 if not surprises else exit_code(surprises) or 1


def _judged(claims: Sequence[Any], budget: float, jobs: int) -> list[Verdict]:
    """The verdicts, with a bar."""
    from .. import verify
    from ._pool import workers

    found = []
    with counting("judging claims", len(claims)) as tick, workers(jobs, len(claims)) as executor:
        for verdict in verify.claims(claims, budget, executor):
            found.append(verdict)
            tick()
    return found


def _document(
    record: str, as_json: bool, *, target: str, out: Path | None, variables: str, budget: float, jobs: int
) -> int:
    from ..report import document, provenance
    from ..report.write import file

    single = out is not None and out.suffix in document.FORMATS.values()
    if as_json and out is None:
        raise ScalingError("report with --json", "the document would stand in the JSON", "name a place with -o")
    reads = [record] if os.path.isfile(record) else []
    _outputs.check({"-o": out if single else None}, {"-o": None if single else out}, reads)
    page, figures, verdicts = _printed(record) or _page(
        _record.find(record, names(variables)), budget, jobs, pictures=out is not None and not single
    )
    page = (*page, *provenance.of_run(f"symscale report {Path(record).name} --to {target}"))
    if out is None:
        sys.stdout.write(document.render(page, target))
    elif single:
        _show([file(out, document.render(page, target))], as_json)
    else:
        _show(document.write(out, page, target, figures), as_json)
    return exit_code(verdicts)


_Made: TypeAlias = "tuple[tuple[Block, ...], tuple[Figure, ...], Sequence[Verdict]]"


def _printed(record: str) -> _Made | None:
    """The page of a result that is neither a fit nor a derivation, as a command printed it; None for any other."""
    from .. import report
    from ..report import of_json, saved

    path = Path(record)
    if path.suffix != ".json":
        return None
    content = saved.load(path)
    if {"form", "parameters", "variables"} <= set(content) and "estimate" not in content:
        return report.blocks(find_law(str(content.get("name")))), (), ()
    return None if saved.is_record(content) else (of_json.blocks(content, path.stem), (), ())


def _page(found: _record.Record, budget: float, jobs: int, *, pictures: bool) -> _Made:
    """The page, its figures, and the verdicts that a new judgement gave against what is expected."""
    from .. import report
    from ..report import document

    if found.fit is not None:
        from ..report import figures, plot

        if pictures:
            plot.require()
        drawn = figures.of_fit(found.fit) if pictures else ()
        return document.fitted(found.fit, drawn), drawn, ()
    if found.entry:
        from .. import catalogue

        entry = catalogue.get(found.entry)
        stated = entry.claims()
        verdicts = _judged([claim for claim, _ in stated], budget, jobs)
        expected = [status for _, status in stated]
        page = document.statements(entry.title, entry.derivations(), verdicts, expected)
        return page, (), [v for v, status in zip(verdicts, expected, strict=True) if v.status is not status]
    if found.derivations:
        return document.stored(found.derivations[0], found.saved), (), ()
    return report.blocks(found.law), (), ()


def _show(files: Sequence[Path], as_json: bool) -> None:
    from ..report.blocks import Code, Table

    rows = tuple((Code(str(path)), str(path.stat().st_size)) for path in files)
    show({"files": [str(path) for path in files]}, [Table(("file", "bytes"), rows)], as_json)
