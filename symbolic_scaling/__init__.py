"""Symbolic scaling laws: one expression a law; derivatives, optima, proofs, fits and documents derived from it.

Every public name stands once in ``_PUBLIC`` and loads on first use, so importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "laws": "laws",
    "derive": "derive",
    "verify": "verify",
    "codegen": "codegen",
    "data": "data",
    "fit": "fit",
    "plan": "plan",
    "notation": "notation",
    "report": "report",
    "catalogue": "catalogue",
    "errors": "errors",
    "quantity": "quantity",
    "Domain": "domain",
    "Interval": "domain",
    "Law": "law",
    "Variable": "law",
    "Parameter": "law",
    "Cost": "law",
    "Claim": "records",
    "Verdict": "records",
    "Status": "records",
    "Derivation": "records",
    "Step": "records",
    "Root": "records",
    "Series": "records",
    "Equal": "records",
    "Less": "records",
    "Number": "records",
    "Tends": "records",
    "Asymptotic": "records",
    "Proportional": "records",
    "Exists": "records",
}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f".{_PUBLIC[name]}", __name__)
    value = module if _PUBLIC[name] == name else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
