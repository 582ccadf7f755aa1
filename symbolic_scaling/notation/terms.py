r"""What the parts of a LaTeX formula mean together; every reading that is not the only one is refused.

A term is read left to right. ``\sum``, ``\prod``, ``\lim`` and ``\frac{d}{dx}`` take what follows them to the end of
the term; ``\log`` without a bracket takes one factor and ends the term; a slash divides by one factor and ends it too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from . import build
from .source import Refusal, Source
from .tex import words
from .tree import Builder, Node

if TYPE_CHECKING:
    from lark import Token

__all__ = ["Terms"]

_WORDS = words("NAME FUNC INDEXED LOG EXTREME DERIVATIVE OPERATOR BIG _ROOT _NTHROOT")
_LOGS = frozenset({"open", "closed"})
_MOST = 5
_OPERATORS = frozenset({"diff", "lim", "sum", "prod"})


class Terms(Builder):
    """Builds the tree of a formula; ``bound`` collects the symbols that run or tend, with their places."""

    nests = words("group absolute elementary extreme apply fraction root derivative indexed bare")

    def __init__(self, source: Source, tokens: Sequence[Token], meaning: Mapping[int, Any]) -> None:
        super().__init__(source)
        self.meaning = meaning
        self.bound: list[tuple[sp.Symbol, int]] = []
        self._words = [token.start_pos or 0 for token in tokens if token.type in _WORDS]
        self._names = [token for token in tokens if token.type == "NAME"]

    def _number(self, children: list[Any]) -> sp.Expr:
        return super()._number([re.sub(r"\{,\}|\\,", "", str(children[0]))])

    def _name(self, children: list[Any]) -> sp.Expr:
        return self.meaning[children[0].start_pos]

    def _infinity(self, children: list[Any]) -> sp.Expr:
        return sp.oo

    def _group(self, children: list[Any]) -> Node:
        return Node(children[0].value, kind="bracket")

    def _absolute(self, children: list[Any]) -> Node:
        return Node(build.call("Abs", [children[0].value]), kind="bracket")

    def _bare(self, children: list[Any]) -> Node:
        return children[0]

    def _braced(self, children: list[Any]) -> Node:
        return children[0]

    def _power(self, children: list[Any]) -> Node:
        if len(children) == 1:
            return children[0]
        base, _, exponent = children
        if base.kind in {"raised", "raised bracket", "fraction", *_LOGS}:
            raise Refusal("a power of what has no brackets", r"write \left( \right) around its base")
        kind = "raised bracket" if base.kind == "bracket" else "raised"
        return Node(build.power(base.value, exponent.value), kind=kind)

    def _fraction(self, children: list[Any]) -> Node:
        above, below = children
        divisors = below.factors or (below.value,)
        factors = (*(above.factors or (above.value,)), *(build.quotient(one) for one in divisors))
        return Node(build.product(factors), factors=factors, kind="fraction")

    def _root(self, children: list[Any]) -> sp.Expr:
        *degree, inside = children
        return build.power(inside.value, build.quotient(degree[0].value) if degree else sp.S.Half)

    def _elementary(self, children: list[Any]) -> Node:
        word, *scripts, operand = children
        if operand.kind == "raised bracket":
            raise Refusal("the power may belong to the argument or to the function", "put brackets around its base")
        value = build.call(self.meaning[word.start_pos], [operand.value])
        for sign, script in zip(scripts[::2], scripts[1::2], strict=True):
            if sign.type == "SUB":
                value = build.product([value, build.quotient(build.call("log", [script.value]))])
            elif not (isinstance(script.value, sp.Integer) and script.value > 1):
                raise Refusal("a power of the function's name", "put the power behind brackets around the whole")
            else:
                value = build.power(value, script.value)
        return Node(value, kind="closed" if operand.kind == "bracket" else "open")

    def _extreme(self, children: list[Any]) -> sp.Expr:
        word, *arguments = children
        return build.call(self.meaning[word.start_pos], [node.value for node in arguments])

    def _apply(self, children: list[Any]) -> sp.Expr:
        word, *arguments = children
        function, values = self.meaning[word.start_pos], [node.value for node in arguments]
        if not isinstance(function, sp.Lambda):
            return function(*values)
        if len(values) != len(function.variables):
            raise Refusal(f"{len(values)} arguments", f"give {len(function.variables)}")
        inner = function.expr.atoms(sp.Sum, sp.Product, sp.Limit)
        bound = {one for node in inner for one in (node.args[1:2] if isinstance(node, sp.Limit) else node.variables)}
        if bound & {one for value in values for one in value.free_symbols} or bound & set(function.variables):
            raise Refusal("an argument that runs inside the function", "rename the index")
        positive = [value for name, value in zip(function.variables, values, strict=True) if name.is_positive]
        if any(value.is_number and not value.is_positive for value in positive):
            raise Refusal("an argument that is not positive", f"{function.variables} are declared so")
        build.need([(value, ">") for value in positive])
        return build.substitute(function.expr, dict(zip(function.variables, values, strict=True)))

    def _indexed(self, children: list[Any]) -> sp.Expr:
        word, *indices = children
        return self.meaning[word.start_pos][tuple(node.value for node in indices)]

    def _derivative(self, children: list[Any]) -> sp.Expr:
        word, operand = children
        return _differentiate(operand.value, self.meaning[word.start_pos][1])

    def _operator(self, children: list[Any]) -> Node:
        kind, *what = self.meaning[children[0].start_pos]
        return Node(tuple(what), kind=kind)

    def _big(self, children: list[Any]) -> Node:
        word, low, high = children
        kind, index, above, below = self.meaning[word.start_pos]
        ends = (build.total([end.value, sp.Integer(shift)]) for end, shift in ((low, above), (high, below)))
        return Node((index, *ends), kind=kind)

    def _term(self, children: list[Any]) -> Node:
        """A product, read left to right."""
        factors: list[sp.Expr] = []
        before: Node | None = None
        sign, last = "", ""
        for place, child in enumerate(children):
            if not isinstance(child, Node):
                sign = child.type
                continue
            if before is not None:
                self._join(before, last, sign or "implied", child)
            if child.kind in _OPERATORS:
                value = self._operate(child, children[place + 1 :])
                return Node(build.product([*factors, value]), factors=(*factors, value)) if factors else Node(value)
            parts = child.factors or (child.value,)
            factors += [build.quotient(child.value)] if sign == "SLASH" else parts
            before, last, sign = child, sign, ""
        if len(children) == 1:
            return children[0]
        return Node(build.product(factors), factors=tuple(factors))

    def _join(self, before: Node, last: str, sign: str, child: Node) -> None:
        """Refuse a factor that could belong elsewhere; ``last`` is the sign before ``before``."""
        found = ""
        if last == "SLASH" and sign != "SLASH":
            found, remedy = "a factor behind a slash may stand above or below", r"write \frac, or brackets"
        elif before.kind == "open" and child.kind not in _LOGS:
            found, remedy = "a factor that the function before it may take", "put the function's argument in brackets"
        elif sign == "SLASH" and child.kind in _OPERATORS:
            found, remedy = "a slash before an operator", r"write \frac, or brackets"
        elif sign == "implied" and not any(self._has_word(n) or n.kind == "raised bracket" for n in (before, child)):
            found, remedy = "numbers side by side", r"write \cdot between factors"
        if found:
            raise self.source.error(child.start, found, remedy)

    def _has_word(self, node: Node) -> bool:
        place = bisect_left(self._words, node.start)
        return place < len(self._words) and self._words[place] < node.end

    def _operate(self, operator: Node, rest: list[Any]) -> sp.Expr:
        """Apply a sum, product, limit or derivative to the rest of its term."""
        if sum(1 for node in rest if isinstance(node, Node) and node.kind in _OPERATORS) > _MOST:
            raise self.source.error(operator.start, f"more than {_MOST} operators in a row", "name their parts")
        if not rest or not isinstance(rest[0], Node):
            raise self.source.error(operator.end, "nothing follows the operator", "give its argument")
        if operator.kind == "diff":
            if len(rest) > 1:
                found = "the derivative may end before this factor"
                raise self.source.error(
                    rest[1].start_pos if not isinstance(rest[1], Node) else rest[1].start,
                    found,
                    "put brackets around what is differentiated",
                )
            return _differentiate(self._term(rest).value, operator.value[0])
        inner = self._term(rest).value
        self.bound.append((operator.value[0], operator.start))
        if operator.kind == "lim":
            cancelled = not inner.has(operator.value[0]) and self._mentions(operator.value[0], rest)
            return inner if cancelled else _tending(inner, *operator.value)
        index = operator.value[0]
        self._require_index(operator, index, rest)
        return build.series(operator.kind, inner, *operator.value)

    def _mentions(self, symbol: sp.Symbol, rest: list[Any]) -> bool:
        """Whether a symbol is named in what follows an operator, though SymPy may have cancelled it."""
        nodes = [node for node in rest if isinstance(node, Node)]
        places = (token.start_pos or 0 for token in self._names)
        return any(nodes[0].start <= at < nodes[-1].end and self.meaning[at].has(symbol) for at in places)

    def _require_index(self, operator: Node, index: sp.Symbol, rest: list[Any]) -> None:
        """A product must not end inside its term, and a name with the index below must not be one symbol."""
        nodes = [node for node in rest if isinstance(node, Node)]
        if operator.kind == "prod" and len(nodes) > 1:
            for node in nodes:
                if node.kind in _OPERATORS or not node.value.has(index):
                    raise self.source.error(
                        node.start, "the product may end before this factor", "put brackets around all that it takes"
                    )
        for token in self._names:
            _, mark, below = str(token).partition("_")
            place = token.start_pos or 0
            if (
                mark
                and nodes[0].start <= place < nodes[-1].end
                and index.name in re.findall(r"\w+", below.replace("_", " "))
            ):
                stem = str(token).partition("_")[0]
                raise self.source.error(
                    place,
                    f"{token!s} is declared as one symbol, and {index} runs",
                    f"declare {stem} as an IndexedBase",
                )


def _tending(inner: sp.Expr, variable: sp.Symbol, point: sp.Expr, side: str) -> sp.Expr:
    """The limit; another point than 0 and oo, and a side of a symbol of open sign, by what moves towards 0 or oo."""
    if point == sp.oo or (point == 0 and not (side and variable.is_positive is variable.is_negative)):
        return build.call("Limit", [inner, variable, point])
    if point == -sp.oo:
        moving, place, end = sp.Dummy(variable.name, positive=True), 0, sp.oo
    else:
        signs = {"positive": True} if side else {"real": True}
        moving, place, end = sp.Dummy(variable.name, **signs), point, sp.Integer(0)
    step = moving if side == "+" or (not side and end == 0) else build.product([sp.Integer(-1), moving])
    near = build.substitute(inner, {variable: build.total([place, step])})
    return build.call("Limit", [near, moving, end]) if near.has(moving) or not inner.has(variable) else near


def _differentiate(function: sp.Expr, variables: Sequence[tuple[sp.Symbol, int]]) -> sp.Expr:
    for variable, order in variables:
        function = build.call("diff", [function, variable, sp.Integer(order)])
    return function
