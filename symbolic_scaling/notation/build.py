"""From parts of a text to SymPy expressions: names, powers, functions, with their size bounded before evaluation.

Every reader (plain text now, LaTeX beside it) builds through these functions, so that both mean the same and are
bounded alike (:mod:`.sizes`). A refused part raises :class:`~.source.Refusal`; the reader adds the place.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

import sympy as sp

from .large import LargePower
from .needs import need, needs_of_extreme, needs_of_power, smooth
from .sizes import bound_degree, bound_numbers, bound_power, is_large
from .source import FUNCTIONS, Refusal, is_name, quoted

__all__ = [
    "call",
    "names_of",
    "need",
    "power",
    "product",
    "quotient",
    "series",
    "substitute",
    "symbol",
    "total",
    "unknown",
]

_ORDER = 20
_TRIAL = 2**15
_LONG = 100
_MOST = 20
_UNARY = {"log": sp.log, "exp": sp.exp, "sqrt": sp.sqrt, "Abs": sp.Abs}
_NARY = {"Min": sp.Min, "Max": sp.Max}


def symbol(name: str, declared: Mapping[str, sp.Symbol], undeclared: str) -> sp.Expr:
    """The declared symbol called ``name``; a plain one if ``undeclared`` is ``"symbol"``."""
    if name == "oo":
        return sp.oo
    if name in FUNCTIONS:
        raise Refusal(f"{name} is a function", f"give its argument, {name}(...)")
    if not is_name(name):
        raise Refusal(f"{quoted(name)} cannot be a symbol", "pick another name")
    if name in declared:
        return declared[name]
    if undeclared == "symbol":
        return sp.Symbol(name)
    raise unknown(name, declared)


def unknown(name: str, declared: Iterable[str], hint: str = "") -> Refusal:
    """The refusal of a name that nobody declared; ``hint`` says what could be meant."""
    known = sorted(declared)
    if not known:
        remedy = "declare the symbols: --symbols 'a b positive', or symbols= in Python"
        return Refusal(f"{quoted(name)} is not declared, and nothing else is", hint or remedy)
    listed = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
    near = _closest(name, known)
    first = f"{hint}; " if hint else f"did you mean {near!r}? " if near else ""
    return Refusal(f"{quoted(name)} is not declared", f"{first}declared: {listed}")


def total(terms: Sequence[sp.Expr]) -> sp.Expr:
    """The sum of all terms at once, which keeps the tree that was written."""
    bound_numbers(terms)
    return _finite(sp.Add(*terms))


def product(factors: Sequence[sp.Expr]) -> sp.Expr:
    """The product of all factors at once: 2*z*(x + y) is not distributed on the way."""
    bound_numbers(factors)
    return _finite(sp.Mul(*factors))


def quotient(divisor: sp.Expr) -> sp.Expr:
    """``1/divisor`` as a factor."""
    if divisor == 0:
        raise Refusal("a division by zero", "divide by something else")
    return power(divisor, sp.Integer(-1))


def power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    """``base**exponent``, refused before evaluation where a number that it holds would be too large."""
    if is_large(base, exponent):
        return LargePower(base, exponent)
    bound_power(base, exponent)
    if base == 0 and exponent.is_negative:
        raise Refusal("a division by zero", "divide by something else")
    if base.is_number and exponent.is_number and base.is_negative and exponent.is_integer is False:
        raise Refusal("it is not a real number", "a negative number has no power with a fractional exponent")
    bound_degree(base, exponent)
    need(needs_of_power(base, exponent))
    if base.is_Rational and base > 0 and exponent.is_Rational and exponent.q > 1 and abs(exponent.p) > _LONG:
        return _radical(base, exponent)
    return _finite(sp.Pow(base, exponent))


def _radical(base: sp.Rational, exponent: sp.Rational) -> sp.Expr:
    """A power of a positive rational, primes of one multiplicity together: SymPy raises them to unequal numerators."""
    alike: dict[int, sp.Integer] = {}
    for number, sign in ((sp.Integer(base.p), 1), (sp.Integer(base.q), -1)):
        for prime, count in number.factors(limit=_TRIAL).items():
            alike[sign * count] = alike.get(sign * count, sp.Integer(1)) * prime
    return sp.Mul(*(sp.Pow(part, count * exponent) for count, part in sorted(alike.items())))


def call(name: str, arguments: Sequence[sp.Expr]) -> sp.Expr:
    """``name(arguments)`` for one of the functions of the grammar."""
    if name not in FUNCTIONS:
        near = _closest(name, FUNCTIONS)
        hint = f"did you mean {near}? " if near else ""
        raise Refusal(f"{name} is not a function", f"{hint}write {name}*(...) for a product")
    if name in _NARY:
        _count(name, arguments, 1, _MOST)
        need(needs_of_extreme(arguments))
        return _finite(_NARY[name](*arguments))
    if name in _UNARY:
        _count(name, arguments, 1, 1)
        if name == "exp":
            bound_power(sp.E, arguments[0])
        if name == "log":
            need([(arguments[0], ">")])
        if name == "Abs":
            need(needs_of_extreme((arguments[0], sp.Integer(0))))
        return power(arguments[0], sp.S.Half) if name == "sqrt" else _finite(_UNARY[name](arguments[0]))
    builders = {"Rational": _rational, "diff": _derivative, "Limit": _limit}
    return builders[name](arguments)


def substitute(expression: sp.Expr, values: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """Put values for symbols, every power bounded as if it had been read."""
    if not expression.free_symbols & set(values):
        return expression
    if isinstance(expression, sp.Symbol):
        return values[expression]
    parts = [substitute(part, values) for part in expression.args]
    if isinstance(expression, sp.Add | sp.Mul):
        return total(parts) if isinstance(expression, sp.Add) else product(parts)
    if isinstance(expression, sp.Pow | sp.exp):
        return power(*parts) if isinstance(expression, sp.Pow) else call("exp", parts)
    return _finite(expression.func(*parts))


def series(kind: str, term: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """The unevaluated sum or product of ``term`` for ``index`` from ``low`` to ``high``."""
    for end in (low, high):
        if (end.is_number and not end.is_Integer and end != sp.oo) or end.has(index):
            raise Refusal(f"the end {end} of a {kind}", "give integers or symbols")
    return {"sum": sp.Sum, "prod": sp.Product}[kind](term, (index, low, high))


def names_of(expression: sp.Basic) -> tuple[str, ...]:
    """The names in an expression, sorted."""
    return tuple(sorted(item.name for item in expression.free_symbols if isinstance(item, sp.Symbol)))


def _rational(arguments: Sequence[sp.Expr]) -> sp.Expr:
    _count("Rational", arguments, 2, 2)
    if not all(isinstance(item, sp.Integer) for item in arguments) or arguments[1] == 0:
        raise Refusal("Rational needs two integers, the second not zero", "write Rational(1, 3)")
    return sp.Rational(*arguments)


def _derivative(arguments: Sequence[sp.Expr]) -> sp.Expr:
    _count("diff", arguments, 2, 3)
    function, variable, *rest = arguments
    order = rest[0] if rest else sp.Integer(1)
    if not isinstance(variable, sp.Symbol):
        raise Refusal("diff needs a symbol in second place", "write diff(f, x)")
    if not (isinstance(order, sp.Integer) and 1 <= order <= _ORDER):
        raise Refusal(f"the order {order} of diff", f"give an integer from 1 to {_ORDER}")
    smooth(variable)
    return sp.Derivative(function, (variable, order))


def _limit(arguments: Sequence[sp.Expr]) -> sp.Expr:
    _count("Limit", arguments, 3, 3)
    function, variable, point = arguments
    if not isinstance(variable, sp.Symbol):
        raise Refusal("Limit needs a symbol in second place", "write Limit(f, x, oo)")
    if point not in (sp.oo, sp.Integer(0)):
        raise Refusal(f"the limit point {point}", "give 0 or oo")
    return sp.Limit(function, variable, point, "-" if variable.is_negative else "+")


def _count(name: str, arguments: Sequence[sp.Expr], least: int, most: int) -> None:
    if not least <= len(arguments) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise Refusal(f"{name} with {len(arguments)} arguments", f"give {wanted}")


def _finite(expression: sp.Expr) -> sp.Expr:
    """Refuse what is no real number."""
    if expression in (sp.zoo, sp.nan) or expression.has(sp.I):
        raise Refusal("it is not a real number", "check the signs and the divisors")
    return expression


def _closest(name: str, known: Sequence[str]) -> str:
    """The known name most like ``name``, upper and lower case alike; empty if none is near."""
    folded = {item.lower(): item for item in reversed(known)}
    near = difflib.get_close_matches(name, known, 1, 0.6) or difflib.get_close_matches(name.lower(), folded, 1, 0.6)
    return folded.get(near[0], near[0]) if near and near[0] not in known else "".join(near)
