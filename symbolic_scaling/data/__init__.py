"""Run tables: read, check, select. Nothing here ever writes to its input."""

from __future__ import annotations

from .check import Finding, check, pure_error
from .read import read
from .select import Sample, keep, select
from .survey import survey
from .table import Table, group

__all__ = ["Finding", "Sample", "Table", "check", "group", "keep", "pure_error", "read", "select", "survey"]
