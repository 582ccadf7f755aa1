"""A fit as a page and as JSON: estimates and box, how the fit ended, every minimum, the rows used and dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..fit import FitResult
from . import of_roles
from .blocks import Block, Cell, Formula, Heading, Paragraph, Table
from .maths import Math
from .of_law import label, names_of

__all__ = ["as_json", "blocks", "is_fit", "pages"]


def is_fit(record: object) -> bool:
    """Whether a record is a fit."""
    return isinstance(record, FitResult)


def blocks(fit: FitResult, by: Mapping[str, str] | None = None) -> tuple[Block, ...]:
    """The page of one fit; ``by`` names its group."""
    group = ", ".join(f"{column} = {value}" for column, value in (by or {}).items())
    problem = fit.problem
    used = f"{len(problem.rows_used)} rows used, {len(problem.rows_dropped)} dropped"
    page: list[Block] = [
        Heading(f"{label(fit.law)} fitted" + (f": {group}" if group else "")),
        Formula(Math(fit.law.form, names=names_of(fit.law))),
        Paragraph(f"Source: {fit.law.source}."),
        Paragraph(f"{fit.outcome.name}: {fit.outcome.value}."),
        Table(("constant", "estimate", "standard error", "95 % interval"), _estimates(fit)),
        *_derived(fit),
        *of_roles.blocks(fit),
        Table(("quantity", "value"), (*_facts(fit), ("rows", used))),
        Table(("searched", "from", "to"), tuple((text, f"{lo:.6g}", f"{hi:.6g}") for text, lo, hi in fit.box)),
    ]
    page += [Paragraph(f"Note: {note}" + ("" if note.endswith("?") else ".")) for note in fit.notes]
    if problem.rows_dropped:
        page.append(Table(("rows dropped", "why"), _dropped(problem.rows_dropped)))
    return tuple(page)


def _dropped(rows: Sequence[tuple[int, str]]) -> tuple[tuple[Cell, ...], ...]:
    """Reasons with their rows, those that follow one another as the first and the last.

    Examples
    --------
    >>> _dropped([(1, "high"), (2, "high"), (4, "no number"), (5, "high")])
    (('1 to 2, 5', 'high'), ('4', 'no number'))
    """
    runs: dict[str, list[list[int]]] = {}
    for row, why in rows:
        known = runs.setdefault(why, [])
        if known and known[-1][1] == row - 1:
            known[-1][1] = row
        else:
            known.append([row, row])
    return tuple(
        (", ".join(str(lo) if lo == hi else f"{lo} to {hi}" for lo, hi in known), why) for why, known in runs.items()
    )


def pages(fits: Sequence[tuple[Mapping[str, str], FitResult]]) -> tuple[Block, ...]:
    """One fit as its page; several as one table, a row each, and their notes."""
    if len(fits) == 1:
        return blocks(fits[0][1], fits[0][0])
    constants = [symbol.name for symbol in fits[0][1].law.constants]
    columns = (*fits[0][0], "outcome", "objective", *constants, "rows", "starts agree")
    rows = tuple(
        (
            *by.values(),
            fit.outcome.name,
            f"{fit.objective:.4g}",
            *(f"{fit.estimate[name]:.5g}" for name in constants),
            str(len(fit.problem.rows_used)),
            f"{fit.certificate.agree} of {fit.certificate.starts}",
        )
        for by, fit in fits
    )
    notes = [Paragraph(f"{', '.join(by.values())}: {note}.") for by, fit in fits for note in _said(fit)]
    derived: list[Block] = []
    for by, fit in fits:
        tables = _derived(fit)
        derived += [Paragraph(f"{', '.join(by.values())}:"), *tables] if tables else []
    heading = Heading(f"{label(fits[0][1].law)} fitted to {len(fits)} groups")
    return (heading, Table(columns, rows), *derived, *notes)


def _said(fit: FitResult) -> tuple[str, ...]:
    """The notes of one of several fits, a proof first."""
    proof = fit.certificate
    if proof.why:
        return (f"not certified: {proof.why}", *fit.notes)
    return (proof.text, *fit.notes) if proof.kind in ("certified", "bounded", "refuted") else fit.notes


def as_json(fit: FitResult, by: Mapping[str, str] | None = None) -> dict[str, Any]:
    """One entry of ``fits`` that ``symscale fit --json`` prints; ``box`` and ``intervals`` are name -> [lo, hi]."""
    problem = fit.problem
    return {
        "by": dict(by or {}),
        "law": label(fit.law),
        "source": fit.law.source,
        "residual": problem.residual,
        "loss": problem.loss,
        "delta": problem.delta if problem.measure.robust else None,
        "reduce": problem.reduce,
        "priors": {text: [value, deviation] for text, value, deviation in problem.priors},
        "tie": dict(problem.tie),
        "tied": fit.tied,
        "box": {text: [lo, hi] for text, lo, hi in fit.box},
        "outcome": fit.outcome.name,
        "objective": fit.objective,
        "estimate": fit.estimate,
        "minima": [
            {"objective": minimum.objective, "estimate": minimum.estimate, "walls": list(minimum.walls)}
            for minimum in fit.minima
        ],
        "standard_errors": dict(fit.standard_errors),
        "intervals": {name: [lo, hi] for name, lo, hi in fit.intervals},
        "derived": [each.as_json() for each in fit.derived],
        "certificate": {
            "kind": fit.certificate.kind,
            "gap": fit.certificate.gap,
            "agree": fit.certificate.agree,
            "starts": fit.certificate.starts,
            "text": fit.certificate.text,
            "why": fit.certificate.why,
        },
        "notes": list(fit.notes),
        "degrees_of_freedom": fit.degrees_of_freedom,
        "rows_used": list(problem.rows_used),
        "rows_dropped": [{"row": row, "why": why} for row, why in problem.rows_dropped],
        "digest": problem.digest,
        "versions": dict(problem.versions),
    }


def _derived(fit: FitResult) -> list[Block]:
    """What was asked for with ``--intervals`` and ``--of``: a row a quantity and method."""
    if not fit.derived:
        return []
    level = f"{100 * fit.derived[0].level:.6g} % interval"
    rows = tuple(
        (each.name, f"{each.value:.8g}".replace("nan", "none"), each.method, each.text, each.note)
        for each in fit.derived
    )
    return [Table(("derived", "estimate", "method", level, "note"), rows)]


def _estimates(fit: FitResult) -> tuple[tuple[Cell, ...], ...]:
    intervals = {name: f"{lo:.5g} to {hi:.5g}" for name, lo, hi in fit.intervals}
    fixed, errors = dict(fit.problem.fix), {name: f"{error:.3g}" for name, error in fit.standard_errors}
    names = names_of(fit.law)
    return tuple(
        (
            Math(symbol, names=names),
            f"{fit.estimate[symbol.name]:.8g}",
            errors.get(symbol.name, ""),
            "fixed" if symbol.name in fixed else intervals.get(symbol.name, ""),
        )
        for symbol in fit.law.constants
    ) + tuple((name, f"{value:.8g}", "", f"= {dict(fit.problem.tie)[name]}") for name, value in fit.tied.items())


def _facts(fit: FitResult) -> tuple[tuple[Cell, ...], ...]:
    problem = fit.problem
    return (
        ("residual", problem.residual),
        (f"{'sum of' if problem.reduce == 'sum' else 'mean'} {problem.measure.text}", f"{fit.objective:.6g}"),
        *((f"prior of {text}", f"{value:g} give or take {sd:g}") for text, value, sd in problem.priors),
        ("degrees of freedom", str(fit.degrees_of_freedom)),
        ("local minima found", str(len(fit.minima))),
        ("starts that end in the best", f"{fit.certificate.agree} of {fit.certificate.starts}"),
        ("certificate", fit.certificate.text),
        *((("not certified", fit.certificate.why),) if fit.certificate.why else ()),
    )
