"""Claims files, TOML or JSON, as the records that are verified. One error lists everything that does not read.

The keys are those of the README's table. Numbers in a file keep their digits: ``0.10`` stays a decimal with two places.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ClaimError, ScalingError, refuse_printed
from ..records import Claim
from . import shared
from .entry import claim_of

__all__ = ["Unread", "read_claims"]

LARGEST_FILE = 20 << 20


class Unread(NamedTuple):
    """A claim of a file that does not read: its name, where its text stands, and why."""

    name: str
    source: str
    error: ScalingError


def read_claims(
    path: str | Path, make: Callable[[object, str], Claim] = claim_of, unread: list[Unread] | None = None
) -> list[Claim]:
    """The claims of a TOML or JSON file, in the file's order, with what they share.

    Parameters
    ----------
    path : str or Path
        ``.toml`` is read as TOML, everything else as JSON.
    make : callable
        What makes a claim of an entry and its place.
    unread : list, optional
        Takes the claims that do not read; without it they are errors.

    Raises
    ------
    ClaimError
        If the file does not read, or with every claim and key that does not, all at once; with ``unread`` only where
        no claim reads.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
    ...     _ = file.write('[[claims]]\\nid = "one"\\nkind = "equal"\\nstatement = "1 + 1 = 2"')
    ...     file.flush()
    ...     [claim.name for claim in read_claims(file.name)]
    ['one']
    """
    path = Path(path)
    entries, common = _entries(path)
    claims: list[Claim] = []
    failed: list[Unread] = []
    for entry, place in shared.complete(entries, common):
        try:
            if isinstance(entry, ScalingError):
                raise entry
            claims.append(make(entry, place))
        except ScalingError as error:
            named = entry if isinstance(entry, Mapping) else {}
            failed.append(Unread(str(named.get("id", place)), str(named.get("source", "")), error))
    counts = Counter(claim.name for claim in claims)
    wrong = [str(one.error) for one in failed] if unread is None or not claims else []
    wrong += [f"claim {name}: id: stands twice; rename one" for name in sorted(n for n in counts if counts[n] > 1)]
    if unread is not None:
        unread += failed
    if wrong:
        plural = "claim does" if len(wrong) == 1 else "claims do"
        raise ClaimError(f"read {path}", f"{len(wrong)} {plural} not read\n" + "\n".join(wrong), "correct the file")
    return claims


def _entries(path: Path) -> tuple[list[Any], dict[str, Any]]:
    """The raw claims of a file, and what they share."""
    asked = f"read {path}"
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ClaimError(asked, "it is larger than 20 MB", "split the file")
        text = path.read_text(encoding="utf-8-sig")
        data: Any = _toml(text) if path.suffix.lower() == ".toml" else _json(text)
    except OSError as error:
        raise ClaimError(asked, error.strerror or "it cannot be opened", "check the path") from None
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise ClaimError(asked, f"not valid: {str(error)[:200]}", "give TOML or JSON as the README shows") from None
    refuse_printed(data, asked)
    entries = data.get("claims") if isinstance(data, dict) else data
    known = {"claims", *shared.KEYS}
    if isinstance(data, dict) and set(data) - known:
        found, remedy = f"unknown key {sorted(set(data) - known)[0]!r}", "put every claim under claims"
        raise ClaimError(asked, found, f"{remedy}; they share {', '.join(shared.KEYS)}")
    if not isinstance(entries, list) or not entries:
        raise ClaimError(asked, "it holds no list of claims", "write [[claims]] in TOML, a list under claims in JSON")
    return entries, {key: data[key] for key in shared.KEYS if key in data} if isinstance(data, dict) else {}


def _toml(text: str) -> Any:
    return tomllib.loads(text, parse_float=Decimal)


def _json(text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if doubled := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"key {doubled[0]!r} stands twice in one object")
        return dict(pairs)

    return json.loads(text, parse_float=Decimal, object_pairs_hook=once)
