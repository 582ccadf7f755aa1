"""``symscale claims DRAFT.tex -o FILE``: the displayed equations of a draft as a claims file to fill in."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from ..errors import ScalingError
from . import _outputs
from ._command import Command
from ._common import as_json as json_option

__all__ = ["command"]

LARGEST_DRAFT = 5 << 20


@click.command("claims", cls=Command)
@click.argument("draft", type=click.Path(path_type=Path))
@click.option("-o", "--output", "out", type=click.Path(path_type=Path), help="Write a claims file: .toml or .json.")
@json_option
def command(*, draft: Path, out: Path | None, as_json: bool) -> int:
    """Every displayed equation of DRAFT as a claim, with its line and the symbols still to be declared.

    Symbols and kinds to decide are marked "?"; fill them in, then run symscale verify on the file.
    """
    from ..report import write
    from ..verify.entries import entries

    if out is not None and out.suffix.lower() not in {".toml", ".json"}:
        raise ScalingError(f"write {out}", f"the ending {out.suffix!r}", "end the name in .toml or .json")
    _outputs.check({"-o": out}, reads=[draft])
    _outputs.new("-o", out)
    found = entries(_text(draft), draft.name)
    if not found:
        raise ScalingError(
            f"read {draft}", "it holds no displayed equation", r"displays are $$, \[ \], equation, align"
        )
    value = {"claims": found}
    if out is not None:
        write.file(out, write.json_text(value) if out.suffix.lower() == ".json" else _toml(found))
    if as_json:
        sys.stdout.write(write.json_text(value))
    elif out is None:
        sys.stdout.write(_toml(found))
    else:
        still = sum(1 for claim in found if "?" in (claim["kind"], claim.get("in"), *claim["symbols"].values()))
        defines = sum(1 for claim in found if claim["kind"] == "definition")
        said = f"{len(found) - defines} claims and {defines} definitions" if defines else f"{len(found)} claims"
        click.echo(f"{out}: {said}, {still} with symbols or kinds to fill in where it says ?")
        for claim in found:
            if claim["kind"] == "?":
                click.echo(f"{claim['source']}: {claim.get('note', claim['latex'])}")
    return 0


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_DRAFT:
            raise ScalingError(f"read {path}", "it is larger than 5 MB", "give the chapters one by one")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ScalingError(f"read {path}", error.strerror or "it cannot be opened", "check the path") from None
    except UnicodeDecodeError as error:
        raise ScalingError(f"read {path}", f"byte {error.start} is no UTF-8", "save it as UTF-8") from None


def _toml(claims: list[dict[str, Any]]) -> str:
    """The claims as TOML; LaTeX stands in literal quotes where it can."""
    tables = []
    for claim in claims:
        tables.append("\n".join(["[[claims]]", *(f"{key} = {_valued(value)}" for key, value in claim.items())]))
    return "\n\n".join(tables) + "\n"


def _valued(value: str | list[Any] | dict[str, Any]) -> str:
    """A text, a list or a table in one line."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{_quoted(name)} = {_valued(one)}" for name, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return f"[{', '.join(map(_valued, value))}]" if isinstance(value, list) else _quoted(value)


def _quoted(text: str) -> str:
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
