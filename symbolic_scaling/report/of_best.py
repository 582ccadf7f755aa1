"""An extrapolation by ``fit.best`` as a page, as JSON and as a folder: values with bands, weights, reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..fit import Best
from ..fit.averaged import LEVELS
from . import as_markdown, of_fit, plot
from .blocks import Block, Heading, Paragraph, Picture, Table
from .of_law import label
from .write import file, folder, json_text

__all__ = ["as_json", "blocks", "is_best", "pages", "write"]

Named = tuple[Mapping[str, str], Best]

_GREYS = ("0.8", "0.9")  # of the bands, the narrower first
_SHOWN = 8  # candidates of a page; the rest is summed up


def is_best(record: object) -> bool:
    """Whether a record is one."""
    return isinstance(record, Best)


def blocks(best: Best, by: Mapping[str, str] | None = None) -> tuple[Block, ...]:
    """The page of one extrapolation; ``by`` names its group."""
    page: list[Block] = [
        Heading("Extrapolated" + (f": {_name(by)}" if by else "")),
        Table((*best.inputs, _response(best), *(f"{level:.0%} band" for level in LEVELS)), _values(best)),
        Heading("Why", 2),
        *(Paragraph(f"{text[0].upper()}{text[1:]}.") for text in best.because),
    ]
    if best.against:
        page += [Heading("What speaks against it", 2)]
        page += [Paragraph(f"{text[0].upper()}{text[1:]}.") for text in best.against]
    page += [
        Heading("Laws and windows", 2),
        Table(("law", "rows", "weight", "before", "rolling error"), _weights(best)),
    ]
    return tuple(page)


def pages(found: Sequence[Named]) -> tuple[Block, ...]:
    """One extrapolation as its page; several as one table, a row for each group and point."""
    if len(found) == 1:
        return blocks(found[0][1], found[0][0])
    first = found[0][1]
    columns = (*found[0][0], *first.inputs, _response(first), *(f"{level:.0%} band" for level in LEVELS), "law")
    rows = tuple((*by.values(), *row, best.fit.law.name) for by, best in found for row in _values(best))
    said = [Paragraph(f"{', '.join(by.values())}: {text}.") for by, best in found for text in best.against]
    return (Heading(f"{len(found)} groups extrapolated"), Table(columns, rows), *said)


def as_json(best: Best, by: Mapping[str, str] | None = None) -> dict[str, Any]:
    """One entry of ``best`` that ``symscale best --json`` prints."""
    return {
        "by": dict(by or {}),
        "predictions": [
            {
                "inputs": dict(each.inputs),
                "value": each.value,
                "bands": {f"{level:g}": [lo, hi] for level, lo, hi in each.bands},
            }
            for each in best.predictions
        ],
        "because": list(best.because),
        "against": list(best.against),
        "candidates": [
            {
                "law": each.name,
                "rows": int(each.candidate.rows.sum()),
                "weight": each.weight,
                "prior": each.prior,
                "errors": list(each.errors),
            }
            for each in best.candidates
        ],
        "scores": [asdict(each) for each in best.scores],
        "largest_left_out": [
            {"law": e.law, "sizes": e.sizes, "rows": e.rows, "error": e.error, "floor": e.floor} for e in best.left
        ],
        "noise": best.noise,
        "scale": best.calibration.scale,
        "freedom": best.calibration.freedom,
        "judged_over": best.reach,
        "fit": of_fit.as_json(best.fit),
        "refused": [{"law": law, "why": why} for law, why in best.refused],
    }


def write(place: Path, found: Sequence[Named]) -> list[Path]:
    """A page, a picture and the JSON of every group in a folder that is written whole or not at all.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    ScalingError
        If something else stands at ``place``.
    """
    plot.require()
    return folder(place, lambda made: _fill(made, found))


def _fill(made: Path, found: Sequence[Named]) -> None:
    page: list[Block] = []
    for number, (by, best) in enumerate(found, 1):
        one = list(blocks(best, by))
        if len(best.inputs) == 1:
            picture = f"{number:03d}.png"
            (made / picture).write_bytes(plot.png(_figure(best, _name(by))))
            one.insert(2, Picture(picture, "the rows, the average and its bands"))
        page += one
    file(made / "report.md", as_markdown.render(page))
    file(made / "best.json", json_text({"best": [as_json(best, by) for by, best in found]}))


def _figure(best: Best, name: str) -> Any:
    ((column, x),) = best.fits[0].problem.x
    last = float(x.max())
    far = max(2 * last, *(dict(each.inputs)[column] for each in best.predictions))
    grid = np.unique(np.append(np.geomspace(x.min(), far, 300), last))
    lines, rows = (
        [plot.Curve("average", grid, best.predict(grid), last)],
        [plot.Points("rows", x, best.fits[0].problem.y)],
    )
    made, area = plot.axes(name or "extrapolated", column, _response(best), "log", "log")
    for level, grey in zip(LEVELS, _GREYS, strict=True) if best.noise is not None else ():
        area.fill_between(grid, *best.band(grid, level), color=grey, zorder=-level, label=f"{level:.0%} band")
    plot.draw(area, rows, lines)
    area.legend(frameon=False)
    return made


def _values(best: Best) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            *(f"{value:.6g}" for _, value in each.inputs),
            f"{each.value:.6g}",
            *([f"{lo:.5g} to {hi:.5g}" for _, lo, hi in each.bands] or ["unknown"] * len(LEVELS)),
        )
        for each in best.predictions
    )


def _weights(best: Best) -> tuple[tuple[str, ...], ...]:
    shown = tuple(
        (
            label(each.candidate.law) if each.candidate.law is not None else each.name,
            best.window(each).removeprefix("on "),
            f"{each.weight:.1%}",
            f"{each.prior:.1%}",
            f"{each.error:.3g}",
        )
        for each in best.candidates[:_SHOWN]
    )
    rest = best.candidates[_SHOWN:]
    if not rest:
        return shown
    return (*shown, (f"{len(rest)} more", "", f"{sum(e.weight for e in rest):.1%}", "", ""))


def _response(best: Best) -> str:
    return best.fit.law.response.symbol.name


def _name(by: Mapping[str, str] | None) -> str:
    return ", ".join(f"{column} = {value}" for column, value in (by or {}).items())
