"""From expressions to a :class:`Compiled`: lower, differentiate, share, print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp

from ..errors import ScalingError
from .compiled import Compiled, Cost, printer
from .direct import direct
from .instructions import DATA, MIXED, PARAMETER
from .registers import Program
from .schedule import plan
from .slopes import derivative

__all__ = ["Writer", "build"]

_TRANSCENDENTAL = ("log", "exp", "log1p", "expm1", "power", "log1mexp", "bernoulli_gap", "sqrt")


@dataclass
class Writer:
    """Collects the text of the functions that one :class:`Compiled` consists of.

    Parameters
    ----------
    arguments : tuple of Symbol
        Arguments of the call.
    scalars : frozenset of Symbol
        Those that are parameters.
    target : str
    """

    arguments: tuple[sp.Symbol, ...]
    scalars: frozenset[sp.Symbol]
    target: str
    parts: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    programs: dict[str, Program] = field(default_factory=dict)

    def write(
        self, name: str, outputs: Sequence[sp.Expr], through: Sequence[sp.Symbol] = (), *, directly: bool = True
    ) -> None:
        """The function ``name`` with these outputs; direct, and guarded where the direct one can overflow.

        ``through`` are values that the runtime appends to the data: the coordinate of a root.
        """
        opened = [direct(output) for output in outputs] if directly and self.target != "mpmath" else []
        sums = sorted({total for _, totals in opened for total in totals}, key=sp.default_sort_key)
        if opened:
            self._print(name, [output for output, _ in opened], sums, through)
        if sums or not opened:
            self._print(f"{name}_guarded" if opened else name, outputs, [], through)

    def finish(
        self,
        title: str,
        texts: Sequence[str],
        wrt: Sequence[sp.Symbol],
        *,
        single: bool = True,
        implicit: bool = False,
        switch: str = "",
    ) -> Compiled:
        """The record."""
        main = self.programs["both"]
        vector = self.target != "mpmath"
        steps = Counter(step.operation for step in (main.block if vector else main.once))
        buffers = [program.buffers for program in self.programs.values()]
        cost = Cost(
            once=len(main.once) if vector else 0,
            operations=steps.total(),
            transcendental=tuple((name, steps[name]) for name in _TRANSCENDENTAL if steps[name]),
            buffers=(max(data for data, _ in buffers), max(mixed for _, mixed in buffers)),
        )
        return Compiled(
            title=title,
            inputs=tuple(symbol.name for symbol in self.arguments),
            data=tuple(symbol.name for symbol in self.arguments if symbol not in self.scalars),
            outputs=tuple(texts),
            coordinates=tuple(symbol.name for symbol in wrt),
            target=self.target,
            source="\n\n".join(self.parts),
            functions=tuple(self.functions),
            operations=cost,
            single=single,
            implicit=implicit,
            switch=switch,
        )

    def _print(
        self, name: str, outputs: Sequence[sp.Expr], sums: Sequence[sp.Expr], through: Sequence[sp.Symbol]
    ) -> None:
        target = printer(self.target)
        names = {symbol: f"v{place}" for place, symbol in enumerate((*self.arguments, *through))}
        exact = self.target == "mpmath"
        levels: Mapping[sp.Symbol, int] = {
            symbol: PARAMETER if exact or symbol in self.scalars else MIXED if symbol in through else DATA
            for symbol in names
        }
        data = [names[symbol] for symbol in names if symbol not in self.scalars]
        fixed = [names[symbol] for symbol in names if symbol in self.scalars]
        program = plan(outputs, sums, names, levels, exact=exact)
        self.parts.append(target.print_program(name, program, data, fixed, len(outputs)))
        self.functions += target.defines(name)
        self.programs[name] = program


def build(
    title: str,
    values: Sequence[sp.Expr],
    arguments: Sequence[sp.Symbol],
    wrt: Sequence[sp.Symbol],
    *,
    scalars: Iterable[sp.Symbol],
    target: str,
    texts: Sequence[str],
    single: bool = True,
) -> Compiled:
    """Compile ``values`` and their derivatives; arguments are checked here."""
    _check(title, values, arguments, wrt)
    writer = Writer(tuple(arguments), frozenset(scalars), target)
    writer.write("value", values)
    writer.write("both", [*values, *(derivative(value, symbol) for value in values for symbol in wrt)])
    return writer.finish(title, texts, wrt, single=single)


def _check(title: str, values: Sequence[sp.Expr], arguments: Sequence[sp.Symbol], wrt: Sequence[sp.Symbol]) -> None:
    names = [symbol.name for symbol in arguments]
    used = {symbol for value in values for symbol in value.free_symbols}
    doubled = sorted({name for name in names if names.count(name) > 1})
    free = sorted({symbol.name for symbol in used} - set(names))
    strange = sorted({symbol.name for symbol in used - set(arguments)} - set(free))
    foreign = sorted({symbol.name for symbol in set(wrt) - set(arguments)})
    for found, remedy in (
        (doubled, "give each argument once"),
        (free, "add them to the arguments"),
        (strange, "use the same symbols, with the same assumptions, in expression and arguments"),
        (foreign, "differentiate with respect to arguments only"),
    ):
        if found:
            raise ScalingError(f"compile {title}", f"symbols {', '.join(found)}", remedy)
