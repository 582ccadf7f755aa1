"""Interrupts reach every test and what it starts, though pytest itself was started where they are ignored.

A shell that is not interactive starts a job in the background so, and a process hands it on to those that it starts.
"""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Hear interrupts as a command in the foreground does."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
