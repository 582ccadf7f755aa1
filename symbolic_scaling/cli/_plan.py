"""The questions of ``symscale plan`` that belong to one paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import ScalingError
from ._command import Command, Option
from ._common import as_json, decimal, find_law, names, pairs, show

if TYPE_CHECKING:
    from ..plan import Plan, Source

__all__ = ["account", "isoflop", "kaplan", "sovit"]

_TABLE = "kaplan2020-table5"


@click.command("account", cls=Command)
@click.option("--shape", multiple=True, required=True, metavar="layers=80,width=8192,...", help="Also mlp, heads, "
              "kv_heads, key, context, vocab, positions=learned|relative|rotary|none, gated=true, and uses: how often "
              "a pass goes through layers that are shared.")  # fmt: skip
@click.option("--tokens", metavar="D", help="Trained on; one sequence without it.")
@click.option("--convention", default="6ND", show_default=True, help="A way of counting; all stand beside it.")
@as_json
def account(*, shape: tuple[str, ...], tokens: str | None, convention: str, as_json: bool) -> None:
    """Parameters and FLOPs of a transformer, part by part, by every convention."""
    from .. import plan

    _print(plan.account(pairs("--shape", shape), tokens, convention), as_json)


@click.command("kaplan", cls=Command)
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

    tables = plan.Tables(
        steps=plan.source(laws.get("kaplan-ns"), steps),
        batch=plan.source(laws.get("critical-batch"), _TABLE),
        data=plan.source(laws.get("kaplan-nd"), data),
        compute=plan.source(laws.get("kaplan-c"), _TABLE),
        tokens=plan.source(laws.get("kaplan-d"), _TABLE),
    )
    made = plan.kaplan(tables, compute, batch, tokens)
    if numbers:
        sheets = (*made.sheets, kaplan_printed.printed(tables))
        made = replace(made, sheets=sheets, notes=(*made.notes, kaplan_printed.NOTE))
    _print(made, as_json)


@click.command("sovit", cls=Command)
@click.option(
    "--shape",
    multiple=True,
    metavar="width=608,depth=10,mlp=928",
    help="The shape, centre or start.",
    cls=Option,
    without=("fit", "grid"),
)
@click.option(
    "--resolution",
    default="224,384,518",
    show_default=True,
    metavar="PIXELS",
    help="For its GFLOPs.",
    cls=Option,
    without=("fit", "grid", "star", "budget"),
)
@click.option(
    "--star",
    multiple=True,
    metavar="width=608,depth=8,mlp=1088",
    help="A sweep down to these sizes.",
    cls=Option,
    without=("fit", "grid", "budget"),
)
@click.option(
    "--count",
    type=click.IntRange(2, 1000),
    default=7,
    show_default=True,
    help="Sizes of each dimension of a star sweep.",
    cls=Option,
    needs={"star": ()},
)
@click.option(
    "--grid",
    multiple=True,
    metavar="width=416:512,depth=6:8,mlp=768",
    help="A sweep of all combinations.",
    cls=Option,
    without=("fit", "budget"),
)
@click.option(
    "--budget", metavar="'9T GFLOP'", help="Scale the shape to this compute, forward FLOPs over all examples."
)
@click.option(
    "--examples",
    default="40B",
    show_default=True,
    help="Images that the scaled shape sees.",
    cls=Option,
    needs={"budget": ()},
    without=("fit",),
)
@click.option(
    "--first-examples",
    metavar="600M",
    help="Images that the small shape saw; as many without it.",
    cls=Option,
    needs={"budget": ()},
    without=("fit",),
)
@click.option(
    "--exponents",
    multiple=True,
    metavar="width=0.22,...",
    help="The s_k; the paper's without it.",
    cls=Option,
    needs={"budget": ()},
    without=("fit", "decoding"),
)
@click.option(
    "--decoding",
    is_flag=True,
    help="The paper's s_k of decoding instead of classification.",
    cls=Option,
    needs={"budget": ()},
    without=("fit",),
)
@click.option(
    "--beside",
    multiple=True,
    metavar="width=1152,...",
    help="A shape to compare the scaled one with.",
    cls=Option,
    needs={"budget": ()},
    without=("fit",),
)
@click.option("--fit", type=click.Path(path_type=Path), help="A fit of sovit to a sweep: the best size at --budget.")
@as_json
def sovit(
    *, shape: tuple[str, ...], resolution: str, star: tuple[str, ...], count: int, grid: tuple[str, ...],
    budget: str | None, examples: str, first_examples: str | None, exponents: tuple[str, ...], decoding: bool,
    beside: tuple[str, ...], fit: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Shapes of vision transformers: parameters and GFLOPs, sweeps, best sizes, scaling to a budget."""
    from .. import plan
    from ..plan import shapes

    sizes = pairs("--shape", shape)
    if fit is not None:
        made = _best(fit, budget)
    elif grid:
        made = _sweep(plan.grid({k: v.split(":") for k, v in pairs("--grid", grid).items()}))
    elif star:
        made = _sweep(plan.star(sizes, pairs("--star", star), count))
    elif budget is not None:
        own: Mapping[str, object] = shapes.DECODING if decoding else shapes.CLASSIFICATION
        made = plan.scale(
            sizes, budget, examples, exponents=pairs("--exponents", exponents) or own, first_examples=first_examples,
            beside=pairs("--beside", beside) or None,
        )  # fmt: skip
    else:
        made = plan.image(sizes, tuple(names(resolution)))
    _print(made, as_json)


