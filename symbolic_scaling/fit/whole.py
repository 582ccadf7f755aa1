"""A file written whole: to a new file beside it, which then takes its name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole"]


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """An empty file beside ``path`` to write to, readable as any new file is; without an error it becomes ``path``.

    Raises
    ------
    OSError
        If the folder cannot be written to.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole(Path(folder, "kept.txt")) as place:
    ...         _ = place.write_text("all of it")
    ...     Path(folder, "kept.txt").read_text()
    'all of it'
    """
    place = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}.tmp")
    place.touch(exist_ok=False)
    try:
        yield place
        os.replace(place, path)
    except BaseException:
        place.unlink(missing_ok=True)
        raise
