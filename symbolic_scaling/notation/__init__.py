"""Text to expression and back, by a grammar and declared symbols; nothing is ever evaluated as code."""

from __future__ import annotations

from .plain import parse, relation
from .printer import text
from .relation import Relation
from .source import is_name

__all__ = ["Relation", "is_name", "parse", "relation", "text"]
