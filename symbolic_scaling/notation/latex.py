r"""Reading the LaTeX of papers such as ``E + \frac{A}{N^\alpha}``: lexer.py, lark's LALR parser, then :mod:`.build`.

A name means what the caller declares. What TeX leaves open is an error with its place: which of two factors a slash
divides by, how far a logarithm reaches, whether a superscript is a power, where a derivative ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from .declare import Symbols, declared
from .lexer import Lexer
from .names import Listing, Table
from .relation import Relation
from .source import Source, quoted
from .terms import Terms
from .tree import grammar

if TYPE_CHECKING:
    from lark import Token, Tree

__all__ = ["latex_names", "latex_relation", "latex_statements", "parse_latex"]

_OPEN = frozenset({"_LPAR", "_LSQ", "_LCURL", "_LBAR", "_LBRACE"})
_CLOSE = frozenset({"_RPAR", "_RSQ", "_RCURL", "_RBAR", "_RBRACE"})


def parse_latex(text: str, symbols: Symbols | None = None) -> sp.Expr:
    r"""Read an expression in LaTeX.

    Parameters
    ----------
    text : str
        Math mode, with or without dollars, ``\[ \]`` or an ``equation``; numbers are exact.
    symbols : mapping of str to Symbol, Expr, Function, Lambda or IndexedBase
        What a name means. Names are LaTeX, ``\alpha_C^{\min}``, or plain, ``alpha_N`` for ``\alpha_N``. A symbol or
        an expression before a bracket is a factor; a function (``sp.Function("N_opt")`` or a ``sp.Lambda``) is
        applied; an ``IndexedBase`` takes its subscript as index, ``d_i``. Kinds may stand for symbols, as in
        ``"alpha N positive"`` and ``{"N": "positive"}``.

    Returns
    -------
    Expr
        The tree that SymPy builds; derivatives, limits, sums and products stay unevaluated.

    Raises
    ------
    ParseError
        For what is undeclared, ambiguous or not read, with line, column and the place marked.

    Examples
    --------
    >>> E, A, N, alpha = sp.symbols("E A N alpha", positive=True)
    >>> parse_latex(r"E + \frac{A}{N^\alpha}", {"E": E, "A": A, "N": N, r"\alpha": alpha})
    A/N**alpha + E
    """
    source = Source(text, "read the LaTeX")
    read, place = _read(source, Table(declared(symbols)))
    if isinstance(read, Relation):
        raise source.error(place, f"a relation {read.op!r} inside an expression", "give one side only")
    return read


def latex_relation(text: str, symbols: Symbols | None = None) -> Relation:
    r"""Read ``left op right`` in LaTeX; parameters as for :func:`parse_latex`.

    ``\approx`` is read as ``approx``, ``\sim`` as ``~``, ``\propto`` as ``prop``, ``\lesssim`` as ``<~``.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> latex_relation(r"\log a \le \tfrac12 b", {"a": a, "b": b})
    Relation(left=log(a), op='<=', right=b/2)
    """
    source = Source(text, "read the LaTeX")
    read, _ = _read(source, Table(declared(symbols)))
    if not isinstance(read, Relation):
        raise source.error(len(text), "it has one side only", r"write left = right, or one of < \le > \ge \sim \propto")
    return read


def latex_names(text: str) -> dict[str, str]:
    r"""The names that a LaTeX formula needs declared, in their order; raises as :func:`parse_latex` does.

    Returns
    -------
    dict of str to str
        ``"function"`` for a name before a bracket with commas, ``"bracket"`` for one before a bracket with one name
        or number, which may be a function or a factor, ``""`` for all others.

    Examples
    --------
    >>> latex_names(r"N_{opt}(C) = G \left(\frac{C}{6}\right)^a")
    {'N_{opt}': 'bracket', 'C': '', 'G': '', 'a': ''}
    """
    listing = Listing()
    _read(Source(text, "read the LaTeX"), listing)
    return dict(listing.names)


def latex_statements(text: str) -> tuple[str, ...]:
    r"""A chain of relations ``a = b \approx c`` as its links, a list ``a = b, c = d`` as its members.

    One relation, or none, is returned as it stands.

    Raises
    ------
    ParseError
        If the text does not read, or several statements stand in rows below each other.

    Examples
    --------
    >>> latex_statements(r"a = \beta/(\alpha+\beta) = 0.46")
    ('a = \\beta/(\\alpha+\\beta)', '\\beta/(\\alpha+\\beta) = 0.46')
    """
    source = Source(text, "read the LaTeX")
    source.check()
    parts: list[list[Token]] = [[]]
    signs: list[list[int]] = [[]]
    depth = 0
    for token in Lexer(source, Listing()).tokens:
        depth += (token.type in _OPEN) - (token.type in _CLOSE)
        if token.type == "_COMMA" and depth == 0:
            parts.append([])
            signs.append([])
            continue
        if token.type == "REL" and depth == 0:
            signs[-1].append(len(parts[-1]))
        parts[-1].append(token)
    if not all(signs) or (len(parts) == 1 and len(signs[0]) == 1):
        return (text,)
    return tuple(link for part, places in zip(parts, signs, strict=True) for link in _links(text, part, places))


def _links(text: str, part: list[Token], signs: list[int]) -> list[str]:
    """The links of one chain, whose relations stand at these places among its terminals."""
    ends = [-1, *signs, len(part)]
    spans = [part[ends[k] + 1 : ends[k + 2]] for k in range(len(signs))]
    return [text[span[0].start_pos : span[-1].end_pos] for span in spans]


def _read(source: Source, table: Table) -> tuple[sp.Expr | Relation, int]:
    """The expression or relation, and where its sign stands."""
    source.check()
    lexer = Lexer(source, table)
    terms = Terms(source, lexer.tokens, lexer.meaning)
    left, *rest = terms.build(_tree(source, lexer))
    sides = [left, *rest[1:]]
    free = {symbol for side in sides for symbol in side.value.free_symbols}
    for symbol, start in terms.bound:
        if symbol in free:
            found = f"{symbol} runs or tends in one place and stands free in another"
            raise source.error(start, found, "put brackets around all that it reaches, or rename one")
    if not rest:
        return left.value, 0
    return Relation(left.value, lexer.meaning[rest[0].start_pos], rest[1].value), rest[0].start_pos


def _tree(source: Source, lexer: Lexer) -> Tree[Token]:
    """The syntax tree, or an error at the terminal that does not fit."""
    from lark.exceptions import UnexpectedToken

    parser = grammar("latex.lark").parse_interactive()
    last = ""
    try:
        for token in lexer.tokens:
            parser.feed_token(token)
            last = token.type
        return parser.feed_eof()
    except UnexpectedToken as error:
        found = error.token
    if last == "FUNC":
        place = lexer.tokens[-1].start_pos if found.type == "$END" else found.start_pos
        raise source.error(place or 0, "a function without its argument", "give the argument in brackets")
    if found.type == "$END":
        raise source.error(len(source.text), "the formula breaks off", "complete it")
    remedy = "check the operators and brackets before it"
    if found.type == "REL":
        remedy = "give one statement at a time"
    before = [token.type for token in lexer.tokens if (token.start_pos or 0) < (found.start_pos or 0)]
    depth = sum((kind in _OPEN) - (kind in _CLOSE) for kind in before)
    if found.type == "_COMMA" and depth:
        remedy = "declare what stands before the bracket as a function"
    elif found.type == "_COMMA":
        remedy = "write 1{,}000 for a thousand, and one statement at a time"
    if found.type == "_RBRACE":
        raise source.error(found.start_pos or 0, "the formula breaks off here", "complete it, or drop empty braces")
    raise source.error(found.start_pos or 0, f"unexpected {quoted(str(found))}", remedy)
