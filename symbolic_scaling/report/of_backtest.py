"""A backtest as a page and as JSON: means, medians and win rates by group, then every curve."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ..fit.backtest import Backtest, Contender, Row, Summary
from ..fit.profile import Profile
from ..fit.units import exponents
from .blocks import Block, Heading, Paragraph, Table
from .of_law import label

__all__ = ["as_json", "blocks", "curves", "number", "profile_json", "profiles", "summary", "title"]


def title(contender: Contender, residual: bool = False) -> str:
    """``m4 (alpha = 1)``, with its residual if several are compared."""
    held = [f"{name} = {value:g}" for name, value in contender.fixed]
    extra = ", ".join([*([contender.residual] if residual else []), *held])
    return f"{label(contender.law)}{f' ({extra})' if extra else ''}"


def blocks(ran: Backtest, profiled: Sequence[Profile] = ()) -> tuple[Block, ...]:
    """The page of a backtest, and of profiles that were taken with it."""
    named = len(dict.fromkeys(row.by for row in ran.rows))
    page: list[Block] = [
        Heading(f"Backtest on {named} curve{'s' if named > 1 else ''}"),
        Paragraph("RMSE of log predictions on the held-out rows. A win: the lowest, truncated to three decimals."),
        summary(ran.summary),
        Heading("RMSE by curve", 2),
        curves(ran.rows),
    ]
    for constant in _exponents(ran.rows):
        page += [Heading(f"Exponent {constant} by curve", 2), curves(ran.rows, constant)]
    page += [Paragraph(f"{_name(row)}, {title(row.contender)}: {row.why}.") for row in ran.rows if row.why]
    if profiled:
        page += [Heading(f"{profiled[0].constant} held, the rest refitted", 2), profiles(profiled)]
    return tuple(page)


def summary(found: Iterable[Summary]) -> Table:
    """Group by contender: mean, median, and both win rates in percent."""
    columns = ("group", "law", "residual", "mean RMSE", "median RMSE", "wins", "strict wins", "curves", "missing")
    return Table(
        columns,
        tuple(
            (
                each.group,
                title(each.contender),
                each.contender.residual,
                number(each.mean_rmse),
                number(each.median_rmse),
                f"{each.win_rate:.1%}",
                f"{each.win_rate_strict:.1%}",
                str(each.curves),
                str(each.missing),
            )
            for each in found
        ),
    )


def curves(rows: Sequence[Row], constant: str = "") -> Table:
    """A line for each curve and residual, a column for each law: its error, or one of its constants."""
    names = tuple(dict.fromkeys(title(row.contender) for row in rows))
    lines: dict[Any, dict[str, Row]] = {}
    for row in rows:
        lines.setdefault((row.by, row.contender.residual), {})[title(row.contender)] = row
    by = tuple(dict(rows[0].by)) if rows else ()

    def cell(row: Row | None) -> str:
        if row is None:
            return ""
        return _constant(row, constant) if constant else number(row.rmse)

    return Table(
        (*by, "residual", *names),
        tuple(
            (*(value for _, value in key), residual, *(cell(found.get(name)) for name in names))
            for (key, residual), found in lines.items()
        ),
    )


def _exponents(rows: Sequence[Row]) -> list[str]:
    """The exponents that all laws have, by name."""
    laws = dict.fromkeys(row.contender.law for row in rows)
    return sorted(set.intersection(*({s.name for s in exponents(law)} for law in laws))) if laws else []


def profiles(found: Sequence[Profile]) -> Table:
    """A line a curve: which value of the constant fits best, which extrapolates best, and both errors at both."""
    several = len({each.free.contender.residual for each in found}) > 1
    columns = ("law", "fits best at", "fit RMSE", "later RMSE", "extrapolates best at", "fit RMSE", "later RMSE")
    lines = []
    for each in found:
        at = dict(zip(each.values, each.rows, strict=True))
        cells = [cell for value in (each.fits_best, each.extrapolates_best) for cell in _best(value, at.get(value))]
        lines.append((*(value for _, value in each.free.by), title(each.free.contender, several), *cells))
    return Table((*(dict(found[0].free.by) if found else ()), *columns), tuple(lines))


def as_json(ran: Backtest) -> dict[str, Any]:
    """``rows`` and ``summary`` as ``symscale backtest --json`` prints them."""
    return {
        "rows": [_row(row) for row in ran.rows],
        "summary": [
            {
                "group": each.group,
                **_contender(each.contender),
                "mean_rmse": each.mean_rmse,
                "median_rmse": each.median_rmse,
                "win_rate": each.win_rate,
                "win_rate_strict": each.win_rate_strict,
                "curves": each.curves,
                "missing": each.missing,
            }
            for each in ran.summary
        ],
    }


def profile_json(found: Profile) -> dict[str, Any]:
    """One entry of ``profile``: the free fit, and the errors along the constant."""
    free = _row(found.free)
    along = [
        {"value": value, "objective": row.objective, "training_rmse": row.training_rmse, "rmse": row.rmse}
        for value, row in zip(found.values, found.rows, strict=True)
    ]
    best = {"fits_best": found.fits_best, "extrapolates_best": found.extrapolates_best}
    return {**free, "constant": found.constant, **best, "along": along}


def number(value: float) -> str:
    """An error with three digits; empty where there is none."""
    return f"{value:.3g}" if math.isfinite(value) else ""


def _constant(row: Row, name: str) -> str:
    return f"{row.estimate[name]:.4g}" if name in row.estimate else ""


def _best(value: float, row: Row | None) -> tuple[str, str, str]:
    return (f"{value:.4g}", number(row.training_rmse), number(row.rmse)) if row else ("", "", "")


def _name(row: Row) -> str:
    return ", ".join(value for _, value in row.by) or "all rows"


def _contender(contender: Contender) -> dict[str, Any]:
    return {"law": label(contender.law), "residual": contender.residual, "fixed": dict(contender.fixed)}


def _row(row: Row) -> dict[str, Any]:
    return {
        "by": dict(row.by),
        "group": row.group,
        **_contender(row.contender),
        "rmse": row.rmse,
        "training_rmse": row.training_rmse,
        "objective": row.objective,
        "estimate": row.estimate,
        "outcome": row.fit.outcome.name if row.fit else None,
        "why": row.why,
    }
