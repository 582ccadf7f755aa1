"""Wall-clock budgets: a deadline that every step checks, size bounds, and a worker that can be killed.

``with limit(seconds):`` sets a deadline for everything called inside; an inner limit can only shorten it.
Our own loops call :func:`check`. Foreign calls that could run long go through :func:`killable`, which runs them in a
separate process with a memory cap and ends it when the deadline passes. No signals, so it works in any thread.

What a budget ended is no answer, even where somebody caught the error and went on: :func:`watched` lists it, and
:func:`cached`, the package's one memory of answers, keeps none that came of it.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from fractions import Fraction
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from .errors import BudgetExhausted, ScalingError

__all__ = ["BITS", "cached", "check", "killable", "limit", "power_bits", "remaining", "watched"]

P = ParamSpec("P")
T = TypeVar("T")

_KEPT = 512  # answers of one function

BITS = 14_000
"""Largest exact number that is ever built: Python writes integers of at most 4300 digits."""

_DEADLINE: ContextVar[float] = ContextVar("deadline", default=float("inf"))
_WATCHING: ContextVar[tuple[list[str], ...]] = ContextVar("watching", default=())


@contextlib.contextmanager
def limit(seconds: float | None) -> Iterator[None]:
    """Give everything inside at most ``seconds`` of wall-clock time; None adds no limit.

    Examples
    --------
    >>> with limit(60):
    ...     remaining() <= 60
    True
    """
    if seconds is not None and not seconds > 0:
        raise ScalingError("set a budget", f"{seconds} seconds", "give a positive number of seconds")
    until = float("inf") if seconds is None else time.monotonic() + seconds
    token = _DEADLINE.set(min(until, _DEADLINE.get()))
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def remaining() -> float:
    """Seconds left, ``inf`` without a limit."""
    return _DEADLINE.get() - time.monotonic()


def check(doing: str) -> None:
    """Raise :class:`BudgetExhausted` if the deadline has passed.

    Examples
    --------
    >>> check("count")
    """
    if remaining() <= 0:
        raise _ended(doing, "the time budget ran out", "give a larger --budget or a smaller problem")


def _ended(doing: str, found: str, remedy: str) -> BudgetExhausted:
    for cut in _WATCHING.get():
        cut.append(doing)
    return BudgetExhausted(doing, found, remedy)


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """The list of what a budget ends inside, whoever catches the error.

    Examples
    --------
    >>> with watched() as cut, contextlib.suppress(BudgetExhausted), limit(1e-9):
    ...     check("count")
    >>> cut
    ['count']
    """
    cut: list[str] = []
    token = _WATCHING.set((*_WATCHING.get(), cut))
    try:
        yield cut
    finally:
        _WATCHING.reset(token)


class _Unkept(Exception):
    """Carries an answer past the memory of answers."""

    def __init__(self, answer: Any) -> None:
        super().__init__(answer)
        self.answer = answer


def cached(function: Callable[P, T]) -> Callable[P, T]:
    """Remember the last answers of a function, but none on whose way a budget ended something.

    Examples
    --------
    >>> @cached
    ... def double(x):
    ...     print("doubling")
    ...     return 2 * x
    >>> double(2) + double(2)
    doubling
    8
    """

    @functools.lru_cache(_KEPT)
    def kept(*arguments: Any, **named: Any) -> T:
        with watched() as cut:
            answer = function(*arguments, **named)
        if cut:
            raise _Unkept(answer)
        return answer

    @functools.wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return kept(*arguments, **named)  # type: ignore[arg-type]
        except _Unkept as passed:
            answer: T = passed.answer
            return answer

    call.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
    return call


def power_bits(bits: int, exponent: Fraction) -> int:
    """Bits of ``base**exponent`` for a rational base of so many bits, bounded before it is evaluated.

    Examples
    --------
    >>> power_bits(4, Fraction(9**9)) > BITS
    True
    """
    return int(bits * abs(exponent)) + 1


def killable(function: Callable[..., T], *arguments: Any, seconds: float, megabytes: int = 2048) -> T:
    """Call a module-level ``function`` in a process of its own that is killed after ``seconds``.

    Parameters
    ----------
    function : callable
        Importable by name; arguments and result are picklable.
    seconds : float
        Wall-clock cap, shortened by the deadline around the call.
    megabytes : int
        Cap on the address space of the worker.

    Raises
    ------
    BudgetExhausted
        If time or memory runs out.

    Examples
    --------
    >>> killable(divmod, 7, 2, seconds=30)
    (3, 1)
    """
    doing = f"run {getattr(function, '__name__', function)}"
    check(doing)
    context = multiprocessing.get_context("spawn")
    receive, send = context.Pipe(duplex=False)
    worker = context.Process(target=_serve, args=(send, function, arguments, megabytes), daemon=True)
    worker.start()
    send.close()
    try:
        if not receive.poll(min(seconds, remaining())):
            raise _ended(doing, f"no answer in {seconds:g} s", "give a larger --budget or a smaller problem")
        outcome = receive.recv()
    except EOFError:
        raise _ended(doing, f"the worker ended within its {megabytes} MB", "give a smaller problem") from None
    finally:
        worker.kill()
        worker.join()
        receive.close()
    if isinstance(outcome, MemoryError):
        raise _ended(doing, f"the worker needed more than {megabytes} MB", "give a smaller problem")
    if isinstance(outcome, Exception):
        raise outcome
    result: T = outcome[0]
    return result


def _serve(send: Connection, function: Callable[..., Any], arguments: tuple[Any, ...], megabytes: int) -> None:
    """Worker side: cap the memory, call, send ``(result,)`` or the exception."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    outcome: Any
    try:
        outcome = (function(*arguments),)
    except Exception as error:
        outcome = error
    send.send(outcome)
