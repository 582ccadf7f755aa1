"""The four empirical sentences of arXiv 2209.06640, each judged by a rule of ours that is stated with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from ...fit.backtest import Backtest, Row

__all__ = ["Sentence", "judge"]

IMAGES, TEXT = "IC", "LM"
FAMILIES = (("BiT/50/1", "BiT/101/3"), ("ViT/S/16", "ViT/B/16"), ("MiX/B/16", "MiX/L/16"))  # smaller, larger
SHARE, THIRD, NEAR, MORE = 0.7, -1 / 3, 0.05, 1.001


@dataclass(frozen=True)
class Sentence:
    """What the paper says, the rule that decides, and the answer; None where the curves do not speak of it."""

    says: str
    rule: str
    reproduced: bool | None
    numbers: str


def judge(ran: Backtest) -> tuple[Sentence, ...]:
    """The four sentences on a backtest of M1 to M4 under one residual.

    Parameters
    ----------
    ran : Backtest
        Groups ``IC`` (images) and ``LM`` (language models), columns Task and Model, as the released tables have them.
    """
    return (_wins(ran), _families(ran), _steepest(ran), _third(ran))


def _wins(ran: Backtest) -> Sentence:
    rates = {each.contender.law.name: each.win_rate for each in ran.summary if each.group == IMAGES}
    return Sentence(
        "M4 is best on over 70 % of the image tasks",
        f"its share of wins, truncated RMSE with ties split, exceeds {SHARE:.0%}",
        rates["m4"] > SHARE if "m4" in rates else None,
        ", ".join(f"{name} {rate:.1%}" for name, rate in rates.items()),
    )


def _families(ran: Backtest) -> Sentence:
    sizes = {(dict(row.by).get("Task"), dict(row.by).get("Model")): _size(row) for row in _of(ran, "m4") if row.fit}
    counts = []
    for smaller, larger in FAMILIES:
        tasks = [task for task, model in sizes if model == smaller and (task, larger) in sizes]
        counts.append((larger, sum(sizes[task, larger] > sizes[task, smaller] for task in tasks), len(tasks)))
    return Sentence(
        "within a family the larger model has the larger |c|",
        "by M4, in more than half of the tasks of every family",
        all(2 * more > tasks for _, more, tasks in counts) if all(tasks for *_, tasks in counts) else None,
        ", ".join(f"{larger} on {more} of {tasks} tasks" for larger, more, tasks in counts if tasks),
    )


def _steepest(ran: Backtest) -> Sentence:
    counts = {}
    for group in dict.fromkeys(row.group for row in ran.rows):
        sizes: dict[str, dict[object, float]] = {}
        for row in ran.rows:
            if row.group == group and row.fit:
                sizes.setdefault(row.contender.law.name, {})[row.by] = _size(row)
        m4, others = sizes.pop("m4", {}), list(sizes.values())
        more = sum(all(size > MORE * other.get(by, 0.0) for other in others) for by, size in m4.items())
        counts[group] = (more, len(m4))
    return Sentence(
        "M4's |c| exceeds the others'",
        "by more than a thousandth, on more than half of the curves of every group",
        all(2 * more > curves for more, curves in counts.values())
        if any(known for _, known in counts.values())
        else None,
        ", ".join(f"{group} {more} of {curves}" for group, (more, curves) in counts.items()),
    )


def _third(ran: Backtest) -> Sentence:
    found = {
        name: [row.estimate["c"] for row in _of(ran, name) if row.group == TEXT and row.fit] for name in ("m2", "m4")
    }
    return Sentence(
        "the exponents of language models are near -1/3 for M2 and M4",
        f"the mean of c lies within {NEAR:g} of -1/3 for both",
        all(abs(fmean(c) - THIRD) <= NEAR for c in found.values()) if all(found.values()) else None,
        ", ".join(f"{name} {fmean(c):.3f} ({min(c):.3f} to {max(c):.3f})" for name, c in found.items() if c),
    )


def _of(ran: Backtest, law: str) -> Iterable[Row]:
    return (row for row in ran.rows if row.contender.law.name == law)


def _size(row: Row) -> float:
    return abs(row.estimate["c"])
