"""Interrupts that are not lost.

Python drops a ``KeyboardInterrupt`` that is raised inside a callback of C code, as at the end of a weak reference, or
has it turned into another error, as in a comparison of NumPy. So an interrupt is remembered while a command runs: it is
raised again until the command ends, and whatever the command then ends with was an interrupt.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

__all__ = ["remembered"]

_AGAIN = 2.0  # seconds


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` out of the block if an interrupt came in it; elsewhere than in a command, as ever.

    Examples
    --------
    >>> try:
    ...     with remembered():
    ...         try:
    ...             signal.raise_signal(signal.SIGINT)
    ...         except BaseException:
    ...             pass  # lost
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    interrupted
    """
    came = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or not hasattr(signal, "setitimer"):
        yield
        return
    try:
        before = signal.signal(signal.SIGALRM, hear)
    except ValueError:  # signals are for the main thread
        yield
        return
    signal.signal(signal.SIGINT, hear)
    try:
        yield
    except Exception as error:
        if came:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGALRM, before)
    if came:
        raise KeyboardInterrupt
