"""A law as a page and as JSON: formula, variables, parameters, domain, costs, published constants."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..law import Law, Parameter, Variable
from ..notation import text as plain
from .blocks import Block, Formula, Heading, Paragraph, Table
from .maths import Math, symbol_latex, to_latex, to_text

__all__ = ["as_json", "blocks", "label", "names_of"]


def names_of(law: Law) -> tuple[tuple[sp.Symbol, str], ...]:
    """The LaTeX names that a law declares, as :class:`Math` takes them."""
    return tuple(sorted(law.latex_names.items(), key=lambda pair: pair[0].name))


def label(law: Law) -> str:
    """What ``--law`` takes for this law: its name, or the formula it was made of.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> label(laws.get("m1")), label(laws.formula("y = a*x", ["x"]))
    ('m1', 'y = a*x')
    """
    return law.title if law.name == "formula" else law.name


def blocks(law: Law) -> tuple[Block, ...]:
    """The page of one law."""
    names = names_of(law)
    inputs = tuple(
        (Math(v.symbol, names=names), v.doc, v.unit, f"{v.typical[0]:g} to {v.typical[1]:g}")
        for v in (law.response, *law.variables)
    )
    constants = tuple((Math(p.symbol, names=names), p.doc, _sign(p), _bounds(p)) for p in law.parameters)
    page: list[Block] = [
        Heading(law.title),
        Formula(Math(law.form, names=names)),
        Paragraph(f"Source: {law.source}."),
        Table(("variable", "meaning", "unit", "typical"), inputs),
        Table(("parameter", "meaning", "sign", "bounds"), constants),
    ]
    page += [Paragraph(f"Domain: {'; '.join(law.domain.facts())}.")] if law.domain.facts() else []
    if law.costs:
        rows = tuple((Math(cost.expression, cost.symbol, names), cost.convention) for cost in law.costs)
        page.append(Table(("cost", "convention"), rows))
    if law.published:
        columns = ("published", *(symbol.name for symbol in law.constants), "source")
        found = tuple(
            (known.name, *(dict(known.constants).get(s.name, "") for s in law.constants), known.source)
            for known in law.published
        )
        page.append(Table(columns, found))
    return tuple(page)


def as_json(law: Law) -> dict[str, Any]:
    """The object that ``symscale show --json`` prints."""
    return {
        "name": law.name,
        "title": law.title,
        "source": law.source,
        "form": to_text(Math(law.form)),
        "latex": to_latex(Math(law.form, names=names_of(law))),
        "response": _variable(law.response),
        "variables": [_variable(variable) for variable in law.variables],
        "parameters": [_parameter(parameter) for parameter in law.parameters],
        "domain": list(law.domain.facts()),
        "costs": [
            {"symbol": cost.symbol.name, "expression": plain(cost.expression), "convention": cost.convention}
            for cost in law.costs
        ],
        "published": {
            known.name: {"source": known.source, "constants": dict(known.constants), "note": known.note}
            for known in law.published
        },
    }


def _variable(variable: Variable) -> dict[str, Any]:
    return {
        "name": variable.symbol.name,
        "meaning": variable.doc,
        "unit": variable.unit,
        "latex": variable.latex or symbol_latex(variable.symbol.name),
        "typical": list(variable.typical),
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.symbol.name,
        "meaning": parameter.doc,
        "latex": parameter.latex or symbol_latex(parameter.symbol.name),
        "sign": _sign(parameter),
        "start": list(parameter.start),
        "above": parameter.above.name if parameter.above else None,
        "below": parameter.below.name if parameter.below else None,
        "closed": parameter.closed,
    }


def _sign(parameter: Parameter) -> str:
    symbol = parameter.symbol
    return "positive" if symbol.is_positive else "negative" if symbol.is_negative else "real"


def _bounds(parameter: Parameter) -> str:
    facts = [f"above {parameter.above.name}"] if parameter.above else []
    facts += [f"below {parameter.below.name}"] if parameter.below else []
    facts += ["may be 0 in a fit"] if parameter.closed else []
    return ", ".join(facts)
