"""``symscale plan``: from a law and a budget to what to train; its questions load on use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from ._command import Group, Option
from ._common import as_json, find_law, is_name, names, pairs, show
from ._landscape import QUESTIONS
from ._plan import account, isoflop, kaplan, sovit

if TYPE_CHECKING:
    from ..plan import Machine, Plan, Source

__all__ = ["command"]


@click.group("plan", cls=Group)
def command() -> None:
    """What to train for a budget, or what a target costs. Every question takes --json."""


def _numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every plan with a law's numbers takes."""
    options = (
        click.option("--law", metavar="LAW", help="A name or a formula; the fit's own law with --fit."),
        click.option("--published", metavar="SET", help="Printed constants; see symscale show LAW."),
        click.option("--fit", type=click.Path(path_type=Path), help="A fit that symscale fit --save wrote."),
        click.option(
            "--variables",
            default="",
            metavar="N,D",
            help="Which names of a formula are its inputs.",
            cls=Option,
            needs={"law": ()},
        ),
        click.option("--cost", metavar="6*N*D", help="The cost of a run; the law's own without it."),
        click.option("--at", multiple=True, metavar="D_inf=1e12", help="The cost's own letters."),
        click.option("--inference", metavar="TOKENS", help="Tokens to be served: the cost is 6 N D + 2 N D_inf."),
        click.option(
            "--intervals",
            "methods",
            multiple=True,
            metavar="delta|bootstrap|profile|...",
            cls=Option,
            needs={"fit": ()},
        ),
        click.option("--peak", metavar="312TFLOPS", help="FLOP a second of one accelerator."),
        click.option(
            "--utilisation",
            default="1",
            metavar="40%",
            help="Which part of the peak is reached.",
            cls=Option,
            needs={"peak": ()},
        ),
        click.option("--price", metavar="2.5", help="Of one hour of one accelerator.", cls=Option, needs={"peak": ()}),
        as_json,
    )
    for option in reversed(options):
        function = option(function)
    return function


