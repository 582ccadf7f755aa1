"""From a syntax tree to an expression, bottom-up without recursion: what the readers of both notations share."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy as sp

from .. import budget
from ..budget import cached
from ..errors import ParseError
from ..quantity import decimal
from . import build
from .source import Refusal, Source

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = ["Builder", "Node", "grammar"]

DEEPEST = 40
"""How many brackets, powers and functions may stand inside each other."""


class Node(NamedTuple):
    """A part of a formula.

    ``depth`` is that of its tree, ``start`` and ``end`` its place. ``factors`` multiply to the value where a product
    was written, ``kind`` says what stands there where the reader must know.
    """

    value: Any
    depth: int = 0
    start: int = 0
    end: int = 0
    factors: tuple[sp.Expr, ...] = ()
    kind: str = ""


@cached
def grammar(name: str) -> Lark:
    """The parser of a grammar file of this package."""
    from lark import Lark

    text = files(__package__ or "").joinpath(name).read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="basic", start="relation", propagate_positions=True)


class Builder:
    """Applies the method ``_rule`` to the finished children of every subtree; errors point at its place."""

    nests: frozenset[str] = frozenset({"group", "call"})

    def __init__(self, source: Source) -> None:
        self.source = source

    def build(self, tree: Tree[Token]) -> list[Any]:
        """The children of the root: one expression, or expression, operator, expression."""
        done: dict[int, Node | str] = {}
        for node in tree.iter_subtrees():
            if node.data == "relation":
                continue
            children = [done[id(child)] if hasattr(child, "data") else child for child in node.children]
            done[id(node)] = self._node(node, children)
        return [done[id(child)] if hasattr(child, "data") else child for child in tree.children]

    def _node(self, tree: Tree[Token], children: list[Any]) -> Node | str:
        """Apply the rule of one subtree to its finished children."""
        budget.check(self.source.asked)
        start, end = tree.meta.start_pos, tree.meta.end_pos
        if tree.data == "sign":
            return "-" if sum(1 for child in children if child == "-") % 2 else "+"
        nodes = [child for child in children if isinstance(child, Node)]
        nests = tree.data in self.nests or (tree.data == "power" and len(nodes) > 1)
        depth = max((node.depth for node in nodes), default=0) + nests
        if depth > DEEPEST:
            raise self.source.error(start, f"nested more than {DEEPEST} deep", "name its parts")
        rule: Callable[[list[Any]], Node | sp.Expr] = getattr(self, f"_{tree.data}")
        try:
            made = rule(children)
        except Refusal as refusal:
            raise self.source.error(start, refusal.found, refusal.remedy) from None
        except ParseError as error:
            raise (error if error.where else self.source.error(start, error.found, error.remedy)) from None
        except Exception as error:  # of SymPy, whose constructors raise many kinds
            remedy = "write it in another way"
            raise self.source.error(start, f"SymPy does not build it: {str(error)[:80]}", remedy) from None
        node = made if isinstance(made, Node) else Node(made)
        return node._replace(depth=depth, start=start, end=end)

    def _number(self, children: list[Any]) -> sp.Expr:
        exact = decimal(str(children[0]))
        return sp.Rational(exact.numerator, exact.denominator)

    def _sum(self, children: list[Any]) -> Node:
        terms, sign = [], "+"
        for child in children:
            if isinstance(child, str):
                sign = child
            else:
                terms.append(build.product([sp.Integer(-1), child.value]) if sign == "-" else child.value)
                sign = "+"
        if len(terms) > 1:
            return Node(build.total(terms))
        node: Node = children[-1]
        factors = node.factors or (node.value,)
        return Node(
            terms[0], factors=(sp.Integer(-1), *factors) if len(children) > 1 and children[0] == "-" else factors
        )
