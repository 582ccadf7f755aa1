"""The tour: two published results derived and proved, a false one refuted, a simulated curve fitted and extrapolated.

The curve is M4 with known constants and seeded noise, so the page can set the truth beside every estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import derive, laws, notation, verify
from ..domain import Domain
from ..records import Claim, Derivation, Equal, Verdict
from . import of_derivation, of_verdict
from .as_markdown import render
from .blocks import Block, Code, Heading, Paragraph, Picture, Table
from .write import folder, json_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..fit import FitResult

    Array = NDArray[Any]

__all__ = ["Example", "example", "write"]

MODELS = ("m1", "m2", "m3", "m4")
TRUTH = {"beta": 20.0, "c": -0.3, "alpha": 0.5, "eps_inf": 0.1, "eps_0": 1.0}
SEED, NOISE, POINTS, SPLIT = 20220914, 0.003, 24, 16


@dataclass(frozen=True, eq=False)
class Example:
    """A simulated learning curve: ``x`` and ``y`` to fit, ``later_x`` and ``later_y`` to judge the extrapolation."""

    x: Array
    y: Array
    later_x: Array
    later_y: Array


def example(seed: int = SEED) -> Example:
    """The embedded curve: M4 at ``TRUTH`` with multiplicative noise, the same for the same seed.

    Examples
    --------
    >>> curve = example()
    >>> curve.x.size, curve.later_x.size, bool((curve.y > TRUTH["eps_inf"]).all())
    (16, 8, True)
    """
    import numpy as np

    from .. import codegen

    x = np.geomspace(1e5, 1e11, POINTS)
    exact = codegen.law(laws.get("m4"))(x, *(TRUTH[symbol.name] for symbol in laws.get("m4").constants))
    y = np.asarray(exact) * np.exp(NOISE * np.random.default_rng(seed).standard_normal(POINTS))
    return Example(x[:SPLIT], y[:SPLIT], x[SPLIT:], y[SPLIT:])


def write(place: Path, progress: Callable[[str], None] = lambda stage: None) -> list[Path]:
    """Run the tour and leave its report folder at ``place``, whole or not at all.

    Parameters
    ----------
    place : Path
        A new folder, an empty one, or one that an earlier tour left.
    progress : callable
        Told what is being done.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed; before any work.
    ScalingError
        If something else stands at ``place``.
    """
    from . import plot

    plot.require()
    return folder(place, lambda made: _fill(made, progress))


def _fill(made: Path, progress: Callable[[str], None]) -> None:
    progress("deriving the Chinchilla frontier and the SoViT optimum")
    derived = (derive.frontier(laws.get("chinchilla")), derive.optimum(laws.get("sovit"), "x_k"))
    progress("verifying every step, and one false statement")
    proofs = [verify.derivation(derivation) for derivation in derived]
    false = verify.claim(_mistake(derived[0]))
    verdicts = [*proofs[0], *proofs[1], false]
    progress("fitting M1 to M4")
    curve = example()
    fits = _fits(curve)
    progress("writing the report")
    pages = [block for one, proof in zip(derived, proofs, strict=True) for block in _lower(one, proof)]
    page = [*_opening(verdicts), *pages, *_refuted(false), *_fitted(curve, fits)]
    (made / "report.md").write_text(render(page), encoding="utf-8")
    (made / "verdicts.json").write_text(json_text({"verdicts": [of_verdict.as_json(v) for v in verdicts]}))
    (made / "curve.csv").write_text(_csv(curve))
    (made / "fit.json").write_text(json_text({"fits": _fit_json(fits)}))
    (made / "curve.png").write_bytes(_picture(curve, fits))


def _mistake(frontier: Derivation) -> Claim:
    """A common slip: that both reducible terms are equal on the frontier."""
    law = frontier.law
    relation = notation.relation("A/N**alpha = B/D**beta", law.symbols)
    there = {symbol: frontier[symbol.name] for symbol in law.inputs}
    sides = (side.xreplace(there) for side in (relation.left, relation.right))
    return Claim("both terms are equal on the frontier", Equal(*sides), Domain(), "a common slip, planted here")


def _fits(curve: Example) -> dict[str, FitResult]:
    from .. import fit

    return {name: fit.curve(laws.get(name), x=curve.x, y=curve.y) for name in MODELS}


def _opening(verdicts: list[Verdict]) -> list[Block]:
    return [
        Heading("A tour of symbolic_scaling"),
        Paragraph(
            f"Two published results derived step by step and verified, one false statement, and a curve of "
            f"{SPLIT} simulated runs fitted with four laws and extrapolated to {POINTS - SPLIT} later runs. "
            f"Verdicts: {of_verdict.counts(verdicts)}."
        ),
    ]


def _lower(derivation: Derivation, verdicts: tuple[Verdict, ...]) -> list[Block]:
    """The derivation's page with its headings one level down."""
    page = of_derivation.blocks(derivation, verdicts)
    return [Heading(block.text, block.level + 1) if isinstance(block, Heading) else block for block in page]


