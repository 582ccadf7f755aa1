"""Run tables: read, check, select. Nothing here ever writes to its input."""

from __future__ import annotations

from .check import Finding, check, pure_error
from .pieces import digest, pieces
from .read import parquet, read
from .reasons import summary
from .select import Sample, keep, select
from .survey import survey
from .table import Table, group, labels
from .usable import Usable, usable

__all__ = [
    "Finding",
    "Sample",
    "Table",
    "Usable",
    "check",
    "digest",
    "group",
    "keep",
    "labels",
    "parquet",
    "pieces",
    "pure_error",
    "read",
    "select",
    "summary",
    "survey",
    "usable",
]
