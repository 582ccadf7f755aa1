"""Parts of a law in words, by what their switch does to the law."""

from __future__ import annotations

import sympy as sp

from ...law import Law
from ..parts import Part
from ..scatter import widths

__all__ = ["alike", "first", "named", "strange"]


def first(law: Law) -> str:
    """The first structure.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> first(laws.get("chinchilla"))
    'the sum of power laws in N and D'
    """
    return f"the sum of power laws in {_listed([s.name for s in law.inputs])}"


def named(law: Law, part: Part) -> str:
    """What a part adds.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.fit.parts import optional
    >>> law = laws.get("unsl", m=2, n={(3, 0): 1}, S=1, U={3: (1, 2)}, overfitting=True, ceilings=(2,))
    >>> for part in optional(law):
    ...     print(named(law, part))
    a term in x_1 and x_2 (b_9)
    a hyperbreak in x_1 and x_2 (d_1_9)
    a counterforce in x_1 and x_2 (b_14)
    a counterforce in x_1 and x_2 (b_17)
    a counterforce in x_1 and x_2 (b_20)
    a ceiling (a_1)
    a ceiling (a_2)
    """
    return f"{_kind(law, part)} ({part.switch})"


def _kind(law: Law, part: Part) -> str:
    if part.ceiling:
        return "a ceiling"
    inputs = _listed([s.name for s in law.inputs if _moves(law, part, s)])
    if part.end == 0:
        return f"a term in {inputs}"
    if widths(law) & set(part.constants):
        return f"a hyperbreak in {inputs}" if len(law.inputs) > 1 else "a break"
    return f"a counterforce in {inputs}"


def strange(law: Law, part: Part, found: list[dict[str, float]]) -> bool:
    """Whether a term rises with an input, or a counterforce with none: each then stands for the other.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.fit.parts import optional
    >>> law = laws.get("unsl", m=2, n=0, U={3: (1, 2)})
    >>> fallen = {"c_1_0_9": 0.3, "c_2_0_9": 0.2}
    >>> [strange(law, optional(law)[0], [{**fallen, "c_2_0_9": c}]) for c in (0.2, -0.2)]
    [False, True]
    """
    if part.ceiling or widths(law) & set(part.constants):
        return False
    own = set(part.constants)
    powers = [p.exp for p in law.residual.atoms(sp.Pow) if p.base in law.inputs and p.exp.free_symbols & own]
    rises = [float(e.xreplace({s: sp.Float(one[s.name]) for s in e.free_symbols})) > 0 for one in found for e in powers]
    return any(rises) if part.end == 0 else all(rises)


def alike(law: Law, new: tuple[Part, ...], other: tuple[Part, ...]) -> bool:
    """Whether the constants of two sets of parts may be exchanged in the law: the second adds nothing to the first.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.fit.parts import parts
    >>> law = laws.get("bnsl", n=2)
    >>> one, two = parts(law)
    >>> alike(law, (one,), (two,))
    True
    """
    pairs = [s for part in new for s in part.constants], [s for part in other for s in part.constants]
    if len(pairs[0]) != len(pairs[1]) or set(pairs[0]) & set(pairs[1]):
        return False
    swap = {**dict(zip(*pairs, strict=True)), **dict(zip(*reversed(pairs), strict=True))}
    return bool(law.residual.xreplace(swap) == law.residual)


def _moves(law: Law, part: Part, symbol: sp.Symbol) -> bool:
    """Whether an input stands under an exponent of the part."""
    powers = law.residual.atoms(sp.Pow)
    return any(p.base == symbol and p.exp.free_symbols & set(part.constants) for p in powers)


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
