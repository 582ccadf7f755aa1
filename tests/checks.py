"""What the tests of derivations share: every step proved, and the zero of a rising function by bisection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

from symbolic_scaling import Derivation, Status, verify


def proved(found: Derivation) -> bool:
    """Whether every step is; the failures are shown."""
    verdicts = verify.derivation(found, budget=60)
    assert verdicts
    failed = [(v.claim.name, v.status.name, v.evidence) for v in verdicts if v.status is not Status.PROVED]
    assert not failed, (found.title, failed)
    return True


def bisect(rising: Callable[[Any], Any], low: float = -2000, high: float = 2000) -> Any:
    """The zero of a rising function of a logarithm, at 40 digits or more."""
    low, high = mpmath.mpf(low), mpmath.mpf(high)
    assert rising(low) < 0 < rising(high)
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
