"""A record written to a file; the ending of its name chooses the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..errors import ScalingError
from ..records import Verdict
from . import as_json, latex, markdown, text
from .write import file, json_text

__all__ = ["check", "write"]

_FORMATS: dict[str, Callable[[Any, Iterable[Verdict]], str]] = {
    ".md": markdown,
    ".tex": latex,
    ".txt": lambda record, verdicts: text(record, verdicts) + "\n",
    ".json": lambda record, verdicts: json_text(as_json(record, verdicts)),
}


def check(path: Path) -> None:
    """Raise :class:`ScalingError` unless the ending of ``path`` names a format; for asking before a long job."""
    if path.suffix not in _FORMATS:
        raise ScalingError(f"write {path}", f"the ending {path.suffix!r}", f"end the name in {', '.join(_FORMATS)}")


def write(record: Any, path: Path, verdicts: Iterable[Verdict] = ()) -> Path:
    """Write ``record`` atomically as Markdown, LaTeX, text or JSON.

    Raises
    ------
    ScalingError
        If the ending names no format, or the place cannot be written to.
    """
    check(path)
    return file(path, _FORMATS[path.suffix](record, tuple(verdicts)))
