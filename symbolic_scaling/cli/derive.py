"""``symscale derive LAW WHAT``: a result with its steps, each step's claims verified."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from ._command import Command, Option
from ._common import as_json, exit_code, find_law, is_name, names, pairs, show, working
from ._sizes import sized

if TYPE_CHECKING:
    import sympy as sp

    from ..law import Law
    from ..records import Derivation
    from ..report.blocks import Block

__all__ = ["QUESTIONS", "command"]

QUESTIONS = (
    *("gradient", "hessian", "elasticity", "limits", "series", "inverse", "optimum", "frontier", "envelope"),
    *("suboptimality", "crossover", "sensitivity", "reduction"),
)


def _list(_context: click.Context, _option: click.Parameter, text: str | None) -> list[str]:
    return names(text or "")


@click.command("derive", cls=Command)
@click.argument("law")
@click.argument("what", type=click.Choice(QUESTIONS))
@click.option("--in", "variable", metavar="x", help="The variable meant: solved for, optimised, or expanded in.")
@click.option("--over", metavar="N,D", help="The variables or parameters meant; the law's variables without it.")
@click.option("--cost", metavar="6*N*D", help="The budget of a frontier; the law's own without it.")
@click.option("--fixed", metavar="x,y", callback=_list, help="Inputs held.")
@click.option("--largest", is_flag=True, help="Where the response is largest, not least: an accuracy, a reward.")
@click.option("--with", "other", metavar="LAW", help="The other law of a crossover or a reduction; may be a formula.")
@click.option("--shared", metavar="E,k", callback=_list, help="Constants that both laws of a crossover have in common.")
@click.option("--given", multiple=True, metavar="'a > b'", help="A further assumption; may be repeated.")
@click.option("--order", type=click.IntRange(min=1), metavar="n", help="How many terms of a series.")
@click.option("--at", metavar="C=5.76e23|oo|0", help="Evaluate there; of a series, the end at which it is taken.")
@click.option(
    "--published",
    metavar="NAME",
    help="Evaluate at these published constants; see symscale show LAW.",
    cls=Option,
    without=("latex",),
)
@click.option("--variables", default="", metavar="N,D", help="Which names of a formula are its inputs.")
@click.option("--budget", type=float, default=60.0, show_default=True, help="Seconds for deriving and verifying.")
@click.option("--latex", is_flag=True, help="Print LaTeX.", cls=Option, without=("as_json",))
@as_json
def command(
    *,
    law: str,
    what: str,
    variables: str,
    budget: float,
    latex: bool,
    published: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Derive WHAT of LAW, a name or a formula with --variables."""
    from .. import budget as clock
    from .. import derive, report, verify

    if variables and all(is_name(each) for each in (law, options["other"] or law)):
        raise ScalingError(f"derive {what} of {law}", "--variables is for a formula", "leave it out")
    chosen = _law(law, variables)
    numbers = _numbers(chosen, what, published, options)
    with clock.limit(budget), working() as say:
        say(f"deriving the {what} of {law}")
        ask = getattr(derive, what)
        result = ask(chosen, **_accepted(what, ask, _laws(what, variables, options)))
        say("verifying its steps")
        verdicts = verify.derivation(result)
        value, page = _numbered(result, numbers)
    if latex and not as_json:
        sys.stdout.write(report.latex(result, verdicts))
    else:
        named = {"law": law.strip()} if sized(law) else {}  # with its sizes, so that it reads back
        value = {"what": what, **report.as_json(result, verdicts), **named, **value}
        show(value, (*report.blocks(result, verdicts), *page), as_json)
    return exit_code(verdicts)


def _law(text: str, variables: str) -> Law:
    """The law; --variables are for a formula."""
    return find_law(text, [] if is_name(text) else names(variables))


def _numbers(law: Law, what: str, published: str | None, options: dict[str, Any]) -> dict[str, sp.Expr]:
    """The numbers to evaluate at, taken out of the options; none where nothing is to be evaluated."""
    from ._values import known

    at = options["at"] or ""
    if "=" in at:
        options["at"] = None
    elif at and (what != "series" or at not in ("oo", "0")):
        raise ScalingError(f"derive {what} --at {at}", "no name=value", "write --at C=5.76e23; of a series, oo or 0")
    return known(law, published, pairs("--at", [at]) if "=" in at else {})


def _numbered(result: Derivation, numbers: dict[str, sp.Expr]) -> tuple[dict[str, Any], list[Block]]:
    """The entry ``values`` and its page, if numbers are given."""
    if not numbers:
        return {}, []
    from ..report.blocks import Heading, Table
    from ._values import values

    found = values(result, numbers)
    rows = tuple((key, f"{value:.8g}".replace("inf", "oo")) for key, value in found.items())
    return {"values": found}, [Heading("Values", 2), Table(("what", "value"), rows)]


def _laws(what: str, variables: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options with --with read as a law; a reduction without it tries every law of the package."""
    from .. import laws

    text = options.pop("other")
    other = _law(text, variables) if text else None
    if what != "reduction":
        return {**options, "other": other}
    return {**options, "into": other or tuple(laws.get(name) for name in laws.names())}


def _accepted(what: str, ask: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given; :class:`ScalingError` for one that this question does not take or still needs."""
    takes = inspect.signature(ask).parameters
    given = {name: value for name, value in options.items() if value}
    option = {"variable": "--in", "other": "--with"}
    foreign = [option.get(name, f"--{name}") for name in given if name not in takes]
    if foreign:
        raise ScalingError(f"derive {what}", f"{', '.join(foreign)} has no meaning there", "leave it out")
    missing = [
        option.get(name, f"--{name}")
        for name, parameter in list(takes.items())[1:]
        if parameter.default is parameter.empty and name not in given
    ]
    if missing:
        raise ScalingError(f"derive {what}", f"{', '.join(missing)} is missing", f"say {' '.join(missing)} NAME")
    return given
