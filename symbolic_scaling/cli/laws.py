"""``symscale laws``: what there is."""

from __future__ import annotations

import click

from ._command import Command
from ._common import as_json, show

__all__ = ["command"]


@click.command("laws", cls=Command)
@as_json
def command(as_json: bool) -> None:
    """List the laws: name, title, source."""
    from .. import laws
    from ..report.blocks import Table

    known = [laws.get(name) for name in laws.names()]
    value = {"laws": [{"name": law.name, "title": law.title, "source": law.source} for law in known]}
    rows = tuple((law.name, law.title, law.source) for law in known)
    show(value, [Table(("law", "title", "source"), rows)], as_json)
