"""A law as a power series at an end of an input: explicit laws by expansion, implicit ones by Lagrange's theorem."""

from __future__ import annotations

import sympy as sp

from ..algebra import lagrange
from ..algebra.expand import expansion
from ..algebra.fraction import expand as multiplied_out
from ..algebra.limits import limit
from ..algebra.order import smallest
from ..algebra.read import open_space, read
from ..algebra.truncated import Cancelled, Scale
from ..domain import Domain, Interval
from ..errors import DomainError, ScalingError, Undecided
from ..law import Law
from ..records import Claim, Derivation, Question, Series
from .common import Given, Maker, facts, letter, pick, where
from .limits import outside

__all__ = ["series", "total"]

PROVED_TERMS = 3


def series(law: Law, variable: str | sp.Symbol, order: int = 3, at: object = sp.oo, given: Given = ()) -> Derivation:
    """The response as a sum of powers of one small monomial.

    Parameters
    ----------
    law : Law
        Explicit, or implicit with its response between bounds.
    variable : str or Symbol
        The input that goes to ``at``.
    order : int
        Number of terms beyond the constant, at least 1.
    at : 0 or oo
        The end.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.

    Returns
    -------
    Derivation
        ``found`` by the response: a :class:`Series` in its ``small`` monomial; radius and remainder belong to that
        monomial.

    Raises
    ------
    Undecided
        If the domain does not order the exponents.
    DomainError
        If the domain excludes the end.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = series(laws.get("m4"), "x", order=2)["eps_x"]
    >>> found.small, found.terms[2]
    (beta*x**c, (-alpha*(eps_0 - eps_inf)**(2*alpha - 1), 2))
    """
    x = pick(law, variable, law.inputs)
    end = sp.oo if str(at) == "oo" else sp.Integer(0)
    if order < 1:
        raise ScalingError("expand a law", f"order {order}", "ask for at least one term")
    made = Maker(law, where(law, given))
    if outside(law, made.domain, x, end):
        raise DomainError(f"expand {law.name} as {x} goes to {end}", "the law is not claimed there", "take another end")
    form = made.explicit()
    found = _implicit(made, x, end, order) if form is None else _explicit(made, form, x, end, order)
    title = f"series of {law.name} as {x} goes to {end}"
    y = law.response.symbol.name
    question = Question("series", made.domain, (x,), form=form)
    return Derivation(title, law, facts(made.domain), tuple(made.steps), ((y, found),), question=question)


def _explicit(made: Maker, form: sp.Expr, x: sp.Symbol, end: sp.Expr, order: int) -> Series:
    """Expand in ``s = x`` or ``1/x``."""
    domain = made.domain
    small = sp.Dummy("small", positive=True)
    inside = form.xreplace({x: small if end == 0 else 1 / small})
    tiny = Domain((*((s, i) for s, i in domain.ranges if s != x), (small, Interval(0, sp.Rational(1, 2)))))
    space = open_space([inside], Domain(tiny.ranges, _free(made)), small=small)
    try:
        power = expansion(Scale(space, small, order + 1), multiplied_out(space, read(space, inside)))
    except Cancelled:
        raise Undecided(f"expand {made.law.name}", f"its first {order + 1} terms do not cancel") from None
    if power.question is not None and len(power.terms) <= order:
        raise Undecided(f"expand {made.law.name}", f"{power.question} > 0", opens=power.question)
    back = {-image: -name for name, image in space.mirror.items()}
    slow = sp.log(x) if end == 0 else -sp.log(x)
    terms = tuple(
        (space.write(value).xreplace(back).xreplace({sp.log(small): slow}), m.as_expr().xreplace(back))
        for m, value in power.terms
    )
    left_out = sorted((m.as_expr().xreplace(back) for m in power.remainder), key=sp.default_sort_key)
    remainder = left_out[smallest(left_out, domain, f"expand {made.law.name}")] if left_out else None
    monomial = x if end == 0 else 1 / x
    found = Series(x, end, monomial, terms, None, remainder)
    made.step("expand", f"powers of {monomial}, in ascending order", form, total(found), *_owed(made, found, form))
    return found


def total(found: Series) -> sp.Expr:
    """The sum of the terms."""
    return sp.Add(*(value * found.small**power for value, power in found.terms))


