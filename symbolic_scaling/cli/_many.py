"""``symscale fit DATA --by ... --out FILE``: every curve of a large table, a line each, with a journal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ScalingError
from . import _objective, _outputs, _pool
from ._common import show, tally

if TYPE_CHECKING:
    from ..law import Law
    from ..report.blocks import Block

__all__ = ["run"]

_ALONE = ("share", "prune", "certify", "save", "picture", "drop_highest", "until_peak")


def run(
    law: Law, x: dict[str, str], let: dict[str, str], asked: dict[str, Any], *, out: Path | None, json: bool
) -> int:
    """Fit the curves, write them down, and say how they ended; 2 if any has no fit, 1 if any did not end well."""
    from .. import data, fit
    from ..fit import output

    foreign = [f"--{name.replace('_', '-')}" for name in _ALONE if asked.get(name)]
    foreign += ["--on-bad raise"] * (asked["on_bad"] == "raise")
    if foreign:
        raise ScalingError("fit many curves into a file", f"{foreign[0]} is given", "leave out --out and --journal")
    journal = asked["journal"]
    _outputs.check({"--out": out, "--journal": journal}, reads=[asked["data"]])
    if out is not None:
        output.check(out)
    rows: dict[str, Any] = {name: asked[name] for name in ("where", "start", "stop")} | _objective.columns(asked)
    mark = asked["decimal"]
    with _pool.workers(asked["jobs"]) as executor, tally("curves fitted") as progress:
        fits = fit.many(
            data.read(asked["data"], decimal_mark=mark) if mark else asked["data"],
            by=asked["by"],
            x=x,
            y=asked["y"],
            law=law,
            let=let,
            **rows,
            executor=executor,
            journal=journal,
            progress=progress,
            **_objective.read(asked),
        )
    if out is not None:
        fits.write(out)
    return _told(law, fits.outcomes(), [str(path) for path in (out, journal) if path is not None], json)


def _told(law: Law, ended: Mapping[str, int], files: list[str], json: bool) -> int:
    """Print how many curves ended in each way, and where they are; 2 if any has no fit, 1 if any did not end well."""
    from ..fit import Outcome
    from ..report.blocks import Heading, Paragraph, Table

    page: tuple[Block, ...] = (
        Heading(f"{law.name} fitted to {sum(ended.values())} curves"),
        Table(("outcome", "curves"), tuple((name, str(count)) for name, count in ended.items())),
        *(Paragraph(f"Written: {path}") for path in files),
    )
    show({"curves": sum(ended.values()), "outcomes": dict(ended), "files": files}, page, json)
    if "ERROR" in ended:
        return 2
    good = {outcome.name for outcome in Outcome if outcome.success}
    return 0 if set(ended) <= good else 1
