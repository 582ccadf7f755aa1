"""Laws as JSON values: names, signs, formulas and the whole domain as plain text that the grammar reads back."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import sympy as sp

from .. import notation
from ..domain import Domain, Interval
from ..law import Cost, Law, Parameter, PublishedSet, Variable
from ..notation.tex import ACCENTS, FONTS, LETTERS

__all__ = ["as_json", "from_json"]

_COMMANDS = {*FONTS, *LETTERS, *ACCENTS, r"\infty", r"\min", r"\max", r"\star", r"\prime", r"\ast"}
_PLAIN = re.compile(r"[A-Za-z0-9 _^{}*'+,.()/-]*")
_SIGNS = ("positive", "negative", "nonnegative", "nonzero", "integer", "real")


def as_json(law: Law) -> dict[str, Any]:
    """A law as plain JSON values.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("logarithm")
    >>> as_json(law)["relations"]
    [['a', 'b*log(N)']]
    >>> from_json(as_json(law)) == law
    True
    """
    return {
        "name": law.name,
        "title": law.title,
        "source": law.source,
        "form": [notation.text(law.form.lhs), notation.text(law.form.rhs)],
        "response": _item(law.response),
        "variables": [_item(variable) for variable in law.variables],
        "parameters": [_item(parameter) for parameter in law.parameters],
        "costs": [
            {"symbol": _symbol(c.symbol), "expression": notation.text(c.expression), "convention": c.convention}
            for c in law.costs
        ],
        "ranges": [
            [s.name, notation.text(i.lo), notation.text(i.hi), i.lo_open, i.hi_open] for s, i in law.domain.ranges
        ],
        "relations": [[notation.text(side) for side in relation] for relation in law.domain.relations],
        "published": [
            {"name": p.name, "source": p.source, "constants": dict(p.constants), "note": p.note} for p in law.published
        ],
    }


def _item(item: Variable | Parameter) -> dict[str, Any]:
    fields = {key: value for key, value in vars(item).items() if not isinstance(value, sp.Symbol)}
    links = {key: vars(item)[key].name for key in ("above", "below") if isinstance(vars(item).get(key), sp.Symbol)}
    return {**fields, **links, "symbol": _symbol(item.symbol)}


def _symbol(symbol: sp.Symbol) -> list[str]:
    return [symbol.name, *(sign for sign in _SIGNS if symbol._assumptions_orig.get(sign))]


def from_json(content: dict[str, Any]) -> Law:
    """The law that :func:`as_json` wrote; files from before relations and published sets were kept have none."""
    items = [content["response"], *content["variables"], *content["parameters"], *content["costs"]]
    for item in items:
        _printable(item["symbol"][0], item.get("latex", ""))
    symbols = {name: sp.Symbol(name, **dict.fromkeys(signs, True)) for name, *signs in (i["symbol"] for i in items)}
    left, right = (notation.parse(text, symbols) for text in content["form"])
    return Law(
        name=content["name"],
        title=content["title"],
        source=content["source"],
        response=Variable(**_rebuilt(content["response"], symbols)),
        variables=tuple(Variable(**_rebuilt(item, symbols)) for item in content["variables"]),
        parameters=tuple(Parameter(**_rebuilt(item, symbols)) for item in content["parameters"]),
        form=sp.Eq(left, right),
        domain=_domain(content, symbols),
        costs=tuple(
            Cost(symbols[c["symbol"][0]], notation.parse(c["expression"], symbols), c["convention"])
            for c in content["costs"]
        ),
        published=tuple(
            PublishedSet(p["name"], p["source"], tuple(p["constants"].items()), p["note"])
            for p in content.get("published", ())
        ),
    )


def _printable(name: str, latex: str) -> None:
    """Refuse a name that is no name, and LaTeX of a name that holds more than letters, accents and scripts."""
    bare = re.sub(r"\\[A-Za-z]+", lambda found: "" if found.group() in _COMMANDS else "!", latex)
    depths = [0, *accumulate({"{": 1, "}": -1}.get(letter, 0) for letter in bare)]
    balanced = min(depths) == depths[-1] == 0
    if not name.isidentifier() or "^^" in latex or not _PLAIN.fullmatch(bare) or not balanced:
        raise ValueError(f"{latex or name!r} is not how a symbol is written")


def _domain(content: dict[str, Any], symbols: dict[str, sp.Symbol]) -> Domain:
    def number(text: str) -> sp.Expr:
        return notation.parse(text, {})

    ranges = ((symbols[name], Interval(number(lo), number(hi), *open_)) for name, lo, hi, *open_ in content["ranges"])
    relations = content.get("relations", ())
    return Domain(
        tuple(ranges),
        tuple((notation.parse(more, symbols), notation.parse(less, symbols)) for more, less in relations),
    )


def _rebuilt(item: dict[str, Any], symbols: dict[str, sp.Symbol]) -> dict[str, Any]:
    links = {key: symbols[item[key]] for key in ("above", "below") if item.get(key)}
    pairs = {key: tuple(value) for key, value in item.items() if key in ("typical", "start")}
    return {**item, **links, **pairs, "symbol": symbols[item["symbol"][0]]}
