"""Row filters: ``Task = 'bird_5' and N > 1e6``. Columns with blanks stand in backticks, texts in quotes.

A comparison with a number is numeric, and false for a cell that is no number; a comparison with a text is by the
cell's text. ``and``, ``or``, ``not``, ``in (...)`` and brackets as in SQL.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import quantity
from ..budget import cached
from ..errors import ParseError
from ..notation.source import Source
from .table import Floats

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["Scope", "mask"]

Mask: TypeAlias = NDArray[np.bool_]

_LONGEST = 10_000
_DEEPEST = 30
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Scope(Protocol):
    """What a filter can ask of the table it runs on."""

    def __len__(self) -> int: ...

    def cells(self, name: str) -> Sequence[Any]:
        """The cells called ``name``."""

    def values(self, name: str) -> Floats:
        """They as numbers, NaN where there is none."""


def mask(text: str, scope: Scope) -> Mask:
    """Which rows satisfy a filter.

    Raises
    ------
    ParseError
        With line and column, for a text that is no filter.
    DataError
        From ``scope``, for a column that is not there.
    """
    from lark.exceptions import UnexpectedInput, VisitError

    source = Source(text, "read the filter")
    if not text.strip() or len(text) > _LONGEST:
        raise source.error(0, f"it has {len(text)} characters", f"give 1 to {_LONGEST}")
    if text.lower().count("(") > _DEEPEST or text.lower().count("not") > _DEEPEST:
        raise source.error(0, f"it has more than {_DEEPEST} brackets or negations", "split the filter")
    try:
        tree = _parser().parse(text)
        return _evaluator(scope).transform(tree)
    except UnexpectedInput as error:
        place = error.pos_in_stream if isinstance(error.pos_in_stream, int) and error.pos_in_stream >= 0 else len(text)
        shown = repr(text[place : place + 10]) if place < len(text) else "its end"
        remedy = "write Task = 'bird_5' and `Model Size` > 1e6"
        raise source.error(place, f"unexpected {shown}", remedy) from None
    except VisitError as error:
        raise error.orig_exc from None


@cached
def _parser() -> Lark:
    from lark import Lark

    grammar = files(__package__ or "").joinpath("where.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", start="either", maybe_placeholders=False)


def _evaluator(scope: Scope) -> Any:
    """A lark transformer from the filter's tree to a mask over the rows of ``scope``."""
    from lark import Transformer

    class Evaluator(Transformer[Any, Any]):
        """One method a rule; a column is its name, a literal its value."""

        def column(self, children: list[Any]) -> tuple[str, str]:
            return "column", str(children[0]).strip("`")

        def string(self, children: list[Any]) -> tuple[str, str]:
            quote = children[0][0]
            return "text", str(children[0])[1:-1].replace(quote * 2, quote)

        def number(self, children: list[Any]) -> tuple[str, float]:
            return "number", float(quantity.read(str(children[0])).value)

        def compared(self, children: list[Any]) -> Mask:
            return _compare(scope, *children)

        def listed(self, children: list[Any]) -> Mask:
            name, *rest = children
            literals = [item for item in rest if isinstance(item, tuple)]
            found = reduce(np.logical_or, (_compare(scope, name, "=", literal) for literal in literals))
            return ~found if len(rest) - len(literals) == 2 else found

        def negated(self, children: list[Any]) -> Mask:
            return ~children[-1]

        def both(self, children: list[Any]) -> Mask:
            return reduce(np.logical_and, children[::2])

        def either(self, children: list[Any]) -> Mask:
            return reduce(np.logical_or, children[::2])

    return Evaluator()


def _compare(scope: Scope, left: tuple[str, Any], sign: str, right: tuple[str, Any]) -> Mask:
    """Numbers with numbers, texts with texts; two columns as numbers if they all are."""
    compare = _COMPARE[str(sign)]
    kinds = {left[0], right[0]}
    if kinds == {"text", "number"}:
        raise ParseError("read the filter", f"{left[1]!r} {sign} {right[1]!r}", "compare a column with a value")
    numeric = "number" in kinds
    if kinds == {"column"}:
        numeric = not any(np.isnan(scope.values(side[1])).all() for side in (left, right))
    sides = [_side(scope, side, numeric) for side in (left, right)]
    found = np.broadcast_to(np.asarray(compare(*sides), dtype=bool), (len(scope),))
    return found & ~np.isnan(sides[0]) & ~np.isnan(sides[1]) if numeric else found.copy()


def _side(scope: Scope, side: tuple[str, Any], numeric: bool) -> Any:
    kind, value = side
    if kind != "column":
        return value
    return scope.values(value) if numeric else np.array([str(cell) for cell in scope.cells(value)], dtype=object)
