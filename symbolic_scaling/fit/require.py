"""What a fit asks of its arguments and its rows, with a reason and a remedy where they do not serve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from ..data import summary
from ..errors import FitError
from ..law import Law, Parameter
from .frame import Frame
from .result import FitResult
from .rows import Rows
from .solve import Floats

__all__ = [
    "bounded",
    "distinct",
    "finite",
    "fit_given",
    "fixed",
    "intervals",
    "law_given",
    "misplaced",
    "named",
    "range_of",
    "sides",
]


def law_given(law: Any) -> None:
    """A law, not its name or its formula: ``laws`` makes one of either."""
    if isinstance(law, Law):
        return
    if not isinstance(law, str):
        raise FitError("fit a law", f"{law!r:.80} is no law", "give laws.get(...), laws.formula(...) or a Law")
    make = 'laws.formula({!r}, ["x"]), with its inputs' if "=" in law else "laws.get({!r})"
    raise FitError(f"fit {law!r}", "it is text, not a law", f"give {make.format(law)}")


def fit_given(fit: Any, asked: str) -> None:
    """A fit that was made, not its law or its file."""
    if not isinstance(fit, FitResult):
        raise FitError(asked, f"{fit!r:.80} is no fit", "give what fit.curve(...) or fit.load(...) returned")


def named(law: Law, given: Mapping[str, Any]) -> dict[sp.Symbol, Any]:
    """Name -> value as symbol -> value."""
    known = {symbol.name: symbol for symbol in law.constants}
    for name in given:
        if name not in known:
            raise FitError(f"fit {law.name}", f"it has no constant {name!r}", f"it has {', '.join(known)}")
    return {known[name]: value for name, value in given.items()}


def fixed(law: Law, given: Mapping[str, Any]) -> dict[sp.Symbol, float]:
    """Name -> value as symbol -> value, each inside its constant's interval."""
    parameters = {parameter.symbol: parameter for parameter in law.parameters}
    return {symbol: _admitted(law, parameters[symbol], value) for symbol, value in named(law, given).items()}


def bounded(
    law: Law, given: Mapping[str, Any], held: Mapping[sp.Symbol, float]
) -> dict[sp.Symbol, tuple[float, float]]:
    """Name -> (lo, hi) as symbol -> (lo, hi); finite ends, and what is fixed between them."""
    found = {}
    for symbol, pair in named(law, given).items():
        asked = f"bound {symbol} of {law.name}"
        try:
            lo, hi = (float(end) for end in pair)
        except (TypeError, ValueError):
            raise FitError(asked, f"{pair!r} is no pair of numbers", "give (lo, hi)") from None
        if not (np.isfinite(lo) and np.isfinite(hi)):
            remedy = "give finite ends, or no bounds: the default box is printed with the fit"
            raise FitError(asked, f"the ends are {lo:g} and {hi:g}", remedy)
        if symbol in held and not lo <= held[symbol] <= hi:
            found_at = f"it is fixed at {held[symbol]:g}, outside {lo:g} to {hi:g}"
            raise FitError(asked, found_at, "fix it or bound it, or fix it inside its bounds")
        found[symbol] = lo, hi
    return found


def intervals(law: Law, bounds: Mapping[sp.Symbol, tuple[float, float]]) -> None:
    """Bounds that hold something, and of the sign of their constant."""
    for symbol, (lo, hi) in bounds.items():
        asked = f"bound {symbol} of {law.name} to [{lo:g}, {hi:g}]"
        if not lo < hi:
            raise FitError(asked, "the interval is empty", "give lo < hi, or fix the constant")
        if (symbol.is_nonnegative and lo < 0) or (symbol.is_negative and hi > 0):
            raise FitError(
                asked, f"{symbol} is {'positive' if symbol.is_nonnegative else 'negative'}", "match its sign"
            )


