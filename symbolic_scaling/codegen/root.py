"""Laws that are implicit in their response: a coordinate in which the root is one bracketed Newton solve.

The domain brackets the response y: ``lo < y``, perhaps ``y < hi``. With b = hi - lo the coordinate is
``u = log((y - lo)/(hi - y))``, so that ``y - lo = b*expit(u)`` and ``hi - y = b*expit(-u)`` keep all their digits at
both ends (without hi: ``u = log(y - lo)``). The law's form becomes ``log left - log right = 0``, split into a *level*
without u and a *moving* part G(u), so that the equation is ``G(u) = level``.

Where the form is linear in ``log(y - lo)`` and ``log(hi - y)``, as in M4, G is convex or concave with two asymptotes,
and Newton from the nearer of the two asymptotic solutions is monotone. Derivatives come from the implicit function
theorem with ``F(log(y - lo), log(hi - y), p) = 0``: in the one coordinate u, the change of a bound and the change of u
that it causes would be large terms with a small difference.

A closed parameter at whose zero the form is explicit (alpha = 0 turns M4 into M2, whose response may leave the
bracket) is branched out: the explicit response, and for that parameter's own derivative the same theorem in y.

Worked example: M4 gives ``G(u) = alpha*softplus(u) - softplus(-u)`` and the level
``log(beta) + c*log(x) - (1 - alpha)*log(b)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..errors import LawError
from ..law import Law
from ..nodes import logsumexp, softplus
from .build import Writer
from .compiled import Compiled
from .lower import Lowering

__all__ = ["Implicit", "U", "compile_residual", "compile_response", "explicit_at_switch", "implicit"]

U = sp.Symbol("u", real=True)
FAR = 40  # exp(-40) is far below the last digit of a double beside 1


@dataclass(frozen=True)
class Implicit:
    """A law's form in the coordinate u.

    Parameters
    ----------
    level, moving : Expr
        The form is ``moving(u) = level``.
    response, log_response : (Expr, Expr, Expr)
        The response and its logarithm through u, each with its derivatives in u and in y, free of cancellation.
    form : Expr
        The form, which vanishes, in the logarithms of the distances to the bounds.
    pulls : tuple of (Expr, Expr)
        Each bound and ``dy/d bound`` times the derivative of ``moving``.
    known : mapping
        Those logarithms through u.
    switch : Symbol, optional
        The parameter at whose zero the form is explicit.
    """

    level: sp.Expr
    moving: sp.Expr
    response: tuple[sp.Expr, sp.Expr, sp.Expr]
    log_response: tuple[sp.Expr, sp.Expr, sp.Expr]
    form: sp.Expr
    pulls: tuple[tuple[sp.Expr, sp.Expr], ...]
    known: dict[sp.Expr, sp.Expr]
    switch: sp.Symbol | None

    def starts(self) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
        """The asymptotic solutions from the left and from the right, and the sign that says which one is nearer.

        Newton from the far left or right lands where the asymptote meets the level. For a convex increasing (or concave
        decreasing) G, third value positive, both lie right of the root and the smaller one is nearer.
        """
        ends = [sp.Integer(-FAR), sp.Integer(FAR)]
        values = [self.moving.subs(U, end) for end in ends]
        slopes = [self.moving.diff(U).subs(U, end) for end in ends]
        left, right = (end + (self.level - v) / s for end, v, s in zip(ends, values, slopes, strict=True))
        return left, right, slopes[1] ** 2 - slopes[0] ** 2

    def slope(self, value: tuple[sp.Expr, sp.Expr, sp.Expr], symbol: sp.Symbol) -> sp.Expr:
        """The derivative of a value along the solution as a constant changes."""
        _, in_u, in_y = value
        bounds = sp.Add(*(bound.diff(symbol) * pull for bound, pull in self.pulls))
        return (in_y * bounds - in_u * self.form.diff(symbol).xreplace(self.known)) / self.moving.diff(U)


def implicit(law: Law) -> Implicit:
    """The form of an implicit law in the coordinate u.

    Raises
    ------
    LawError
        If the domain gives the response two lower or two upper bounds.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = implicit(laws.get("m4"))
    >>> found.moving, found.switch
    (alpha*softplus(u) - softplus(-u), alpha)
    """
    y, rules = law.response.symbol, Lowering(law.domain)
    lo = _bound(law, [lesser for greater, lesser in law.domain.relations if greater == y]) or sp.Integer(0)
    hi = _bound(law, [greater for greater, lesser in law.domain.relations if lesser == y])
    over, under = sp.Dummy("over", positive=True), sp.Dummy("under", positive=True)
    near, far = sp.Dummy("log_over", real=True), sp.Dummy("log_under", real=True)
    gaps = {y - lo: over, lo - y: -over}
    if hi is None:
        known, pieces, log_slope = {near: U}, [(lo, sp.Integer(0)), (sp.Integer(1), U)], U
    else:
        width = rules.log(hi - lo)
        known = {near: width - softplus(-U), far: width - softplus(U)}
        pieces = [(lo, -softplus(U)), (hi, -softplus(-U))]
        gaps |= {hi - y: under, y - hi: -under}
        log_slope = width - softplus(U) - softplus(-U)
    lowered = Lowering(law.domain, {over: near, under: far})
    left, right = (lowered.log(side.xreplace(gaps).xreplace({y: lo + over})) for side in law.form.args)
    form = left - right
    rest, moving = sp.expand_mul(form.xreplace(known)).as_independent(U, as_Add=True)
    pulls = (
        (bound, form.diff(log).xreplace(known) * known[log].diff(U))
        for bound, log in ((lo, near), (hi, far))
        if log in known
    )
    parts = [rules.log(factor) + log for factor, log in pieces if factor != 0]
    log_y = logsumexp(*parts)
    return Implicit(
        level=-rest,
        moving=moving,
        response=(sp.Add(*map(sp.exp, parts)), sp.exp(log_slope), sp.Integer(1)),
        log_response=(log_y, sp.exp(log_slope - log_y), sp.exp(-log_y)),
        form=form,
        pulls=tuple(pulls),
        known=known,
        switch=_switch(law),
    )


def compile_response(law: Law, target: str) -> Compiled:
    """The response through its root: arguments (inputs, constants), gradient in the constants."""
    return _compile(law, target, (*law.inputs, *law.constants), f"{law.response.symbol} of {law.name}", logarithm=False)


def compile_residual(law: Law, target: str) -> Compiled:
    """``log y - log y_hat``: arguments (inputs, response, constants), gradient in the constants."""
    arguments = (*law.inputs, law.response.symbol, *law.constants)
    return _compile(law, target, arguments, f"response residual of {law.name}", logarithm=True)


def _compile(law: Law, target: str, arguments: tuple[sp.Symbol, ...], title: str, *, logarithm: bool) -> Compiled:
    form, rules = implicit(law), Lowering(law.domain)
    y = rules.log(law.response.symbol)
    sign, chosen, offset = (-1, form.log_response, y) if logarithm else (1, form.response, sp.Integer(0))
    value, slopes = offset + sign * chosen[0], [sign * form.slope(chosen, symbol) for symbol in law.constants]
    writer = Writer(arguments, frozenset(law.constants), target)
    writer.write("start", [form.level, *form.starts()])
    writer.write("step", [form.moving, form.moving.diff(U)], (U,), directly=False)
    writer.write("value", [value], (U,))
    writer.write("both", [value, *slopes], (U,))
    if form.switch is not None:
        explicit = _explicit(law, form.switch)
        value = y - rules.log(explicit) if logarithm else rules.value(explicit)
        along = _switch_slope(law, form.switch, explicit)
        slopes = [
            value.diff(s) if s != form.switch else (-along / explicit if logarithm else along) for s in law.constants
        ]
        writer.write("value_explicit", [value])
        writer.write("both_explicit", [value, *slopes])
    switch = form.switch.name if form.switch is not None else ""
    return writer.finish(title, [title], law.constants, implicit=True, switch=switch)


def explicit_at_switch(law: Law, switch: sp.Symbol, wrt: tuple[sp.Symbol, ...]) -> tuple[sp.Expr, ...]:
    """The response where ``switch`` is 0, then its derivatives.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> m4 = laws.get("m4")
    >>> explicit_at_switch(m4, m4.symbols["alpha"], m4.inputs)[0]
    beta*exp(c*log(x)) + eps_inf
    """
    explicit = _explicit(law, switch)
    value, along = Lowering(law.domain).value(explicit), _switch_slope(law, switch, explicit)
    return (value, *(along if symbol == switch else value.diff(symbol) for symbol in wrt))


def _bound(law: Law, bounds: list[sp.Expr]) -> sp.Expr | None:
    if len(bounds) > 1:
        raise LawError(f"solve {law.name} for {law.response.symbol}", f"bounds {bounds}", "declare one bound on a side")
    return bounds[0] if bounds else None


def _switch(law: Law) -> sp.Symbol | None:
    """The first closed parameter at whose zero the form is explicit in the response."""
    for parameter in law.parameters:
        if parameter.closed and _explicit(law, parameter.symbol) is not None:
            return parameter.symbol
    return None


def _explicit(law: Law, switch: sp.Symbol) -> sp.Expr | None:
    """The response at ``switch = 0``, where the form then isolates it."""
    y = law.response.symbol
    left, right = (side.subs(switch, 0) for side in law.form.args)
    return None if right.has(y) or (left - y).has(y) else right - (left - y)


def _switch_slope(law: Law, switch: sp.Symbol, explicit: sp.Expr) -> sp.Expr:
    """``dy/d switch`` at ``switch = 0``; not a number where the explicit response leaves the bracket."""
    y, rules = law.response.symbol, Lowering(law.domain)
    form = rules.log(law.form.lhs) - rules.log(law.form.rhs)
    slope = -form.diff(switch) / form.diff(y)
    return rules.value(slope.subs(switch, 0).subs(y, explicit))
