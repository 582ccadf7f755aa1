"""Agreement at high precision: what is said of an equality that is neither proved nor refuted."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

import sympy as sp
from flint import arb, ctx, fmpq

from .. import budget as clock
from ..errors import BudgetExhausted
from ..notation.build import substitute
from ..notation.source import Refusal
from ..records import Status
from .ball import LADDER, Value
from .finding import Finding
from .refute import Look, undefined_note

__all__ = ["agreement", "attempt", "digits", "placed", "undecided"]

LEAST_DIGITS = 50
LEAST_POINTS = 3
PROOF_SHARE = 0.5

T = TypeVar("T")

_EXACT = 600


def agreement(seen: list[Look], method: str = "agreement at high precision") -> Finding | None:
    """SUPPORTED with digits, points and largest relative residue; None where that would say too little.

    Every look has been through the whole ladder of precisions, so coincidences of 30 digits are long refuted.
    """
    agreeing = [one for one in seen if one.defined and one.sign in (None, 0)]
    residues = [residue for one in agreeing if (residue := digits(one.left, one.right)) is not None]
    alone = bool(seen) and not seen[0].point.values
    if len(residues) < (1 if alone else LEAST_POINTS) or min(residues) < LEAST_DIGITS:
        return None
    worst = min(residues)
    return Finding(
        Status.SUPPORTED,
        method,
        (("digits", str(worst)), ("points", str(len(residues))), ("largest residue", f"1e-{worst} relative")),
    ).with_evidence(("undefined", undefined_note(seen)))


def digits(left: Value | None, right: Value | None) -> int | None:
    """Decimal digits to which two values certainly agree, relative to the larger; None next to zero.

    Examples
    --------
    >>> digits(fmpq(1), fmpq(1)), digits(arb(0), arb(0, 1))
    (600, None)
    """
    if left is None or right is None:
        return None
    if isinstance(left, fmpq) and isinstance(right, fmpq) and left == right:
        return _EXACT
    with ctx.workprec(LADDER[-1]):
        first, second = arb(left), arb(right)
        scale = max(first.abs_lower(), second.abs_lower())
        if not scale > 0:
            return None
        residue = (first - second).abs_upper() / scale
        if not residue > 0:
            return _EXACT
        return max(0, min(_EXACT, int(float((-residue.log() / arb(10).log()).mid()))))


def attempt(prove: Callable[..., T | None], *arguments: object) -> T | None:
    """What ``prove`` finds in its share of the time that is left; None if it runs out: points can still be tried.

    Examples
    --------
    >>> attempt(divmod, 7, 2)
    (3, 1)
    """
    left = clock.remaining()
    try:
        with clock.limit(None if math.isinf(left) else max(PROOF_SHARE * left, 1e-9)):
            return prove(*arguments)
    except BudgetExhausted:
        return None


def placed(expression: sp.Expr, values: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr | None:
    """The expression with values in it, each power bounded before it is evaluated; None where it has no value.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> placed(x**x, {x: sp.Integer(3)}), placed(x ** (x**x), {x: sp.Integer(10)})
    (27, None)
    """
    try:
        return substitute(expression, values)
    except Refusal:
        return None


def undecided(seen: list[Look], tried: str) -> Finding:
    """UNDECIDED, with what was tried and where the sides are not defined."""
    defined = sum(one.defined for one in seen)
    if not seen:
        why = "no point that satisfies the domain was found"
    elif not defined:
        why = "no point where both sides are defined was found"
    else:
        why = ""
    return Finding(Status.UNDECIDED, "not proved, not refuted", (("tried", tried),)).with_evidence(
        ("why", why), ("points", str(defined)), ("undefined", undefined_note(seen))
    )
