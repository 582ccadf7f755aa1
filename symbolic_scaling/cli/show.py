"""``symscale show LAW``: one law with all that is declared about it, or the tree of its components."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ._command import Command
from ._common import as_json, find_law, names, show
from ._sizes import sized

if TYPE_CHECKING:
    from ..law import Law

__all__ = ["command"]


@click.command("show", cls=Command)
@click.argument("law")
@click.option("--variables", default="", metavar="N,D", help="Which names of a formula are its inputs.")
@click.option("--structure", "as_tree", is_flag=True, help="The tree of its components, with constants counted.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="PNG", help="Draw that tree.")
@as_json
def command(law: str, variables: str, as_tree: bool, plot: Path | None, as_json: bool) -> None:
    """Show LAW: a name, bnsl or bnsl(n=2); or a formula, 'L = E + A/N^alpha' with --variables N."""
    from .. import laws, report
    from ..report.blocks import Paragraph

    found = find_law(law, names(variables))
    if as_tree or plot is not None:
        return _tree(found, plot, as_json)
    sizes = {} if found.name == "formula" else laws.sizes(found.name)
    own = sizes and _sizes(law, found, sizes)
    said = ", ".join(f"{size}={','.join(v) if isinstance(v, tuple) else v}" for size, v in sizes.items())
    page = [Paragraph(f"It comes in sizes: {found.name}({said}) is the default.")] if sizes else []
    return show({**report.as_json(found), **({"sizes": own} if own else {})}, (*report.blocks(found), *page), as_json)


def _sizes(text: str, law: Law, defaults: dict[str, object]) -> dict[str, object]:
    """The sizes of this instance, given or defaults; its inputs by name, keys as text, as JSON has them."""
    _, given = sized(text) or ("", {})
    found = {**defaults, **given}
    if "inputs" in found:
        names = tuple(symbol.name for symbol in law.inputs)
        found |= {"m": len(names), "inputs": names}
    for size, default in defaults.items():
        if isinstance(default, tuple) and isinstance(found[size], str | int):
            found[size] = (found[size],)
    return {
        size: {",".join(map(str, key)): inside for key, inside in value.items()} if isinstance(value, dict) else value
        for size, value in found.items()
    }


def _tree(law: Law, path: Path | None, json: bool) -> None:
    from ..errors import DataError
    from ..report import structure
    from ..report.blocks import Code, Heading

    made = structure.structure(law)
    if path is not None:
        from ..report import plot

        plot.check(path)
        try:
            path.write_bytes(structure.picture(made, path.suffix.lower()))
        except OSError as error:
            raise DataError(f"draw {path}", str(error.strerror), "name a file in a folder that exists") from None
    show(
        {"law": law.name, "structure": structure.as_json(made)}, [Heading(law.title), Code(structure.tree(made))], json
    )
