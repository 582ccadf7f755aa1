"""One record as a document: its page, a table of residuals and figures for a fit, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import ScalingError
from ..records import Derivation, Equal, Status, Verdict
from . import as_data, as_latex, as_markdown, as_text, of_catalogue, of_derivation, of_verdict, provenance, saved
from .blocks import Block, Cell, Code, Heading, Paragraph, Picture, Table
from .maths import to_latex
from .of_law import names_of
from .write import folder

if TYPE_CHECKING:
    import sympy as sp

    from ..fit import FitResult
    from .figures import Figure

__all__ = ["FORMATS", "fitted", "lowered", "render", "statements", "stored", "write"]

FORMATS: Mapping[str, str] = MappingProxyType(
    {"md": ".md", "latex": ".tex", "snippet": ".tex", "text": ".txt", "json": ".json"}
)
"""Format -> ending."""


def fitted(fit: FitResult, figures: Sequence[Figure] = ()) -> tuple[Block, ...]:
    """The page of a fit, its residuals, the figures that lie beside it, and its provenance."""
    from . import of_fit

    page = [*of_fit.blocks(fit), Heading("Residuals", 2), *_residuals(fit)]
    page += [Heading("Figures", 2)] if figures else []
    for figure in figures:
        page += [Picture(f"{figure.name}.png", figure.caption)]
        page.append(Paragraph(f"The numbers are in {figure.name}.csv."))
    return (*page, Heading("Data", 2), _data(fit), provenance.of_fit(fit))


def _data(fit: FitResult) -> Table:
    """The columns of the rows used: where they lie and how many values they take."""
    columns = [*dict(fit.problem.x).items(), (fit.law.response.symbol.name, fit.problem.y)]
    rows = tuple((name, f"{v.min():.6g}", f"{v.max():.6g}", str(len(set(v.tolist())))) for name, v in columns)
    return Table(("column", "least", "largest", "different values"), rows)


_LONGEST = 700  # letters of LaTeX in a cell
_COLUMNS = ("measured", "predicted", "log(measured/predicted)", "times")
_SHOWN = 30  # rows of residuals; of more, the largest


def _residuals(fit: FitResult) -> list[Block]:
    """How large they are, and every row, or the rows with the largest."""
    from . import figures

    rows = list(zip(figures.residuals(fit), fit.problem.counts, strict=True))
    kept = sorted(sorted(range(len(rows)), key=lambda at: -abs(rows[at][0][3]))[:_SHOWN])
    lines: list[tuple[Cell, ...]] = []
    for (inputs, y, fitted, gap), times in (rows[at] for at in kept):
        cells = (*inputs.values(), y, fitted)
        lines.append((*(f"{value:.6g}" for value in cells), f"{gap:+.3e}", f"{times:g}"))
    size = (sum(gap**2 for (*_, gap), _ in rows) / len(rows)) ** 0.5
    said = f"The root mean square of log(measured/predicted) over {len(rows)} distinct rows is {size:.3g}"
    more = f"; these are the {_SHOWN} largest in the table's order." if len(rows) > _SHOWN else "."
    names = tuple(symbol.name for symbol in fit.law.inputs)
    return [Paragraph(said + more), Table((*names, *_COLUMNS), tuple(lines))]


_EDITED = (
    "This file is not as symscale derive printed it: its verdicts were given on other answers and are left out. "
    "Derive it again to have them."
)


def stored(derivation: Derivation, content: Mapping[str, Any]) -> tuple[Block, ...]:
    """The page of a saved derivation, with the verdicts that were saved with it unless it was edited since."""
    if content.get("digest") != of_derivation.seal(content):
        page = of_derivation.told(derivation, (), None)
        return (page[0], Paragraph(_EDITED), *page[1:])
    table, left = saved.verdicts(content), saved.unproved(content)
    told: list[Block] = [Heading("What the steps owe", 2), table] if table is not None else []
    return (*of_derivation.told(derivation, (), left), *told)


def statements(
    title: str, derivations: Sequence[Derivation], verdicts: Sequence[Verdict], expected: Sequence[Status]
) -> tuple[Block, ...]:
    """Derivations under one title, then every statement with its verdict in full."""
    page: list[Block] = [Heading(title.rstrip("."))]
    for derivation in derivations:
        page += lowered(of_derivation.told(derivation, verdicts))
    owed = {claim for derivation in derivations for step in derivation.steps for claim in step.owes}
    names = dict(pair for derivation in derivations for pair in names_of(derivation.law))
    said = [verdict for verdict in verdicts if verdict.claim not in owed]
    steps = [verdict for verdict in verdicts if verdict.claim in owed]
    page.append(Heading("Statements", 2))
    for block in of_catalogue.blocks("Statements", verdicts, expected)[1:]:
        page += [in_full(said, names) if isinstance(block, Table) else block]
        if isinstance(block, Table) and steps:
            page += [Heading("What the steps owe", 2), in_full(steps, names)]
    return tuple(page)


def in_full(verdicts: Sequence[Verdict], names: Mapping[sp.Symbol, str]) -> Table:
    """Every statement as a formula, or as text where that would be too long, and what the verdict rests on."""
    rows = tuple((v.claim.name, v.status.name, _statement(v, names), _because(v)) for v in verdicts)
    return Table(("claim", "verdict", "statement", "because"), rows)


def _statement(verdict: Verdict, names: Mapping[sp.Symbol, str]) -> Cell:
    statement = verdict.claim.statement
    formula = of_verdict.statement_math(statement, names.items())
    if formula is not None and len(to_latex(formula)) <= _LONGEST:
        return formula
    return Code(of_verdict.statement_text(statement))


def _because(verdict: Verdict) -> str:
    """How it was decided; of a number also its inputs and its value."""
    value = next((text for key, text in verdict.evidence if key == "value"), "")
    statement = verdict.claim.statement
    if isinstance(statement, Equal) and statement.left == statement.right:
        return "both sides come out as this"
    given = of_verdict.inputs(statement)
    return f"{verdict.method}; {given} the value is {value}".replace(";  ", "; ") if value else verdict.method


def lowered(page: Sequence[Block]) -> list[Block]:
    """The page with its headings one level down."""
    return [Heading(block.text, block.level + 1) if isinstance(block, Heading) else block for block in page]


def render(page: Sequence[Block], to: str) -> str:
    r"""The text of a page in a format.

    Examples
    --------
    >>> render([Heading("Two")], "md"), render([Heading("Two")], "snippet")
    ('# Two\n', '\\section*{Two}\n')
    """
    writers = {
        "md": as_markdown.render,
        "latex": as_latex.article,
        "snippet": as_latex.render,
        "text": lambda page: as_text.render(page) + "\n",
        "json": as_data.render,
    }
    if to not in writers:
        raise ScalingError(f"report as {to!r}", "there is no such format", f"take {', '.join(FORMATS)}")
    return writers[to](page)


def write(place: Path, page: Sequence[Block], to: str, figures: Sequence[Figure] = ()) -> list[Path]:
    """A folder with the document, every picture, and its numbers beside it; whole or not at all.

    Raises
    ------
    MissingExtra
        If there are figures and matplotlib is not installed.
    ScalingError
        If something else stands at ``place``, or it cannot be written to.
    """

    def fill(made: Path) -> None:
        (made / f"report{FORMATS[to]}").write_text(render(page, to), encoding="utf-8")
        for figure in figures:
            (made / f"{figure.name}.csv").write_text(figure.table(), encoding="utf-8")
            (made / f"{figure.name}.png").write_bytes(figure.picture())

    return folder(place, fill)
