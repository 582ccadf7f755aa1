"""``symscale backtest DATA``: laws fitted to the first part of every curve and judged on the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from . import _outputs, _pool
from ._columns import columns, law_of_columns
from ._command import Command, Option
from ._common import as_json, by, counting, decimal, interval, number, pairs, show, where

if TYPE_CHECKING:
    from ..fit.backtest import Contender, Curve
    from ..fit.profile import Profile
    from ..law import Law
    from ..report.blocks import Block

__all__ = ["candidates", "command"]


@click.command("backtest", cls=Command)
@click.argument("tables", metavar="DATA...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--law",
    "laws",
    multiple=True,
    metavar="NAME|FORMULA",
    help="May be repeated; m1 to m4 without it.",
    cls=Option,
    without=("report",),
)
@click.option(
    "--x", "inputs", multiple=True, metavar="x=col,...", help="The column of each input that --let does not define."
)
@click.option("--y", required=True, metavar="col", help="The column of the response, or a name that --let defines.")
@click.option("--let", multiple=True, metavar="y='1 - acc'", help="An input or response computed from columns.")
@where
@click.option("--from", "start", metavar="X", help="Use rows with the first input from X on (the cutoff tau).")
@click.option("--to", "stop", metavar="X", help="Use rows with the first input up to X.")
@click.option("--until-peak", is_flag=True, help="Use rows up to where y is least.")
@by("Columns whose values name a curve.")
@click.option("--group", metavar="col", help="The column over whose values errors are averaged.")
@click.option("--split", "column", metavar="col", help="1 in it marks the rows to fit; without it x <= x_max/2.")
@click.option(
    "--fix",
    multiple=True,
    metavar="p=v",
    help="Hold a parameter at a value in the laws that have it.",
    cls=Option,
    without=("report",),
)
@click.option(
    "--bound",
    multiple=True,
    metavar="p=lo:hi",
    help="Keep a parameter inside an interval.",
    cls=Option,
    without=("report",),
)
@click.option(
    "--objective",
    multiple=True,
    type=click.Choice(["response", "equation"]),
    help="May be repeated.",
    cls=Option,
    without=("report",),
)
@click.option(
    "--profile",
    metavar="c",
    help="Also hold this parameter on a grid and refit the rest.",
    cls=Option,
    without=("report",),
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that fit.")
@click.option(
    "--plots",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A plot and its numbers for every curve.",
    cls=Option,
    without=("report",),
)
@click.option("--report", type=click.Path(path_type=Path), metavar="DIR", help="The study of M1 to M4 as a page.")
@decimal
@as_json
def command(*, plots: Path | None, report: Path | None, as_json: bool, **asked: Any) -> None:
    """Fit laws to the first part of every curve in DATA and judge them on the rest."""
    _outputs.check({}, {"--plots": plots, "--report": report}, reads=asked["tables"])
    if plots or report:
        from ..report import plot

        plot.require()
    laws, x, let = columns(asked, lambda given: candidates(() if report else asked["laws"], given))
    with _pool.workers(asked["workers"]) as executor:
        if report:
            value, page = _study(report, _curves(asked, x, let, ["x"]), executor, asked)
        else:
            curves = _curves(asked, x, let, [symbol.name for symbol in laws[0].inputs])
            value, page = _backtest(curves, laws, executor, plots, asked)
    show(value, page, as_json)


def _backtest(
    curves: tuple[Curve, ...],
    laws: Sequence[Law],
    executor: Executor | None,
    plots: Path | None,
    asked: dict[str, Any],
) -> tuple[dict[str, Any], tuple[Block, ...]]:
    """The JSON object and the page of a backtest."""
    from ..fit import backtest
    from ..report import of_backtest

    fix = {name: number("--fix", value) for name, value in pairs("--fix", asked["fix"]).items()}
    bounds = {name: interval("--bound", value) for name, value in pairs("--bound", asked["bound"]).items()}
    contenders = backtest.contenders(laws, asked["objective"] or ["response"], fix=fix, bounds=bounds)
    with counting("fitting", len(curves) * len(contenders)) as tick:
        ran = backtest.run(curves, contenders, executor=executor, progress=tick)
    profiled = _profiles(curves, contenders, asked["profile"], executor) if asked["profile"] else []
    value = of_backtest.as_json(ran)
    if asked["profile"]:
        value["profile"] = [of_backtest.profile_json(each) for each in profiled]
    if plots:
        from ..report import of_curves

        value["files"] = [str(path) for path in of_curves.write(plots, curves, ran, profiled)]
    return value, of_backtest.blocks(ran, profiled)


def _profiles(
    curves: tuple[Curve, ...], contenders: tuple[Contender, ...], constant: str, executor: Executor | None
) -> list[Profile]:
    from ..fit import profile

    able = [
        each for each in contenders if constant in {s.name for s in each.law.constants} - {n for n, _ in each.fixed}
    ]
    if not able:
        raise ScalingError(f"profile {constant}", "no law has this free constant", "name one of theirs, not fixed")
    with counting(f"profiling {constant}", len(curves) * len(able)) as tick:
        return [
            found for each in able for found in profile.run(curves, each, constant, executor=executor, progress=tick)
        ]


def _study(
    place: Path, curves: tuple[Curve, ...], executor: Executor | None, asked: dict[str, Any]
) -> tuple[dict[str, Any], tuple[Block, ...]]:
    """The study's files, with the JSON object and the page that name them."""
    from ..report import of_backtest, study
    from ..report.blocks import Code, Paragraph, Table

    with counting("fitting", study.fits(curves)) as tick:
        found, files = study.write(place, curves, executor=executor, progress=tick)
    listed = Table(("file", "bytes"), tuple((Code(str(path)), str(path.stat().st_size)) for path in files))
    value = {**of_backtest.as_json(found.main), "files": [str(path) for path in files]}
    return value, (Paragraph(f"Read {place / 'report.md'}"), listed)


def _curves(asked: dict[str, Any], x: dict[str, str], let: dict[str, str], inputs: list[str]) -> tuple[Curve, ...]:
    """The curves of every table."""
    from .. import data
    from ..fit import backtest

    found: list[Curve] = []
    for path in asked["tables"]:
        table = data.read(path, decimal_mark=asked["decimal"])
        if asked["where"]:
            table = data.keep(table, asked["where"], x, let)
        chosen = {name: asked[name] for name in ("group", "column", "start", "stop", "until_peak")}
        found += backtest.split(table, x, asked["y"], by=asked["by"], let=let, inputs=inputs, **chosen)
    if not found:
        raise ScalingError("backtest", "no row is left", "check --where and the tables")
    return tuple(found)


def _apart(text: str) -> list[str]:
    """``"m1, unsl(m=1, n=2)"`` -> each law; a comma inside brackets belongs to a law, and a formula stands alone."""
    if "=" in re.sub(r"\([^()]*\)", "", text):
        return [text]
    return [one.strip() for one in re.split(r",(?![^()]*\))", text) if one.strip()]


def candidates(given: tuple[str, ...], columns: list[str]) -> tuple[Law, ...]:
    """The laws named, by default M1 to M4; all must take the same inputs."""
    from .. import laws

    if not given:
        return laws.learning_curves()
    texts = [name for text in given for name in _apart(text)]
    found = tuple(law_of_columns(text, columns) for text in texts)
    inputs = {tuple(sorted(symbol.name for symbol in law.inputs)) for law in found}
    if len(inputs) > 1:
        listed = " and ".join(", ".join(each) for each in sorted(inputs))
        raise ScalingError("compare laws", f"they take different inputs: {listed}", "compare laws of the same inputs")
    return found
