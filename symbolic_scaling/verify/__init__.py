"""Claims in, honest verdicts out: one file per kind of claim, :mod:`.judge` in front of them."""

from __future__ import annotations

from .entry import claim_of
from .judge import claim, derivation, file
from .read import read_claims

__all__ = ["claim", "claim_of", "derivation", "file", "read_claims"]
