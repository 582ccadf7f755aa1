"""The parts of a law: the terms that its sums and reciprocals are made of, and the smooth breaks inside them.

Sums open into their terms, and so do reciprocals of sums, ``1/(1/A + 1/B)``; what is left is a part. A part that stands
upside down, ``x**c/b`` inside a reciprocal, is turned by its amplitude. A break is a factor ``(1 + M)**e`` with a
monomial M of the inputs; it lies where M = 1.

Worked example: ``a_0 + 1/(x**c/b + 1/a_2)`` has the parts ``a_0``, ``b/x**c`` and ``a_2``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from ...budget import cached
from ...errors import LawError
from ...law import Law

__all__ = ["Break", "Part", "Reading", "border", "exponent", "read"]


@dataclass(frozen=True)
class Part:
    """A term of the law.

    Parameters
    ----------
    name : str
        Its amplitude's, or its text.
    value : Expr
    inputs : tuple of Symbol
        Those in it.
    stands : (int, Expr)
        In which sum of the law, and how it stands there, perhaps upside down.
    """

    name: str
    value: sp.Expr
    inputs: tuple[sp.Symbol, ...]
    stands: tuple[int, sp.Expr]


@dataclass(frozen=True)
class Break:
    """A smooth break of a part.

    Parameters
    ----------
    name : str
        The constant that says where it lies, or its text.
    part : str
    monomial, power : Expr
        The factor is ``(1 + monomial)**power``.
    where : Eq
        The hyperplane in the logarithms of the inputs.
    """

    name: str
    part: str
    monomial: sp.Expr
    power: sp.Expr
    where: sp.Equality


@dataclass(frozen=True)
class Reading:
    """Parts, breaks, and the law with each part k times ``exp(scales[k])``, whose slopes at 0 are shares."""

    parts: tuple[Part, ...]
    breaks: tuple[Break, ...]
    scaled: sp.Expr
    scales: tuple[sp.Symbol, ...]


@cached
def read(law: Law) -> Reading:
    """The parts and breaks of an explicit law.

    Raises
    ------
    LawError
        If the law is implicit.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = read(laws.get("unsl", ceilings=(2,)))
    >>> [part.name for part in found.parts]
    ['a_0', 'b_7', 'a_2']
    >>> found.breaks[0].where
    Eq(x**c_1_1_7, d_1_7)
    """
    if law.explicit is None:
        raise LawError(f"read the parts of {law.name}", "it is implicit", "take a law that gives its response")
    reader = _Reader(law)
    scaled = reader.scaled(law.explicit)
    order = {symbol: k for k, symbol in enumerate(law.constants)}
    ranked = sorted(range(len(reader.parts)), key=lambda k: _rank(reader.parts[k], order))
    parts = tuple(reader.parts[k] for k in ranked)
    breaks = tuple(found for part in parts for found in _breaks(part, law))
    return Reading(parts, breaks, scaled, tuple(reader.scales[k] for k in ranked))


def _rank(part: Part, order: dict[sp.Symbol, int]) -> tuple[int, str]:
    return min((order[s] for s in part.value.free_symbols if s in order), default=len(order)), part.name


class _Reader:
    """Walks an expression and multiplies each of its parts by the exponential of a scale of its own."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self.parts: list[Part] = []
        self.scales: list[sp.Symbol] = []
        self.sums = 0

    def scaled(self, node: sp.Expr, inside: int = 0) -> sp.Expr:
        if node.is_Add:
            self.sums += 1
            inside = self.sums
            return sp.Add(*(self.scaled(term, inside) for term in node.args))
        if node.is_Pow and node.base.is_Add and node.exp == -1:
            return 1 / self.scaled(node.base)
        name, upright = self._amplitude(node)
        value = node if upright else 1 / node
        scale = sp.Dummy(f"scale_{len(self.parts)}", real=True)
        inputs = tuple(x for x in self.law.inputs if value.has(x))
        self.parts.append(Part(name or str(value), value, inputs, (inside, node)))
        self.scales.append(scale)
        return node * sp.exp(scale if upright else -scale)

    def _amplitude(self, node: sp.Expr) -> tuple[str, bool]:
        """The constant that multiplies or divides the whole part, and whether it multiplies."""
        for factor in sp.Mul.make_args(node):
            base, power = factor.as_base_exp()
            if base in self.law.constants and power in (1, -1):
                return base.name, bool(power == 1)
        return "", True


def _breaks(part: Part, law: Law) -> Iterator[Break]:
    for node in sorted(part.value.atoms(sp.Pow), key=sp.default_sort_key):
        monomial = node.base - 1
        if not (node.base.is_Add and monomial.free_symbols & set(law.inputs)) or monomial.is_Add:
            continue
        ratio = monomial.base if monomial.is_Pow and not monomial.base.is_Symbol else monomial
        still, moving = ratio.as_independent(*law.inputs, as_Add=False)
        at = sp.expand_power_base(1 / still)
        yield Break(str(at), part.name, monomial, node.exp, sp.Eq(moving, at, evaluate=False))


def exponent(monomial: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """The exponent of x in a monomial."""
    if monomial.is_Pow:
        return monomial.exp * exponent(monomial.base, x)
    if monomial.is_Mul:
        return sp.Add(*(exponent(factor, x) for factor in monomial.args))
    return sp.Integer(int(monomial == x))


def border(one: Part, other: Part) -> sp.Equality | None:
    """Where two parts of one sum have equal shares; None for parts of different sums, whose shares depend on others.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> _, A, B = read(laws.get("chinchilla")).parts
    >>> border(A, B)
    Eq(A/N**alpha, B/D**beta)
    """
    (here, left), (there, right) = one.stands, other.stands
    return sp.Eq(left, right, evaluate=False) if here == there else None
