"""Stand-alone source of a law or a derivation, in Python, NumPy, C or LaTeX: value, gradient and root, nothing else.

The text comes from the instruction schedule that the package's own targets are printed from; everything is evaluated
through logarithms. A root is found from its condition in a logarithmic coordinate (``rooted``), by Newton's method
inside a bracket.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module

from ...errors import ScalingError
from ...law import Law
from ...records import Derivation
from . import functions
from .model import Constant, Function, Module

__all__ = ["ENDINGS", "TARGETS", "Constant", "Module", "module", "source"]

ENDINGS: Mapping[str, str] = {"python": ".py", "numpy": ".py", "c": ".c", "latex": ".tex"}
"""Target -> ending of its files."""

TARGETS = tuple(ENDINGS)

_FILES: Mapping[str, str] = {"python": "python", "numpy": "python", "c": "c", "latex": "latex"}


def source(
    record: Law | Derivation | Sequence[Derivation],
    to: str,
    constants: Sequence[Constant] = (),
    notes: Sequence[str] = (),
) -> str:
    """The text of a file that needs nothing of this package.

    Parameters
    ----------
    record : Law, Derivation or sequence of Derivation
        What to export; derivations in one file are of one law.
    to : {"python", "numpy", "c", "latex"}
        Python needs its standard library, NumPy itself, C its mathematics library (``-lm``).
    constants : sequence of Constant
        Numbers that are bound to constants of the law.
    notes : sequence of str
        Lines for the header, such as where the numbers come from.

    Returns
    -------
    str
        Functions of inputs, then constants: the value; ``*_gradient`` gives the value and its derivatives.

    Raises
    ------
    ScalingError
        If there is no such target, no answer is a number, or a constant is none of the law's.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> text = source(laws.get("chinchilla"), "python")
    >>> text.splitlines()[0]
    '# Chinchilla: loss against parameters and tokens'
    """
    if to not in ENDINGS:
        raise ScalingError(f"export to {to!r}", "there is no such target", f"take {', '.join(TARGETS)}")
    write: Callable[[Module], str] = getattr(import_module(f"{__package__}.{_FILES[to]}"), f"write_{to}")
    return write(module(record, constants, notes))


def module(
    record: Law | Derivation | Sequence[Derivation], constants: Sequence[Constant] = (), notes: Sequence[str] = ()
) -> Module:
    """What is exported, before any language; arguments and errors as :func:`source`."""
    made: list[Function] = []
    missing: list[str] = []
    if isinstance(record, Law):
        law, name, title = record, record.name, record.title
        made.append(functions.of_law(law))
    else:
        several = (record,) if isinstance(record, Derivation) else tuple(record)
        law = several[0].law
        title = several[0].title[:1].upper() + several[0].title[1:]
        name = f"{law.name}-{several[0].title.split()[0]}"
        given = tuple(dict.fromkeys(f"Given: {said}" for one in several for said in one.given))
        notes = (*notes, *given)
        for one in several:
            found, left_out = functions.of_derivation(one)
            made += [_apart(function, made) for function in found if not _is_there(function, made)]
            missing += left_out
    if not made:
        raise ScalingError(f"export the {title}", "; ".join(missing) or "it found nothing", "export another derivation")
    have = [symbol.name for symbol in law.constants]
    if foreign := [constant.name for constant in constants if constant.name not in have]:
        remedy = f"its constants are {', '.join(have)}"
        raise ScalingError(f"export {law.name}", f"it has no constant {', '.join(foreign)}", remedy)
    names = tuple(sorted(law.latex_names.items(), key=lambda pair: pair[0].name))
    return Module(
        name, title, law.source, law.form, tuple(made), tuple(constants), names, (*notes, *dict.fromkeys(missing))
    )


def _is_there(function: Function, made: Sequence[Function]) -> bool:
    """Whether another derivation has found the same already."""
    return any((one.value, one.solve, one.inputs) == (function.value, function.solve, function.inputs) for one in made)


def _apart(function: Function, made: Sequence[Function]) -> Function:
    """The function with a number behind its name where that is taken."""
    taken = {one.name for one in made}
    names = (function.name, *(f"{function.name}_{number}" for number in range(2, len(taken) + 3)))
    return replace(function, name=next(name for name in names if name not in taken))
