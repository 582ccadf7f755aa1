"""Which parts of a law are taken off and put on anew, alone and together.

One by one, a part is drawn beside all others; so is a ceiling, which comes with the part that it bounds and may be lost
there. That cannot exchange roles: where a term has taken the place of a counterforce, the counterforce has taken that
of the term, and either alone is put on as it was. So each pair of a term and a part beside it is taken off at once, and
the part is put on first. A term that is bent has no optimum near it without its breaks: the two come together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sympy as sp

from ..budget import cached
from ..law import Law
from .parts import Part, limit, parts, terms

__all__ = ["exchanged", "singles"]


def singles(law: Law, whole: Sequence[Part]) -> list[tuple[Part, ...]]:
    """Each part that nothing stands inside of, each ceiling that came with one, and each of several terms.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.fit.parts import gathered
    >>> law = laws.get("unsl", m=2, n=0, S=1, U={4: (1, 2)}, T={4: ()})
    >>> [[part.switch for part in order] for order in singles(law, gathered(law))]
    [[b_12], [b_10], [b_11]]
    >>> law = laws.get("unsl", m=1, n=0, overfitting=True)
    >>> [[part.switch for part in order] for order in singles(law, gathered(law))]
    [[b_9], [a_1]]
    """
    leaves = [part for part in whole if not any(part.switch in other.within for other in whole)]
    inner = [part for part in parts(law) if part.ceiling and part.switch not in {one.switch for one in whole}]
    return [(part,) for part in (*leaves, *inner, *_several(law))]


def exchanged(law: Law, whole: Sequence[Part]) -> list[tuple[Part, ...]]:
    """Each part beside the terms with each of several terms, and each term that is bent with its breaks.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.fit.parts import gathered
    >>> law = laws.get("unsl", m=2, n=0, S=1, U={4: (1, 2)}, T={4: ()})
    >>> [[part.switch for part in order] for order in exchanged(law, gathered(law))]
    [[b_12, b_10], [b_12, b_11]]
    >>> law = laws.get("unsl", m=2, n={(3, 2): 1})
    >>> [part.constants for order in exchanged(law, gathered(law)) for part in order]
    [(c_2_0_11, c_2_1_11, d_1_11, f_1_11, b_11)]
    """
    several = _several(law)
    gone = [_gone(law, term) for term in several]
    beside = [part for part in whole if not (part.within or part.ceiling or any(part.switch in own for own in gone))]
    bent = [
        replace(term, constants=tuple(s for s in law.constants if s in own))
        for term, own in zip(several, gone, strict=True)
        if own != set(term.constants)
    ]
    return [*((part, term) for part in beside for term in several), *((term,) for term in bent)]


def _several(law: Law) -> tuple[Part, ...]:
    found = terms(law)
    return found if len(found) > 1 else ()


@cached
def _gone(law: Law, term: Part) -> frozenset[sp.Symbol]:
    """The constants that go with a term."""
    rest = limit(law.explicit, {term.switch: term.end})
    return frozenset() if rest is None else frozenset(law.constants) - rest.free_symbols
