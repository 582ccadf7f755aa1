"""``left = right``: proved by the normal form, refuted at a certain point, else supported to many digits."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from ..algebra.order import sign
from ..algebra.zero import prove_zero
from ..domain import Domain
from ..notation import needs_of_power
from ..records import Status
from .ball import LADDER, QUICK, elementary
from .cases import signs, split
from .finding import Finding, joined
from .hostile import hostile
from .refute import POINTS, Look, certificate, counterexample, look, look_at, lopsided, undefined_note
from .support import agreement, attempt, undecided
from .surds import is_small, sign_by_squares

__all__ = ["conditions", "holds", "needs_of", "open_needs", "prove", "unmet", "verify"]

Need = tuple[sp.Expr, str]

FIRST_POINTS = 18
MOST_CONDITIONS = 24


def verify(left: sp.Expr, right: sp.Expr, domain: Domain) -> Finding:
    """The finding on ``left = right`` on the domain.

    Parameters
    ----------
    left, right : Expr
        Both sides; derivatives are carried out exactly.
    domain : Domain
        Where it is claimed.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> verify((a + b)**2, a**2 + b**2, Domain()).status.name
    'REFUTED'
    """
    left, right = (elementary(side) for side in (left, right))
    seen = list(look(left, right, domain, FIRST_POINTS, ladder=QUICK))
    if found := counterexample(seen, bool):
        return certificate(found).on(domain)
    facts = attempt(prove, left, right, domain)
    ladder = LADDER if facts is None else QUICK
    seen = list(look(left, right, domain, ladder=ladder))
    for case in attempt(split, (left, right), domain) or ():
        if case.text:
            seen += look(case.expressions[0], case.expressions[1], case.domain, FIRST_POINTS, ladder=ladder)
    if found := counterexample(seen, bool):
        return certificate(found).on(domain)
    if facts is not None:
        return _proved(facts, seen, left, right, domain)
    seen += look_at(left, right, hostile((left, right, left - right), domain, 2 * POINTS))
    if found := counterexample(seen, bool):
        return certificate(found).on(domain)
    supported = agreement(seen)
    return (supported or undecided(seen, "normal form, counterexample, agreement at high precision")).on(domain)


def prove(left: sp.Expr, right: sp.Expr, domain: Domain) -> tuple[str, ...] | None:
    """The facts that make ``left = right`` an identity of the domain, case by case; None if not proved.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> prove(a*(a + b), a**2 + a*b, Domain()) is None
    False
    """
    whole = _by_cases((left, right), domain)
    if whole is not None or not (parts := signs((left, right), domain)):
        return whole
    facts: list[str] = []
    for part in parts:
        proof = _by_cases(part.expressions, part.domain)
        if proof is None:
            return None
        facts += [f"case {part.text}", *proof]
    return tuple(facts)


def _by_cases(sides: tuple[sp.Expr, ...], domain: Domain) -> tuple[str, ...] | None:
    """The facts of a proof in every case of Min, Max, Abs."""
    cases = split(sides, domain)
    if cases is None:
        return None
    facts: list[str] = []
    for case in cases:
        proof = _by_normal_form(case.expressions[0], case.expressions[1], case.domain)
        if proof is None:
            return None
        facts += [f"case {case.text}"] if case.text else []
        facts += proof
    return tuple(facts)


def _by_normal_form(left: sp.Expr, right: sp.Expr, domain: Domain) -> tuple[str, ...] | None:
    """The zero test; where roots stand in it and both sides have the same sign, that of their squares too."""
    proof = prove_zero(left - right, domain)
    if proof is not None or not any(power.exp == sp.S.Half for power in sp.Tuple(left, right).atoms(sp.Pow)):
        return proof
    side = sign_by_squares(left, domain)
    if not side or side != sign_by_squares(right, domain) or not is_small(left**2 + right**2):
        return None
    squares = prove_zero(sp.expand(left**2) - sp.expand(right**2), domain)
    return None if squares is None else (*squares, f"equal squares, both sides {'>' if side > 0 else '<'} 0")


def _proved(facts: tuple[str, ...], seen: list[Look], left: sp.Expr, right: sp.Expr, domain: Domain) -> Finding:
    """PROVED where both sides are defined alike; less where one of them exists on a smaller part of the domain."""
    if seen and not any(one.defined for one in seen):
        return undecided(seen, "normal form").on(domain)
    where = joined(attempt(conditions, sp.Tuple(left, right), domain) or ())
    evidence = (("facts", joined(facts)), ("where", where), ("undefined", undefined_note(seen)))
    if lopsided(seen):
        return Finding(Status.SUPPORTED, "proved only where both sides are defined").with_evidence(*evidence).on(domain)
    return Finding(Status.PROVED, "same normal form").with_evidence(*evidence).on(domain)


def conditions(expression: sp.Basic, domain: Domain) -> list[str]:
    """What must hold for the expression to be real and defined, as far as the domain does not already say it.

    Examples
    --------
    >>> x, y = sp.symbols("x y", real=True)
    >>> conditions(sp.log(x - y) / (x - 1), Domain())
    ['x - 1 != 0', 'x - y > 0']
    """
    return unmet(needs_of(expression), domain)


def needs_of(expression: sp.Basic) -> list[Need]:
    """What the logarithms and powers of an expression need to be real and defined."""
    asked = [(node.args[0], ">") for node in expression.atoms(sp.log)]
    return asked + [need for power in expression.atoms(sp.Pow) for need in needs_of_power(*power.args)]


def unmet(needs: Iterable[Need], domain: Domain) -> list[str]:
    """The needs ``u op 0`` that the domain does not grant, sorted, as text.

    Examples
    --------
    >>> x, y = sp.symbols("x y", nonnegative=True)
    >>> unmet([(x, "!="), (x, ">="), (1 + y, ">")], Domain())
    ['x != 0']
    """
    asked = _asked(needs)
    listed = [f"{u} {op} 0" for u, op in open_needs(asked[:MOST_CONDITIONS], domain)]
    return listed + (["all other divisors, logarithms and roots exist"] if len(asked) > MOST_CONDITIONS else [])


def open_needs(needs: Iterable[Need], domain: Domain) -> list[Need]:
    """The needs ``(u, op)`` that the domain does not grant, sorted."""
    return [(u, op) for u, op in _asked(needs) if not _granted(u, op, domain)]


def _asked(needs: Iterable[Need]) -> list[Need]:
    """The needs that are no matter of course."""
    ordered = sorted(set(needs), key=lambda pair: (sp.default_sort_key(pair[0]), pair[1]))
    return [(u, op) for u, op in ordered if u.free_symbols and not u.is_positive]


def holds(number: sp.Expr, op: str) -> bool:
    """Whether ``number op 0``, a need without symbols, is certainly so."""
    return bool({">": number.is_positive, ">=": number.is_nonnegative, "!=": number.is_nonzero}[op])


def _granted(u: sp.Expr, op: str, domain: Domain) -> bool:
    """Whether ``u op 0`` holds on the whole domain."""
    if op == ">=":
        return bool(u.is_nonnegative) or sign(u, domain, strict=False) in (0, 1)
    return sign(u, domain) in ((1, -1) if op == "!=" else (1,))
