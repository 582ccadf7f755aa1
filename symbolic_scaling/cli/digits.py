"""``symscale digits LAW``: how many digits of each constant a paper must print for its frontier to hold."""

from __future__ import annotations

import click

from ._command import Command
from ._common import as_json, find_law, show, working

__all__ = ["command"]


@click.command("digits", cls=Command)
@click.argument("law")
@click.option("--published", metavar="SET", help="The published constants; the law's first set without it.")
@click.option("--percent", default="1", show_default=True, help="How far each outcome may move.")
@click.option("--compute", default="5.76e23", show_default=True, help="The budget, such as 1e24 or '1e24 FLOP'.")
@click.option("--cost", metavar="6*N*D", help="The cost of a run; the law's own without it.")
@click.option("--budget", type=float, default=60.0, show_default=True, help="Seconds it may take.")
@as_json
def command(
    *, law: str, published: str | None, percent: str, compute: str, cost: str | None, budget: float, as_json: bool
) -> int:
    """How many digits of each constant of LAW keep the optimal inputs and the response within some percent."""
    from .. import budget as clock
    from ..catalogue.digits import digits
    from ..report import of_digits

    with clock.limit(budget), working() as say:
        say(f"enclosing the frontier of {law}")
        found = digits(find_law(law), published, percent, compute, cost)
    show(of_digits.as_json(found), of_digits.blocks(found), as_json)
    return 0
