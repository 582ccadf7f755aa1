"""The questions of ``symscale plan`` about a law's shape: breaks, active terms, turning points, minima at a cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError, refuse_printed
from ._command import Command, Option
from ._common import as_json, find_law, names, pairs, show

if TYPE_CHECKING:
    from ..plan import Plan, Source

__all__ = ["QUESTIONS"]


def _numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Where the law and its numbers come from."""
    options = (
        click.option("--law", metavar="LAW", help="A name, perhaps with sizes, or a formula; not with --fit."),
        click.option(
            "--variables",
            default="",
            metavar="N,D",
            help="Which names of a formula are its inputs.",
            cls=Option,
            needs={"law": ()},
        ),
        click.option("--published", metavar="SET", help="Printed constants; see symscale show LAW."),
        click.option("--constants", multiple=True, metavar="b=2,...|FILE", help="Numbers, or a JSON file of them."),
        click.option("--fit", type=click.Path(path_type=Path), help="A fit that symscale fit --save wrote."),
        as_json,
    )
    for option in reversed(options):
        function = option(function)
    return function


_SURE = click.option(
    "--intervals",
    "methods",
    multiple=True,
    metavar="delta|bootstrap|profile|...",
    help="How sure a fit is; delta.",
    cls=Option,
    needs={"fit": ()},
)
_RANGE = click.option("--range", "spans", multiple=True, metavar="N=1e6:1e12", help="Where to look.")


@click.command("breaks", cls=Command)
@click.option("--at", multiple=True, metavar="N=1e9", help="Then also in one input, the others being these.")
@_SURE
@_numbers
def breaks(*, at: tuple[str, ...], methods: tuple[str, ...], **options: Any) -> None:
    """Where every hyperbreak lies: an equation of the inputs, and a value of each at the others."""
    from ..plan.landscape import pages

    _print(pages.bends(_source(options), _inputs("--at", at), methods or ("delta",)), options)


@click.command("active", cls=Command)
@click.option("--at", multiple=True, metavar="N=1e9,D=1e11", help="A point; repeat it for further points.")
@click.option("--over", default="", metavar="N,D", help="Two inputs: the borders of the regions in their plane.")
@click.option(
    "--hold",
    multiple=True,
    metavar="steps=1e4",
    help="The inputs beside those of --over.",
    cls=Option,
    needs={"over": ()},
)
@click.option(
    "--lines",
    type=click.IntRange(1, 1000),
    default=9,
    show_default=True,
    help="Values of the first of --over.",
    cls=Option,
    needs={"over": ()},
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="PNG",
    help="Surface, breaks and borders; CSV beside.",
    cls=Option,
    needs={"over": ()},
)
@_RANGE
@_numbers
def active(
    *, at: tuple[str, ...], over: str, hold: tuple[str, ...], lines: int, spans: tuple[str, ...], plot: Path | None,
    **options: Any,
) -> None:  # fmt: skip
    """Which term of the law is active where, with the share of each, and where that changes."""
    from ..plan.landscape import pages

    plane = tuple(names(over))
    if len(plane) not in (0, 2) or (not at and not plane) or (plot is not None and not plane):
        raise ScalingError("say which term is active", "neither --at nor two inputs of --over", "add --over N,D")
    source = _source(options)
    points = [_inputs("--at", [text]) for text in at]
    held, ends = _inputs("--hold", hold), _spans(spans)
    if plot is not None:
        from ..report.landscape import save, surface

        save(surface(source, plane[0], plane[1], held=held, spans=ends), plot)
    _print(pages.active(source, points, plane, held=held, spans=ends, lines=lines), options)


