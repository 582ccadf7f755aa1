"""Where a document comes from: the versions that made it, the command that repeats it, and the data of a fit."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

from .. import __version__
from .blocks import Block, Cell, Code, Heading, Table

if TYPE_CHECKING:
    from ..fit import FitResult

__all__ = ["of_fit", "of_run"]

_USED = ("sympy", "mpmath", "python-flint", "numpy", "scipy")


def of_run(command: str = "") -> tuple[Block, ...]:
    """The block of a run: versions, and the command.

    Examples
    --------
    >>> of_run("symscale report m4")[1].rows[0]
    ('command', Code(text='symscale report m4'))
    """
    rows: list[tuple[Cell, ...]] = [("command", Code(command))] if command else []
    rows += [("symbolic_scaling", __version__), ("python", platform.python_version())]
    rows += [(name, version(name)) for name in _USED]
    return (Heading("Provenance", 2), Table(("made by", "what"), tuple(rows)))


def of_fit(fit: FitResult) -> Table:
    """What repeats a fit: the hash of its rows, its seed, and the versions that made it."""
    problem = fit.problem
    fixed = ", ".join(f"{name} = {value:.17g}" for name, value in problem.fix)
    rows: list[tuple[Cell, ...]] = [("rows, SHA-256", Code(problem.digest)), ("seed", str(problem.seed))]
    rows += [("fixed", fixed)] if fixed else []
    rows += [(f"fitted with {name}", number) for name, number in problem.versions]
    return Table(("data and fit", "what"), tuple(rows))
