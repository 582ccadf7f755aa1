"""What a notebook shows of a record: the page that ``report`` makes of it, as Markdown with LaTeX formulas.

The page is looked up by name when it is asked for, so that no record depends on documents.
"""

from __future__ import annotations

from importlib import import_module

__all__ = ["Shown"]


class Shown:
    """A record that notebooks show as its page.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> laws.get("m1")._repr_markdown_().splitlines()[0]
    '# M1: power law'
    """

    def _repr_markdown_(self) -> str:
        page: str = import_module(f"{__package__}.report").markdown(self)
        return page
