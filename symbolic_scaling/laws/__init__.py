"""The laws: one file each, found by its name; nothing else is edited.

A file defines ``LAW``; for a law that comes in sizes, a function ``law`` of its sizes, all with defaults.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from inspect import signature
from numbers import Integral
from types import ModuleType
from typing import Any

from ..budget import cached
from ..errors import LawError
from ..law import Law, PublishedSet
from .combine import combine
from .formula import formula

__all__ = ["combine", "formula", "get", "learning_curves", "names", "priced", "sizes"]


def names() -> tuple[str, ...]:
    """Every law's name, sorted.

    Examples
    --------
    >>> "m4" in names()
    True
    """
    return tuple(sorted(_modules()))


def get(name: str, **sizes: object) -> Law:
    """The law called ``name``, with its published constants.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    **sizes
        For a law that comes in sizes: those that differ from the default, such as ``n=2`` breaks of ``bnsl``.

    Raises
    ------
    LawError
        If there is no such law, or the law has no such size.

    Examples
    --------
    >>> get("m1").form
    Eq(eps_x, beta*x**c)
    >>> get("bnsl", n=2).constants
    (a, b, c0, c1, d1, f1, c2, d2, f2)
    """
    given = tuple((size, _frozen(value)) for size, value in sizes.items())
    try:
        hash(given)
    except TypeError:
        found = f"its sizes are given as {sizes!r:.80}"
        raise LawError(f"get the law {name!r}", found, "give numbers, names, and collections of these") from None
    return _get(name, given, _types(given))


def _frozen(value: object) -> Any:
    """A size as a key of the cache: mappings as sorted pairs, sets sorted, lists as tuples, whole numbers as int."""
    if isinstance(value, Mapping):
        return tuple(sorted(((key, _frozen(item)) for key, item in value.items()), key=_rank))
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(value, key=_rank))
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def _rank(item: object) -> tuple[str, str]:
    """An order of whatever is given: by its type, then as it is written."""
    return str(type(item)), repr(item)


def _types(value: object) -> Any:
    """The types in a size, so that the cache does not take 1.0 or True for 1."""
    return tuple(_types(item) for item in value) if isinstance(value, tuple) else type(value)


@cached
def _get(name: str, given: tuple[tuple[str, object], ...], types: object) -> Law:
    sizes, modules = dict(given), _modules()
    if name not in modules:
        near = difflib.get_close_matches(name.lower().replace("_", "-"), sorted(modules), 1)
        remedy = f"did you mean {near[0]}?" if near else "pick one, or give a formula"
        raise LawError(f"get the law {name!r}", f"there are {', '.join(sorted(modules))}", remedy)
    module = importlib.import_module(modules[name])
    defaults = _sizes(module)
    unknown = sorted(set(sizes) - set(defaults))
    if unknown:
        have = ", ".join(f"{size}={value!r}" for size, value in defaults.items()) or "none"
        raise LawError(f"get the law {name!r} with {', '.join(unknown)}", f"its sizes are {have}", "give one of these")
    law: Law = module.law(**sizes) if defaults else module.LAW
    return law.with_published(tuple(one for one, fits in _published().get(name, ()) if fits == {**defaults, **sizes}))


def sizes(name: str) -> dict[str, object]:
    """The sizes of a law and their defaults; empty for a law that comes in one size.

    Examples
    --------
    >>> sizes("bnsl"), sizes("m1")
    ({'n': 1}, {})
    """
    return _sizes(importlib.import_module(_modules()[get(name).name]))


def learning_curves() -> tuple[Law, ...]:
    """M1 to M4 of arXiv 2209.06640, the laws of one curve that its backtest compares.

    Examples
    --------
    >>> [law.name for law in learning_curves()]
    ['m1', 'm2', 'm3', 'm4']
    """
    return tuple(get(name) for name in ("m1", "m2", "m3", "m4"))


@cached
def priced() -> tuple[Law, ...]:
    """The laws that come in one size and declare a cost.

    Examples
    --------
    >>> [law.name for law in priced()]
    ['chinchilla', 'kaplan-nd', 'precision']
    """
    modules = (importlib.import_module(module) for _, module in sorted(_modules().items()))
    return tuple(module.LAW for module in modules if not _sizes(module) and module.LAW.costs)


def _modules() -> dict[str, str]:
    """Law name -> module, for every file of this package that holds a law."""
    found = (info.name for info in pkgutil.iter_modules(__path__))
    return {name.replace("_", "-"): f"{__name__}.{name}" for name in found if name not in __all__ and name[0] != "_"}


def _sizes(module: ModuleType) -> dict[str, object]:
    """Argument -> default of the function that makes a sized law."""
    made = getattr(module, "law", None)
    return {} if made is None else {name: given.default for name, given in signature(made).parameters.items()}


@cached
def _published() -> dict[str, tuple[tuple[PublishedSet, dict[str, object]], ...]]:
    """Law name -> its printed sets, each with the sizes of the law that it belongs to."""
    table = tomllib.loads(files(__name__).joinpath("published.toml").read_text(encoding="utf-8"))
    return {
        law: tuple(
            (
                PublishedSet(name, entry["source"], tuple(entry["constants"].items()), entry.get("note", "")),
                entry.get("sizes", {}),
            )
            for name, entry in sets.items()
        )
        for law, sets in table.items()
    }
