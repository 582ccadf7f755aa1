"""Text to expression and back, plain or LaTeX, by grammars and declared symbols; nothing is ever evaluated as code."""

from __future__ import annotations

from .declare import declare, kind_of, symbol
from .latex import latex_names, latex_relation, latex_statements, parse_latex
from .latex_printer import to_latex
from .names import law_symbols
from .needs import bounded_names, needs_of_power, noted
from .plain import parse, relation
from .printer import text
from .relation import Relation
from .source import is_name
from .spelling import plain_name, symbol_latex

__all__ = [
    "Relation",
    "bounded_names",
    "declare",
    "is_name",
    "kind_of",
    "latex_names",
    "latex_relation",
    "latex_statements",
    "law_symbols",
    "needs_of_power",
    "noted",
    "parse",
    "parse_latex",
    "plain_name",
    "relation",
    "symbol",
    "symbol_latex",
    "text",
    "to_latex",
]
