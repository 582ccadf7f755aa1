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
    """Show LAW: a name, bnsl or bnsl(n=2); or a formula, 'L = E + A/N^alpha' with --variables N."""
    from .. import laws, report
    from ..report.blocks import Paragraph

    found = find_law(law, names(variables))
    sizes = {} if found.name == "formula" else laws.sizes(found.name)
    said = ", ".join(f"{size}={','.join(v) if isinstance(v, tuple) else v}" for size, v in sizes.items())
    page = [Paragraph(f"It comes in sizes: {found.name}({said}) is the default.")] if sizes else []
    show({**report.as_json(found), **({"sizes": sizes} if sizes else {})}, (*report.blocks(found), *page), as_json)
