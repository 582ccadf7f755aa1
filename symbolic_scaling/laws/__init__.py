"""The laws: one file each, which defines LAW. A new file is found by its name; nothing else is edited."""

from __future__ import annotations

import importlib
import pkgutil
import tomllib
from functools import cache
from importlib.resources import files

from ..errors import LawError
from ..law import Law, PublishedSet
from .formula import formula

__all__ = ["formula", "get", "learning_curves", "names"]


def names() -> tuple[str, ...]:
    """Every law's name, sorted.

    Examples
    --------
    >>> "m4" in names()
    True
    """
    return tuple(sorted(_modules()))


@cache
def get(name: str) -> Law:
    """The law called ``name``, with its published constants.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Raises
    ------
    LawError
        If there is no such law.

    Examples
    --------
    >>> get("m1").form
    Eq(eps_x, beta*x**c)
    """
    modules = _modules()
    if name not in modules:
        raise LawError(
            f"get the law {name!r}", f"there are {', '.join(sorted(modules))}", "pick one, or give a formula"
        )
    law: Law = importlib.import_module(modules[name]).LAW
    return law.with_published(_published().get(name, ()))


def learning_curves() -> tuple[Law, ...]:
    """M1 to M4 of arXiv 2209.06640, the laws of one curve that its backtest compares.

    Examples
    --------
    >>> [law.name for law in learning_curves()]
    ['m1', 'm2', 'm3', 'm4']
    """
    return tuple(get(name) for name in ("m1", "m2", "m3", "m4"))


def _modules() -> dict[str, str]:
    """Law name -> module, for every file of this package that holds a law."""
    found = (info.name for info in pkgutil.iter_modules(__path__))
    return {name.replace("_", "-"): f"{__name__}.{name}" for name in found if name != "formula"}


@cache
def _published() -> dict[str, tuple[PublishedSet, ...]]:
    table = tomllib.loads(files(__name__).joinpath("published.toml").read_text(encoding="utf-8"))
    return {
        law: tuple(
            PublishedSet(name, entry["source"], tuple(entry["constants"].items()), entry.get("note", ""))
            for name, entry in sets.items()
        )
        for law, sets in table.items()
    }
