"""The study as a page: what was done, what came out, and why; every number on it is computed from the fits."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ... import laws
from .. import of_backtest
from ..blocks import Block, Formula, Heading, Paragraph, Picture, Table
from ..maths import Math
from ..of_law import names_of
from . import printed, reasons, sentences, thesis
from .figures import Figure
from .runs import CEILING, RESIDUALS, Study, mean, swapped

__all__ = ["blocks"]

GROUPS = {"IC": "image classification", "NMT": "translation", "LM": "language modelling", "BB": "BIG-bench"}


def blocks(study: Study, figures: Sequence[Figure]) -> tuple[Block, ...]:
    """The whole page."""
    pictures = {figure.name: Picture(f"{figure.name}.png", figure.caption) for figure in figures}
    return (
        *_opening(study),
        *_errors(study, pictures),
        *_sentences(study),
        *reasons.objective(study),
        *reasons.ablations(study),
        *thesis.simulated_curve(study, pictures),
        *thesis.profiles(study, pictures),
        *_exponents(study),
        *_files(figures),
    )


def _opening(study: Study) -> list[Block]:
    groups = dict.fromkeys(curve.group for curve in study.curves)
    sizes = [(sum(curve.group == group for curve in study.curves), group) for group in groups]
    named = ", ".join(f"{count} {group}{f' ({GROUPS[group]})' if group in GROUPS else ''}" for count, group in sizes)
    return [
        Heading(f"Extrapolating {len(study.curves)} learning curves with M1 to M4"),
        Paragraph(
            "The protocol of Alabdulmohsin, Neyshabur and Zhai 2022 (arXiv 2209.06640): fit the first part of a curve, "
            "predict the rest, and judge a law by the root mean square of log predicted less log measured. "
            f"Curves: {named}."
        ),
        *(Formula(Math(law.form, names=names_of(law))) for law in laws.learning_curves()),
        Paragraph(
            "Every fit is the lowest minimum found of its objective in a declared box, without start values from "
            "anyone. Two objectives are compared. Response: the mean square of log y - log y_hat, the default here. "
            "Equation: the mean square of the difference between the logarithms of the two sides of a law as written "
            "above, the paper's."
        ),
    ]


def _errors(study: Study, pictures: dict[str, Picture]) -> list[Block]:
    return [
        Heading("Extrapolation errors", 2),
        Paragraph("A win is the lowest error truncated to three decimals, ties split; a strict win is below all."),
        of_backtest.summary(study.main.summary),
        pictures["errors"],
        *_beside_printed(study),
        *(pictures[f"curves-{residual}"] for residual in RESIDUALS),
    ]


def _beside_printed(study: Study) -> list[Block]:
    above = swapped(study.main, study.raised, "equation")
    lines = []
    for group in dict.fromkeys(curve.group for curve in study.curves):
        paper = printed.means(group)
        for law in printed.LAWS if paper else ():
            ours = [mean(study.main, group, law, residual) for residual in RESIDUALS]
            errors = (paper[law], *ours, mean(above, group, law, "equation"))
            lines.append((group, law, *map(of_backtest.number, errors)))
    if not lines:
        return []
    said = Paragraph("Means of the errors that the paper prints, and the means found here:")
    return [said, Table(("group", "law", "printed", *RESIDUALS, "equation, floor above 0"), tuple(lines))]


def _sentences(study: Study) -> list[Block]:
    runs = {
        "response": swapped(study.main, study.main, "response"),
        f"response, eps_0 = {CEILING:g}": swapped(study.main, study.ceiling, "response"),
        "equation": swapped(study.main, study.main, "equation"),
        "equation, floor above 0": swapped(study.main, study.raised, "equation"),
    }
    page: list[Block] = [
        Heading("Four sentences of the paper", 2),
        Paragraph(
            "The rules that decide them stand beside the answers: that of wins is the paper's, the others are ours. "
            "The last way of fitting takes, for M2 and M4, the lowest local minimum of the paper's objective with a "
            "floor above 0 where there is one: a descent that starts from a floor near the lowest y may end there."
        ),
    ]
    judged = {name: sentences.judge(ran) for name, ran in runs.items()}
    for place, first in enumerate(judged["response"]):
        lines = tuple((name, _answer(found[place]), found[place].numbers) for name, found in judged.items())
        page += [
            Heading(f"{first.says[0].upper()}{first.says[1:]}", 3),
            Paragraph(f"Rule: {first.rule}."),
            Table(("fitted by", "answer", "numbers"), lines),
        ]
    return page


def _answer(sentence: sentences.Sentence) -> str:
    return {True: "reproduced", False: "not reproduced", None: "no such curves here"}[sentence.reproduced]


def _exponents(study: Study) -> list[Block]:
    under = swapped(study.main, study.main, "response")
    return [
        Heading("Exponents", 2),
        Paragraph("Medians of c under response over the tasks of a model:"),
        _by_model(study),
        Paragraph("Under response, curve by curve, c and then the error:"),
        of_backtest.curves(under.rows, "c"),
        of_backtest.curves(under.rows),
    ]


def _by_model(study: Study) -> Table:
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for law in printed.LAWS:
        for row in study.main.of(law):
            if row.fit:
                model = dict(row.by).get("Model", "")
                found.setdefault((row.group, model), {}).setdefault(law, []).append(row.estimate["c"])
    lines = tuple(
        (*key, *(f"{median(of[law]):.3f}" if law in of else "" for law in printed.LAWS)) for key, of in found.items()
    )
    return Table(("group", "model", *printed.LAWS), lines)


def _files(figures: Sequence[Figure]) -> list[Block]:
    listed = ", ".join(f"{figure.name}.csv" for figure in figures)
    return [Paragraph(f"The numbers of every picture lie beside it ({listed}); every fit is in fits.json.")]
