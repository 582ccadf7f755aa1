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

    @property
    def ordered(self) -> tuple[sp.Expr, sp.Expr] | None:
        """``(greater, lesser)`` of a strict order; None of any other relation."""
        if self.op == ">":
            return self.left, self.right
        return (self.right, self.left) if self.op == "<" else None
