"""``symscale structure DATA``: which terms, breaks and counterforces a table asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from . import _outputs
from ._columns import columns, law_of_columns
from ._command import Command
from ._common import as_json, decimal, number, show, where, working

if TYPE_CHECKING:
    from ..law import Law

__all__ = ["command"]


@click.command("structure", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--x", "inputs", multiple=True, metavar="N=col,...", help="The column of each input that --let does not define."
)
@click.option("--y", required=True, metavar="col", help="The column of the response, or a name that --let defines.")
@click.option("--let", multiple=True, metavar="D='C/(6*N)'", help="An input or response computed from columns.")
@where
@click.option("--law", "law", metavar="unsl(...)|FORMULA", help="The richest structure allowed, in place of the UNSL.")
@click.option("--breaks", type=click.IntRange(0, 3), default=1, show_default=True, help="At most so many a term.")
@click.option("--residual", type=click.Choice(["response", "relative", "absolute", "log1p"]), default="response")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed gives the same path."
)
@click.option("--budget", metavar="s", help="Seconds after which what was found is fitted.")
@click.option("--on-bad", type=click.Choice(["drop", "raise"]), default="drop", show_default=True, help="Bad rows.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FIT", help="Save the fit of the structure as JSON.")
@decimal
@as_json
def command(*, save: Path | None, as_json: bool, **asked: Any) -> int:
    """Find the structure that extrapolates best to large values held out inside DATA: bottlenecks first, then parts."""
    from .. import data, fit
    from ..report import of_structure

    _outputs.check({"--save": save}, {}, reads=[asked["data"]])
    table = data.read(asked["data"], decimal_mark=asked["decimal"])
    (law,), x, let = columns(asked, lambda given: [_richest(asked, [name for name in given if name != asked["y"]])])
    if asked["where"]:
        table = data.keep(table, asked["where"], x, let)
    inputs = [symbol.name for symbol in law.inputs]
    sample = data.select(table, x=x, y=asked["y"], let=let, inputs=inputs, on_bad=asked["on_bad"])
    with working() as status:
        found = fit.structure(
            law,
            {name: sample.x[name] for name in inputs},
            sample.y,
            residual=asked["residual"],
            seed=asked["seed"],
            seconds=number("--budget", asked["budget"]) if asked["budget"] else None,
            progress=status,
        )
    if save:
        found.fit.save(save)
    show({"structure": of_structure.as_json(found)}, of_structure.blocks(found), as_json)
    return 0 if found.fit.outcome.success else 1


def _richest(asked: dict[str, Any], given: list[str]) -> Law:
    """The law named, or the UNSL of all inputs with every part that it may have."""
    from .. import laws

    if asked["law"]:
        return law_of_columns(asked["law"], given)
    names = list(dict.fromkeys(given))
    if not names:
        raise ScalingError("search a structure", "no input is named", "say --x N=column,D=column")
    if asked["inputs"] and "=" not in asked["inputs"][0]:
        names = ["x"]
    everything = tuple(range(1, len(names) + 1))
    shared: dict[str, Any] = {}
    if len(names) > 1:  # a counterforce and overfitting in all inputs at once
        shared = {"S": 1, "U": dict.fromkeys(range(3, 7), everything), "T": dict.fromkeys(range(4, 7), ())}
    breaks = {(3, t): asked["breaks"] for t in ((0,) if shared else ()) + everything}
    return laws.get("unsl", m=len(names), inputs=tuple(names), n=breaks, overfitting=True, signs=0, **shared)
