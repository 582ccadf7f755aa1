"""Reading plain text such as ``E + A/N**alpha``: lark's LALR parser over ``plain.lark``, then :mod:`.build`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy as sp

from .. import budget
from ..errors import ParseError, ScalingError
from ..quantity import decimal
from . import build
from .relation import Relation
from .source import Refusal, Source, advice

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = ["parse", "relation"]

DEEPEST = 40
"""How many brackets, powers and functions may stand inside each other."""


def parse(text: str, symbols: Mapping[str, sp.Symbol] | None = None, *, undeclared: str = "error") -> sp.Expr:
    """Read an expression.

    Parameters
    ----------
    text : str
        ``**`` or ``^`` for powers, which bind tighter than a minus sign; decimals are exact; functions
        ``log exp sqrt Abs Min Max``, ``diff(f, x, n)``, ``Limit(f, x, oo)``, ``Rational(p, q)``; ``oo``.
    symbols : mapping of str to Symbol, optional
        The names that have a meaning.
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
    read = _relation(source, symbols or {}, undeclared)
    if isinstance(read, Relation):
        place = text.index("prop" if read.op == "prop" else read.op)
        raise source.error(place, f"a relation {read.op!r} inside an expression", "give one side only")
    return read


def relation(text: str, symbols: Mapping[str, sp.Symbol] | None = None, *, undeclared: str = "error") -> Relation:
    """Read ``left op right`` with ``op`` one of ``= < <= > >= ~ prop``; parameters as for :func:`parse`.

    Examples
    --------
    >>> relation("a > b", undeclared="symbol")
    Relation(left=a, op='>', right=b)
    """
    source = Source(text, "read the relation")
    read = _relation(source, symbols or {}, undeclared)
    if not isinstance(read, Relation):
        raise source.error(len(text), "it has one side only", "write left = right, or one of < <= > >= ~ prop")
    return read


class _Node(NamedTuple):
    """An expression, how deep its tree is and where its text starts."""

    value: sp.Expr
    depth: int = 0
    start: int = 0


def _relation(source: Source, symbols: Mapping[str, sp.Symbol], undeclared: str) -> sp.Expr | Relation:
    if undeclared not in {"error", "symbol"}:
        raise ScalingError("read the formula", f"undeclared={undeclared!r}", "choose 'error' or 'symbol'")
    source.check()
    tree = _tree(source)
    left, *rest = _Builder(source, symbols, undeclared).build(tree)
    return Relation(left.value, str(rest[0]), rest[1].value) if rest else left.value


@cache
def _parser() -> Lark:
    from lark import Lark

    grammar = files(__package__ or "").joinpath("plain.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", start="relation", propagate_positions=True)


def _tree(source: Source) -> Tree[Token]:
    """The syntax tree, or an error at the token that does not fit."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return _parser().parse(source.text)
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


class _Builder:
    """Builds a syntax tree bottom-up without recursion, so that no text can exhaust the stack."""

    def __init__(self, source: Source, symbols: Mapping[str, sp.Symbol], undeclared: str) -> None:
        self.source = source
        self.symbols = symbols
        self.undeclared = undeclared

    def build(self, tree: Tree[Token]) -> list[Any]:
        """The children of the root: one expression, or expression, operator, expression."""
        done: dict[int, _Node | str] = {}
        for node in tree.iter_subtrees():
            if node.data == "relation":
                continue
            children = [done[id(child)] if hasattr(child, "data") else child for child in node.children]
            done[id(node)] = self._node(node, children)
        return [done[id(child)] if hasattr(child, "data") else child for child in tree.children]

    def _node(self, tree: Tree[Token], children: list[Any]) -> _Node | str:
        """Apply the rule of one subtree to its finished children."""
        budget.check(self.source.asked)
        start = tree.meta.start_pos
        if tree.data == "sign":
            return "-" if sum(1 for child in children if child == "-") % 2 else "+"
        nodes = [child for child in children if isinstance(child, _Node)]
        nests = tree.data in {"group", "call"} or (tree.data == "power" and len(nodes) > 1)
        depth = max((node.depth for node in nodes), default=0) + nests
        if depth > DEEPEST:
            raise self.source.error(start, f"nested more than {DEEPEST} deep", "name its parts")
        rule: Callable[[list[Any]], sp.Expr] = getattr(self, f"_{tree.data}")
        try:
            value = rule(children)
        except Refusal as refusal:
            raise self.source.error(start, refusal.found, refusal.remedy) from None
        except ParseError as error:
            raise self.source.error(start, error.found, error.remedy) from None
        except Exception as error:  # of SymPy, whose constructors raise many kinds
            remedy = "write it in another way"
            raise self.source.error(start, f"SymPy does not build it: {str(error)[:80]}", remedy) from None
        return _Node(value, depth, start)

    def _number(self, children: list[Any]) -> sp.Expr:
        exact = decimal(str(children[0]))
        return sp.Rational(exact.numerator, exact.denominator)

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

    def _sum(self, children: list[Any]) -> sp.Expr:
        terms, sign = [], "+"
        for child in children:
            if isinstance(child, str):
                sign = child
            else:
                terms.append(build.product([sp.Integer(-1), child.value]) if sign == "-" else child.value)
                sign = "+"
        return build.total(terms)
