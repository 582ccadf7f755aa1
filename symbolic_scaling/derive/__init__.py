"""Law to Derivation, one file a question; every step owes the claims that make it right, and ``verify`` checks them."""

from __future__ import annotations

from .closed import closed_form
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
from .series import series

__all__ = [
    "closed_form",
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
    "series",
]
