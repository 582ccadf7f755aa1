"""``symscale tour``: the main job on an embedded example."""

from __future__ import annotations

from pathlib import Path

import click

from . import _outputs
from ._command import Command
from ._common import as_json, show, working

__all__ = ["command"]


@click.command("tour", cls=Command)
@click.argument("directory", metavar="[DIR]", default="symscale-tour", type=click.Path(path_type=Path))
@as_json
def command(directory: Path, as_json: bool) -> None:
    """Derive, verify, fit and extrapolate an embedded example; leave a report folder at DIR (symscale-tour)."""
    from ..report import tour
    from ..report.blocks import Block, Code, Paragraph, Table

    _outputs.check({}, {"DIR": directory})
    with working() as say:
        files = tour.write(directory, say)
    page: list[Block] = [
        Paragraph(f"Read {directory / 'report.md'}"),
        Table(("file", "bytes"), tuple((Code(str(path)), str(path.stat().st_size)) for path in files)),
    ]
    show({"files": [str(path) for path in files]}, page, as_json)
