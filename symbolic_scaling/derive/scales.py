"""How an optimum moves with the budget: exponents and prefactors, where they are powers of it."""

from __future__ import annotations

import sympy as sp

from ..algebra.balance import Balance
from ..algebra.peel import Peeled, split
from ..algebra.powers import factored
from ..records import Found
from .common import Maker
from .extremum import Problem
from .optimum import exponents

__all__ = ["added", "moves", "powers", "scales"]


def added(peeled: Peeled, amount: sp.Symbol) -> int:
    """+1 or -1 where the law is a constant plus or minus the inner sum, else 0."""
    return next((turn for turn in (1, -1) if not (peeled.outer - turn * peeled.hole).has(peeled.hole, amount)), 0)


def scales(problem: Problem, solved: Balance, response: str, turn: int) -> list[tuple[str, Found]]:
    """The exponents with respect to the budget, the factor G of two inputs, the response's prefactor."""
    found: list[tuple[str, Found]] = []
    if len(problem.variables) == 2 and len(solved.bases) == 2:
        found.append(("G", solved.bases[0] ** solved.powers[0][0]))
    for variable, powers in zip(problem.variables, solved.powers, strict=True):
        found.append((f"exponent of {variable.name}", powers[-1]))
    if turn:
        power = solved.value_power
        found.append((f"exponent of {response}", power))
        found.append((f"prefactor of {response}", turn * solved.value / solved.bases[-1] ** power))
    return found


def moves(made: Maker, found: list[tuple[str, Found]], amount: sp.Symbol) -> list[tuple[str, Found]]:
    """Exponents of the inputs that have none yet."""
    known = dict(found)
    inputs = [x for x in made.law.inputs if f"exponent of {x}" not in known]
    best = [(x, value) for x in inputs if isinstance(value := known.get(x.name), sp.Expr)]
    return [pair for x, value in best for pair in exponents(x, value, (amount,))]


def powers(found: list[tuple[str, Found]], amount: sp.Symbol, y: sp.Symbol) -> list[tuple[str, Found]]:
    """With what power of the budget each of them goes, where it is one."""
    said = list(found)
    for name, value in found:
        part = split(value, (amount,)) if isinstance(value, sp.Expr) and not value.has(y) else None
        if part is not None:
            said.append((f"exponent of {name}", factored(part.exponents[0])))
            said += [(f"prefactor of {name}", part.coefficient)] if name == y.name else []
    return said
