"""What the commands share: the --json option, reading a law, showing a page, lists of ``name=value``."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScalingError
from ._sizes import sized

if TYPE_CHECKING:
    from ..law import Law
    from ..records import Verdict
    from ..report.blocks import Block

__all__ = [
    "as_json",
    "by",
    "counting",
    "decimal",
    "exit_code",
    "find_law",
    "interval",
    "is_name",
    "names",
    "number",
    "pairs",
    "show",
    "tally",
    "where",
    "working",
]

decimal = click.option(
    "--decimal",
    type=click.Choice([".", ","]),
    help="The decimal mark of DATA; the other one groups thousands. Without it the cells of a file with ; decide.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def _all_hold(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The filters as one."""
    if any(not text.strip() for text in given):
        raise ScalingError("read --where", "it is empty", "write a filter, or leave it out")
    return " and ".join(f"({text})" for text in given) if len(given) > 1 else next(iter(given), None)


where = click.option(
    "--where",
    multiple=True,
    callback=_all_hold,
    metavar="\"Task = 'a'\"",
    help="Use only these rows; texts stand in single quotes. Repeated, all hold.",
)


def by(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option --by as a list of columns, which add up where it is repeated."""
    return click.option(
        "--by", multiple=True, callback=lambda *given: names(",".join(given[-1])), metavar="cols", help=help
    )


def show(value: Any, page: Iterable[Block], json: bool) -> None:
    """Print the JSON object, or the page: with rich on a terminal, as plain text into a pipe."""
    if json:
        from ..report.write import json_text

        sys.stdout.write(json_text(value))
    elif sys.stdout.isatty():
        from ._terminal import draw

        draw(page)
    else:
        from ..report import as_text

        sys.stdout.write(as_text.render(page) + "\n")


def find_law(text: str, variables: Sequence[str] = ()) -> Law:
    """The law of that name, perhaps of a size as in ``bnsl(n=2)``, or the one that a formula states."""
    from .. import laws

    if variables and is_name(text):
        raise ScalingError(f"read the law {text}", "a law of the package has its own inputs", "leave --variables out")
    if made := sized(text):
        name, given = made
        names_of = {size for size, default in laws.sizes(name).items() if isinstance(default, tuple)}
        return laws.get(name, **{size: _listed(value) if size in names_of else value for size, value in given.items()})
    return laws.formula(text, variables) if "=" in text else laws.get(text)


def is_name(text: str) -> bool:
    """Whether the text names a law of the package, rather than being a formula."""
    return "=" not in text or sized(text) is not None


def _listed(value: object) -> object:
    """One name or number as a list of one."""
    return (value,) if isinstance(value, str | int) else value


@contextlib.contextmanager
def working() -> Iterator[Callable[[str], None]]:
    """A line on standard error that says what is being done, with rich; silent where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda doing: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update


@contextlib.contextmanager
def counting(doing: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error that moves with every call, with rich; silent where that is no terminal."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda: bar.advance(task)


@contextlib.contextmanager
def tally(doing: str) -> Iterator[Callable[[int], None]]:
    """A count on standard error of what is done, with rich, where its end is not known; silent where no terminal is."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:.0f} {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda count: bar.update(task, completed=count)


def names(text: str) -> list[str]:
    """``"N, D"`` -> the names in it, each once."""
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def exit_code(verdicts: Iterable[Verdict]) -> int:
    """1 if anything is refuted, else 3 if the budget left anything undecided, else 0."""
    found = {verdict.status.name for verdict in verdicts}
    return 1 if "REFUTED" in found else 3 if "UNDECIDED" in found else 0


def pairs(option: str, given: Iterable[str]) -> dict[str, str]:
    """``("N=Model Size,C=FLOPs",)`` -> name -> text; a comma splits only before another ``name=``.

    Examples
    --------
    >>> pairs("--x", ["N=Model Size, D=Tokens, raw", "C=c"])
    {'N': 'Model Size', 'D': 'Tokens, raw', 'C': 'c'}
    """
    found: dict[str, str] = {}
    for part in (part for text in given for part in re.split(r",\s*(?=\w+\s*=[^=])", text)):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise ScalingError(f"read {option} {part!r}", "no name=value", f"write {option} name=value,name=value")
        if name in found:
            raise ScalingError(f"read {option} {part!r}", f"{name} is given twice", "give each name once")
        found[name] = value
    return found


def number(option: str, text: str) -> float:
    """``"70B"`` -> 7e10."""
    from .. import quantity

    try:
        return float(quantity.read(text).value)
    except OverflowError:
        raise ScalingError(f"read {option} {text!r}", "it is too large for a float", "give a smaller number") from None


def interval(option: str, text: str) -> tuple[float, float]:
    """``"0:2"`` -> (0.0, 2.0)."""
    lo, colon, hi = text.partition(":")
    if not colon:
        raise ScalingError(f"read {option} {text!r}", "no lo:hi", f"write {option} name=lo:hi")
    return number(option, lo), number(option, hi)
