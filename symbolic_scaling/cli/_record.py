"""What ``LAW|DERIVATION|FIT.json`` names: a law, derivations of the catalogue, a saved derivation, or a saved fit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ScalingError
from ._common import find_law

if TYPE_CHECKING:
    from ..fit import FitResult
    from ..law import Law
    from ..records import Derivation

__all__ = ["Record", "find"]


@dataclass(frozen=True, eq=False)
class Record:
    """A law with at most one of: derivations, a saved derivation's JSON beside them, a fit."""

    name: str
    law: Law
    derivations: tuple[Derivation, ...] = ()
    saved: dict[str, Any] = field(default_factory=dict)
    fit: FitResult | None = None
    entry: str = ""


def find(text: str, variables: Sequence[str] = ()) -> Record:
    """The record of that name or file.

    Raises
    ------
    ScalingError
        If it is none of them.
    """
    from .. import catalogue, laws

    path = Path(text)
    if variables and text in catalogue.names():
        raise ScalingError(f"read {text}", "a derivation of the catalogue has its own inputs", "leave --variables out")
    if text.endswith(".json") or (os.path.isfile(text) and text not in laws.names()):
        return _file(path, variables)
    if text in catalogue.names():
        entry = catalogue.get(text)
        return Record(text, laws.get(entry.law), entry.derivations(), entry=text)
    try:
        return Record(text, find_law(text, variables))
    except ScalingError as error:
        if "=" in text or "(" in text:
            raise
        remedy = "name a law (symscale laws), a derivation (symscale catalogue) or a .json file"
        raise ScalingError(f"find {text!r}", error.found, remedy) from None


def _file(path: Path, variables: Sequence[str]) -> Record:
    from ..report import saved

    content = saved.read(path)
    if "format" in content:
        from .. import fit

        if variables:
            raise ScalingError(f"read {path.name}", "a fit has its own inputs", "leave --variables out")
        found = fit.load(path)
        return Record(path.stem, found.law, fit=found)
    law = find_law(str(content["law"]), variables)
    return Record(path.stem, law, (saved.derivation(content, law),), content)
