"""C99: one file that includes ``math.h``; arguments as two arrays, inputs and constants."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..instructions import Instruction, Operand
from .header import header
from .helpers_c import FUNCTIONS, NAMES, RESERVED, ROOT
from .lines import Block, Plan, one_line, plans
from .model import Module

__all__ = ["write_c"]

_INFIX = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}


def write_c(module: Module) -> str:
    """The text of a C file.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from .functions import of_law
    >>> m1 = laws.get("m1")
    >>> text = write_c(Module("m1", m1.title, m1.source, m1.form, (of_law(m1),)))
    >>> [line for line in text.splitlines() if line.startswith("double")][0]
    'double m1_eps_x(const double x[], const double p[])'
    """
    made = plans(module, readable=False)
    prefix = _prefix(module.name, [plan.name for plan in made])
    blocks = [block for plan in made for block in plan.blocks]
    used = sorted({step.operation for block in blocks for step in block.steps} & set(FUNCTIONS))
    lines = [line for plan in made for line in _arrays(plan, prefix)]
    usage = [_usage(plan, prefix, bound=_is_bound(plan, module)) for plan in made]
    rooted = any(plan.residual for plan in made)
    parts = [
        "\n".join(["/*", *(f" * {line}".rstrip() for line in [*header(module, usage), *lines]), " */"]),
        "#include <math.h>\n",
        *([ROOT] if rooted else []),
        *(FUNCTIONS[operation] for operation in used),
        *(_block(block) for block in blocks),
        *(_public(plan, prefix, module) for plan in made),
    ]
    return "\n".join(parts)


def _prefix(name: str, functions: Sequence[str]) -> str:
    """What public names begin with: the law's name, and ``law_`` before it where that would meet another name."""
    prefix = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    whole = [f"{prefix}_{function}" for function in functions]
    meets = any(one in RESERVED or one.startswith("block_") for one in whole)
    return f"law_{prefix}" if meets or not prefix[:1].isalpha() else prefix


def _arrays(plan: Plan, prefix: str) -> list[str]:
    """The order of a function's arrays."""
    function = plan.function
    inputs, constants = (
        ", ".join(letter.symbol.name for letter in some) for some in (function.inputs, function.constants)
    )
    return [
        "",
        f"{prefix}_{plan.name}: x = {{{inputs}}}, p = {{{constants}}},",
        f"  gradient = derivatives in {', '.join(letter.symbol.name for letter in function.arguments)}",
    ]


def _is_bound(plan: Plan, module: Module) -> bool:
    """Whether every constant of a function has its number."""
    names = [letter.symbol.name for letter in plan.function.constants]
    return bool(names) and all(name in module.bound for name in names)


def _usage(plan: Plan, prefix: str, *, bound: bool) -> str:
    constants = f"{prefix}_{plan.name}_constants" if bound else "p"
    return f"double y = {prefix}_{plan.name}(x, {constants});"


def _block(block: Block) -> str:
    through = block.arguments[:1] == ("_u",)
    names = block.arguments[1:] if through else block.arguments
    arguments = "double _u, const double *_at" if through else "const double *_at"
    lines = [f"static void block{block.name}({arguments}, double *_out)", "{"]
    lines += [f"    const double {name} = _at[{j}];" for j, name in enumerate(names)]
    lines += [f"    const double {step.to} = {_call(step)};" for step in block.steps]
    lines += [f"    _out[{j}] = {_text(row)};" for j, row in enumerate(block.rows)]
    lines += [f"    {''.join(f'(void){name}; ' for name in block.arguments).rstrip()}"]
    return "\n".join([*lines, *([] if names else ["    (void)_at;"]), "}\n"])


def _call(step: Instruction) -> str:
    operands = [_text(operand) for operand in step.operands]
    if step.operation in _INFIX:
        return f" {_INFIX[step.operation]} ".join(operands)
    if step.operation == "negative":
        return f"-{operands[0]}"
    return f"{NAMES.get(step.operation, step.operation)}({', '.join(operands)})"


def _text(operand: Operand) -> str:
    return operand if isinstance(operand, str) else f"({operand!r})" if operand < 0 else repr(operand)


def _public(plan: Plan, prefix: str, module: Module) -> str:
    name = f"{prefix}_{plan.name}"
    constants = (
        [module.bound[letter.symbol.name] for letter in plan.function.constants] if _is_bound(plan, module) else []
    )
    parts = []
    if constants:
        rows = "".join(f"    {c.value!r}, /* {one_line(c.name)} = {one_line(c.printed)} */\n" for c in constants)
        parts.append(f"const double {name}_constants[{len(constants)}] = {{\n{rows}}};\n")
    for gradient in (False, True):
        more = ", double gradient[]" if gradient else ""
        ending = "_gradient" if gradient else ""
        lines = [f"/* {one_line(plan.function.doc)}{'; its gradient too' if gradient else ''} */"]
        lines += [
            f"double {name}{ending}(const double x[], const double p[]{more})",
            "{",
            *_body(plan, gradient=gradient),
        ]
        parts.append("\n".join([*lines, "}\n"]))
    return "\n".join(parts)


def _body(plan: Plan, *, gradient: bool) -> list[str]:
    split, size = len(plan.function.inputs), len(plan.arguments)
    block, plain = (plan.both, plan.plain_both) if gradient else (plan.value, plan.plain)
    lines = [f"    double _at[{max(size, 1)}] = {{0}}, _rows[{1 + size if gradient else 1}];"]
    lines += [f"    _at[{j}] = {'x' if j < split else 'p'}[{j if j < split else j - split}];" for j in range(size)]
    lines += [f"    (void){name};" for name, some in (("x", split), ("p", size - split)) if not some]
    if plan.residual and plan.start:
        through = [
            "double _u;",
            f"block{plan.start.name}(_at, &_u);",
            f"_u = find_root(block{plan.residual.name}, _at, _u);",
            f"block{block.name}(_u, _at, _rows);",
        ]
    else:
        through = [f"block{block.name}(_at, _rows);"]
    if plain:
        place = plan.arguments.index(plan.switch)
        lines += [f"    if (_at[{place}] == 0) {{", f"        block{plain.name}(_at, _rows);", "    } else {"]
        lines += [*(f"        {line}" for line in through), "    }"]
    else:
        lines += [f"    {line}" for line in through]
    if gradient:
        lines.append(f"    for (int _j = 0; _j < {size}; _j++) gradient[_j] = _rows[_j + 1];")
    return [*lines, "    return _rows[0];"]
