"""Functions as straight lines of two-operand instructions, by the schedule that every target shares.

A :class:`Block` is one internal function ``name(arguments) -> rows``; a :class:`Plan` says which blocks a public
function needs. A language writes both its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from .. import emit
from ..instructions import PARAMETER, Instruction, Operand
from ..schedule import plan
from .model import Function, Module

__all__ = ["Block", "Plan", "one_line", "plans"]


@dataclass(frozen=True)
class Block:
    """``name(arguments)`` returns ``rows`` after ``steps``."""

    name: str
    arguments: tuple[str, ...]
    steps: tuple[Instruction, ...]
    rows: tuple[Operand, ...]


@dataclass(frozen=True)
class Plan:
    """A public function by its blocks, all of the same arguments but for a leading ``_u`` where there is a root.

    Parameters
    ----------
    name : str
        Identifier of the function.
    arguments : tuple of str
        Identifiers, inputs first.
    switch : str
        Identifier of the constant at whose zero ``plain`` and ``plain_both`` apply; empty without one.
    value, both, residual, start, plain, plain_both : Block or None
    """

    function: Function
    name: str
    arguments: tuple[str, ...]
    value: Block
    both: Block
    residual: Block | None = None
    start: Block | None = None
    switch: str = ""
    plain: Block | None = None
    plain_both: Block | None = None

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Those that there are."""
        every = (self.residual, self.start, self.value, self.both, self.plain, self.plain_both)
        return tuple(block for block in every if block is not None)


def plans(module: Module, reserved: Sequence[str] = (), *, readable: bool = True) -> tuple[Plan, ...]:
    """The plan of every function; names avoid what the language reserves, and one another.

    Arguments keep their letters where ``readable``, else they are a0, a1, ... in order.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from .functions import of_law
    >>> m1 = laws.get("m1")
    >>> made = plans(Module("m1", m1.title, m1.source, m1.form, (of_law(m1),)), ["x"])
    >>> made[0].arguments, [step.operation for step in made[0].value.steps]
    (('x_', 'beta', 'c'), ['log', 'multiply', 'exp', 'multiply'])
    """
    names: list[str] = []
    taken = list(reserved)
    for function in module.functions:
        (name,) = emit.identifiers([function.name], taken).values()
        while not {*_family(name)}.isdisjoint(taken):
            name += "_"
        names.append(name)
        taken += _family(name)
    return tuple(
        _plan(function, name, taken, readable=readable) for function, name in zip(module.functions, names, strict=True)
    )


def _family(name: str) -> list[str]:
    """A function's name and those of what stands beside it."""
    return [name, f"{name}_gradient", f"{name}_constants"]


def one_line(text: str) -> str:
    """Text on one line, printable, that ends no comment of any of the languages."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain.replace("*/", "* /").replace("/*", "/ *").replace('"""', "'''").replace("\\", "/").replace("??", "? ?")


def _plan(function: Function, name: str, reserved: Sequence[str], *, readable: bool) -> Plan:
    symbols = [letter.symbol for letter in function.arguments]
    known = emit.identifiers([symbol.name for symbol in symbols], reserved)
    names = {symbol: known[symbol.name] if readable else f"a{place}" for place, symbol in enumerate(symbols)}
    solve = function.solve
    through = {} if solve is None else {solve.u: "_u"}

    def block(part: str, outputs: Sequence[sp.Expr], given: dict[sp.Symbol, str]) -> Block:
        return _block(f"_{name}_{part}", outputs, given)

    return Plan(
        function=function,
        name=name,
        arguments=tuple(names.values()),
        value=block("value", [function.value], through | names),
        both=block("both", [function.value, *function.gradient], through | names),
        residual=block("residual", [solve.residual, solve.residual.diff(solve.u)], through | names) if solve else None,
        start=block("start", [solve.start], names) if solve else None,
        switch=names[function.switch] if function.switch is not None else "",
        plain=block("plain", function.plain[:1], names) if function.plain else None,
        plain_both=block("plain_both", function.plain, names) if function.plain else None,
    )


def _block(name: str, outputs: Sequence[sp.Expr], names: dict[sp.Symbol, str]) -> Block:
    program = plan(outputs, [], names, dict.fromkeys(names, PARAMETER))
    places = dict(program.copies)
    rows = tuple(places[f"_o{j}"] for j in range(len(outputs)))
    return Block(name, tuple(names.values()), program.once, rows)
