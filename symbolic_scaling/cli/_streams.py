"""Standard output and standard error of a command, whatever they are: closed, full, gone, or of few letters."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Iterator

from ..errors import ScalingError

__all__ = ["GONE", "held", "put", "tell"]

GONE = 141
"""The exit code where nobody reads standard output to its end: that of a program ended by SIGPIPE."""


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Hold what is printed until the block ends well, then print it; a terminal is written to at once.

    Raises
    ------
    ScalingError
        If standard output is closed.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process
    if sys.stdout is None:
        raise ScalingError("print the answer", "standard output is closed", "leave it open, or send it to a file")
    if sys.stdout.isatty():
        yield
        return
    kept = io.StringIO()
    with contextlib.redirect_stdout(kept):
        yield
    put(kept.getvalue())


def put(text: str) -> None:
    """Print text to standard output, or end with what stands in the way.

    Letters that its encoding lacks become ``\\uXXXX``, which JSON reads back.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_ESCAPED)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop()
        sys.exit(GONE)
    except OSError as error:
        _drop()
        refused = ScalingError("print the answer", error.strerror or str(error), "make room, or print elsewhere")
        tell(f"symscale: {refused}")
        sys.exit(refused.exit_code)


def tell(line: str) -> None:
    """Print a line to standard error, if anything can be printed there."""
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def _drop() -> None:
    """Send to nowhere what standard output still holds: it is flushed once more when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), error.end


_ESCAPED = "symscale_escaped"
codecs.register_error(_ESCAPED, _escape)
