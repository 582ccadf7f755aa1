"""Claims files, TOML or JSON, as the records that are verified. One error lists everything that does not read.

The keys are those of the README's table. Numbers in a file keep their digits: ``0.10`` stays a decimal with two places.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from ..errors import ClaimError, ScalingError, refuse_printed
from ..records import Claim
from .entry import claim_of

__all__ = ["read_claims"]

LARGEST_FILE = 20 << 20


def read_claims(path: str | Path, make: Callable[[object, str], Claim] = claim_of) -> list[Claim]:
    """The claims of a TOML or JSON file, in the file's order.

    Parameters
    ----------
    path : str or Path
        ``.toml`` is read as TOML, everything else as JSON.
    make : callable
        What makes a claim of an entry and its place.

    Raises
    ------
    ClaimError
        If the file does not read, or with every claim and key that does not, all at once.

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
    entries = _entries(path)
    claims: list[Claim] = []
    wrong: list[str] = []
    for count, entry in enumerate(entries, 1):
        try:
            claims.append(make(entry, f"claim {count}"))
        except ScalingError as error:
            wrong.append(str(error))
    names = [claim.name for claim in claims]
    wrong += [
        f"claim {name}: id: stands twice; rename one" for name in sorted({n for n in names if names.count(n) > 1})
    ]
    if wrong:
        plural = "claim does" if len(wrong) == 1 else "claims do"
        raise ClaimError(f"read {path}", f"{len(wrong)} {plural} not read\n" + "\n".join(wrong), "correct the file")
    return claims


def _entries(path: Path) -> list[Any]:
    """The raw claims of a file."""
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
    if isinstance(data, dict) and set(data) - {"claims"}:
        raise ClaimError(asked, f"unknown key {sorted(set(data) - {'claims'})[0]!r}", "put every claim under claims")
    if not isinstance(entries, list) or not entries:
        raise ClaimError(asked, "it holds no list of claims", "write [[claims]] in TOML, a list under claims in JSON")
    return entries


def _toml(text: str) -> Any:
    return tomllib.loads(text, parse_float=Decimal)


def _json(text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if doubled := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"key {doubled[0]!r} stands twice in one object")
        return dict(pairs)

    return json.loads(text, parse_float=Decimal, object_pairs_hook=once)
