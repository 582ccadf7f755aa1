"""``symscale predict FIT``: a saved fit at new inputs, or the input at which it reaches a response."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from ._command import Command
from ._common import as_json, number, pairs, show

if TYPE_CHECKING:
    from ..fit import FitResult
    from ..fit.forecast import Forecast

__all__ = ["command"]


@click.command("predict", cls=Command)
@click.argument("fit", type=click.Path(path_type=Path))
@click.option("--x", "inputs", multiple=True, metavar="N=1e10,...", help="Inputs, oo included; repeat it for more.")
@click.option("--reach", metavar="L=2.5", help="Which input gives this response; --x holds the others, oo included.")
@as_json
def command(fit: Path, inputs: tuple[str, ...], reach: str | None, as_json: bool) -> None:
    """Extrapolate the fit saved in FIT, or ask which input reaches a response."""
    from .. import fit as fitting
    from ..report import of_forecast

    found = fitting.load(fit)
    points = [pairs("--x", [text]) for text in inputs] or ([] if found.law.inputs else [{}])
    if reach is None and not points:
        raise ScalingError(f"predict from {fit}", "neither --x nor --reach is given", "say --x name=value")
    made = [_reach(found, reach, point) for point in points or [{}]] if reach else _predict(found, points)
    show({"predictions": [of_forecast.as_json(each) for each in made]}, of_forecast.blocks(found, made), as_json)


def _predict(found: FitResult, points: list[dict[str, str]]) -> list[Forecast]:
    from ..fit import forecast

    return [forecast.predict(found, _inputs(point)) for point in points]


def _inputs(point: dict[str, str]) -> dict[str, float]:
    """Numbers as people write them, and oo."""
    endless = ("oo", "+oo", "inf", "+inf", "infinity")
    return {n: float("inf") if text.lower() in endless else number("--x", text) for n, text in point.items()}


def _reach(found: FitResult, reach: str, point: dict[str, str]) -> Forecast:
    from ..fit import forecast

    response = found.law.response.symbol.name
    wanted: dict[str, Any] = pairs("--reach", [reach])
    if list(wanted) != [response]:
        raise ScalingError(f"reach {reach}", f"the response is {response}", f"say --reach {response}=value")
    return forecast.reach(found, number("--reach", wanted[response]), _inputs(point))