@command.command("allocate")
@click.option("--compute", metavar="1e24FLOP", help="FLOP, PF-days, or GPU-hours with --peak.")
@click.option(
    "--unique",
    metavar="TOKENS",
    help="Unique tokens, with --law data-constrained: size and epochs.",
    cls=Option,
    without=("run",),
)
@click.option(
    "--shape",
    multiple=True,
    metavar="layers=80,width=8192,...",
    help="For the table of conventions.",
    cls=Option,
    without=("run", "unique"),
)
@click.option(
    "--run",
    multiple=True,
    metavar="N=7B,D=2T",
    help="Judge this run by the best of its budget, instead of --compute.",
    cls=Option,
    without=("methods",),
)
@_numbers
def allocate(
    *, compute: str | None, unique: str | None, shape: tuple[str, ...], run: tuple[str, ...], as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """N*, D* and L* for a budget."""
    from .. import plan

    chosen, (cost, beside) = _source(options), _priced(options)
    if bool(run) == (compute is not None):
        raise ScalingError("plan allocate", "neither or both of --compute and --run are given", "give one of them")
    machine, methods = _machine(options), options["methods"] or ("delta",)
    if run:
        return _print(plan.judge(chosen, pairs("--run", run), cost, beside, machine), as_json)
    if unique is not None:
        if cost is not None or beside:
            remedy = "leave --cost, --at and --inference out"
            raise ScalingError("plan repeated data", "its cost is 6 N D, and another is given", remedy)
        return _print(
            plan.repeat(chosen, compute, unique, find_law("chinchilla"), machine=machine, methods=methods), as_json
        )
    made = plan.allocate(
        chosen, compute, cost, beside=beside, machine=machine, sizes=pairs("--shape", shape) or None,
        methods=methods,
    )  # fmt: skip
    return _print(made, as_json)


@command.command("invert")
@click.option("--target", required=True, metavar="2.0", help="The response to reach; nats or bits may be said.")
@click.option("--hold", multiple=True, metavar="N=70B", help="Inputs held; oo for as much as one likes.")
@click.option("--most", multiple=True, metavar="D=1T", help="The largest value of an input.")
@_numbers
def invert(*, target: str, hold: tuple[str, ...], most: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """The least compute for a target; with one input held or capped, the other."""
    from .. import plan

    cost, beside = _priced(options)
    made = plan.invert(
        _source(options), target, cost, beside=beside, held=pairs("--hold", hold), most=pairs("--most", most),
        machine=_machine(options), methods=options["methods"] or ("delta",),
    )  # fmt: skip
    _print(made, as_json)


@command.command("compare")
@click.argument("sets")
@click.option("--law", default="chinchilla", show_default=True, metavar="LAW", help="Whose printed constants they are.")
@click.option("--variables", default="", metavar="N,D", help="Which names of formulas are their inputs.")
@click.option("--compute", default="1e24FLOP", show_default=True, help="The budget.")
@click.option("--cost", metavar="6*N*D", help="The cost of a run; the law's own without it.")
@click.option("--at", multiple=True, metavar="D_inf=1e12", help="The cost's own letters.")
@click.option("--inference", metavar="TOKENS", help="Tokens to be served: the cost is 6 N D + 2 N D_inf.")
@click.option("--intervals", "methods", multiple=True, metavar="delta|bootstrap|profile|...")
@as_json
def compare(
    *, sets: str, law: str, variables: str, compute: str, methods: tuple[str, ...], as_json: bool, **options: Any
) -> None:  # fmt: skip
    """Several SETS, printed, fitted or written as formulas, side by side: besiroglu2024,hoffmann2022,FIT.json."""
    from .. import plan

    chosen = [_either(law, name, names(variables)) for name in names(sets)]
    if methods and all(one.fit is None for one in chosen):
        raise ScalingError("plan compare --intervals", "no set is a fit", "leave it out, or name a FIT.json")
    if variables and all(is_name(name) for name in names(sets)):
        raise ScalingError("plan compare --variables", "no set is a formula", "leave it out")
    cost, beside = _priced(options)
    _print(plan.compare(chosen, compute, cost, beside=beside, methods=methods or ("delta",)), as_json)


def _either(law: str, name: str, variables: list[str]) -> Source:
    """A printed set by its name, of another law with ``law:set``; a formula without letters; or a fit by its file."""
    from .. import plan

    if name.endswith(".json"):
        from .. import fit

        return replace(plan.source(fit=fit.load(name)), label=name)
    if not is_name(name):
        return plan.source(find_law(name, variables), label=name)
    other, colon, own = name.rpartition(":")
    return replace(plan.source(find_law(other), own), label=name) if colon else plan.source(find_law(law), name)


def _priced(options: dict[str, Any]) -> tuple[str | None, dict[str, str]]:
    """The cost and the numbers of its own letters; --inference is short for a cost with tokens to be served."""
    cost, beside, served = options["cost"], pairs("--at", options["at"]), options["inference"]
    if served is None:
        return cost, beside
    if cost is not None:
        raise ScalingError("price a run", "--inference and --cost are given", "write D_inf into the cost, and --at")
    return "C = 6*N*D + 2*N*D_inf", {**beside, "D_inf": served}


def _source(options: dict[str, Any]) -> Source:
    from .. import plan

    law = options["law"] and find_law(options["law"], names(options["variables"]))
    if options["fit"] is None:
        return plan.source(law, options["published"])
    from .. import fit

    found = fit.load(options["fit"])
    if law is not None and law.form != found.law.form:
        raise ScalingError("plan with a fit", f"it is a fit of {found.law.form}", "leave --law out")
    return plan.source(law, options["published"], found)


def _machine(options: dict[str, Any]) -> Machine | None:
    from .. import plan

    if options["peak"] is None:
        return None
    return plan.Machine.read(options["peak"], options["utilisation"], options["price"])


def _print(made: Plan, as_json: bool) -> None:
    from ..report import of_plan

    show(of_plan.as_json(made), of_plan.blocks(made), as_json)


for _question in (account, kaplan, sovit, isoflop, *QUESTIONS):
    command.add_command(_question)
