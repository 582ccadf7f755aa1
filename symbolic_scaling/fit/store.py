"""Fits as JSON files: everything that repeats them, the law included, as plain text that the grammar reads back."""

from __future__ import annotations

import json
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..atomic_write import whole
from ..errors import DataError, ScalingError, refuse_printed
from . import law_record, schema
from .ends import Interval
from .result import Certificate, FitProblem, FitResult, Minimum, Outcome

__all__ = ["from_dict", "load", "read", "save", "to_dict"]

_FORMAT = "symbolic_scaling fit 1"


def save(result: FitResult, path: str | PathLike[str]) -> None:
    """Write ``result`` to ``path``: to a temporary file in the same folder, then renamed.

    Raises
    ------
    DataError
        If the place cannot be written to.
    """
    target = Path(path)
    try:
        with whole(target) as place:
            place.write_text(json.dumps(to_dict(result), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        remedy = "name a file in a folder that exists and can be written to"
        raise DataError(f"save {target}", error.strerror or str(error), remedy) from None


def load(path: str | PathLike[str]) -> FitResult:
    """Read a fit that :meth:`FitResult.save` wrote.

    Raises
    ------
    DataError
        If the file is no such fit.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"load {path}", str(error), "give a file that FitResult.save wrote") from None
    return read(text, str(path))


def read(text: str, name: str) -> FitResult:
    """The fit in the text of a file of this name; errors as for :func:`load`."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"load {name}", str(error), "give a file that FitResult.save wrote") from None
    refuse_printed(content, f"load {name}")
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise DataError(f"load {name}", "it is not a saved fit", "give a file that FitResult.save wrote")
    try:
        return from_dict(content)
    except (LookupError, TypeError, ValueError, OverflowError, ScalingError) as error:
        missing = f"{error} is missing" if isinstance(error, KeyError) else f"it does not read as a fit: {error}"
        raise DataError(f"load {name}", missing, "give a file that FitResult.save wrote, unchanged") from None


def to_dict(result: FitResult) -> dict[str, Any]:
    """A fit as plain JSON values."""
    problem = result.problem
    return {
        "format": _FORMAT,
        "law": law_record.as_json(problem.law),
        "residual": problem.residual,
        "x": {name: values.tolist() for name, values in problem.x},
        "y": problem.y.tolist(),
        "counts": problem.counts.tolist(),
        "fix": dict(problem.fix),
        "bounds": {name: list(pair) for name, pair in problem.bounds},
        **_asked(problem),
        "seed": problem.seed,
        "target": problem.target,
        "rows_used": list(problem.rows_used),
        "places": list(problem.places),
        "rows_dropped": [{"row": row, "why": why} for row, why in problem.rows_dropped],
        "digest": problem.digest,
        "versions": dict(problem.versions),
        "outcome": result.outcome.name,
        "box": {text: [lo, hi] for text, lo, hi in result.box},
        "minima": [{**asdict(m), "constants": m.estimate, "walls": list(m.walls)} for m in result.minima],
        "certificate": asdict(result.certificate),
        "degrees_of_freedom": result.degrees_of_freedom,
        "standard_errors": dict(result.standard_errors),
        "intervals": {name: [lo, hi] for name, lo, hi in result.intervals},
        "notes": list(result.notes),
        "pure_error": result.pure_error,
        "derived": [each.as_json() for each in result.derived],
    }


def from_dict(content: dict[str, Any]) -> FitResult:
    """The fit that :func:`to_dict` wrote."""
    schema.check(content)
    problem = FitProblem(
        law=law_record.from_json(content["law"]),
        residual=content["residual"],
        x=tuple((name, np.array(values, dtype=np.float64)) for name, values in content["x"].items()),
        y=np.array(content["y"], dtype=np.float64),
        counts=np.array(content["counts"], dtype=np.float64),
        fix=tuple(content["fix"].items()),
        bounds=tuple((name, (lo, hi)) for name, (lo, hi) in content["bounds"].items()),
        seed=content["seed"],
        target=content.get("target", "numpy"),
        rows_used=tuple(content["rows_used"]),
        places=tuple(content.get("places", ())),
        rows_dropped=tuple((item["row"], item["why"]) for item in content["rows_dropped"]),
        digest=content["digest"],
        versions=tuple(content["versions"].items()),
        **_asked_from(content),
    )
    schema.check_lengths(problem)
    names = [symbol.name for symbol in problem.law.constants]
    minima = [
        Minimum(**{**m, "constants": tuple((name, m["constants"][name]) for name in names), "walls": tuple(m["walls"])})
        for m in content["minima"]
    ]
    if not minima:
        raise ValueError("it has no minimum")
    pure = content["pure_error"]
    return FitResult(
        problem=problem,
        outcome=Outcome[content["outcome"]],
        minima=tuple(minima),
        box=tuple((text, lo, hi) for text, (lo, hi) in content["box"].items()),
        certificate=_certificate(content["certificate"]),
        degrees_of_freedom=content["degrees_of_freedom"],
        standard_errors=tuple(content["standard_errors"].items()),
        intervals=tuple((name, lo, hi) for name, (lo, hi) in content["intervals"].items()),
        notes=tuple(content["notes"]),
        pure_error=None if pure is None else (pure[0], pure[1]),
        derived=tuple(Interval.from_json(item) for item in content.get("derived", ())),
    )


def _certificate(content: dict[str, Any]) -> Certificate:
    cells = {"edges": tuple(map(tuple, content.get("edges", ()))), "tree": tuple(content.get("tree", ()))}
    return Certificate(**{**content, **cells})


def _asked(problem: FitProblem) -> dict[str, Any]:
    """Loss, weights, priors and ties."""
    columns = {"weights": problem.weights, "sigma": problem.sigma}
    return {
        "loss": problem.loss,
        "delta": problem.delta,
        "reduce": problem.reduce,
        **{name: None if values is None else values.tolist() for name, values in columns.items()},
        "priors": {text: [value, deviation] for text, value, deviation in problem.priors},
        "noise": problem.noise,
        "tie": dict(problem.tie),
    }


def _asked_from(content: dict[str, Any]) -> dict[str, Any]:
    """What :func:`_asked` wrote; files from before there was any of it have squares and nothing else."""
    columns = {name: content.get(name) for name in ("weights", "sigma")}
    return {
        **{name: content[name] for name in ("loss", "delta", "reduce", "noise") if name in content},
        **{name: None if values is None else np.array(values, dtype=np.float64) for name, values in columns.items()},
        "priors": tuple((text, value, deviation) for text, (value, deviation) in content.get("priors", {}).items()),
        "tie": tuple(content.get("tie", {}).items()),
    }
