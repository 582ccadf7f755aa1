"""Reading plain text such as ``E + A/N**alpha``: lark's LALR parser over ``plain.lark``, then :mod:`.build`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import ScalingError
from . import build
from .declare import Symbols, declared
from .relation import Relation
from .source import Source, advice
from .tree import Builder, grammar

if TYPE_CHECKING:
    from lark import Token, Tree

__all__ = ["parse", "relation"]


def parse(text: str, symbols: Symbols | None = None, *, undeclared: str = "error") -> sp.Expr:
    """Read an expression.

    Parameters
    ----------
    text : str
        ``**`` or ``^`` for powers, which bind tighter than a minus sign; decimals are exact; functions
        ``log exp sqrt Abs Min Max``, ``diff(f, x, n)``, ``Limit(f, x, oo)``, ``Rational(p, q)``; ``oo``.
    symbols : mapping of str to Symbol, str, mapping of str to kind, or symbols, optional
        The names that have a meaning: by symbol, or declared as in ``"alpha beta positive"`` or ``{"N": "positive"}``.
    undeclared : {"error", "symbol"}
        Whether another name is an error or a plain symbol without assumptions.

    Returns
    -------
    Expr
        The tree that SymPy builds from the text; derivatives and limits stay unevaluated.

    Raises
    ------
    ParseError
        With line, column and the place marked.

    Examples
    --------
    >>> N, alpha = sp.symbols("N alpha", positive=True)
    >>> parse("-2/N^alpha", {"N": N, "alpha": alpha})
    -2/N**alpha
    >>> parse("E + 0.34", undeclared="symbol")
    E + 17/50
    """
    source = Source(text)
    read = _relation(source, declared(symbols), undeclared)
    if isinstance(read, Relation):
        place = text.index("prop" if read.op == "prop" else read.op)
        raise source.error(place, f"a relation {read.op!r} inside an expression", "give one side only")
    return read


def relation(text: str, symbols: Symbols | None = None, *, undeclared: str = "error") -> Relation:
    """Read ``left op right`` with ``op`` one of ``= < <= > >= ~ prop``; parameters as for :func:`parse`.

    Examples
    --------
    >>> relation("a > b", undeclared="symbol")
    Relation(left=a, op='>', right=b)
    """
    source = Source(text, "read the relation")
    read = _relation(source, declared(symbols), undeclared)
    if not isinstance(read, Relation):
        raise source.error(len(text), "it has one side only", "write left = right, or one of < <= > >= ~ prop")
    return read


def _relation(source: Source, symbols: Mapping[str, sp.Symbol], undeclared: str) -> sp.Expr | Relation:
    if undeclared not in {"error", "symbol"}:
        raise ScalingError("read the formula", f"undeclared={undeclared!r}", "choose 'error' or 'symbol'")
    source.check()
    tree = _tree(source)
    left, *rest = _Terms(source, symbols, undeclared).build(tree)
    return Relation(left.value, str(rest[0]), rest[1].value) if rest else left.value


def _tree(source: Source) -> Tree[Token]:
    """The syntax tree, or an error at the token that does not fit."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return grammar("plain.lark").parse(source.text)
    except UnexpectedCharacters as error:
        place = error.pos_in_stream or 0
        letter = source.text[place]
        remedy = "attributes are not part of a formula" if letter == "." else advice(letter)
        raise source.error(place, f"unexpected {letter!r}", remedy) from None
    except UnexpectedToken as error:
        token = error.token
        if token.type == "$END":
            raise source.error(len(source.text), "the formula breaks off", "complete it") from None
        side_by_side = token.type in {"NAME", "NUMBER", "LPAR"} and "TIMES" in error.accepts
        remedy = "write * between factors" if side_by_side else "check the operators and brackets before it"
        raise source.error(token.start_pos or 0, f"unexpected {str(token)!r}", remedy) from None


class _Terms(Builder):
    """What the parts of plain text mean."""

    def __init__(self, source: Source, symbols: Mapping[str, sp.Symbol], undeclared: str) -> None:
        super().__init__(source)
        self.symbols = symbols
        self.undeclared = undeclared

    def _name(self, children: list[Any]) -> sp.Expr:
        return build.symbol(str(children[0]), self.symbols, self.undeclared)

    def _group(self, children: list[Any]) -> sp.Expr:
        return children[0].value

    def _call(self, children: list[Any]) -> sp.Expr:
        return build.call(str(children[0]), [child.value for child in children[1:]])

    def _power(self, children: list[Any]) -> sp.Expr:
        return build.power(children[0].value, children[2].value) if len(children) > 1 else children[0].value

    def _signed(self, children: list[Any]) -> sp.Expr:
        *sign, node = children
        return build.product([sp.Integer(-1), node.value]) if sign == ["-"] else node.value

    def _product(self, children: list[Any]) -> sp.Expr:
        first, *rest = children
        pairs = zip(rest[::2], rest[1::2], strict=True)
        return build.product([first.value, *(build.quotient(n.value) if op == "/" else n.value for op, n in pairs)])
