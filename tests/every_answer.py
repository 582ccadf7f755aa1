"""Prints a digest of everything that the engine says: run in processes of different hashes by ``test_hash_seeds``.

Text, LaTeX and JSON of every file of ``derivations/`` and of every question to every law, refusals included. Arguments:
which part of how many, the hash of SymPy's orders of monomials, and what labels begin with. That hash is an address,
other in every process whatever the hash seed, and goes into the hash of every element of a field.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial

from sympy.polys.orderings import MonomialOrder

from symbolic_scaling import Derivation, Law, budget, catalogue, derive, laws, report
from symbolic_scaling.errors import BudgetExhausted, ScalingError

Ask = Callable[[], tuple[Derivation, ...]]


def everything() -> Iterator[tuple[str, Ask]]:
    """Label and question."""
    for name in catalogue.names():
        yield f"derivations/{name}", catalogue.get(name).derivations
    for name in laws.names():
        for label, ask in questions(laws.get(name)):
            yield f"{name} {label}", lambda ask=ask: (ask(),)


def questions(law: Law) -> Iterator[tuple[str, Callable[[], Derivation]]]:
    """Every entry of ``derive``, in every input where it takes one."""
    for what in ("gradient", "hessian", "elasticity", "limits", "frontier"):
        yield what, partial(getattr(derive, what), law)
    yield "hessian of all", partial(derive.hessian, law, (*law.inputs, *law.constants)[:6])
    yield "reduction", partial(derive.reduction, law, [laws.get(name) for name in laws.names()])
    for constant in law.constants if law.explicit is None else ():
        yield f"closed form {constant}", partial(derive.closed_form, law, {constant.name: 1})
    for x in law.inputs:
        for what in ("inverse", "optimum", "envelope", "suboptimality", "sensitivity"):
            yield f"{what} in {x}", partial(getattr(derive, what), law, x)
        for end in ("0", "oo"):
            yield f"series in {x} at {end}", partial(derive.series, law, x, order=2, at=end)
        yield f"crossover in {x}", partial(derive.crossover, law, law, x)
    cost = "*".join(x.name for x in law.inputs)
    yield f"frontier under {cost}", partial(derive.frontier, law, cost)


def said(ask: Ask) -> str:
    """What comes of it, in every format."""
    try:
        with budget.limit(60):
            found = ask()
    except BudgetExhausted:
        raise
    except ScalingError as error:
        return json.dumps(error.as_dict())
    pages = [(report.text(d), report.latex(d), report.markdown(d), json.dumps(report.as_json(d))) for d in found]
    return json.dumps([*pages, *((d.given, [str(step) for step in d.steps]) for d in found)])


if __name__ == "__main__":
    part, parts, place = map(int, sys.argv[1:4])
    MonomialOrder.__hash__ = lambda order: place
    for number, (label, ask) in enumerate(everything()):
        if number % parts == part and label.startswith(tuple(sys.argv[4:]) or ""):
            sys.stdout.write(f"{label}\t{hashlib.sha256(said(ask).encode()).hexdigest()[:16]}\n")
