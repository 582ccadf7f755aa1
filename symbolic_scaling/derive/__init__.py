"""Law to Derivation, one file a question; every step owes the claims that make it right, and ``verify`` checks them."""

from __future__ import annotations

from .closed import closed_form
from .crossover import crossover
from .elasticity import elasticity
from .envelope import envelope
from .frontier import frontier
from .gradient import gradient
from .hessian import hessian
from .inverse import inverse
from .limits import limits
from .optimum import optimum
from .reach import invert_value
from .reduction import reduction
from .sensitivity import sensitivity
from .series import series
from .suboptimality import suboptimality

__all__ = [
    "closed_form",
    "crossover",
    "elasticity",
    "envelope",
    "frontier",
    "gradient",
    "hessian",
    "inverse",
    "invert_value",
    "limits",
    "optimum",
    "reduction",
    "sensitivity",
    "series",
    "suboptimality",
]
