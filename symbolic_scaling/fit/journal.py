"""A journal of blocks of lines: what a run has finished, safe against being killed at any moment.

The first line is a header that says what is being done. After the lines of each block stands a line with their number,
their SHA-256 and that of the rows they were made of, and the file is flushed to disk once a block. A run that finds its
journal goes on after the last block that is whole: what follows it was being written when the run ended, and is cut
off. The last line of a finished journal says so. Nothing in it depends on time or on the machine, so that a resumed run
ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import DataError

__all__ = ["FORMAT", "Journal", "Pages", "lines"]

FORMAT = "symbolic_scaling journal 1"


class Pages:
    """What a journal is to a run that keeps none: the blocks in memory."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        self.header, self.finished, self.lines = dict(header), False, 0
        self.marks: list[str] = []
        self._blocks: list[bytes] = []

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, *ended: object) -> None:
        pass

    @property
    def blocks(self) -> int:
        """How many there are."""
        return len(self._blocks)

    @property
    def source(self) -> tuple[bytes, ...]:
        """The blocks."""
        return tuple(self._blocks)

    def restart(self, header: Mapping[str, Any]) -> None:
        """As for a journal."""
        self.header = dict(header)
        self._blocks.clear()
        self.marks.clear()

    def append(self, lines: bytes, mark: str) -> None:
        """As for a journal."""
        self._blocks.append(lines)
        self.marks.append(mark)

    def finish(self) -> None:
        """As for a journal."""
        self.finished = True


class Journal:
    """An open journal; made by :meth:`open`, closed by :meth:`close` or as a context.

    Attributes
    ----------
    lines : int
        How many are written.
    marks : list of str
        What each block was made of, as it was given to :meth:`append`.
    finished : bool
    source : Path
        Where it stands.
    """

    def __init__(self, path: Path, file: BinaryIO, header: Mapping[str, Any]) -> None:
        self.source, self.header, self._file = path, dict(header), file
        self.lines, self.finished = 0, False
        self.marks: list[str] = []

    @property
    def blocks(self) -> int:
        """How many are written."""
        return len(self.marks)

    @classmethod
    def open(cls, path: str | os.PathLike[str], header: Mapping[str, Any]) -> Journal:
        """Begin a journal, or go on with the one at ``path`` if its header is the same.

        Raises
        ------
        DataError
            If the file is no journal or one of another run, naming what differs; if another run is writing to it; or if
            the place cannot be written to.
        """
        target = Path(path)
        asked = f"keep the journal {target}"
        if target.exists() and not target.is_file():
            raise DataError(asked, "it is no regular file", "name a file")
        try:
            file = os.fdopen(os.open(target, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666), "r+b")
        except OSError as error:
            raise DataError(asked, error.strerror or str(error), "name a file in a folder that exists") from None
        try:
            _lock(file, asked)
            journal = cls(target, file, header)
            journal._resume(asked)
        except BaseException:
            file.close()
            raise
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *ended: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def restart(self, header: Mapping[str, Any]) -> None:
        """Drop all blocks and begin again under another header."""
        self.header, self.lines, self.finished = dict(header), 0, False
        self.marks.clear()
        self._file.truncate(0)
        self._write(_line({"format": FORMAT, **header}))

    def append(self, lines: bytes, mark: str) -> None:
        """Add a block made of what ``mark`` stands for; it is on disk when this returns."""
        count = lines.count(b"\n")
        self._write(lines + _trailer(self.blocks, count, hashlib.sha256(lines).hexdigest(), mark))
        self.marks.append(mark)
        self.lines += count

    def finish(self) -> None:
        """Say that no block follows."""
        if not self.finished:
            self._write(_line({"end": self.blocks}))
            self.finished = True

    def _write(self, content: bytes) -> None:
        """Put bytes behind what is there, past the file's buffer: after an error nothing waits to be written."""
        left = memoryview(content)
        try:
            while left:
                left = left[os.write(self._file.fileno(), left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            remedy = "make room and repeat the run: it goes on after the last whole block"
            raise DataError(f"keep the journal {self.source}", error.strerror or str(error), remedy) from None

    def _resume(self, asked: str) -> None:
        first = self._file.readline()
        if not first.endswith(b"\n"):  # new, or ended while the header was being written
            begun = _line({"format": FORMAT})[:-2]
            if first[: len(begun)] != begun[: len(first)]:
                raise DataError(asked, "the file is no journal", "name another file")
            self.restart(self.header)
            return
        self.header = _same(_read(first, asked), self.header, asked)
        whole = self._file.tell()
        for end in self._trailers():
            whole = end
        self._file.truncate(whole)

    def _trailers(self) -> Iterator[int]:
        """Where each whole block ends; ``blocks`` and ``finished`` are counted on the way."""
        digest, lines = hashlib.sha256(), 0
        while (line := self._file.readline()).endswith(b"\n"):
            if line.startswith(b'{"block": '):
                mark = line[-67:-3].decode(errors="replace")
                if line != _trailer(self.blocks, lines, digest.hexdigest(), mark):
                    return
                self.marks.append(mark)
                self.lines += lines
                digest, lines = hashlib.sha256(), 0
                yield self._file.tell()
            elif line == _line({"end": self.blocks}) and not lines:
                self.finished = True
                yield self._file.tell()
                return
            else:
                digest.update(line)
                lines += 1


def lines(path: Path) -> Iterator[bytes]:
    """The lines of the blocks of a journal that was read before."""
    with path.open("rb") as file:
        next(file)
        for line in file:
            if not line.startswith((b'{"block": ', b'{"end": ')):
                yield line


def _trailer(block: int, lines: int, digest: str, mark: str) -> bytes:
    return _line({"block": block, "lines": lines, "sha256": digest, "rows": mark})


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _read(first: bytes, asked: str) -> dict[str, Any]:
    try:
        found = json.loads(first)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
        raise DataError(asked, "the file is no journal", "name another file")
    return found


def _same(found: dict[str, Any], wanted: Mapping[str, Any], asked: str) -> dict[str, Any]:
    """The header found, if it is the one wanted; ``grouped`` is what a run found out on its way."""
    wanted = json.loads(json.dumps(wanted))
    for name in dict.fromkeys((*wanted, *found)):
        if name != "grouped" and found.get(name) != wanted.get(name):
            differs = f"it is of a run with {name} {_short(found.get(name))}, this one has {_short(wanted.get(name))}"
            raise DataError(asked, differs, "repeat that run unchanged, or name another file")
    return found


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."


def _lock(file: BinaryIO, asked: str) -> None:
    """Only one run writes to a journal, where the system can say so."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise DataError(asked, "another run is writing to it", "wait for its end, or name another file") from None
