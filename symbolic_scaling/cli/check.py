"""``symscale check DATA``: what to know about a table of runs before fitting it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import DataError, ScalingError
from ._columns import apart, law_of_columns
from ._command import Command, Option
from ._common import as_json, by, decimal, pairs, show, where

if TYPE_CHECKING:
    from ..data import Finding, Table
    from ..law import Law
    from ..report.blocks import Block

__all__ = ["command"]


@click.command("check", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--x", "inputs", multiple=True, metavar="N=col,...", help="The column of each input; C is compute.")
@click.option("--y", metavar="col", help="The column of the response, or a name that --let defines.")
@click.option("--let", multiple=True, metavar="D='C/(6*N)'", help="An input or response computed from columns.")
@where
@by("Look at each value of these columns apart.")
@click.option(
    "--law",
    metavar="NAME|FORMULA",
    help="What the inputs can tell of this law's constants.",
    cls=Option,
    needs={"inputs": ()},
)
@decimal
@as_json
def command(*, data: Path, as_json: bool, **asked: Any) -> None:
    """Look at the runs in DATA: as a table, and with --x and --y as the data of a fit."""
    from .. import data as tables

    table = tables.read(data, decimal_mark=asked["decimal"])
    let, by = pairs("--let", asked["let"]), asked["by"]
    x = _inputs(asked["inputs"], asked["law"])
    if bool(x) != bool(asked["y"]):
        raise ScalingError(f"check {data}", "only one of --x and --y is given", "give both, or neither")
    apart(x, asked["y"], [name for name in x if name != asked["y"]] or list(x))
    if asked["where"]:
        table = tables.keep(table, asked["where"], x, let)
    law = law_of_columns(asked["law"], [*x, *let]) if asked["law"] else None
    found = []
    for key, part in tables.group(table, by) if by else [((), table)]:
        group = {name: "" if value is None else str(value) for name, value in key}
        looked = _sample(part, x, asked["y"], let, law) if x else tables.survey(part)
        found += [(group, finding) for finding in looked]
    value = [{"by": group, "kind": each.kind, "rows": list(each.rows), "text": each.text} for group, each in found]
    show({"findings": value}, _page(data, table, found, bool(x)), as_json)


def _inputs(texts: Sequence[str], law: str | None) -> dict[str, str]:
    """What --x maps; a column alone is the only input of a law that has one, or without a law an input of that name."""
    if len(texts) != 1 or "=" in texts[0]:
        return pairs("--x", texts)
    column = texts[0].strip()
    inputs = [symbol.name for symbol in law_of_columns(law, [column]).inputs] if law else [column]
    if len(inputs) != 1:
        form = ",".join(f"{name}=column" for name in inputs)
        raise ScalingError(f"read --x {column}", f"the law has the inputs {', '.join(inputs)}", f"write --x {form}")
    return {inputs[0]: column}


def _sample(table: Table, x: dict[str, str], y: str, let: dict[str, str], law: Law | None) -> Iterator[Finding]:
    """The findings on the rows of a fit, those it could not use first."""
    from .. import data as tables

    try:
        sample = tables.select(table, x=x, y=y, let=let)
    except DataError as error:
        if not error.found.startswith("no row is left"):
            raise
        yield tables.Finding("bad rows", table.rows, error.found)
        return
    if sample.dropped:
        rows = tuple(row for row, _ in sample.dropped)
        yield tables.Finding("bad rows", rows, f"{len(rows)} cannot be used: {tables.summary(sample.dropped)}")
    found = tables.check(sample, len(law.constants) if law else 3)
    yield from found
    if law is not None and {symbol.name for symbol in law.inputs} <= set(sample.x):
        from ..fit import identify

        told = identify(law, {symbol.name: sample.x[symbol.name] for symbol in law.inputs})
        yield from (tables.Finding("identifiability", (), line) for line in told.lines)
    said = {finding.text for finding in found}
    yield from (tables.Finding("reading", (), note) for note in sample.notes if note not in said)


def _page(data: Path, table: Table, found: list[tuple[dict[str, str], Finding]], fitted: bool) -> list[Block]:
    from ..report.blocks import Heading, Paragraph
    from ..report.blocks import Table as Lines

    page: list[Block] = [Heading(f"{data.name}: {len(table)} rows")]
    if not fitted:
        page.append(Paragraph(f"Columns: {', '.join(table.columns)}. With --x and --y it is checked as data of a fit."))
    if not found:
        page.append(Paragraph("Nothing stands out."))
        return page
    by = tuple(found[0][0])
    lines = ((*group.values(), each.kind, _rows(each.rows), each.text) for group, each in found)
    page.append(Lines((*by, "finding", "rows", "what"), tuple(lines)))
    return page


def _rows(rows: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, rows[:6]))
    return f"{shown} and {len(rows) - 6} more" if len(rows) > 6 else shown
