"""Files written whole or not at all: everything goes to a neighbour first and takes its place in one rename."""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..atomic_write import whole
from ..errors import ScalingError

__all__ = ["file", "folder", "json_text", "vacant"]

_MARK = ".symscale-report"


def json_text(value: Any) -> str:
    """JSON with two spaces of indent; ``inf`` as the text ``oo``, a missing number as null.

    Examples
    --------
    >>> json_text({"box": (0.0, float("inf")), "gap": float("nan")}).split()
    ['{', '"box":', '[', '0.0,', '"oo"', '],', '"gap":', 'null', '}']
    """
    return json.dumps(_finite(value), indent=2, allow_nan=False) + "\n"


def file(path: Path, content: str | bytes) -> Path:
    """Write one file atomically and return its path.

    Raises
    ------
    ScalingError
        If the place cannot be written to.
    """
    try:
        with whole(path) as made:
            made.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def folder(path: Path, fill: Callable[[Path], None]) -> list[Path]:
    """Let ``fill`` write into a new folder, then put it at ``path`` as a whole.

    An existing folder is replaced only if it is empty, or holds nothing but what this function put there.

    Returns
    -------
    list of Path
        The files at their final place, sorted.

    Raises
    ------
    ScalingError
        If ``path`` holds something else, or its parent cannot be written to.
    """
    path = Path(os.path.abspath(path))
    vacant(path)
    made = _neighbour(path)
    try:
        made.mkdir(parents=True)
        fill(made)
        names = _files(made)
        (made / _MARK).write_text("\n".join(names) + "\n", encoding="utf-8")
        _put(made, path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return [path / name for name in names]


def _put(made: Path, path: Path) -> None:
    """Swap ``made`` in; the old folder stands aside until the new one is in place."""
    vacant(path)
    aside = _neighbour(path)
    if path.exists():
        os.replace(path, aside)
    try:
        os.replace(made, path)
    except OSError:
        if aside.exists():
            os.replace(aside, path)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def vacant(path: Path) -> None:
    """Raise :class:`ScalingError` if something stands at ``path`` that :func:`folder` did not put there."""
    if not path.exists() and not path.is_symlink():
        return
    ours = path.is_dir() and not path.is_symlink()
    if ours and any(path.iterdir()):
        mark = path / _MARK
        ours = mark.is_file() and set(_files(path)) <= set(mark.read_text(encoding="utf-8").splitlines())
    if not ours:
        raise ScalingError(
            f"write the folder {path}", "something stands there that this command did not make", "name another folder"
        )


def _files(path: Path) -> list[str]:
    inside = (item for item in path.rglob("*") if not item.is_dir() and item.name != _MARK)
    return sorted(item.relative_to(path).as_posix() for item in inside)


def _neighbour(path: Path) -> Path:
    return path.parent / f".{path.name}.{secrets.token_hex(4)}"


def _unwritable(path: Path, error: OSError) -> ScalingError:
    return ScalingError(f"write {path}", error.strerror or str(error), "name a place that exists and can be written to")


def _finite(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case bool() | int() | str() | None:
            return value
    if isinstance(value, float) or hasattr(value, "__float__"):
        number = float(value)
        if math.isnan(number):
            return None
        return number if math.isfinite(number) else ("oo" if number > 0 else "-oo")
    raise TypeError(f"not JSON: {value!r}")
