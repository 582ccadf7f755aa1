"""A pool of processes that ends at once when its command is interrupted."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from threading import Thread

from ..errors import ScalingError

__all__ = ["workers"]

_PATIENCE = 5.0  # seconds in which a process ends when it is told to


@contextlib.contextmanager
def workers(count: int | None, pieces: int | None = None) -> Iterator[Executor | None]:
    """A pool of processes, or None for one; an exception ends the processes and drops what is queued.

    There are ``count`` of them, or fewer: no more than cores, and no more than ``pieces`` of work where these are
    counted.

    The processes never see an interrupt from the keyboard: this process does, and ends them.

    Raises
    ------
    ScalingError
        If a process cannot be started, or ended before its work was done.
    """
    count = max(1, min(n for n in (count, pieces, _cores()) if n is not None))
    if count == 1:
        yield None
        return
    others = set(active_children())
    executor = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_begin)
    try:
        _start(executor, count)
        yield executor
    except BaseException as error:
        with _interrupts_held():
            # apart and without waiting for long: the pool's thread may hold its lock, or wait for one that died
            dropping = Thread(target=executor.shutdown, kwargs={"wait": False, "cancel_futures": True}, daemon=True)
            with contextlib.suppress(RuntimeError):  # no thread, for want of memory: what came first is told
                dropping.start()
            ours = [process for process in active_children() if process not in others]
            for process in ours:
                process.terminate()
            for process in ours:
                process.join(_PATIENCE)
                process.kill()
            if dropping.ident is not None:
                dropping.join(_PATIENCE)
        if isinstance(error, BrokenProcessPool):
            found = "one of them was ended from outside, or ran out of memory"
            raise ScalingError(f"work in {count} processes", found, "work in one, or with more memory") from None
        raise
    executor.shutdown()


def _start(executor: Executor, count: int) -> None:
    """Start the processes, which begin with the signals that are held here."""
    try:
        with _interrupts_held():
            for _ in range(count):
                executor.submit(_deaf)
    except (RuntimeError, OSError) as error:  # no thread, no process
        found = f"they cannot be started: {error}"
        raise ScalingError(f"work in {count} processes", found, "work in one, or with more memory") from None


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _begin() -> None:
    """A process is deaf to interrupts and ends with the one that started it, however that ends."""
    _deaf()
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _deaf() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Interrupts wait until the end of the block, where the system can do that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGALRM})  # the second repeats the first
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
