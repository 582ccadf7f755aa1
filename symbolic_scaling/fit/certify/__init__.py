"""Certificates: a proof that a fit's optimum is the lowest point of its box, by branch and bound.

:func:`certify` serves every fit whose squared log residual is linear in all but at most two constants: under
``equation`` M1 to M4, under ``response`` M1 and M3, and any other law that so separates. :func:`recheck` goes through
the leaves of a certificate again in ball arithmetic, from the law's form, sharing none of the bound's code.
"""

from __future__ import annotations

from .issue import certify
from .recheck import recheck

__all__ = ["certify", "recheck"]
