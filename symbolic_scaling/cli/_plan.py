"""The questions of ``symscale plan`` that belong to one paper."""

from __future__ import annotations

from dataclasses import replace

import click

from ._common import as_json, show

__all__ = ["kaplan"]

_TABLE = "kaplan2020-table5"


@click.command("kaplan")
@click.option("--compute", default="1 PF-days", show_default=True, help="C_min: FLOP or PF-days.")
@click.option("--batch", metavar="TOKENS", help="The batch; the critical one without it.")
@click.option("--tokens", metavar="D", help="In the data set; what keeps the loss within 2 % without it.")
@click.option("--steps", default=_TABLE, show_default=True, metavar="SET", help="Constants of L(N, S_min).")
@click.option("--data", default="kaplan2020-table2", show_default=True, metavar="SET", help="Constants of L(N, D).")
@click.option("--numbers", is_flag=True, help="Also the paper's own numbers recomputed, each with its verdict.")
@as_json
def kaplan(
    *, compute: str, batch: str | None, tokens: str | None, steps: str, data: str, numbers: bool, as_json: bool
) -> None:
    """Size, steps, batch and data after Kaplan et al. 2020: critical batch, early stopping, contradiction."""
    from .. import laws, plan
    from ..plan import kaplan_printed
    from ..report import of_plan

    tables = plan.Tables(
        steps=plan.source(laws.get("kaplan-ns"), steps),
        batch=plan.source(laws.get("critical-batch"), _TABLE),
        data=plan.source(laws.get("kaplan-nd"), data),
        compute=plan.source(laws.get("kaplan-c"), _TABLE),
        tokens=plan.source(laws.get("kaplan-d"), _TABLE),
    )
    made = plan.kaplan(tables, compute, batch, tokens)
    if numbers:
        made = replace(made, sheets=(*made.sheets, kaplan_printed.printed(tables)))
    show(of_plan.as_json(made), of_plan.blocks(made), as_json)
