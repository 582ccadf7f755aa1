"""From expressions to a :class:`Compiled`: lower, differentiate, share, print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp

from ..domain import Domain
from ..errors import ScalingError
from . import emit, lower
from .compiled import Compiled, Cost, _printer
from .schedule import DATA, PARAMETER, Program, plan

__all__ = ["build", "lowered"]

_TRANSCENDENTAL = ("log", "exp", "log1p", "expm1", "power", "logaddexp", "log1mexp", "sqrt")


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
    """Compile lowered ``values`` and their derivatives; arguments are checked here."""
    arguments = tuple(arguments)
    _check(title, values, arguments, wrt)
    printer = _printer(target)
    parameters = set(scalars)
    names = emit.identifiers([symbol.name for symbol in arguments], printer.NAMESPACE)
    names_of = {symbol: names[symbol.name] for symbol in arguments}
    levels = {symbol: PARAMETER if symbol in parameters else DATA for symbol in arguments}
    data = [names_of[symbol] for symbol in arguments if levels[symbol] == DATA]
    fixed = [names_of[symbol] for symbol in arguments if levels[symbol] == PARAMETER]
    both = [*values, *(value.diff(symbol) for value in values for symbol in wrt)]
    parts: list[str] = []
    functions: list[str] = []
    programs: list[Program] = []
    for name, outputs in (("value", list(values)), ("both", both)):
        opened = [lower.direct(output) for output in outputs]
        sums = sorted({total for _, totals in opened for total in totals}, key=sp.default_sort_key)
        variants = [(name, [output for output, _ in opened], sums)]
        variants += [(f"{name}_guarded", outputs, [])] if sums else []
        for variant, expressions, watched in variants:
            program = plan(expressions, watched, names_of, levels)
            parts.append(printer.print_program(variant, program, data, fixed, len(outputs)))
            functions += [f"{variant}_once", f"{variant}_block"]
            programs.append(program)
    return Compiled(
        title=title,
        inputs=tuple(symbol.name for symbol in arguments),
        data=tuple(symbol.name for symbol in arguments if levels[symbol] == DATA),
        outputs=tuple(texts),
        coordinates=tuple(symbol.name for symbol in wrt),
        target=target,
        source="\n\n".join(parts),
        functions=tuple(functions),
        operations=_cost(programs),
        single=single,
    )


def lowered(expression: sp.Expr, domain: Domain) -> sp.Expr:
    """The value of an expression in log form."""
    return lower.Lowering(domain).value(sp.sympify(expression))


def _cost(programs: Sequence[Program]) -> Cost:
    main = programs[len(programs) // 2]
    counts = tuple((name, main.count(name)) for name in _TRANSCENDENTAL if main.count(name))
    buffers = (max(p.buffers[0] for p in programs), max(p.buffers[1] for p in programs))
    return Cost(len(main.once), main.count(), counts, buffers)


def _check(title: str, values: Sequence[sp.Expr], arguments: Sequence[sp.Symbol], wrt: Sequence[sp.Symbol]) -> None:
    names = [symbol.name for symbol in arguments]
    doubled = sorted({name for name in names if names.count(name) > 1})
    free = sorted({s.name for value in values for s in value.free_symbols} - set(names))
    strange = sorted({s.name for value in values for s in value.free_symbols if s not in arguments} - set(free))
    foreign = sorted({symbol.name for symbol in wrt} - set(names))
    for found, remedy in (
        (doubled, "give each argument once"),
        (free, "add them to the arguments"),
        (strange, "use the same symbols, with the same assumptions, in expression and arguments"),
        (foreign, "differentiate with respect to arguments only"),
    ):
        if found:
            raise ScalingError(f"compile {title}", f"symbols {', '.join(found)}", remedy)