@click.command("turns", cls=Command)
@click.option("--in", "name", required=True, metavar="steps", help="The input that moves.")
@click.option("--hold", multiple=True, metavar="N=1e9", help="All others.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="PNG", help="The slice with its breaks; CSV beside.")
@_SURE
@_RANGE
@_numbers
def turns(
    *, name: str, hold: tuple[str, ...], spans: tuple[str, ...], plot: Path | None, methods: tuple[str, ...],
    **options: Any,
) -> None:  # fmt: skip
    """Minima and maxima in one input: the best learning rate, the epoch at which overfitting turns the curve."""
    from ..plan.landscape import pages

    source, held, ends = _source(options), _inputs("--hold", hold), _spans(spans)
    if set(ends) - {name}:
        raise ScalingError(
            "find turning points", f"a range of {sorted(set(ends) - {name})[0]}", f"--range {name}=lo:hi"
        )
    if plot is not None:
        from ..report.landscape import save, slice_of

        save(slice_of(source, name, held, ends.get(name)), plot)
    _print(pages.turning(source, name, held, ends.get(name), methods or ("delta",)), options)


@click.command("spend", cls=Command)
@click.option("--budget", required=True, metavar="1e21", help="In the unit of the cost.")
@click.option("--cost", metavar="6*N*D", help="The cost of a run; the law's own without it.")
@click.option("--beside", multiple=True, metavar="D_inf=1e12", help="The cost's own letters.")
@click.option("--hold", multiple=True, metavar="lr=1e-3", help="Inputs that stay as they are.")
@_SURE
@_RANGE
@_numbers
def spend(
    *, budget: str, cost: str | None, beside: tuple[str, ...], hold: tuple[str, ...], spans: tuple[str, ...],
    methods: tuple[str, ...], **options: Any,
) -> None:  # fmt: skip
    """The inputs that make any law least under a cost, every minimum certified; see also symscale plan allocate."""
    from ..plan.landscape import pages

    made = pages.best(
        _source(options), budget, cost, methods=methods or ("delta",), beside=pairs("--beside", beside),
        held=_inputs("--hold", hold), spans=_spans(spans),
    )  # fmt: skip
    _print(made, options)


QUESTIONS = (breaks, active, turns, spend)


def _inputs(option: str, given: Any) -> dict[str, Any]:
    return dict(pairs(option, given))


def _spans(given: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    found = {}
    for name, text in pairs("--range", given).items():
        lo, colon, hi = text.partition(":")
        if not colon:
            raise ScalingError(f"read --range {text!r}", "no lo:hi", f"write --range {name}=lo:hi")
        found[name] = (lo, hi)
    return found


def _source(options: dict[str, Any]) -> Source:
    from .. import plan

    law = options["law"] and find_law(options["law"], names(options["variables"]))
    if options["fit"] is not None:
        from .. import fit

        if law is not None:
            raise ScalingError("read the law", "--law beside --fit", "leave --law out: the fit has its own")
        return plan.source(None, options["published"], fit.load(options["fit"]), _constants(options["constants"]))
    return plan.source(law, options["published"], None, _constants(options["constants"]))


def _constants(given: tuple[str, ...]) -> dict[str, object] | None:
    """Numbers by name, from pairs and JSON files."""
    import json

    found: dict[str, object] = {}
    for text in given:
        if "=" in text:
            _add(found, pairs("--constants", [text]))
            continue
        try:
            content = json.loads(Path(text).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ScalingError(f"read --constants {text}", str(error), "give name=value, or a JSON file") from None
        refuse_printed(content, f"read --constants {text}")
        if not isinstance(content, dict):
            raise ScalingError(f"read --constants {text}", "it is no JSON object", 'write {"b_9": 2.5, ...}')
        _add(found, content)
    return found or None


def _add(found: dict[str, object], more: Mapping[str, object]) -> None:
    if twice := sorted(set(found) & set(more)):
        raise ScalingError(f"read --constants of {twice[0]}", "it is given twice", "give each name once")
    found |= more


def _print(made: Plan, options: dict[str, Any]) -> None:
    from ..report import of_plan

    show(of_plan.as_json(made), of_plan.blocks(made), options["as_json"])
