"""``symscale fit DATA``: a law fitted to the runs of a table, one fit a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from ..errors import ScalingError
from . import _intervals, _many, _objective, _outputs, _pool
from ._columns import columns, law_of_columns
from ._command import Command, Option
from ._common import as_json, by, counting, decimal, where
from ._groups import attempt, parted, print_answers

if TYPE_CHECKING:
    from ..data import Sample, Table
    from ..fit import FitResult
    from ..law import Law

__all__ = ["command"]


@click.command("fit", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--law", "law", required=True, metavar="NAME|FORMULA", help="A law's name, or 'L = E + A/N^alpha'.")
@click.option(
    "--x", "inputs", multiple=True, metavar="N=col,...", help="The column of each input that --let does not define."
)
@click.option("--y", required=True, metavar="col", help="The column of the response, or a name that --let defines.")
@click.option("--let", multiple=True, metavar="D='C/(6*N)'", help="An input or response computed from columns.")
@where
@click.option("--drop-highest", type=click.IntRange(min=0), default=0, metavar="n", help="Leave out the n highest y.")
@click.option("--from", "start", metavar="X", help="Use rows with the first input from X on.")
@click.option("--to", "stop", metavar="X", help="Use rows with the first input up to X.")
@click.option("--until-peak", is_flag=True, help="Use rows up to where y is least.")
@by("One fit for each value of these columns; a failed one is named, exit code 2.")
@click.option(
    "--share", metavar="p", help="One value of this parameter for all groups of --by.", cls=Option, needs={"by": ()}
)
@_objective.options
@_intervals.options
@click.option("--on-bad", type=click.Choice(["drop", "raise"]), default="drop", show_default=True, help="Bad rows.")
@click.option("--prune", is_flag=True, help="Take off the parts of the law that the rows do not need.")
@click.option("--certify", is_flag=True, help="Prove that no point of the box is lower, where the law allows it.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FIT", help="Save the fit as JSON.")
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path),
    metavar="PICTURE",
    help="Draw data and curve: .png, .pdf or .svg.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that fit.",
    cls=Option,
    without=("share",),
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="A line a fit: .jsonl, .csv or .parquet.")
@click.option("--journal", type=click.Path(path_type=Path), metavar="FILE", help="Keep what is done, to go on with it.")
@decimal
@as_json
def command(*, save: Path | None, picture: Path | None, out: Path | None, as_json: bool, **asked: Any) -> int:
    """Fit a law to the runs in DATA (CSV, TSV, JSON or Parquet); no start values are needed."""
    from .. import data
    from ..report import of_fit

    _outputs.check({"--save": save, "--plot": picture}, reads=[asked["data"]])
    if picture is not None:
        from ..report import plot

        plot.check(picture)
    if out or asked["journal"]:
        _intervals.none(asked)
        (law,), x, let = columns(asked, lambda given: [law_of_columns(asked["law"], given)], level=True)
        return _many.run(law, x, let, {**asked, "save": save, "picture": picture}, out=out, json=as_json)
    table = data.read(asked["data"], decimal_mark=asked["decimal"])
    (law,), x, let = columns(asked, lambda given: [law_of_columns(asked["law"], given)], level=True)
    if picture and not law.inputs:
        raise ScalingError(f"draw {picture}", f"{law.title} has no input", "leave --plot away")
    by = asked["by"]
    if asked["where"]:
        table = data.keep(table, asked["where"], x, let)
    groups = data.group(table, by) if by and len(table) else [((), table)]
    if len(groups) > 1 and (save or picture):
        option = "--save" if save else "--plot"
        raise ScalingError(f"fit {len(groups)} groups", f"{option} names one file", "pick one group with --where")
    fits, failed = parted((_shared if asked["share"] else _each)(groups, law, x, let, asked))
    if asked["prune"]:
        from ..fit import pruned

        fits = [(key, pruned(found)) for key, found in _progress(fits)]
    if asked["certify"]:
        fits = _certified(fits)
    fits = [(key, _intervals.add(fit, asked)) for key, fit in fits]
    if save:
        fits[0][1].save(save)
    if picture:
        _draw(fits[0][1], picture)
    print_answers({"fits": [of_fit.as_json(fit, by=key) for key, fit in fits]}, of_fit.pages(fits), failed, as_json)
    if failed:
        return 2
    return 0 if all(fit.outcome.success and fit.certificate.kind != "refuted" for _, fit in fits) else 1


Groups: TypeAlias = Sequence[tuple[tuple[tuple[str, Any], ...], "Table"]]
Fits: TypeAlias = list[tuple[dict[str, str], "FitResult"]]
Made: TypeAlias = list[tuple[dict[str, str], "FitResult | ScalingError"]]


def _each(groups: Groups, law: Law, x: dict[str, str], let: dict[str, str], asked: dict[str, Any]) -> Made:
    """One fit for each group, or why it has none."""
    from ..fit.jobs import ordered

    samples = [attempt(lambda part: _sample(part, law, x, let, asked), part) for _, part in groups]
    fits: Made = []
    with _pool.workers(asked["jobs"], len(groups)) as executor, counting("fitting", len(groups)) as tick:
        tasks = ((law, sample, asked) for sample in samples)
        for (key, _), sample, found in zip(groups, samples, ordered(_try, tasks, executor), strict=True):
            if isinstance(sample, ScalingError) or isinstance(found, ScalingError):
                fits.append((dict(key), found))
            else:
                fits.append((dict(key), _in_rows_of_the_table(found, sample)))
            tick()
    return fits


def _try(task: tuple[Law, Sample | ScalingError, dict[str, Any]]) -> FitResult | ScalingError:
    law, sample, asked = task
    return sample if isinstance(sample, ScalingError) else attempt(_one, (law, sample, asked))


def _one(task: tuple[Law, Sample, dict[str, Any]]) -> FitResult:
    from .. import fit

    law, sample, asked = task
    x = {symbol.name: sample.x[symbol.name] for symbol in law.inputs}
    more: dict[str, Any] = {name: _column(sample, column) for name, column in _objective.columns(asked).items()}
    return fit.curve(law, x=x, y=sample.y, **_objective.read(asked), **more)


def _shared(groups: Groups, law: Law, x: dict[str, str], let: dict[str, str], asked: dict[str, Any]) -> Made:
    """One fit for each group, with one parameter in common."""
    from .. import fit

    samples = {key: _sample(part, law, x, let, asked) for key, part in groups}
    tables = {key: ({s.name: sample.x[s.name] for s in law.inputs}, sample.y) for key, sample in samples.items()}
    more: dict[str, Any] = {
        name: {key: _column(sample, column) for key, sample in samples.items()}
        for name, column in _objective.columns(asked).items()
    }
    found = fit.shared(law, tables, asked["share"], **_objective.read(asked), **more)
    return [(dict(key), _in_rows_of_the_table(result, samples[key])) for key, result in found.fits]


def _certified(fits: Fits) -> Fits:
    """The fits with certificates."""
    from ..fit import certify

    return [(key, replace(found, certificate=certify(found))) for key, found in _progress(fits)]


def _sample(table: Table, law: Law, x: dict[str, str], let: dict[str, str], asked: dict[str, Any]) -> Sample:
    from .. import data

    chosen = {name: asked[name] for name in ("on_bad", "drop_highest", "start", "stop", "until_peak")}
    inputs = [*(symbol.name for symbol in law.inputs), *_objective.columns(asked).values()]
    return data.select(table, x=x, y=asked["y"], let=let, inputs=inputs, **chosen)


def _column(sample: Sample, name: str) -> Any:
    """Sigma or weights: of a column that is the response too, the response."""
    return sample.x.get(name, sample.y)


def _in_rows_of_the_table(fit: FitResult, sample: Sample) -> FitResult:
    """The fit with row numbers of the table instead of the sample, and what the reader noted."""
    from ..fit.zeros import at_zero

    number = [int(row) for row in sample.rows]
    dropped = (*sample.dropped, *((number[row - 1], why) for row, why in fit.problem.rows_dropped))
    used = tuple(number[row - 1] for row in fit.problem.rows_used)
    problem = replace(fit.problem, rows_used=used, rows_dropped=tuple(sorted(dropped)))
    notes = (*fit.notes, *at_zero(fit, sample.dropped))
    noted = [note for note in sample.notes if not any(more.startswith(note) for more in notes)]
    return replace(fit, problem=problem, notes=tuple(dict.fromkeys((*noted, *notes))))


def _draw(fit: FitResult, place: Path) -> None:
    from ..report import plot
    from ..report.write import file

    file(place, plot.render(plot.of_fit(fit), place.suffix))


def _progress(groups: Sequence[Any]) -> Iterable[Any]:
    import sys

    if len(groups) == 1 or not sys.stderr.isatty():
        return groups
    from rich.console import Console
    from rich.progress import track

    return track(groups, "fitting", console=Console(stderr=True), transient=True)
