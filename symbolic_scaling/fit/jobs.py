"""Many fits on any executor, answers in order: the one way this package runs work side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

__all__ = ["ordered"]

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_AHEAD = 16  # items handed out beyond the one that is waited for


def ordered(
    work: Callable[[Item], Answer], items: Iterable[Item], executor: Executor | None = None
) -> Iterator[Answer]:
    """``map(work, items)`` on an executor, with only some items taken ahead, so that a long iterable stays one.

    Parameters
    ----------
    work : callable
        A function of a module, where the executor has processes.
    executor : concurrent.futures.Executor, optional
        A pool of processes or threads, or a cluster's; without one the work is done here.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     print(list(ordered(abs, [-1, 2, -3], pool)))
    [1, 2, 3]
    """
    if executor is None:
        yield from map(work, items)
        return
    waiting: deque[Future[Any]] = deque()
    try:
        for item in items:
            waiting.append(executor.submit(work, item))
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
