"""Names that a claim takes from a derivation: ``["N", "chinchilla", "frontier", "6*N*D"]``.

An item is [name, law, what, cost]. ``what`` is a question of :mod:`symbolic_scaling.derive`, whose answer for ``name``
is meant, or ``"exponent of N of frontier"`` for another key of it, or ``"law"`` for the law's own formula. ``cost`` is
that of a frontier; for another question it is the variable it is about. What the answer is made of keeps the law's
letters, declared as the law declares them where the claim does not, and stands under the law's relations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import sympy as sp

from .. import derive, laws, verify
from ..domain import Domain
from ..errors import ClaimError, ScalingError
from ..law import Law
from ..notation import text
from ..records import Claim, Derivation

__all__ = ["claim_of", "read_claims"]

_KINDS = ("positive", "negative", "nonnegative", "integer")


def claim_of(entry: object, place: str = "claim") -> Claim:
    """One claim from its keys, ``where`` resolved.

    Raises
    ------
    ClaimError
        Naming the claim and the key.

    Examples
    --------
    >>> where = [["N", "chinchilla", "frontier", "6*N*D"]]
    >>> found = claim_of({"id": "(4)", "kind": "proportional", "statement": "N prop C^p", "in": "C", "where": where,
    ...     "let": [["p", "beta/(alpha + beta)"]]})
    >>> verify.claim(found).status.name
    'PROVED'
    """
    if not isinstance(entry, Mapping) or not entry.get("where"):
        return verify.claim_of(entry, place)
    asked = f"claim {entry.get('id', place)}: where"
    items = entry["where"]
    if not isinstance(items, list):
        raise ClaimError(asked, "not a list", "write a list of [name, law, derivation, cost]")
    let: list[list[str]] = []
    symbols = dict(entry["symbols"]) if isinstance(entry.get("symbols"), dict) else {}
    used: dict[Law, set[sp.Symbol]] = {}
    for item in items:
        name, law, found = _answer(asked, item)
        let.append([name, text(found)])
        for symbol in sorted(found.free_symbols, key=lambda one: str(one.name)):
            symbols.setdefault(symbol.name, _kind(symbol))
        used.setdefault(law, set()).update(found.free_symbols)
    domain = Domain()
    for law, free in used.items():
        domain = domain.meet(_about(law.domain, free))
    rest = {key: value for key, value in entry.items() if key != "where"}
    given = entry.get("let", [])
    defined = [*let, *given] if isinstance(given, list) else given  # what is no list is refused there
    made = verify.claim_of({**rest, "symbols": symbols, "let": defined}, place)
    return replace(made, domain=made.domain.meet(domain))


def read_claims(path: str | Path, unread: list[verify.Unread] | None = None) -> list[Claim]:
    """The claims of a file, as :func:`symbolic_scaling.verify.read_claims` reads them, each ``where`` resolved.

    Raises
    ------
    ClaimError
        If the file does not read, or with every claim and key that does not, all at once.
    """
    return verify.read_claims(path, claim_of, unread)


def _answer(asked: str, item: Any) -> tuple[str, Law, sp.Expr]:
    """The name, the law and the expression of one item."""
    if not isinstance(item, list) or not 3 <= len(item) <= 4 or not all(isinstance(part, str) for part in item):
        raise ClaimError(asked, f"{str(item)[:60]} is not [name, law, derivation, cost]", "give three or four texts")
    name, law_name, what, *more = item
    key, _, question = what.rpartition(" of ")
    try:
        law = laws.get(law_name)
        found = law.explicit if question == "law" else _derived(question, law, more)[key or name]
    except ScalingError as error:
        raise ClaimError(asked, error.found, error.remedy) from None
    if not isinstance(found, sp.Expr):
        raise ClaimError(asked, f"{name} has no closed form there", "take an answer that is an expression")
    return name, law, found


def _derived(question: str, law: Law, more: list[str]) -> Derivation:
    """The derivation that a question names; its first argument beside the law is what the item says last."""
    if question not in derive.__all__:
        raise ClaimError("resolve where", f"{question!r} is no question", f"choose from {', '.join(derive.__all__)}")
    ask = getattr(derive, question)
    takes = list(signature(ask).parameters.values())[1:]
    if not more and takes and takes[0].default is takes[0].empty:
        raise ClaimError("resolve where", f"{question} needs {takes[0].name}", "name it as the fourth part")
    found: Derivation = ask(law, *more)
    return found


def _kind(symbol: sp.Symbol) -> str:
    return next((kind for kind in _KINDS if getattr(symbol, f"is_{kind}")), "real")


def _about(domain: Domain, free: set[sp.Symbol]) -> Domain:
    """What a domain says about these symbols."""
    ranges = tuple(pair for pair in domain.ranges if pair[0] in free)
    return Domain(ranges, tuple(p for p in domain.relations if (p[0] - p[1]).free_symbols <= free))
