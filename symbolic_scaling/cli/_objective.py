"""What a fit minimises, as options: residual, loss, spreads, weights, priors and ties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from ._command import Option
from ._common import interval, number, pairs

__all__ = ["columns", "options", "read"]

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--residual",
        "--objective",
        "residual",
        type=click.Choice(["response", "equation", "relative", "absolute", "log1p"]),
        default="response",
        show_default=True,
        help="Of log y, of the law's own equation, (y - y_hat)/y, y - y_hat, or of log(1 + y).",
    ),
    click.option("--loss", type=click.Choice(["squared", "huber", "soft-l1"]), default="squared", show_default=True),
    click.option(
        "--delta",
        default="1e-3",
        show_default=True,
        metavar="d",
        help="Where a robust loss turns straight.",
        cls=Option,
        needs={"loss": ("huber", "soft-l1")},
    ),
    click.option(
        "--reduce", type=click.Choice(["mean", "sum"]), default="mean", show_default=True, help="What is printed."
    ),
    click.option("--sigma", metavar="col", help="The known spread of each row's residual, in the residual's unit."),
    click.option("--weights", metavar="col", help="How often each row counts."),
    click.option("--prior", multiple=True, metavar="p=v~sd", help="A parameter or expression is v, give or take sd."),
    click.option("--tie", multiple=True, metavar="p=expr", help="Replace a parameter by an expression in others."),
    click.option("--fix", multiple=True, metavar="p=v", help="Hold a parameter at a value."),
    click.option("--bound", multiple=True, metavar="p=lo:hi", help="Keep a parameter inside an interval."),
    click.option(
        "--target",
        type=click.Choice(["numpy", "numba"]),
        default="numpy",
        show_default=True,
        help="What evaluates and searches: numba's machine code pays from some hundred fits of one law.",
    ),
)


def options(command: Command) -> Command:
    """Give a command the options that :func:`read` and :func:`columns` read."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``fit.curve`` that need no table.

    Raises
    ------
    ScalingError
        If a text is no ``name=value``.
    ParseError
        If a prior is no ``value~deviation``; the place is marked.
    """
    return {
        "residual": asked["residual"],
        "loss": asked["loss"],
        "delta": number("--delta", asked["delta"]),
        "reduce": asked["reduce"],
        "target": asked["target"],
        "priors": {name: _prior(name, text) for name, text in pairs("--prior", asked["prior"]).items()},
        "tie": pairs("--tie", asked["tie"]),
        "fix": {name: number("--fix", value) for name, value in pairs("--fix", asked["fix"]).items()},
        "bounds": {name: interval("--bound", value) for name, value in pairs("--bound", asked["bound"]).items()},
    }


def columns(asked: Mapping[str, Any]) -> dict[str, str]:
    """Argument of ``fit.curve`` -> column, of those that are columns and given."""
    return {name: asked[name] for name in ("sigma", "weights") if asked[name]}


def _prior(name: str, text: str) -> tuple[float, float]:
    from ..notation.source import Source

    value, tilde, deviation = text.partition("~")
    if not (tilde and value.strip() and deviation.strip()):
        place = text.index("~") + 1 if tilde and value.strip() else 0 if tilde else len(text)
        found = "the deviation is missing" if value.strip() else "the value is missing"
        raise Source(text, f"read --prior {name}={text}").error(place, found, f"write --prior '{name}=0.34~0.05'")
    return number("--prior", value), number("--prior", deviation)
