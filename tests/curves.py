"""The 92 learning curves of arXiv 2209.06640, from the run tables that ``SYMBOLIC_SCALING_DATA`` names."""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")
needs_tables = pytest.mark.skipif(not FOLDER, reason="SYMBOLIC_SCALING_DATA does not name the folder of run tables")


@cache
def read():
    """(domain, task, model) -> x, y of the training rows and of the held-out rows."""
    rows = defaultdict(lambda: ([], [], [], []))
    for name in ("benchmark.vision.csv", "benchmark.lang.csv"):
        with (Path(FOLDER) / name).open(newline="") as file:
            for row in csv.DictReader(file):
                split = 0 if row["Training"] == "1" else 2
                columns = rows[row["Domain"], row["Task"], row["Model"]]
                columns[split].append(float(row["Seen Examples"]))
                columns[split + 1].append(float(row["Loss"]))
    assert len(rows) == 92
    return {key: tuple(np.array(column) for column in columns) for key, columns in rows.items()}


def training():
    """x, y of the training rows of every curve."""
    return [(x, y) for x, y, _, _ in read().values()]
