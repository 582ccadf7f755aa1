"""Two expressions and the sign between them."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

__all__ = ["Relation"]


@dataclass(frozen=True)
class Relation:
    """``left op right`` with ``op`` one of ``= < <= > >= ~ prop``."""

    left: sp.Expr
    op: str
    right: sp.Expr
