"""``python -m symbolic_scaling`` and ``symscale``: the command line."""

from __future__ import annotations

import os
import sys
import threading

__all__ = ["main"]

FAILED, STOPPED = 2, 3
_PATIENCE = 2.0  # seconds in which a thread ends


def main() -> None:
    """Run the command line and exit with its code.

    A command that was stopped leaves without the interpreter's own way out: where the interrupt came inside an ``exec``
    of the standard library, CPython remembers it and would end on the signal, whatever code was asked for. So does one
    that failed while a thread waits for the rest of an answer of a process that was ended: that never comes.
    """
    from .cli import main as run

    try:
        run()
    except SystemExit as end:
        if end.code != STOPPED and not (end.code == FAILED and _left_waiting()):
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code)


def _left_waiting() -> bool:
    """Whether a thread that the interpreter would wait for does not end."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(_PATIENCE)
            if thread.is_alive():
                return True
    return False


if __name__ == "__main__":
    main()
