"""Numba's translator, with the settings that all machine code here shares; imported by what is translated only.

Without numba the modules that hold translated functions can be imported and read, but not used: :func:`require`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..errors import MissingExtra

__all__ = ["HERE", "eager", "jit", "require", "types"]

try:
    numba: Any = import_module("numba")
except ImportError:
    numba = None
HERE = numba is not None
types: Any = numba.types if HERE else None
_HOW: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def require() -> None:
    """Raise ``MissingExtra`` where numba is not installed."""
    if not HERE:
        remedy = "install the extra: pip install 'symbolic-scaling[numba]'"
        raise MissingExtra("compile for numba", "numba is not installed", remedy)


def jit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Translate a function when it is first called; a decorator, with or without options."""
    if not HERE:
        return function if function is not None else lambda given: given
    return numba.njit(**_HOW, **options)(function) if function is not None else numba.njit(**_HOW, **options)


def eager(signature: Callable[[], Any], **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Translate at once for a signature in which functions may be values, which numba says is experimental."""

    def translate(function: Callable[..., Any]) -> Any:
        if not HERE:
            return function
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", numba.errors.NumbaExperimentalFeatureWarning)
            return numba.njit(signature(), **_HOW, **options)(function)

    return translate
