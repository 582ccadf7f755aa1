"""A derivation as a page and as JSON: what was found, every step, and the verdicts of what the steps owe."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import sympy as sp

from ..notation import text as plain
from ..records import Case, Derivation, Found, Reduction, Root, Series, Status, Verdict
from . import of_verdict
from .blocks import Block, Formula, Heading, Paragraph, Table
from .maths import Math, to_text
from .of_law import label, names_of

__all__ = ["Open", "as_json", "blocks", "seal", "told", "unproved"]

Open: TypeAlias = "tuple[tuple[str, str], ...] | None"  # name and status of what is not proved; None: nothing is judged

_EXPONENT = "exponent of "
_SEALED = ("title", "given", "steps", "proved", "result", "beside", "exponents")
_EXCESS = "excess"


def blocks(derivation: Derivation, verdicts: Iterable[Verdict] = ()) -> tuple[Block, ...]:
    """The page of a derivation; ``verdicts`` answer the claims of its steps."""
    answered = tuple(verdicts)
    page = told(derivation, answered)
    if answered:
        page += [Heading("What the steps owe", 2), of_verdict.table(answered)]
    return tuple(page)


def unproved(derivation: Derivation, verdicts: Iterable[Verdict]) -> Open:
    """What the steps owe and no verdict proves; None where nothing of it is judged."""
    answers = {verdict.claim: verdict.status for verdict in verdicts}
    owed = tuple(dict.fromkeys(claim for step in derivation.steps for claim in step.owes))
    if owed and not any(claim in answers for claim in owed):
        return None
    owed = tuple(dict.fromkeys((*owed, *answers)))  # what the answers owe beside
    found = ((claim.name, answers[claim].name if claim in answers else "not judged") for claim in owed)
    return tuple((name, status) for name, status in found if status != Status.PROVED.name)


def told(derivation: Derivation, verdicts: Iterable[Verdict] = (), left: Open = ()) -> list[Block]:
    """Result and steps; each step with its rule, and with the verdicts on what it owes.

    The result claims no more than the verdicts do. ``left`` is what verdicts given elsewhere leave open.
    """
    answers = {verdict.claim: verdict for verdict in verdicts}
    judged = unproved(derivation, answers.values())
    left = None if judged is None or left is None else (*judged, *left)
    names = names_of(derivation.law)
    page: list[Block] = [
        Heading(derivation.title[:1].upper() + derivation.title[1:]),
        Paragraph(f"From {derivation.law.title} ({derivation.law.source}):"),
        Formula(Math(derivation.law.form, names=names)),
    ]
    page += [Paragraph(f"Given {', '.join(derivation.given)}.")] if derivation.given else []
    page.append(Heading("Result", 2))
    if left:
        what = ", ".join(f"{name} ({status})" for name, status in dict.fromkeys(left))
        page.append(Paragraph(f"Not proved: {what}. What follows holds if they do."))
    page += _results(derivation, derivation.found, sure=left == ())
    if not (derivation.found or derivation.cases):
        page.append(Paragraph("Nothing was found of what was asked."))
    for case in derivation.cases:
        page.append(Paragraph(f"If {_condition(case)}:"))
        page += _results(derivation, case.found, sure=left == ())
    page += [Heading("Steps", 2)] if derivation.steps else []
    for number, step in enumerate(derivation.steps, 1):
        open_ = any(claim in answers and answers[claim].status is not Status.PROVED for claim in step.owes)
        page.append(Paragraph(f"{number}. {step.text} ({step.rule}{'; if what it owes holds' * open_})"))
        page.append(Formula(Math(step.after, names=names)))
        owed = [f"{claim.name} ({answers[claim].status.name})" for claim in step.owes if claim in answers]
        page += [Paragraph(f"Owed: {'; '.join(owed)}.")] if owed else []
    return page


def as_json(derivation: Derivation, verdicts: Iterable[Verdict] = ()) -> dict[str, Any]:
    """The object that ``symscale derive --json`` prints, but for ``what``."""
    answered = tuple(verdicts)
    left = unproved(derivation, answered)
    exponents = {
        key.removeprefix(_EXPONENT): _value(found) for key, found in derivation.found if key.startswith(_EXPONENT)
    }
    answer: dict[str, Any] = {
        "law": label(derivation.law),
        "title": derivation.title,
        "given": list(derivation.given),
        "steps": [
            {
                "rule": step.rule,
                "text": step.text,
                "before": to_text(Math(step.before)),
                "after": to_text(Math(step.after)),
                "owes": [claim.name for claim in step.owes],
            }
            for step in derivation.steps
        ],
        "verdicts": [of_verdict.as_json(verdict) for verdict in answered],
        "proved": None if left is None else not left,
        "result": _result(derivation),
    }
    if derivation.found and derivation.found[0][0] == _EXCESS:
        answer |= {"result": _value(derivation.found[0][1]), "beside": _by_key(derivation.found[1:])}
    answer |= {"exponents": exponents} if exponents else {}
    return {**answer, "digest": seal(answer)}


def seal(content: Mapping[str, Any]) -> str:
    """A hash of the answers and the verdicts of a printed derivation, by which an edited one is known.

    Examples
    --------
    >>> from symbolic_scaling import derive, laws
    >>> printed = as_json(derive.gradient(laws.get("m1")))
    >>> printed["digest"] == seal(printed), printed["digest"] == seal({**printed, "result": {"x": "0"}})
    (True, False)
    """
    kept = {key: content[key] for key in _SEALED if key in content}
    kept["verdicts"] = [
        {key: value for key, value in one.items() if key != "seconds"} if isinstance(one, dict) else one
        for one in content.get("verdicts", ())
    ]
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def _result(derivation: Derivation) -> Any:
    if derivation.cases:
        return [{"when": _condition(case), "result": _by_key(case.found)} for case in derivation.cases]
    if len(derivation.found) == 1 and isinstance(derivation.found[0][1], Series):
        return _value(derivation.found[0][1])
    if derivation.found and all(isinstance(value, Reduction) for _, value in derivation.found):
        return [_value(value) for _, value in derivation.found]
    return _by_key(derivation.found)


def _by_key(found: Iterable[tuple[str, Found]]) -> dict[str, Any]:
    return {key: _value(value) for key, value in found if not key.startswith(_EXPONENT)}


def _value(found: Found) -> Any:
    match found:
        case Root():
            return {"root_of": plain(found.condition), "in": [plain(end) for end in found.bracket]}
        case Reduction():
            pairs = {"when": found.when, "map": found.map}
            return {"law": found.law} | {key: {s.name: plain(to) for s, to in pair} for key, pair in pairs.items()}
        case Series():
            return {
                "variable": found.variable.name,
                "at": plain(found.at),
                "small": plain(found.small),
                "terms": [[plain(coefficient), plain(exponent)] for coefficient, exponent in found.terms],
                "radius": None if found.radius is None else plain(found.radius),
                "remainder": None if found.remainder is None else plain(found.remainder),
            }
    return plain(found)


def _results(derivation: Derivation, found: Iterable[tuple[str, Found]], *, sure: bool) -> list[Block]:
    """An equation for what has a name, then one table for the rest: exponents, prefactors, limits."""
    names = names_of(derivation.law)
    page: list[Block] = []
    rest: list[tuple[str, Math]] = []
    for key, value in found:
        left = _left(derivation, key)
        if isinstance(value, Reduction):
            said = ", ".join(f"{symbol} = {plain(to)}" for symbol, to in value.when) or "as it stands"
            page.append(Paragraph(f"It is {value.law} where {said}."))
        elif isinstance(value, Root | Series):
            page += _root(key, value, names, sure=sure) if isinstance(value, Root) else _series(key, value, names)
        elif left is not None:
            page.append(Formula(Math(value, left, names)))
        else:
            rest.append((key, Math(value, names=names)))
    return [*page, Table(("quantity", "value"), tuple(rest))] if rest else page


def _left(derivation: Derivation, key: str) -> sp.Expr | None:
    """What a key names: a symbol, or a derivative of the response; None for a description."""
    symbols = derivation.law.symbols
    y, over = derivation.law.response.symbol, [symbols[name] for name in key.split(",") if name in symbols]
    words = derivation.title.split()
    if words[0] == "sensitivity":
        return sp.Derivative(sp.log(symbols[words[4]]), symbols.get(key, sp.Symbol(key, positive=True)))
    match words[0], over:
        case "gradient" | "hessian", [_, *_]:
            return sp.Derivative(y, *over)
        case "elasticities", [one]:
            return one * sp.Derivative(y, one) / y
    return symbols.get(key, sp.Symbol(key)) if key.isidentifier() else None


def _root(key: str, found: Root, names: tuple[tuple[sp.Symbol, str], ...], *, sure: bool) -> list[Block]:
    """The equation of a root; that it has one, and one only, is said as surely as its steps are."""
    lo, hi = (plain(end) for end in found.bracket)
    return [
        Paragraph(f"{key} is {'the only' if sure else 'a'} root in ({lo}, {hi}) of"),
        Formula(Math(sp.Eq(found.condition, 0, evaluate=False), names=names)),
        Paragraph(f"It is unique{'' if sure else ' if what the steps owe holds'}: {found.why_unique}."),
    ]


def _series(key: str, found: Series, names: tuple[tuple[sp.Symbol, str], ...]) -> list[Block]:
    rows = tuple((Math(c, names=names), Math(e, names=names)) for c, e in found.terms)
    near = f"{key} near {found.variable.name} = {plain(found.at)}, in powers of"
    return [Paragraph(near), Formula(Math(found.small, names=names)), Table(("coefficient", "exponent"), rows)]


def _condition(case: Case) -> str:
    return ", ".join(f"{plain(greater)} > {plain(lesser)}" for greater, lesser in case.when)
