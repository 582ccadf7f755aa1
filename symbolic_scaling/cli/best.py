"""``symscale best DATA``: extrapolate a table by an average of laws and windows, with a band and the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from . import _outputs
from ._columns import columns
from ._command import Command
from ._common import as_json, by, counting, decimal, number, pairs, where
from ._groups import attempt, parted, print_answers
from .backtest import candidates

if TYPE_CHECKING:
    from ..data import Table
    from ..fit import Best
    from ..law import Law

__all__ = ["command"]


@click.command("best", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--law", "laws", multiple=True, metavar="NAME|FORMULA", help="May be repeated; m1 to m4 without it.")
@click.option(
    "--x", "inputs", multiple=True, metavar="x=col,...", help="The column of each input that --let does not define."
)
@click.option("--y", required=True, metavar="col", help="The column of the response, or a name that --let defines.")
@click.option("--let", multiple=True, metavar="y='1 - acc'", help="An input or response computed from columns.")
@where
@click.option("--drop-highest", type=click.IntRange(min=0), default=0, metavar="n", help="Leave out the n highest y.")
@click.option("--from", "start", metavar="X", help="Use rows with the first input from X on.")
@click.option("--to", "stop", metavar="X", help="Use rows with the first input up to X.")
@click.option("--until-peak", is_flag=True, help="Use rows up to where y is least.")
@by("One answer for each value of these columns; a failed one is named, exit code 2.")
@click.option(
    "--at", multiple=True, metavar="1e9|N=1e9,D=1e11", help="Where to; repeat it. Twice the largest row without it."
)
@click.option("--loss", type=click.Choice(["squared", "huber", "soft-l1"]), default="squared", show_default=True)
@click.option("--on-bad", type=click.Choice(["drop", "raise"]), default="drop", show_default=True, help="Bad rows.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FIT", help="Save the fit that weighs most as JSON.")
@click.option("--report", type=click.Path(path_type=Path), metavar="DIR", help="A page with a picture, and the JSON.")
@decimal
@as_json
def command(*, save: Path | None, report: Path | None, as_json: bool, **asked: Any) -> int:
    """Extrapolate the runs in DATA: no law is chosen beforehand, and the answer says why it is what it is."""
    from .. import data
    from ..report import of_best

    _outputs.check({"--save": save}, {"--report": report}, reads=[asked["data"]])
    if report is not None:
        from ..report import plot

        plot.require()
    table = data.read(asked["data"], decimal_mark=asked["decimal"])
    laws, x, let = columns(asked, lambda given: candidates(asked["laws"], given))
    if asked["where"]:
        table = data.keep(table, asked["where"], x, let)
    by = asked["by"]
    groups = data.group(table, by) if by and len(table) else [((), table)]
    if len(groups) > 1 and save:
        raise ScalingError(f"extrapolate {len(groups)} groups", "--save names one file", "pick one with --where")
    made = []
    with counting("extrapolating", len(groups)) as tick:
        for key, part in groups:
            named = {name: "" if value is None else str(value) for name, value in key}
            made.append((named, attempt(lambda one: _best(one, laws, x, let, asked), part)))
            tick()
    found, failed = parted(made)
    if save:
        found[0][1].fit.save(save)
    value: dict[str, Any] = {"best": [of_best.as_json(best, key) for key, best in found]}
    if report is not None:
        value["files"] = [str(path) for path in of_best.write(report, found)]
    print_answers(value, of_best.pages(found), failed, as_json)
    return 2 if failed else 0


def _best(part: Table, laws: Sequence[Law], x: dict[str, str], let: dict[str, str], asked: dict[str, Any]) -> Best:
    from .. import data, fit

    inputs = [symbol.name for symbol in laws[0].inputs]
    chosen = {name: asked[name] for name in ("on_bad", "drop_highest", "start", "stop", "until_peak")}
    sample = data.select(part, x=x, y=asked["y"], let=let, inputs=inputs, **chosen)
    where = {name: sample.x[name] for name in inputs}
    return fit.best(laws, x=where, y=sample.y, at=_at(asked["at"], inputs), loss=asked["loss"])


def _at(given: Sequence[str], inputs: list[str]) -> dict[str, list[float]] | None:
    """``("1e9", "1e10")`` or ``("N=7e10,D=1e12",)`` -> input -> values."""
    if not given:
        return None
    points = []
    for text in given:
        alone = "=" not in text and len(inputs) == 1
        point = {inputs[0]: text} if alone else pairs("--at", [text])
        if set(point) != set(inputs):
            form = ",".join(f"{name}=value" for name in inputs)
            raise ScalingError(f"read --at {text}", f"it names {', '.join(point)}", f"write --at {form}")
        points.append({name: number("--at", value) for name, value in point.items()})
    return {name: [point[name] for point in points] for name in inputs}
