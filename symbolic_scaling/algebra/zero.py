"""The zero test: whether an expression vanishes identically on a domain.

The expression is read into the normal form of ``logform`` and expanded over common denominators. Zero is empty. The
answer None means that no proof was found, never that the expression is different from zero.

Worked example: with ``P = 1 + a/b``, ``(a + b)**s - b**s*P**s`` is read as ``b**s*P**s - b**s*P**s``.
"""

from __future__ import annotations

import sympy as sp

from ..domain import Domain
from ..errors import DomainError
from .differentiate import carried_out
from .fraction import is_zero
from .read import open_space, read

__all__ = ["prove_zero"]


def prove_zero(expression: sp.Expr, domain: Domain | None = None) -> tuple[str, ...] | None:
    """The domain facts that a proof of ``expression = 0`` used, or None without a proof.

    Parameters
    ----------
    expression : Expr
        Derivatives in it are taken first.
    domain : Domain, optional
        Where the statement is made; beyond the symbols' own signs.

    Raises
    ------
    BudgetExhausted
        If the deadline around the call passes.

    Examples
    --------
    >>> a, b, s = sp.symbols("a b s", positive=True)
    >>> prove_zero((a + b) ** s - b**s * (1 + a / b) ** s)
    ()
    >>> prove_zero(a - b) is None
    True
    """
    where = domain or Domain()
    plain = carried_out(expression)
    try:
        space = open_space([plain], where)
        return tuple(sorted(space.facts)) if is_zero(space, read(space, plain)) else None
    except DomainError:
        return None
