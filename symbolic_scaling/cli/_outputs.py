"""Where a command may write: decided before its work starts, so that nothing is lost and no work is in vain."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import ScalingError

__all__ = ["check", "new"]


def check(
    files: Mapping[str, Path | None],
    folders: Mapping[str, Path | None] | None = None,
    reads: Iterable[str | Path] = (),
) -> None:
    """Refuse an output that cannot be written, that is read by the same command, or that another option names too.

    Parameters
    ----------
    files, folders : mapping
        Option -> what it writes; None where the option is not given.
    reads : iterable of paths
        The files that the command reads.

    Raises
    ------
    ScalingError
        Naming the option and what stands at its path.
    """
    wanted = {option: path for option, path in files.items() if path is not None}
    places = {option: path for option, path in (folders or {}).items() if path is not None}
    read = [Path(path) for path in reads]
    for option, path in wanted.items():
        if source := next((one for one in read if _same(one, path)), None):
            _refuse(option, path, f"it is the input {source}, which it would replace", "name another file")
        _file(option, path)
    for option, path in places.items():
        if source := next((one for one in read if _inside(one, path)), None):
            _refuse(option, path, f"the input {source} lies in it and would be replaced", "name another folder")
        _folder(option, path)
    taken: list[tuple[str, Path]] = []
    for option, path in {**wanted, **places}.items():
        if twin := next((one for one, at in taken if _same(at, path)), None):
            _refuse(option, path, f"{twin} writes there too", "give each output a place of its own")
        taken.append((option, path))


def new(option: str, path: Path | None) -> None:
    """Refuse an output file that is there already: people fill it in by hand."""
    if path is not None and os.path.lexists(path):
        _refuse(option, path, "it exists, and what was filled in there would be lost", "name a new file, or delete it")


def _file(option: str, path: Path) -> None:
    """Whether a file can be put at ``path``, found out by making one beside it."""
    if path.is_dir():
        _refuse(option, path, "it is a folder", f"name a file in it, {path / 'name'}")
    if path.exists() and not path.is_file():
        _refuse(option, path, "it is no regular file", "name a file")
    if not path.parent.is_dir():
        _refuse(option, path, f"there is no folder {path.parent}", "make the folder first, or name another")
    _writable(option, path, path.parent)


def _folder(option: str, path: Path) -> None:
    """Whether a folder can be put at ``path``: nothing foreign stands there, and its parent can be made and written."""
    from ..report import write

    write.vacant(path)
    parents = Path(os.path.abspath(path)).parents
    _writable(option, path, next(parent for parent in parents if parent.exists()))


def _writable(option: str, path: Path, parent: Path) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=parent, prefix=f".{path.name[:40]}."):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        _refuse(option, path, f"nothing can be written to {parent} ({why})", "name another folder")


def _refuse(option: str, path: Path, found: str, remedy: str) -> None:
    raise ScalingError(f"write {option} {path}", found, remedy)


def _same(one: Path, other: Path) -> bool:
    """Whether two paths mean one file, through links, ``..`` and hard links."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    return one.exists() and other.exists() and os.path.samefile(one, other)


def _inside(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(folder)) in (Path(os.path.realpath(path)), *Path(os.path.realpath(path)).parents)
