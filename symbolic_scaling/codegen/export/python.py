"""Python and NumPy: one module that imports ``math``, or ``numpy``, and nothing else."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from ..instructions import Instruction, Operand
from . import helpers
from .header import header
from .lines import Block, Plan, one_line, plans
from .model import Module

__all__ = ["RESERVED", "write_numpy", "write_python"]

RESERVED = (*helpers.MATH, *helpers.NUMPY, "math", "np", "find_root", "CONSTANTS")
_INFIX = {"add": "+", "subtract": "-", "multiply": "*"}


@dataclass(frozen=True)
class _Dialect:
    """What tells the two apart."""

    opening: str
    helpers: dict[str, str]
    root: str
    usage: str
    infix: dict[str, str]
    branch: str
    array: bool


_MATH = _Dialect(
    "import math", helpers.MATH, helpers.MATH_ROOT, "float", _INFIX, "{plain} if {s} == 0 else {root}", False
)
_ARRAY = _Dialect("import numpy as np", helpers.NUMPY, helpers.NUMPY_ROOT, "array", {**_INFIX, "divide": "/"}, "", True)


def write_python(module: Module) -> str:
    """The module's text; needs the standard library only.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from .functions import of_law
    >>> m1 = laws.get("m1")
    >>> text = write_python(Module("m1", m1.title, m1.source, m1.form, (of_law(m1),)))
    >>> [line for line in text.splitlines() if line.startswith(("import", "def eps"))]
    ['import math', 'def eps_x(x, *, beta, c):', 'def eps_x_gradient(x, *, beta, c):']
    """
    return _write(module, _MATH)


def write_numpy(module: Module) -> str:
    """The module's text; takes numbers and arrays that broadcast against one another."""
    return _write(module, _ARRAY)


def _write(module: Module, dialect: _Dialect) -> str:
    made = plans(module, RESERVED)
    blocks = [block for plan in made for block in plan.blocks]
    used = sorted({step.operation for block in blocks for step in block.steps} - set(dialect.infix) - {"negative"})
    rooted = any(plan.residual for plan in made)
    head = header(module, [_usage(module, plan, dialect) for plan in made])
    pairs = dict.fromkeys(pair for plan in made for pair in _named(plan) if pair[0] != pair[1])
    lines = [f"# {line}".rstrip() for line in [*head, *(f"{one_line(name)} is written {n}" for n, name in pairs)]]
    constants = [f"    {c.name!r}: {c.value!r},  # {one_line(c.origin)}" for c in module.constants]
    parts = [
        "\n".join([*lines, "", dialect.opening, "", f"CONSTANTS = {{{chr(10) if constants else ''}"])
        + "".join(f"{line}\n" for line in constants)
        + "}\n",
        *(dialect.helpers[operation] for operation in used),
        *([dialect.root] if rooted else []),
        *(_block(block, dialect) for block in blocks),
        *(_public(plan, module, dialect, gradient=gradient) for plan in made for gradient in (False, True)),
    ]
    return "\n\n".join(parts)


def _usage(module: Module, plan: Plan, dialect: _Dialect) -> str:
    bound = module.bound
    free = [name for name, letter in _named(plan)[len(plan.function.inputs) :] if letter not in bound]
    given = [f"{n}=..." for n in free]
    return f"{plan.name}({', '.join([*plan.arguments[: len(plan.function.inputs)], *given])})"


def _named(plan: Plan) -> list[tuple[str, str]]:
    """Identifier and letter's name of every argument."""
    return [(n, letter.symbol.name) for n, letter in zip(plan.arguments, plan.function.arguments, strict=True)]


def _block(block: Block, dialect: _Dialect) -> str:
    lines = [f"def {block.name}({', '.join(block.arguments)}):"]
    lines += [f"    {step.to} = {_call(step, dialect)}" for step in block.steps]
    rows = ", ".join(map(_text, block.rows))
    return "\n".join([*lines, f"    return ({rows},)"]) + "\n"


def _call(step: Instruction, dialect: _Dialect) -> str:
    operands = [_text(operand) for operand in step.operands]
    if step.operation in dialect.infix:
        return f" {dialect.infix[step.operation]} ".join(operands)
    if step.operation == "negative":
        return f"-{operands[0]}"
    return f"{step.operation}({', '.join(operands)})"


def _text(operand: Operand) -> str:
    return operand if isinstance(operand, str) else f"({operand!r})" if operand < 0 else repr(operand)


def _public(plan: Plan, module: Module, dialect: _Dialect, *, gradient: bool) -> str:
    split, bound = len(plan.function.inputs), module.bound
    named = _named(plan)
    defaults = [f"{n}=CONSTANTS[{name!r}]" if name in bound else n for n, name in named[split:]]
    star = ["*"] if defaults else []
    signature = ", ".join([*(n for n, _ in named[:split]), *star, *defaults])
    name = f"{plan.name}_gradient" if gradient else plan.name
    lines = [f"def {name}({signature}):", *_docstring(plan, gradient=gradient)]
    body = _body(plan, dialect, gradient=gradient)
    if dialect.array:
        arrays = [f"    {n} = np.asarray({n}, dtype=float)" for n, _ in named]
        return (
            "\n".join([*lines, *arrays, '    with np.errstate(all="ignore"):', *(f"    {one}" for one in body)]) + "\n"
        )
    return "\n".join([*lines, *body]) + "\n"


def _docstring(plan: Plan, *, gradient: bool) -> list[str]:
    """What is returned, and every argument."""
    what = one_line(plan.function.doc)
    first = f"({what}; its derivative by name in every argument)" if gradient else what
    lines = textwrap.wrap(first, 110, initial_indent='    """', subsequent_indent="    ", break_long_words=False)
    pairs = zip(plan.arguments, plan.function.arguments, strict=True)
    arguments = [f"    {n} = {one_line(letter.text)}" for n, letter in pairs]
    return [*lines, "", *arguments, '    """']


def _body(plan: Plan, dialect: _Dialect, *, gradient: bool) -> list[str]:
    given = ", ".join(plan.arguments)
    block, plain = (plan.both, plan.plain_both) if gradient else (plan.value, plan.plain)
    lines = []
    if plan.residual and plan.start:
        lines += [f"    _u = find_root(lambda _u: {plan.residual.name}(_u, {given}), {plan.start.name}({given})[0])"]
        given_all = f"_u, {given}"
    else:
        given_all = given
    if plain and not dialect.array:
        lines = [f"    if {plan.switch} == 0:", f"        _rows = {plain.name}({given})", "    else:"] + [
            f"    {line}" for line in [*lines, f"    _rows = {block.name}({given_all})"]
        ]
    else:
        lines.append(f"    _rows = {block.name}({given_all})")
    if plain and dialect.array:
        pair = f"zip({plain.name}({given}), _rows)"
        lines.append(f"    _rows = [np.where({plan.switch} == 0, _a, _b) for _a, _b in {pair}]")
    if dialect.array:
        shaped = ", ".join(plan.arguments)
        lines.append(
            f"    _rows = [_row + np.zeros(np.broadcast_shapes(*map(np.shape, ({shaped},)))) for _row in _rows]"
        )
    if not gradient:
        return [*lines, "    return _rows[0]"]
    slopes = ", ".join(f"{name!r}: _rows[{j}]" for j, (_, name) in enumerate(_named(plan), 1))
    return [*lines, f"    return _rows[0], {{{slopes}}}"]
