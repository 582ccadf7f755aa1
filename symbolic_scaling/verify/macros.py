r"""Expand the macros of a draft: those of its preamble, with arguments, and those that only frame a formula.

``\newcommand{\pd}[2]{\frac{\partial #1}{\partial #2}}``, a first argument with a default, ``\def\R#1{...}`` and
``\DeclareMathOperator`` are read; ``\boxed``, ``\underbrace`` and their like give way to what stands in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Macro", "expand", "macros"]

_NEW = re.compile(
    r"\\(?:(?:re)?new|provide)command\*?\s*(?:\{\s*(\\[A-Za-z]+)\s*\}|(\\[A-Za-z]+))\s*(?:\[(\d)\])?"
    r"\s*(?:\[([^\[\]]*)\])?\s*(?=\{)"
)
_DEF = re.compile(r"\\def\s*(\\[A-Za-z]+)\s*((?:#\d)*)\s*(?=\{)")
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?=\{)")
_PAIRED = re.compile(r"\\DeclarePairedDelimiter\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_CALL = re.compile(r"\\[A-Za-z]+\*?")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s{}]", re.DOTALL)
_ROUNDS = 20
_LONGEST = 10_000


class Macro(NamedTuple):
    r"""The body of a macro, with ``#1`` to ``#9`` for its arguments; ``default`` makes the first one optional."""

    body: str
    arguments: int = 0
    default: str | None = None


_FRAMES = {
    **dict.fromkeys((r"\boxed", r"\fbox", r"\ensuremath", r"\smash", r"\mathop"), Macro(" #1 ", 1)),
    **dict.fromkeys((r"\mbox", r"\hbox", r"\intertext", r"\shortintertext"), Macro(r"\text{#1}", 1)),
    **dict.fromkeys((r"\phantom", r"\hphantom", r"\vphantom"), Macro("", 1)),
    **dict.fromkeys((r"\textcolor", r"\colorbox"), Macro("#2", 2)),
    **dict.fromkeys((r"\color", r"\hskip", r"\eqno"), Macro("", 1)),
    r"\abs": Macro(r"\left|#1\right|", 1),
}
_BRACES = re.compile(r"\\(?:under|over)(?:brace|bracket)\s*(?=\{)")


def macros(text: str) -> dict[str, Macro]:
    r"""The macros that a text defines, by name.

    Examples
    --------
    >>> macros(r"\newcommand{\pd}[2]{\frac{\partial #1}{\partial #2}}")
    {'\\pd': Macro(body='\\frac{\\partial #1}{\\partial #2}', arguments=2, default=None)}
    """
    found: list[tuple[int, str, Macro]] = []
    for match in _NEW.finditer(text):
        if (body := group(text, match.end())) is not None:
            found.append((match.start(), match[1] or match[2], Macro(body, int(match[3] or 0), match[4])))
    for match in _DEF.finditer(text):
        if (body := group(text, match.end())) is not None:
            found.append((match.start(), match[1], Macro(body, match[2].count("#"))))
    for match in _OPERATOR.finditer(text):
        if (body := group(text, match.end())) is not None:
            found.append((match.start(), match[1], Macro(rf"\operatorname{{{body}}}")))
    for match in _PAIRED.finditer(text):
        found.append((match.start(), match[1], Macro(rf"\left{match[2]} #1 \right{match[3]}", 1)))
    return {name: macro for _, name, macro in sorted(found, key=lambda one: one[0])}


def expand(latex: str, known: Mapping[str, Macro]) -> str:
    r"""The LaTeX with its macros put in, as often as they stand in each other, up to a bound.

    Examples
    --------
    >>> expand(r"\pd{L}{N} + \boxed{a}", macros(r"\newcommand{\pd}[2]{\frac{\partial #1}{\partial #2}}"))
    '\\frac{\\partial L}{\\partial N} +  a '
    """
    known = {**_FRAMES, **known}
    for _ in range(_ROUNDS):
        expanded = _unbraced(_once(latex, known))
        if expanded == latex or len(expanded) > _LONGEST:
            return latex
        latex = expanded
    return latex


def group(text: str, start: int) -> str | None:
    """What stands in the braces that open at ``start``; nothing where they are not closed."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "{}" and text[at - 1 : at] != "\\":
            depth += 1 if text[at] == "{" else -1
            if not depth:
                return text[start + 1 : at]
    return None


def _once(latex: str, known: Mapping[str, Macro]) -> str:
    """Every macro put in once, left to right."""
    parts: list[str] = []
    done = 0
    for match in _CALL.finditer(latex):
        macro = known.get(match[0]) or known.get(match[0].rstrip("*"))
        if match.start() < done or macro is None or len(parts) > _LONGEST:
            continue
        taken, end = _arguments(latex, match.end(), macro)
        if taken is None or any(int(place) > len(taken) for place in re.findall("#([1-9])", macro.body)):
            continue
        body = "".join(
            taken[int(part[1]) - 1] if re.fullmatch("#[1-9]", part) else part
            for part in re.split("(#[1-9])", macro.body)
        )
        joins = not macro.arguments and body[-1:].isalpha() and latex[end : end + 1].isalpha()
        parts += [latex[done : match.start()], body + " " * joins]
        done = end
    return "".join([*parts, latex[done:]])


def _arguments(latex: str, at: int, macro: Macro) -> tuple[list[str] | None, int]:
    """The arguments of a macro that stand from ``at`` on, in braces where they are no single sign, and their end."""
    taken: list[str] = []
    if macro.default is not None:
        optional = re.compile(r"\s*\[([^\[\]]*)\]").match(latex, at)
        taken.append(optional[1] if optional else macro.default)
        at = optional.end() if optional else at
    while len(taken) < macro.arguments:
        at += len(latex[at:]) - len(latex[at:].lstrip())
        inside = group(latex, at) if latex[at : at + 1] == "{" else None
        token = None if inside is not None else _TOKEN.match(latex, at)
        if inside is None and token is None:
            return None, at
        taken.append(inside if inside is not None else token[0] if token else "")
        at += len(taken[-1]) + 2 * (inside is not None)
    return taken, at


def _unbraced(latex: str) -> str:
    r"""``\underbrace{a}_{\text{floor}}`` as ``a``."""
    while (match := _BRACES.search(latex)) is not None:
        inside = group(latex, match.end())
        if inside is None:
            return latex
        end = match.end() + len(inside) + 2
        script = re.compile(r"\s*[_^]\s*(?=\{)").match(latex, end)
        below = group(latex, script.end()) if script else None
        end = script.end() + len(below) + 2 if script and below is not None else end
        latex = f"{latex[: match.start()]} {inside} {latex[end:]}"
    return latex
