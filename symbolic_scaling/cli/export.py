"""``symscale export``: a law, a derivation or a fit as source that needs nothing of this package."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import ScalingError
from . import _outputs, _record
from ._command import Command
from ._common import as_json, names, show

if TYPE_CHECKING:
    from ..codegen.export import Constant
    from ..fit import FitResult
    from ..law import Law

__all__ = ["command"]

_TARGETS = ("python", "numpy", "c", "latex")


@click.command("export", cls=Command)
@click.argument("record", metavar="LAW|DERIVATION|FIT.json")
@click.option("--to", "target", type=click.Choice(_TARGETS), required=True, help="The language.")
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="FILE", help="Write there; printed without it.")
@click.option("--published", metavar="NAME", help="Bind these published constants; see symscale show LAW.")
@click.option("--fit", "fitted", type=click.Path(path_type=Path), metavar="FIT", help="Bind the constants of this fit.")
@click.option("--variables", default="", metavar="N,D", help="Which names of a formula are its inputs.")
@as_json
def command(
    *,
    record: str,
    target: str,
    out: Path | None,
    published: str | None,
    fitted: Path | None,
    variables: str,
    as_json: bool,
) -> None:
    """Export a law, a published derivation, what symscale derive --json printed, or a saved fit with its constants.

    The source holds value, gradient and root of every number, and needs Python alone, NumPy, or a C compiler.
    """
    from ..codegen import export

    if as_json and out is None:
        raise ScalingError("export with --json", "the source would stand in the JSON", "name a file with -o")
    _outputs.check({"-o": out}, reads=[path for path in (record, fitted) if path and os.path.isfile(path)])
    found = _record.find(record, names(variables))
    constants, notes = _constants(found, published, fitted)
    text = export.source(found.derivations or found.law, target, constants, notes)
    if out is None:
        sys.stdout.write(text)
        return
    from ..report.blocks import Paragraph
    from ..report.write import file

    file(out, text)
    show({"files": [str(out)]}, [Paragraph(f"{out}: {len(text.splitlines())} lines")], as_json)


def _constants(found: _record.Record, published: str | None, fitted: Path | None) -> tuple[list[Constant], list[str]]:
    """The numbers that are bound, and the lines that say where they come from."""
    given = [option for option, value in (("--published", published), ("--fit", fitted)) if value]
    if len(given) + (found.fit is not None) > 1:
        raise ScalingError(f"export {found.name}", "several sets of constants", "give one of a fit, --fit, --published")
    if published:
        return _of_set(found.law, published)
    if fitted:
        from .. import fit

        return _of_fit(fit.load(fitted), found.law)
    return _of_fit(found.fit, found.law) if found.fit else ([], [])


def _of_set(law: Law, name: str) -> tuple[list[Constant], list[str]]:
    from ..codegen.export import Constant

    known = law.published_set(name)
    exact = known.exact()
    bound = [
        Constant(constant, float(exact[constant].evalf(30)), text, name)
        for constant, text in known.constants
        if constant in law.symbols
    ]
    return bound, [f"Constants of {name}: {known.source}{f'; {known.note}' if known.note else ''}"]


def _of_fit(fit: FitResult, law: Law) -> tuple[list[Constant], list[str]]:
    from ..codegen.export import Constant

    if fit.law.form != law.form:
        raise ScalingError(f"bind a fit to {law.name}", f"it is a fit of {fit.law.title}", f"give a fit of {law.name}")
    problem = fit.problem
    sure = {name: f", 95 % {lo:.6g} to {hi:.6g}" for name, lo, hi in fit.intervals}
    fixed = dict(problem.fix)
    bound = [
        Constant(name, float(value), repr(float(value)), ("fixed" if name in fixed else "fitted") + sure.get(name, ""))
        for name, value in fit.estimate.items()
    ]
    versions = ", ".join(f"{package} {version}" for package, version in problem.versions)
    ended = f"{fit.outcome.name}, {len(problem.rows_used)} rows, {problem.residual} residual"
    return bound, [
        f"Fit: {ended}, objective {fit.objective:.6g}",
        f"Data: SHA-256 {problem.digest}; seed {problem.seed}; {versions}",
    ]
