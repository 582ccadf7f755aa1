"""``symscale show LAW``: one law with all that is declared about it."""

from __future__ import annotations

import click

from ._common import as_json, find_law, names, show

__all__ = ["command"]


@click.command("show")
@click.argument("law")
@click.option("--variables", default="", metavar="N,D", help="Which names of a formula are its inputs.")
@as_json
def command(law: str, variables: str, as_json: bool) -> None:
    """Show LAW, a name or a formula such as 'L = E + A/N^alpha + B/D^beta' with --variables N,D."""
    from .. import report

    found = find_law(law, names(variables))
    show(report.as_json(found), report.blocks(found), as_json)
