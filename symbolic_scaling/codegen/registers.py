"""Register allocation over live ranges: few buffers carry all intermediate arrays of a block.

A result goes straight into its output row where it can: a mixed value always, a data value if nothing else reads it
(with k parameter sets a row is wider than a data value). Any other value takes a free buffer of its level, and gives it
back after its last use; the instruction that uses it last may write over it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .instructions import DATA, MIXED, PARAMETER, Instruction, Operand, Tape

__all__ = ["Program", "allocate"]


@dataclass(frozen=True)
class Program:
    """What one call does.

    Parameters
    ----------
    once : tuple of Instruction
        Parameter level, one a call.
    block : tuple of Instruction
        Data and mixed level, once a block, after register allocation.
    copies : tuple of (str, Operand)
        Output rows that repeat another value.
    checked : tuple of str
        Values that must stay inside the range of doubles.
    buffers : (int, int)
        How many data and mixed buffers the block needs.
    """

    once: tuple[Instruction, ...]
    block: tuple[Instruction, ...]
    copies: tuple[tuple[str, Operand], ...]
    checked: tuple[str, ...]
    buffers: tuple[int, int]

    @property
    def made(self) -> dict[str, int]:
        """Which step of the block makes each checked value, for targets that stop at the first one out of range."""
        return {step.to: at for at, step in enumerate(self.block) if step.to in self.checked}


def allocate(tape: Tape, rows: Sequence[Operand], watched: Sequence[Operand]) -> Program:
    """Names -> scalars ``_s``, output rows ``_o``, data buffers ``_d`` and mixed buffers ``_m``."""
    once = [step for step in tape.steps if step.level == PARAMETER]
    block = [step for step in tape.steps if step.level != PARAMETER]
    place: dict[Operand, str] = {step.to: f"_s{count}" for count, step in enumerate(once)}
    last = {operand: at for at, step in enumerate(block) for operand in step.operands}
    made = {step.to: step.level for step in block}
    for j, row in enumerate(rows):
        if row in made and row not in place and (made[str(row)] == MIXED or row not in last):
            place[row] = f"_o{j}"
    copied = [(j, row) for j, row in enumerate(rows) if place.get(row) != f"_o{j}"]
    last |= dict.fromkeys([row for _, row in copied] + list(watched), len(block))
    placed, buffers = _place(block, place, last, made)
    return Program(
        once=tuple(_renamed(step, place) for step in once),
        block=placed,
        copies=tuple((f"_o{j}", place.get(row, row)) for j, row in copied),
        checked=tuple(str(place.get(name, name)) for name in dict.fromkeys(watched)),
        buffers=buffers,
    )


def _place(
    block: Sequence[Instruction], place: dict[Operand, str], last: Mapping[Operand, int], made: Mapping[str, int]
) -> tuple[tuple[Instruction, ...], tuple[int, int]]:
    """The block's instructions on buffers, and how many of each level."""
    free: dict[int, list[str]] = {DATA: [], MIXED: []}
    count = {DATA: 0, MIXED: 0}
    placed = []
    for at, step in enumerate(block):
        for operand in dict.fromkeys(step.operands):
            home = place.get(operand, "")
            if home[:2] in ("_d", "_m") and last[operand] == at:
                free[made[str(operand)]].append(home)
        if step.to not in place:
            if not free[step.level]:
                free[step.level].append(f"_{'d' if step.level == DATA else 'm'}{count[step.level]}")
                count[step.level] += 1
            place[step.to] = free[step.level].pop()
        placed.append(_renamed(step, place))
    return tuple(placed), (count[DATA], count[MIXED])


def _renamed(step: Instruction, place: Mapping[Operand, str]) -> Instruction:
    return replace(step, to=place[step.to], operands=tuple(place.get(operand, operand) for operand in step.operands))
