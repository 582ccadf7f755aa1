"""The lines that open every exported file: law, source, constants with where they come from, arguments, usage."""

from __future__ import annotations

from collections.abc import Sequence

from ... import __version__
from ...notation import text as plain
from .lines import one_line
from .model import Module

__all__ = ["header"]


def header(module: Module, usage: Sequence[str]) -> list[str]:
    """The lines, without the language's comment marks.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> m1 = laws.get("m1")
    >>> header(Module("m1", m1.title, m1.source, m1.form, ()), [])[0]
    'M1: power law'
    """
    form = f"{plain(module.form.lhs)} = {plain(module.form.rhs)}"
    lines = [module.title, "", f"Law: {form}", f"Source: {module.source}"]
    lines += [*module.notes]
    for function in module.functions:
        lines += ["", f"{function.name} computes {function.doc}"]
        if function.solve is not None:
            condition = function.solve.condition
            lines.append(f"  through the root of {plain(condition.lhs)} = {plain(condition.rhs)}")
        lines += [f"  {letter.text}" for letter in function.arguments]
    if module.constants:
        lines += ["", "Constants:"]
        lines += [f"  {c.name} = {c.printed} ({c.origin})" for c in module.constants]
    if usage:
        lines += ["", "Usage:", *(f"  {one}" for one in usage)]
    made = f"Written by symbolic_scaling {__version__}; evaluated through logarithms, against overflow and lost terms."
    return [_indented(line) for line in [*lines, "", made]]


def _indented(line: str) -> str:
    """The line without line breaks of its own; its indent stays."""
    return " " * (len(line) - len(line.lstrip(" "))) + one_line(line)
