"""What a law is built of, as a tree: in text, in JSON and drawn, with the constants of every component counted.

An instance of UNSL (arXiv 2605.26248) is read from the names of its constants: the number k of ``b_k`` says in which
``R(r)`` and at which place its K stands, ``k = r*(m + 1) + t``. Any other explicit law shows its terms and breaks.

Worked example: ``unsl(ceilings=2)`` is y with the floor a_0 and the ceiling a_2 over Q(3), R(3) and one K with k = 7.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..law import Law
from ..notation import text as plain
from . import plot

__all__ = ["Component", "as_json", "picture", "structure", "tree"]


@dataclass(frozen=True)
class Component:
    """One component: its name, what it does, its own constants, and what it is built of."""

    name: str
    role: str = ""
    constants: tuple[str, ...] = ()
    parts: tuple[Component, ...] = ()

    @property
    def count(self) -> int:
        """How many constants it has, those of its parts included."""
        return len(self.constants) + sum(part.count for part in self.parts)


def structure(law: Law) -> Component:
    """The components of a law.

    Raises
    ------
    LawError
        If the law is implicit.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> made = structure(laws.get("unsl", m=2, n=1, S=1, overfitting=True, ceilings=(2, 3, 4)))
    >>> made.count, [part.name for part in made.parts]
    (45, ['Q(3)', 'Q(5)'])
    """
    level = {"unsl": "y", "saturated": "Q", "bottlenecks": "R", "mbnsl": "K"}.get(law.name)
    reader = None if level is None else _Unsl.of(law)
    if reader is None:
        return _terms(law)
    return {"y": reader.y, "Q": reader.saturated, "R": reader.bottlenecks, "K": reader.alone}[str(level)]()


@dataclass(frozen=True)
class _Unsl:
    """The numbers in the names of an instance's constants."""

    law: Law
    names: tuple[str, ...]
    terms: tuple[int, ...]

    @classmethod
    def of(cls, law: Law) -> _Unsl | None:
        names = tuple(symbol.name for symbol in law.constants)
        if not all(re.fullmatch(r"b|a_\d+|[bcdf](_\d+)+", name) for name in names):
            return None
        terms = sorted(int(name[2:]) for name in names if re.fullmatch(r"b_\d+", name))
        return cls(law, names, tuple(terms))

    @property
    def width(self) -> int:
        return len(self.law.inputs) + 1

    def y(self) -> Component:
        """Equation (1); without ``a_1`` there is no overfitting."""
        levels = sorted({k // self.width for k in self.terms})
        over = "a_1" in self.names
        S = (levels[-1] - 4) // 2 if over else levels[-1] - 3
        parts = [self.Q(3, S, "what more of the inputs makes less")]
        if over:
            parts.append(self.Q(S + 4, S, "overfitting: 1/(Q + 1/a_1) is added", ("a_1",)))
        said = "1/(1/Q + 1/a_2) over the floor a_0" if "a_2" in self.names else "Q over the floor a_0"
        return Component(self.law.response.symbol.name, said, self._own("a_0", "a_2"), tuple(parts))

    def saturated(self) -> Component:
        """Equation (2) alone."""
        return self._floored(self.Q(3, max(self.terms) // self.width - 3, "a sum that saturates"))

    def bottlenecks(self) -> Component:
        """Equation (3) alone."""
        return self._floored(self.R(0, "a sum of terms"))

    def alone(self) -> Component:
        """Equation (4) alone."""
        return self._floored(self.K(None))

    def _floored(self, part: Component) -> Component:
        role = "over the floor a_0" if "a_0" in self.names else ""
        return Component(self.law.response.symbol.name, role, self._own("a_0"), (part,))

    def Q(self, q: int, S: int, role: str, own: tuple[str, ...] = ()) -> Component:
        parts = []
        for s, r in enumerate(range(q, q + S + 1)):
            top = f"a_{r}" if f"a_{r}" in self.names else ""
            if s == 0:
                parts.append(self.R(r, f"saturates at the ceiling {top}" if top else "no ceiling", top))
            else:
                parts.append(self.R(r, f"counterforce: 1/(R + 1/{top})" if top else "counterforce: 1/R", top))
        return Component(f"Q({q})", role, own, tuple(parts))

    def R(self, r: int, role: str, ceiling: str = "") -> Component:
        inside = [k for k in self.terms if k // self.width == r]
        return Component(f"R({r})", role, self._own(ceiling), tuple(self.K(k) for k in inside))

    def K(self, k: int | None) -> Component:
        """A term and its hyperbreaks."""
        end = "" if k is None else f"_{k}"
        place = 0 if k is None else k % self.width
        members = [x.name for i, x in enumerate(self.law.inputs, 1) if f"c_{i}_0{end}" in self.names]
        falls = self._own(f"b{end}", *(f"c_{i}_0{end}" for i in range(1, self.width)))
        breaks: list[Component] = []
        while f"f_{(j := len(breaks) + 1)}{end}" in self.names:
            own = self._own(*(f"c_{i}_{j}{end}" for i in range(1, self.width)), f"d_{j}{end}", f"f_{j}{end}")
            plane = "*".join(f"{x}**{c}" for x, c in zip(members, own, strict=False))
            breaks.append(Component(f"hyperbreak {j}", f"{plane} = {own[-2]}, width {own[-1]}", own))
        role = f"bottleneck of {members[0]}" if place else "no bottleneck"
        number = "" if k is None else f", k = {k}"
        name = f"K({{{', '.join(members)}}}, n = {len(breaks)}{number})"
        return Component(name, role if k is not None else "", falls, tuple(breaks))

    def _own(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in names if name in self.names)


def _terms(law: Law) -> Component:
    """The terms and breaks of any explicit law."""
    from ..plan.landscape.parts import read

    found = read(law)
    parts, taken = [], set()
    for part in found.parts:
        bends = tuple(
            Component(f"break {one.name}", f"{plain(one.where.lhs)} = {plain(one.where.rhs)}")
            for one in found.breaks
            if one.part == part.name
        )
        own = tuple(s.name for s in law.constants if part.value.has(s) and s.name not in taken)
        taken |= set(own)
        inputs = ", ".join(x.name for x in part.inputs)
        parts.append(Component(f"term {part.name}", f"of {inputs}" if inputs else "constant", own, bends))
    shared = tuple(s.name for s in law.constants if s.name not in taken)
    return Component(law.response.symbol.name, law.title, shared, tuple(parts))


def tree(component: Component) -> str:
    """The components as text, a line each, constants behind them.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> print(tree(structure(laws.get("unsl", n=0, ceilings=(2,)))))
    y: 1/(1/Q + 1/a_2) over the floor a_0 [a_0, a_2]
    └─ Q(3): what more of the inputs makes less
       └─ R(3): no ceiling
          └─ K({x}, n = 0, k = 7): bottleneck of x [b_7, c_1_0_7]
    4 constants
    """
    lines = [*_lines(component, "", ""), f"{component.count} constants"]
    return "\n".join(lines)


def _lines(component: Component, first: str, rest: str) -> Iterator[str]:
    own = f" [{', '.join(component.constants)}]" if component.constants else ""
    yield f"{first}{component.name}{': ' if component.role else ''}{component.role}{own}"
    for place, part in enumerate(component.parts, 1):
        last = place == len(component.parts)
        yield from _lines(part, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


def as_json(component: Component) -> dict[str, Any]:
    """The tree as plain JSON values, each component with its count."""
    return {
        "name": component.name,
        "role": component.role,
        "constants": list(component.constants),
        "count": component.count,
        "parts": [as_json(part) for part in component.parts],
    }


def picture(component: Component, ending: str = ".png") -> bytes:
    """The tree drawn from left to right, the bytes of a picture file.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    places = list(_placed(component, 0, [0.0]))
    columns, rows = 1 + max(x for _, x, _, _ in places), 1 + max(y for *_, y, _ in places)
    title = f"{component.name}: {component.count} constants"
    made, (area,) = plot.panels((title,), "", "", "linear", "linear", size=(3.0 * columns, 0.75 * rows + 0.8))
    area.set_axis_off()
    area.set_xlim(-0.1, columns)
    area.set_ylim(rows - 0.4, -0.6)
    for part, x, y, above in places:
        if above is not None:
            area.plot([above[0] + 0.02, x], [above[1], y], color="0.6", linewidth=0.8, zorder=1)
        said = "\n".join(_folded(part))
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "0.3", "linewidth": 0.8}
        area.text(x, y, said, fontsize=6.5, va="center", ha="left", bbox=box, zorder=2)
    return plot.render(made, ending)


def _placed(
    component: Component, depth: int, bottom: list[float], above: tuple[float, float] | None = None
) -> Iterator[tuple[Component, float, float, tuple[float, float] | None]]:
    """Each component with its column, its row in the middle of its parts', and the place of the one above it."""
    row = (bottom[0] + bottom[0] + max(_leaves(component) - 1, 0)) / 2
    yield component, float(depth), row, above
    if not component.parts:
        bottom[0] += 1
    for part in component.parts:
        yield from _placed(part, depth + 1, bottom, (float(depth), row))


def _leaves(component: Component) -> int:
    return sum(map(_leaves, component.parts)) or 1


def _folded(part: Component) -> list[str]:
    lines = [part.name, part.role, ", ".join(part.constants)]
    return [line if len(line) < 42 else f"{line[:40]}..." for line in lines if line]
