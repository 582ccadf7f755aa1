"""What a compilation returns: a callable record with its readable source and its cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..budget import cached
from ..errors import DataError, ScalingError
from . import emit

if TYPE_CHECKING:
    from ..law import Law

__all__ = ["Compiled", "Cost", "printer"]


@dataclass(frozen=True)
class Cost:
    """What one evaluation of value and gradient costs.

    Parameters
    ----------
    once, operations : int
        Operations a call on parameters only, and array operations a point.
    transcendental : tuple of (str, int)
        Of those a point: how many of each transcendental function.
    buffers : (int, int)
        Scratch arrays a block: data and mixed.
    """

    once: int
    operations: int
    transcendental: tuple[tuple[str, int], ...]
    buffers: tuple[int, int]


@dataclass(frozen=True)
class Compiled:
    """A generated function of value and gradient.

    Parameters
    ----------
    title : str
        What it computes.
    inputs : tuple of str
        Arguments in order.
    data : tuple of str
        Those that are arrays of points; the others are parameters: numbers or columns of shape (k, 1).
    outputs : tuple of str
        The expressions, as text.
    coordinates : tuple of str
        What the gradient is taken with respect to.
    target : str
        ``numpy``, ``numba`` or ``mpmath``.
    source : str
        The text that is executed; the inputs are its v0, v1, ... in order.
    functions : tuple of str
        Names that the text defines.
    operations : Cost
        The cost card's numbers.
    single : bool
        Whether one expression was given rather than a sequence: then results lose their first axis.
    implicit : bool
        Whether the value goes through a root (``codegen.root``).
    switch : str
        The parameter at whose zero an implicit law is explicit.
    law : Law, optional
        Of what this is the response: then its inputs may be 0 and oo, by their limits (``codegen.ends``).

    Notes
    -----
    Shapes, for data of shape (n,) and p coordinates: value (n,), gradient (p, n), rows contiguous. Parameters may be
    columns of shape (k, 1) beside data of shape (n,) or (k, n): value (k, n), gradient (p, k, n). A sequence of m
    expressions adds an axis of length m in front of both. Constant outputs fill the shape of the data.
    """

    title: str
    inputs: tuple[str, ...]
    data: tuple[str, ...]
    outputs: tuple[str, ...]
    coordinates: tuple[str, ...]
    target: str
    source: str
    functions: tuple[str, ...]
    operations: Cost
    single: bool = True
    implicit: bool = False
    switch: str = ""
    law: Law | None = None

    def __call__(self, *values: Any, out: Any = None, dps: int | None = None, **named: Any) -> Any:
        """The value at arguments given in the order of ``inputs``, or by name.

        Parameters
        ----------
        out : array, optional
            Where the value goes: what an earlier call of the same shapes returned. NumPy and numba only.
        dps : int, optional
            Digits, 50 where not given. mpmath only.
        """
        (value,) = self._run("value", values, named, None if out is None else (out,), dps)
        return value

    def value_and_gradient(
        self, *values: Any, out: tuple[Any, Any] | None = None, dps: int | None = None, **named: Any
    ) -> tuple[Any, Any]:
        """Value and gradient in one pass, shapes as in the notes of the class.

        Parameters
        ----------
        out : (value, gradient), optional
            Where they go: what an earlier call of the same shapes returned. Fresh memory costs about as much as
            the arithmetic of a small law. NumPy and numba only.
        dps : int, optional
            Digits, 50 where not given. mpmath only.
        """
        value, gradient = self._run("both", values, named, out, dps)
        return value, gradient

    def steady(self, dps: int) -> tuple[Any, Callable[[str, Sequence[Any]], list[Any]]]:
        """An mpmath context with these digits and the function ``(what, numbers) -> values`` in it, for many calls.

        ``what`` is ``"value"`` or ``"both"``, values and then gradient; the numbers come in the order of ``inputs``.
        """
        run: tuple[Any, Callable[[str, Sequence[Any]], list[Any]]] = printer("mpmath").steady(self._loaded, dps)
        return run

    @property
    def kernels(self) -> dict[str, Any]:
        """The machine code's functions (``printers.numba.ready``), for loops of the caller's own; numba only."""
        if self.target != "numba":
            raise ScalingError(f"kernels of {self.title}", f"its target is {self.target}", "compile it for numba")
        return self._loaded

    @cached_property
    def _loaded(self) -> dict[str, Callable[..., Any]]:
        target = printer(self.target)
        made: dict[str, Callable[..., Any]] = target.ready(emit.load(self.source, self.functions, target.NAMESPACE))
        return made

    def _run(
        self, what: str, values: Sequence[Any], named: dict[str, Any], out: Any, dps: int | None
    ) -> tuple[Any, ...]:
        given = self._bind(values, named)
        data = {name: given[name] for name in self.data}
        parameters = {name: given[name] for name in self._parameters}
        options: dict[str, Any] = {"implicit": self.implicit, "switch": self.switch}
        options |= {"dps": dps or 50} if self.target == "mpmath" else {"out": out}
        if self.target == "numpy":
            options["buffers"] = self.operations.buffers
        leads = self._leads[: 1 if what == "value" else 2]
        made: tuple[Any, ...] = printer(self.target).run(self._loaded, what, (data, parameters), leads, **options)
        if self.law is not None and self.target != "mpmath":
            self._at_ends(data, parameters, made)
        return made

    def _at_ends(self, data: dict[str, Any], parameters: dict[str, Any], made: tuple[Any, ...]) -> None:
        """Limits where an input is 0 or oo and the arrays do not say."""
        if not any(_has_end(values) for values in data.values()):
            return
        from . import ends

        assert self.law is not None
        ends.repair(self.law, data, parameters, made)

    @cached_property
    def _parameters(self) -> tuple[str, ...]:
        return tuple(name for name in self.inputs if name not in self.data)

    @cached_property
    def _leads(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The leading axes of value and gradient."""
        lead = () if self.single else (len(self.outputs),)
        return lead, (*lead, len(self.coordinates))

    def _bind(self, values: Sequence[Any], named: dict[str, Any]) -> dict[str, Any]:
        if not named and len(values) == len(self.inputs):
            return dict(zip(self.inputs, values, strict=True))
        given = dict(zip(self.inputs, values, strict=False)) | named
        if len(values) + len(named) != len(self.inputs) or set(given) != set(self.inputs):
            raise DataError(
                f"evaluate {self.title}",
                f"{len(values)} arguments and {sorted(named)}",
                f"give {', '.join(self.inputs)}",
            )
        return given

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_loaded"}

    def __str__(self) -> str:
        cost = self.operations
        functions = ", ".join(f"{count} {name}" for name, count in cost.transcendental) or "no transcendental function"
        scratch = sum(cost.buffers)
        root = ["  root:        bracketed Newton a point, at most 12 steps"] if self.implicit else []
        return "\n".join(
            [
                f"{self.title}  [{self.target}]",
                f"  value:       {', '.join(self.outputs)}",
                f"  gradient in: {', '.join(self.coordinates) or 'none'}",
                f"  data:        {', '.join(self.data) or 'none'}",
                f"  parameters:  {', '.join(self._parameters) or 'none'}",
                f"  a point:     {cost.operations} operations with {functions}",
                *root,
                f"  a call:      {cost.once} operations on parameters",
                f"  scratch:     {scratch} buffers, {8 * scratch * printer(self.target).WIDTH / 1e6:.2f} MB a block",
            ]
        )


def _has_end(values: Any) -> bool:
    """Whether data hold 0 or oo; the least and the greatest value tell."""
    array = np.asarray(values)
    return bool(array.size) and not (array.min() > 0 and array.max() < math.inf)


@cached
def printer(target: str) -> Any:
    """The module that prints and runs a target, imported on first use."""
    if target not in ("numpy", "numba", "mpmath"):
        raise ScalingError(f"compile for {target!r}", "there is no such target", "take numpy, numba or mpmath")
    if target == "numba":
        from .jit import require

        require()
    return import_module(f"{__package__}.printers.{target}")