def _owed(made: Maker, found: Series, form: sp.Expr) -> list[Claim]:
    """After each of the first terms, what is left divided by the term goes to zero."""
    claims, left = [], form
    for count, (value, power) in enumerate(found.terms[:PROVED_TERMS], 1):
        left = left - value * found.small**power
        ratio = left / found.small**power
        claims.append(made.tends(f"what is left after term {count}", ratio, found.variable, found.at, sp.Integer(0)))
    return claims


def _implicit(made: Maker, x: sp.Symbol, end: sp.Expr, order: int) -> Series:
    """Put the response at its bound plus or minus w and invert ``w = t*phi(w)``."""
    law, y = made.law, made.law.response.symbol
    w = letter(law, "w_small")
    asked = f"expand {law.name} as {x} goes to {end}"
    for bound, side in _bounds(made, y):
        ratio = (law.form.lhs / law.form.rhs).subs(y, bound + side * w)
        equation = lagrange.balance(ratio, w)
        if limit(equation.small, x, end, made.domain) == 0:
            break
    else:
        raise Undecided(asked, f"{y} approaches a bound there")
    coefficients = lagrange.invert(equation, order)
    terms = ((bound, sp.Integer(0)), *((side * value, sp.Integer(n)) for n, value in enumerate(coefficients, 1)))
    found = Series(x, end, equation.small, terms, lagrange.radius(equation), sp.Integer(order + 1))
    flipped = sp.log(ratio) * _scale(ratio, w)
    same = made.equal("the same equation", sp.log(equation.small * equation.phi / w), flipped, _inside(made, equation))
    sign = "+" if side > 0 else "-"
    after = sp.Eq(w, equation.small * equation.phi)
    made.step("bound", f"{y} = {bound} {sign} {w}; lay one power of {w} bare", law.form, after, same)
    text = "Lagrange: [t^n] w = 1/n [w^(n-1)] phi(w)^n"
    made.step("invert", text, equation.phi, total(found), *_residues(made, equation, coefficients))
    return found


def _bounds(made: Maker, y: sp.Symbol) -> list[tuple[sp.Expr, int]]:
    lower = [(lesser, 1) for greater, lesser in made.domain.relations if greater == y]
    return lower + [(greater, -1) for greater, lesser in made.domain.relations if lesser == y]


def _scale(ratio: sp.Expr, w: sp.Symbol) -> sp.Expr:
    """The power that takes ``ratio = 1`` to ``t*phi/w = 1``."""
    own = sp.Add(*(part.as_base_exp()[1] for part in sp.Mul.make_args(ratio) if part.as_base_exp()[0] == w))
    return -1 / own


def _free(made: Maker) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """The relations that do not speak of the response."""
    y = made.law.response.symbol
    return tuple(pair for pair in made.domain.relations if not any(side.has(y) for side in pair))


def _inside(made: Maker, equation: lagrange.Balance) -> Domain:
    """The law's domain with the bases of phi positive, at the bound and beside it."""
    bases = tuple(
        (side, sp.Integer(0)) for base, _ in equation.factors for side in (base, base.subs(equation.unknown, 0))
    )
    return Domain(made.domain.ranges, _free(made) + bases)


def _residues(made: Maker, equation: lagrange.Balance, coefficients: tuple[sp.Expr, ...]) -> list[Claim]:
    """The first partial sums put back: ``(t*phi(w) - w)/t**n`` goes to zero; each base at the bound is one symbol."""
    w, t = equation.unknown, letter(made.law, "t_small")
    names = {base.subs(w, 0): letter(made.law, f"b_{n}") for n, (base, _) in enumerate(equation.factors)}
    inner = Maker(made.law, Domain(made.domain.ranges, _free(made)))
    claims = []
    for n in range(1, min(len(coefficients), PROVED_TERMS) + 1):
        partial = sp.Add(*(value * t**k for k, value in enumerate(coefficients[:n], 1)))
        residue = (t * equation.phi.subs(w, partial) - partial) / t**n
        claims.append(inner.tends(f"{n} terms put back", residue.subs(names), t, sp.Integer(0), sp.Integer(0)))
    return claims
