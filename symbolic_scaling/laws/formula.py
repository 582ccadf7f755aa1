"""A law of the user's own, from text such as ``L = E + A/N^alpha + B/D^beta``.

The text says which names are inputs and the response; every other name is a parameter. Its sign follows from how
the formula is written:

1. Inputs and the response are positive.
2. A parameter that is an exponent by itself (or times a number) and never has its minus sign written may have either
   sign: ``c`` in ``b*x**c``. With the minus sign written it is positive: ``N^(-alpha)``, ``1/N^alpha``,
   ``(N_c/N)^alpha`` and ``(1/x + gamma)^k``, where the inputs stand only below the bar.
3. Every other parameter is positive.
4. A parameter alone in a sum of positive terms that equals the response is a floor: below the response, and a fit may
   put it at zero. So is ``e`` where ``y - e`` is written; where ``e - y`` is written, ``e`` lies above the response.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sympy as sp

from .. import notation
from ..errors import LawError
from ..law import Law, Parameter, Variable
from ..notation import Relation
from ._renamed import with_roles

__all__ = ["formula"]

_EXPONENT = (0.05, 1.5)
_EITHER = (-1.5, 1.5)
_FLOOR = (0.0, 2.0)
_CEILING = (0.5, 12.0)
_AMPLITUDE = (1e-3, 1e6)


def formula(text: str, variables: Sequence[str], *, response: str | None = None, name: str = "formula") -> Law:
    """Make a law from a formula.

    Parameters
    ----------
    text : str
        ``left = right`` in plain text, explicit or implicit in the response.
    variables : sequence of str
        The inputs, in order; none for a constant, ``y = a``.
    response : str, optional
        The predicted name. Needed only if it is no side of its own, and the left side is no ``y - e`` and holds
        several names besides the inputs.
    name : str
        The law's name.

    Returns
    -------
    Law
        Signs of the parameters are by the rules of this module; no published constants. Where the formula is proved
        equal to a law of the catalogue up to names, it has that law's meanings and cost, and its ``source`` says so.

    Raises
    ------
    ParseError
        If the text is no equation.
    LawError
        If the response is not clear, or an input does not stand in the formula.

    Examples
    --------
    >>> law = formula("L = E + A/N^alpha + B/D^beta", ("N", "D"))
    >>> law.constants
    (A, B, E, alpha, beta)
    >>> [parameter.symbol.name for parameter in law.parameters if parameter.closed]
    ['E']
    >>> law.costs[0].expression, law.source
    (6*D*N, 'chinchilla, letter by letter')
    """
    inputs = tuple(variables.replace(",", " ").split()) if isinstance(variables, str) else tuple(variables)
    plain = notation.relation(text, undeclared="symbol")
    if plain.op != "=":
        raise LawError(f"make a law of {text!r}", f"its sign is {plain.op!r}", "write an equation, left = right")
    names = _names(plain.left, plain.right)
    absent = [item for item in inputs if item not in names]
    level = isinstance(plain.left, sp.Symbol) and isinstance(plain.right, sp.Symbol) and len(names) == 2
    if absent or not (inputs or level):
        raise LawError(
            f"make a law of {text!r}",
            f"no input {', '.join(absent)} in the formula" if absent else "no inputs are named",
            f"say which of {', '.join(names)} are inputs: --variables N,D, --x N=column, or variables=('N', 'D')",
        )
    output = response or _response(text, plain, inputs)
    known = {item: sp.Symbol(item, positive=True) for item in (output, *inputs)}
    real = _either_sign(plain, {output, *inputs})
    parameters = [item for item in names if item not in known]
    known |= {item: sp.Symbol(item, **({"real": True} if item in real else {"positive": True})) for item in parameters}
    read = notation.relation(text, known)
    form = sp.Eq(read.left, read.right, evaluate=False)
    written = _Written.of(known[output], form)
    made = Law(
        name=name,
        title=text.strip(),
        source="a formula of the user",
        response=Variable(known[output], "response", typical=(1e-2, 10)),
        variables=tuple(Variable(known[item], "input") for item in inputs),
        parameters=tuple(_parameter(known[item], known[output], written) for item in parameters),
        form=form,
    )
    return with_roles(made)


def _names(*expressions: sp.Expr) -> list[str]:
    return sorted({symbol.name for expression in expressions for symbol in expression.free_symbols})


def _response(text: str, read: Relation, inputs: tuple[str, ...]) -> str:
    """The left side if it is a name, else the right side, else the left name that is no input: alone, or y in y - e."""
    for side in (read.left, read.right):
        if isinstance(side, sp.Symbol) and side.name not in inputs:
            return side.name
    others = [name for name in _names(read.left) if name not in inputs]
    leading = [term.name for term in sp.Add.make_args(read.left) if isinstance(term, sp.Symbol)]
    if len(leading) == 1 and leading[0] in others:
        return leading[0]
    if len(others) == 1:
        return others[0]
    raise LawError(
        f"make a law of {text!r}",
        f"the response may be any of {', '.join(others) or 'no name'}",
        "write y = ..., or say response='y'",
    )


def _either_sign(read: Relation, observed: set[str]) -> set[str]:
    """Rule 2: the names that are bare exponents and never carry a written minus sign."""
    bare: set[str] = set()
    reciprocal: set[str] = set()
    for node in _powers(read.left, read.right):
        coefficient, letter = node.exp.as_coeff_Mul()
        below = _below_the_bar(node.base, observed) != bool(coefficient < 0)
        if isinstance(letter, sp.Symbol):
            (reciprocal if below else bare).add(letter.name)
    return bare - reciprocal - observed


def _powers(*expressions: sp.Expr) -> Iterable[sp.Pow]:
    nodes = (node for expression in expressions for node in sp.preorder_traversal(expression))
    return (node for node in nodes if isinstance(node, sp.Pow) and not node.exp.is_number)


def _below_the_bar(base: sp.Expr, observed: set[str]) -> bool:
    """Whether inputs and response stand in ``base`` only as divisors, at least one of them."""
    total = sum(base.count(sp.Symbol(name)) for name in sorted(observed))
    divisors = {node for node in base.atoms(sp.Pow) if node.exp.is_number and node.exp.is_negative}
    inside = sum(
        base.count(node) * node.base.count(sp.Symbol(name))
        for node in sorted(divisors, key=sp.default_sort_key)
        for name in sorted(observed)
    )
    return 0 < total <= inside


def _parameter(symbol: sp.Symbol, response: sp.Symbol, written: _Written) -> Parameter:
    """Rules 3 and 4, and where a fit looks first."""
    if not symbol.is_positive:
        return Parameter(symbol, "exponent of either sign", start=_EITHER)
    if symbol in written.floors:
        return Parameter(symbol, "floor", start=_FLOOR, below=response, closed=True)
    if symbol - response in written.sums:
        return Parameter(symbol, "ceiling", start=_CEILING, above=response)
    if symbol in written.exponents:
        return Parameter(symbol, "exponent", start=_EXPONENT)
    return Parameter(symbol, "constant", start=_AMPLITUDE)


def _of_logarithms(form: sp.Equality) -> set[sp.Symbol]:
    """Names that multiply a logarithm in an exponential: ``exp(-s*log(x))`` is a power of x."""
    inner = [node.args[0] for node in form.atoms(sp.exp)]
    slopes = [(symbol, sp.diff(power, symbol)) for power in inner for symbol in power.free_symbols]
    return {symbol for symbol, slope in slopes if slope.has(sp.log) and not slope.has(symbol)}


class _Written(NamedTuple):
    """The sums that stand in a formula, as a bracket of their own or as a side, its floors and what exponents hold."""

    sums: set[sp.Expr]
    floors: set[sp.Expr]
    exponents: set[sp.Symbol]

    @classmethod
    def of(cls, response: sp.Symbol, form: sp.Equality) -> _Written:
        """Look once, so that a formula of many terms is read in one pass."""
        sums = {node for node in sp.preorder_traversal(form) if node.is_Add}
        exponents = {symbol for node in _powers(form) for symbol in node.exp.free_symbols} | _of_logarithms(form)
        floors = {symbol for symbol in form.free_symbols if response - symbol in sums}
        for side, other in ((form.lhs, form.rhs), (form.rhs, form.lhs)):
            terms = sp.Add.make_args(other)
            if side == response and len(terms) > 1 and all(term.is_positive for term in terms):
                met = Counter(sp.preorder_traversal(other))
                floors |= {term for term in terms if isinstance(term, sp.Symbol) and met[term] == 1}
        return cls(sums, floors - {response}, exponents)
