"""``python -m symbolic_scaling`` and ``symscale``: the command line."""

from __future__ import annotations

import os
import sys

__all__ = ["main"]

STOPPED = 3


def main() -> None:
    """Run the command line and exit with its code.

    A command that was stopped leaves without the interpreter's own way out: where the interrupt came inside an ``exec``
    of the standard library, CPython remembers it and would end on the signal, whatever code was asked for.
    """
    from .cli import main as run

    try:
        run()
    except SystemExit as end:
        if end.code != STOPPED:
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(STOPPED)


if __name__ == "__main__":
    main()