def _admitted(law: Law, parameter: Parameter, given: Any) -> float:
    """The value at which a constant is fixed, inside its interval; at 0 where the law admits that."""
    asked = f"fix {parameter.symbol} = {given} of {law.name}"
    try:
        value = float(given)
    except (TypeError, ValueError):
        remedy = f"give a number in {law.domain.interval(parameter.symbol)}"
        raise FitError(asked, "it is no number", remedy) from None
    if why := misplaced(law, parameter, value):
        raise FitError(asked, *why)
    return value


def misplaced(law: Law, parameter: Parameter, value: float) -> tuple[str, str] | None:
    """What stands against a value of a constant, and the remedy; None inside its interval, or at an admitted 0."""
    symbol, interval = parameter.symbol, law.domain.interval(parameter.symbol)
    if (np.isfinite(value) and interval.contains(value)) or (parameter.closed and value == 0):
        return None
    sign = "match its sign" if value * _sign(symbol) < 0 else "give a value inside"
    return f"{symbol} lies in {interval}{', or is 0' if parameter.closed else ''}", sign


def _sign(symbol: sp.Symbol) -> int:
    return 1 if symbol.is_nonnegative else -1 if symbol.is_nonpositive else 0


def distinct(law: Law, read: Rows, free: int) -> None:
    """At least as many distinct inputs as constants to fit, and one."""
    name = law.inputs[0].name if len(law.inputs) == 1 else ", ".join(symbol.name for symbol in law.inputs)
    if read.distinct_inputs < max(free, 1):
        lost = f"; {len(read.dropped)} rows cannot be used: {summary(read.dropped)}" if read.dropped else ""
        add = "correct the rows, add some" if read.dropped else "add rows"
        raise FitError(
            f"fit {law.name}",
            f"{read.distinct_inputs} distinct {name} in {len(read.used)} usable rows{lost}",
            f"needs at least {max(free, 1)} distinct {name}: {add} or fix constants",
        )


def sides(law: Law, read: Rows, held: Mapping[sp.Symbol, float]) -> None:
    """A ceiling that is fixed must lie above the response, a floor below it."""
    y, least, most = law.response.symbol, float(read.y.min()), float(read.y.max())
    for parameter in law.parameters:
        value = held.get(parameter.symbol)
        if value is None:
            continue
        if parameter.above == y and value <= most:
            found, remedy = f"{y} reaches {most:g}", f"fix it above {most:g}, or drop the rows that are not below it"
        elif parameter.below == y and value >= least:
            found, remedy = f"{y} falls to {least:g}", f"fix it below {least:g}"
        else:
            continue
        raise FitError(f"fit {law.name} with {parameter.symbol} = {value:g}", found, remedy)


def range_of(law: Law, read: Rows, frame: Frame) -> None:
    """Inputs and response must be numbers beside each other."""
    table = frame.table(read)
    for symbol, values in zip((*law.inputs, law.response.symbol), (*table.x, table.y), strict=True):
        if not (np.isfinite(values) & (values > np.finfo(float).tiny)).all():
            given = read.y if symbol == law.response.symbol else read.x[law.inputs.index(symbol)]
            found = f"{symbol} runs from {given.min():.3g} to {given.max():.3g}, more than floating point can compare"
            raise FitError(f"fit {law.name}", found, "drop the rows at one end")


def finite(law: Law, constants: Floats, factors: Floats) -> None:
    """The constants (c,), and what carries them over from the units of the fit, must be numbers in the user's units."""
    tiny = np.finfo(float).tiny
    large = ~(np.isfinite(constants) & np.isfinite(factors))
    for which, end in ((large, "beyond 1.8e308"), (factors < tiny, "below 2.2e-308")):
        lost = [symbol.name for symbol, is_lost in zip(law.constants, which, strict=True) if is_lost]
        if lost:
            found = f"{', '.join(lost)} would be {end} in these units"
            raise FitError(f"fit {law.name}", found, "measure the inputs or the response in other units")
