"""Claims in, honest verdicts out: one file per kind of claim, :mod:`.judge` in front of them."""

from __future__ import annotations

from ..notation import declare
from .entry import claim_of
from .judge import claim, claims, derivation, file
from .lawful import about
from .read import Unread, read_claims
from .state import assumed

__all__ = ["Unread", "about", "assumed", "claim", "claim_of", "claims", "declare", "derivation", "file", "read_claims"]