def _best(path: Path, budget: str | None) -> Plan:
    from .. import fit, plan

    if budget is None:
        raise ScalingError("find the best size", "no compute is given", "say --budget 1e12")
    return plan.best_size(plan.source(fit=fit.load(path)), budget)


def _sweep(sheet: object) -> Plan:
    from .. import plan
    from ..plan.vit import CONVENTION

    assert isinstance(sheet, plan.Sheet)
    return plan.Plan(f"{sheet.title} of {len(sheet.rows)} shapes", CONVENTION, (), (), (sheet,))


@click.command("isoflop", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--n", "size", required=True, metavar="COLUMN", help="The size.")
@click.option("--compute", required=True, metavar="COLUMN", help="The budget.")
@click.option("--y", required=True, metavar="COLUMN", help="The response.")
@click.option("--tolerance", default="10%", show_default=True, help="How far budgets of one slice lie apart.")
@click.option("--law", metavar="LAW", help="The bias of each parabola by this law.", cls=Option, without=("fit",))
@click.option("--published", metavar="SET", help="Printed constants of --law.", cls=Option, needs={"law": ()})
@click.option("--fit", type=click.Path(path_type=Path), help="A fit whose law gives the bias.")
@click.option("--cost", metavar="6*N*D", help="The cost of a run; the law's own without it.")
@decimal
@as_json
def isoflop(
    *, data: Path, size: str, compute: str, y: str, tolerance: str, law: str | None, published: str | None,
    fit: Path | None, cost: str | None, decimal: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Best sizes of slices of equal budget in DATA, by parabolas, with their bias."""
    from .. import data as tables
    from .. import plan

    table = tables.read(data, decimal_mark=decimal)
    columns = [table.numbers(name).values for name in (size, compute, y)]
    rows = [(float(n), float(c), float(v)) for n, c, v in zip(*columns, strict=True) if n > 0 and c > 0 and v > 0]
    made = plan.isoflop(rows, tolerance, _chosen(law, published, fit), cost)
    lost = len(columns[0]) - len(rows)
    note = (f"{lost} of {len(columns[0])} rows have a cell that is missing or not above zero, and are left out",)
    _print(replace(made, notes=(*made.notes, *(note if lost else ()))), as_json)


def _chosen(law: str | None, published: str | None, path: Path | None) -> Source | None:
    from .. import plan

    if path is not None:
        from .. import fit

        return plan.source(fit=fit.load(path))
    return plan.source(find_law(law), published) if law is not None else None


def _print(made: Plan, as_json: bool) -> None:
    from ..report import of_plan

    show(of_plan.as_json(made), of_plan.blocks(made), as_json)
