r"""Statements given in LaTeX only: read with the claim's declared names, as far as a verdict can be given on them.

Sums and products with numbers at both ends are written out, others take their closed form. What a verdict would have to
guess is refused: a derivative or limit of a symbol that does not show its variable, ``\approx`` between two
expressions, a function without definition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import sympy as sp
from sympy.core.function import AppliedUndef

from ..algebra.zero import prove_zero
from ..errors import ClaimError
from ..notation import Relation, build, is_name, latex_relation, parse, parse_latex, plain_name
from ..notation.names import Meaning
from .printed import read_printed
from .sums import closed

__all__ = [
    "expression",
    "function",
    "is_exact",
    "is_latex",
    "literal",
    "meant",
    "number",
    "plain",
    "printed_side",
    "relation",
]

_ASKED = "read the LaTeX"
_DEFINED = re.compile(r"\s*([^()\s]+)\s*\(([^()]*)\)\s*")
_LITERAL = re.compile(r"([+-]?)(\d+(?:\.\d+)?|\.\d+)(?:(?:\\times|\\cdot)10\^(?:\{([+-]?\d+)\}|(\d)(?!\d)))?")
_DIGITS = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_MOST = 100


def is_latex(text: str) -> bool:
    r"""Whether a text holds what only LaTeX has: a backslash, a brace or a dollar sign.

    Examples
    --------
    >>> is_latex(r"N^\alpha"), is_latex("N^{-1}"), is_latex("N^alpha")
    (True, True, False)
    """
    return any(sign in text for sign in "\\{}$")


def plain(name: str) -> str:
    r"""The plain name of a declared one.

    Examples
    --------
    >>> plain(r"\hat{L}"), plain("N_c")
    ('L_hat', 'N_c')
    """
    return name if is_name(name) else plain_name(name)


def function(left: str, text: str, names: Mapping[str, Meaning]) -> tuple[str, sp.Lambda]:
    """The name and the meaning of a definition with arguments, ``["N_opt(C)", "G*(C/6)^a"]``.

    Raises
    ------
    ClaimError, ParseError
        For an argument that is not declared, a name that has a meaning, or a text that does not read.
    """
    match = _DEFINED.fullmatch(left)
    own = (
        {part.strip(): names.get(part.strip(), names.get(plain(part.strip()))) for part in match[2].split(",")}
        if match
        else {}
    )
    if not match or None in own.values():
        raise ClaimError("define a function", f"{left!r}", "write name(argument, ...) with declared arguments")
    if match[1] in names:
        raise ClaimError("define a function", f"{match[1]} already has a meaning", "pick another name")
    for name, meaning in own.items():
        own[name] = meaning if isinstance(meaning, sp.Symbol) else sp.Dummy(plain(name), positive=True)
    return match[1], sp.Lambda(
        tuple(own.values()), meant(text, {**names, **{plain(name): one for name, one in own.items()}, **own})
    )


def meant(text: str, names: Mapping[str, Meaning]) -> sp.Expr:
    """An expression in the notation that its signs show, LaTeX or plain text."""
    if is_latex(text):
        return expression(text, names)
    return parse(text, {name: meaning for name, meaning in names.items() if isinstance(meaning, sp.Expr)})


def relation(latex: str, names: Mapping[str, Meaning]) -> Relation:
    r"""The statement of a claim that is no number.

    Raises
    ------
    ParseError, ClaimError
        For what does not read, or reads as what no verdict is given on.

    Examples
    --------
    >>> N = sp.Symbol("N", positive=True)
    >>> relation(r"\sum_{k=1}^{3} N^k = N + N^2 + N^3", {"N": N, "k": sp.Symbol("k", integer=True)}).left
    N**3 + N**2 + N
    """
    read = latex_relation(latex, names)
    if read.op in ("approx", "asymp", "<~", ">~"):
        remedy = (
            "state left = O(right) and right = O(left)"
            if read.op == "asymp"
            else 'write = or \\sim, or set kind = "number"'
        )
        raise ClaimError(_ASKED, f"a relation {read.op!r}", remedy)
    return Relation(_decidable(read.left), read.op, _decidable(read.right))


def expression(latex: str, names: Mapping[str, Meaning]) -> sp.Expr:
    r"""One side of a statement.

    Examples
    --------
    >>> expression("x^2", {"x": sp.Symbol("x", positive=True)})
    x**2
    """
    return _decidable(parse_latex(latex, names))


def number(latex: str, names: Mapping[str, Meaning], printed: str | None) -> tuple[Relation | sp.Expr, str | None]:
    r"""A number's statement, and the printed result where it has one: behind ``\approx`` or ``=``, or as given.

    Examples
    --------
    >>> number(r"2^{-0.076} \approx 0.95", {}, None)[1], number(r"2^{-0.076} = 0.95", {}, None)[1]
    ('0.95', '0.95')
    """
    if not re.search(r"[=<>]|\\(?:le|ge|leq|geq|lt|gt|approx|simeq|sim|lesssim|gtrsim|propto)(?![A-Za-z])", latex):
        if printed is None:
            raise ClaimError(_ASKED, "it has one side only", "give printed, or write left = right")
        return _decidable(parse_latex(latex, names)), printed
    read = latex_relation(latex, names)
    right = literal(latex)
    if printed is None and read.op == "approx":
        if right is None:
            raise ClaimError(_ASKED, r"\approx before what is no number", "give the printed number alone on the right")
        return _decidable(read.left), right
    left = literal(re.split("=", latex)[0])
    if printed is None and read.op == "=" and right is None and left is not None and not is_exact(read, left):
        return _decidable(read.right), left
    if printed is None and read.op == "=" and right is not None and not is_exact(read, right):
        return _decidable(read.left), right
    if printed is not None:
        if read.op not in ("=", "approx") or right is None or read_printed(right).value != read_printed(printed).value:
            raise ClaimError(_ASKED, f"it does not end in = {printed}", "make latex and printed agree")
        return _decidable(read.left), printed
    return Relation(_decidable(read.left), read.op, _decidable(read.right)), None


def is_exact(read: Relation, right: str) -> bool:
    """Whether nothing was rounded: a whole number, or both sides are proved to be one."""
    difference = read.left - read.right
    return right.lstrip("+-").isdigit() or (not difference.free_symbols and prove_zero(difference) is not None)


def printed_side(text: str) -> tuple[int, str] | None:
    """Which side of an ``=`` in plain text, 1 or 0, is a number in digits, and that number.

    Examples
    --------
    >>> printed_side("sqrt(2) = 1.41"), printed_side("1.41 = sqrt(2)"), printed_side("a = 2*b")
    ((1, '1.41'), (0, '1.41'), None)
    """
    sides = [side.strip() for side in text.split("=")]
    found = [side for side in (1, 0) if len(sides) == 2 and _DIGITS.fullmatch(sides[side])]
    return (found[0], sides[found[0]]) if found else None


def literal(latex: str) -> str | None:
    r"""The printed number behind the last relation: ``8.64 \times 10^{19}`` as ``8.64e19``."""
    tail = re.split(r"=|\\(?:approx|simeq)(?![A-Za-z])", latex)[-1]
    tail = re.sub(r"\s|\\[,;:! ]|\{,\}|\$|\\[\])]|[.,;]$", "", tail)
    match = _LITERAL.fullmatch(tail)
    if not match:
        return None
    sign, digits, power, single = match.groups()
    return f"{sign}{digits}" + (f"e{power or single}" if power or single else "")


def _decidable(expression: sp.Expr) -> sp.Expr:
    """The expression with its sums written out, if nothing else stands in it that no verdict is given on."""
    for node in sorted(expression.atoms(sp.Sum, sp.Product), key=str):
        expression = expression.xreplace({node: _written_out(node)})
    for node in sorted(
        expression.atoms(sp.Derivative, sp.Limit, AppliedUndef, sp.Indexed, sp.Sum, sp.Product), key=str
    ):
        if isinstance(node, sp.Derivative | sp.Limit):
            variables = node.variables if isinstance(node, sp.Derivative) else (node.args[1],)
            missing = [str(one) for one in variables if not node.args[0].has(one)]
            if missing:
                found = f"{node.args[0]} does not show how it depends on {missing[0]}"
                raise ClaimError(_ASKED, found, "define it by let")
        else:
            remedy = "define functions by let, with their arguments; sums end at numbers or integer symbols"
            raise ClaimError(_ASKED, f"no verdict is given on {str(node)[:60]}", remedy)
    return expression


def _written_out(node: sp.Sum | sp.Product) -> sp.Expr:
    if len(node.limits) != 1 or not all(isinstance(end, sp.Integer) for end in node.limits[0][1:]):
        return closed(node) or node
    index, low, high = node.limits[0]
    if high - low >= _MOST:
        raise ClaimError(_ASKED, f"a sum of {high - low + 1} terms", f"give at most {_MOST}")
    terms = [build.substitute(node.function, {index: sp.Integer(k)}) for k in range(low, high + 1)]
    return build.total(terms) if isinstance(node, sp.Sum) else build.product(terms)
