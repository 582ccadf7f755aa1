"""Which column is which input: what --x and --let say, against the inputs of the law."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ScalingError
from ._common import find_law, is_name, pairs

if TYPE_CHECKING:
    from ..law import Law

__all__ = ["apart", "columns", "law_of_columns"]


def law_of_columns(text: str, given: Iterable[str]) -> Law:
    """The law; the inputs of a formula are those of its names that --x or --let gives, but for its response."""
    if is_name(text):
        return find_law(text)
    from .. import notation

    read = notation.relation(text, undeclared="symbol")
    known = {symbol.name for symbol in read.left.free_symbols | read.right.free_symbols}
    known.discard(getattr(read.left, "name", ""))
    return find_law(text, [name for name in dict.fromkeys(given) if name in known])


def columns(
    asked: Mapping[str, Any], laws: Callable[[list[str]], Sequence[Law]], *, level: bool = False
) -> tuple[Sequence[Law], dict[str, str], dict[str, str]]:
    """The laws that ``laws`` makes of the names given, what --x maps and what --let defines.

    ``--x column`` alone means the only input of a law that has one. A law without inputs, ``y = a``, is refused where
    ``level`` does not allow it.
    """
    let, texts = pairs("--let", asked["let"]), asked["inputs"]
    alone = texts[0].strip() if len(texts) == 1 and "=" not in texts[0] else ""
    x = {} if alone else pairs("--x", texts)
    found = laws([alone, *let] if alone else [*x, *let])
    inputs = [symbol.name for symbol in found[0].inputs]
    flat = next((law for law in found if not law.inputs), None)
    if flat is not None and (x or alone or not level):
        remedy = "leave --x away" if level else "only fit takes such a law: name one with an input"
        raise ScalingError(f"read the inputs of {flat.title}", "the law has none", remedy)
    form = "--x " + ",".join(f"{name}=column" for name in inputs)
    if alone:
        if len(inputs) > 1:
            raise ScalingError(f"read --x {alone}", f"the law has the inputs {', '.join(inputs)}", f"write {form}")
        x = {inputs[0]: alone}
    elif inputs and not x and not let:
        raise ScalingError("read the inputs", "neither --x nor --let is given", f"say {form}")
    apart(x, asked["y"], inputs)
    used = {word for text in (*let.values(), asked["where"] or "") for word in re.findall(r"[A-Za-z_]\w*", text)}
    idle = [name for name in x if name not in {*inputs, *used, asked["y"]}]
    if idle:
        raise ScalingError(
            f"read --x {idle[0]}={x[idle[0]]}",
            f"{idle[0]} is no input of the law and stands in no --let; its inputs are {', '.join(inputs)}",
            f"write {form}",
        )
    return found, x, let


def apart(x: Mapping[str, str], y: str | None, inputs: Iterable[str]) -> None:
    """Refuse a response that is an input, by its name or by its column."""
    column = x.get(y, y) if y else None
    for name in inputs:
        if name == y or (name in x and x[name] == column):
            raise ScalingError(
                f"read --y {y}", f"it is the input {name} as well", "name the response's own column, or rename it"
            )
