"""A file written whole or not at all: to a new file beside it, which then takes its place in one rename."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole"]


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """An empty file to write to; without an error it becomes ``path``, with the mode of the file that it replaces.

    Where ``path`` is a link, what it leads to is replaced. After an error nothing is left of the new file.

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
    target = Path(os.path.realpath(path))
    place = target.with_name(f".{target.name[:40]}.{secrets.token_hex(8)}.tmp")
    place.touch(exist_ok=False)
    try:
        if target.exists():
            place.chmod(target.stat().st_mode & 0o7777)
        yield place
        os.replace(place, target)
    except BaseException:
        place.unlink(missing_ok=True)
        raise
