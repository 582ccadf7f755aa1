"""The header of a journal: all that the lines of a run of many curves depend on, as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import data
from . import law_record
from .ask import versions
from .block import Job
from .feed import Columns

__all__ = ["header"]


def header(job: Job, columns: Columns, source: Any, rows: int) -> dict[str, Any]:
    """What makes two runs the same: the law and how it is searched, the options, the table, and what works on it."""
    law = law_record.as_json(job.law)
    return {
        "law": job.law.name,
        "form": " = ".join(law["form"]),
        "parameters": {item["symbol"][0]: _searched(item) for item in law["parameters"]},
        "inputs": [item["symbol"] for item in law["variables"]],
        "domain": [*law["ranges"], *law["relations"]],
        "options": {name: job.options[name] for name in sorted(job.options)},
        "by": list(columns.by),
        "x": dict(columns.x),
        "y": columns.y,
        **columns.more,
        "rows": {name: value for name, value in columns.options.items() if value},
        "data": data.digest(source),
        "block": rows,
        "versions": dict(versions()),
    }


def _searched(item: Mapping[str, Any]) -> dict[str, Any]:
    """What a search asks of a parameter."""
    return {name: item[name] for name in ("symbol", "start", "above", "below", "closed")}