def _refuted(verdict: Verdict) -> list[Block]:
    return [
        Heading("A false statement", 2),
        Paragraph(f"{verdict.claim.name}: {verdict.status.name}. {verdict.status.value.capitalize()}."),
        Table(("evidence", "value"), tuple((key, Code(value)) for key, value in verdict.evidence)),
    ]


def _fitted(curve: Example, fits: dict[str, FitResult]) -> list[Block]:
    inside = {name: _rmse(fit, curve.x, curve.y) for name, fit in fits.items()}
    later = {name: _rmse(fit, curve.later_x, curve.later_y) for name, fit in fits.items()}
    rows = tuple((name, f"{inside[name]:.2g}", f"{later[name]:.2g}", fits[name].outcome.name) for name in fits)
    best = min(later, key=lambda name: later[name])
    found = fits["m4"].estimate
    return [
        Heading("A fitted curve", 2),
        Paragraph(
            f"M4 with known constants and {NOISE:.1%} noise (seed {SEED}), fitted without start values on x up to "
            f"{curve.x[-1]:.3g} and judged up to {curve.later_x[-1]:.3g}. Best on the later runs: {best}."
        ),
        Table(("law", "RMSE where fitted", "RMSE on later runs", "outcome"), rows),
        Table(
            ("constant of M4", "truth", "estimate"), tuple((k, f"{v:g}", f"{found[k]:.4g}") for k, v in TRUTH.items())
        ),
        Picture("curve.png", "Data, the four fitted laws, and their extrapolation"),
        Paragraph("The runs are in curve.csv, the fits in fit.json; the same fit from the command line:"),
        Code("symscale fit curve.csv --law m4 --x x=x --y loss --where 'later = 0'"),
    ]


def _rmse(fit: FitResult, x: Array, y: Array) -> float:
    return float((((fit.predict(x) - y) ** 2).mean()) ** 0.5)


def _fit_json(fits: dict[str, FitResult]) -> list[Any]:
    from . import of_fit

    return [of_fit.as_json(fit) for fit in fits.values()]


def _csv(curve: Example) -> str:
    rows = [(x, y, 0) for x, y in zip(curve.x, curve.y, strict=True)]
    rows += [(x, y, 1) for x, y in zip(curve.later_x, curve.later_y, strict=True)]
    return "x,loss,later\n" + "".join(f"{float(x)!r},{float(y)!r},{later}\n" for x, y, later in rows)


def _picture(curve: Example, fits: dict[str, FitResult]) -> bytes:
    import numpy as np

    from . import plot

    grid = np.unique(np.append(np.geomspace(curve.x[0], curve.later_x[-1], 200), curve.x[-1]))
    until = float(curve.x[-1])
    curves = [plot.Curve(name.upper(), grid, fit.predict(grid), until) for name, fit in fits.items()]
    points = [
        plot.Points("fitted", curve.x, curve.y),
        plot.Points("held out", curve.later_x, curve.later_y, held_out=True),
    ]
    return plot.png(plot.figure("Fitted and extrapolated", points, curves, x="examples seen", y="error"))
