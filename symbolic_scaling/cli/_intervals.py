"""How sure a fit is, as options: methods, quantities derived from its constants, and what they are taken at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import ScalingError
from ._command import Option
from ._common import number, pairs

if TYPE_CHECKING:
    from ..fit import FitResult

__all__ = ["add", "none", "options"]

Command = TypeVar("Command", bound=Callable[..., Any])


def _level(context: click.Context, parameter: click.Parameter, text: str) -> float:
    """A coverage, whether or not an interval is asked for."""
    level = number("--level", text)
    if not 0 < level < 1:
        raise ScalingError(f"read --level {text!r}", "it is not between 0 and 1", "give one, such as 95% or 0.95")
    return level


_METHODS = ("delta", "sandwich", "profile", "bootstrap", "residuals")
_OPTIONS = (
    click.option(
        "--intervals",
        "methods",
        multiple=True,
        type=click.Choice(_METHODS),
        help="How intervals are made, as often as you like: of every constant, or of what --of names.",
    ),
    click.option("--of", multiple=True, metavar="q=expr", help="A quantity: an expression in the constants."),
    click.option(
        "--at",
        multiple=True,
        metavar="C=1e24,...",
        help="Values of other names in --of: inputs, a budget.",
        cls=Option,
        needs={"of": ()},
    ),
    click.option(
        "--level",
        default="95%",
        show_default=True,
        metavar="p",
        callback=_level,
        help="Nominal coverage of --intervals.",
        cls=Option,
        needs={"methods": (), "of": ()},
    ),
    click.option(
        "--bootstrap",
        "samples",
        type=click.IntRange(min=20),
        default=1000,
        show_default=True,
        metavar="n",
        help="Samples of a bootstrap.",
        cls=Option,
        needs={"methods": ("bootstrap", "residuals"), "of": ()},
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Of whatever is drawn.",
        cls=Option,
        needs={"methods": ("bootstrap", "residuals"), "of": ()},
    ),
)


def options(command: Command) -> Command:
    """Give a command the options that :func:`add` reads."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def none(asked: Mapping[str, Any]) -> None:
    """Refuse intervals where fits go to a file, a line each."""
    if asked["methods"] or asked["of"]:
        raise ScalingError("fit with --intervals or --of", "a line of --out has no place for them", "leave --out away")


def add(fit: FitResult, asked: Mapping[str, Any]) -> FitResult:
    """The fit with the intervals that are asked for; two methods where only quantities are.

    Raises
    ------
    ScalingError
        If a text is no ``name=value``, or a name has no value.
    ParseError
        If a quantity is no expression; the place is marked.
    """
    if not (asked["methods"] or asked["of"]):
        return fit
    from ..fit import interval_table

    values = {name: number("--at", text) for name, text in pairs("--at", asked["at"]).items()}
    positive = {s.name for s in (*fit.law.inputs, *(cost.symbol for cost in fit.law.costs))}
    for name, value in values.items():
        if name in positive and value <= 0:
            raise ScalingError(f"read --at {name}={value:g}", f"{name} is positive", f"give {name} above 0")

    fixed = dict(fit.problem.fix)
    free = {s.name: s.name for s in fit.law.constants if s.name not in fixed}
    made = interval_table(
        fit,
        pairs("--of", asked["of"]) or free,
        values=values,
        methods=tuple(dict.fromkeys(asked["methods"])) or ("delta", "bootstrap"),
        level=asked["level"],
        samples=asked["samples"],
        seed=asked["seed"],
    )
    return replace(fit, derived=made)
