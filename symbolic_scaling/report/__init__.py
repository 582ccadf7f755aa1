"""Any record as text, Markdown, LaTeX or JSON: one page of blocks a record, one renderer a format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import ScalingError
from ..law import Law
from ..records import Derivation, Verdict
from . import as_latex, as_markdown, as_text, of_derivation, of_law, of_verdict
from .blocks import Block

__all__ = ["as_json", "blocks", "latex", "markdown", "text"]


def blocks(record: Any, verdicts: Iterable[Verdict] = ()) -> tuple[Block, ...]:
    """The page of a record.

    Parameters
    ----------
    record : Law, Derivation, Verdict, sequence of Verdict, Plan, FitResult or Best
        What to show.
    verdicts : iterable of Verdict
        Answers to what a derivation's steps owe.

    Raises
    ------
    ScalingError
        If the record is of no known kind.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> blocks(laws.get("m1"))[0]
    Heading(text='M1: power law', level=1)
    """
    match record:
        case Law():
            return of_law.blocks(record)
        case Derivation():
            return of_derivation.blocks(record, verdicts)
    if (answered := _verdicts(record)) is not None:
        return of_verdict.blocks(answered)
    from . import of_plan

    if of_plan.is_plan(record):
        return of_plan.blocks(record)
    from . import of_best, of_fit, of_structure  # load NumPy and SciPy, as whoever holds a fit has already done

    if of_fit.is_fit(record):
        return of_fit.blocks(record)
    if of_best.is_best(record):
        return of_best.blocks(record)
    if of_structure.is_structure(record):
        return of_structure.blocks(record)
    raise ScalingError("report a record", f"a {type(record).__name__}", "give a law, derivation, verdicts, plan or fit")


def text(record: Any, verdicts: Iterable[Verdict] = ()) -> str:
    """A record as plain text; formulas read back by ``notation``.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> text(laws.get("m1")).splitlines()[3]
    '    eps_x = beta*x**c'
    """
    return as_text.render(blocks(record, verdicts))


def markdown(record: Any, verdicts: Iterable[Verdict] = ()) -> str:
    """A record as Markdown with LaTeX formulas.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> markdown(laws.get("m1")).splitlines()[0]
    '# M1: power law'
    """
    return as_markdown.render(blocks(record, verdicts))


def latex(record: Any, verdicts: Iterable[Verdict] = ()) -> str:
    r"""A record as a LaTeX snippet.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> latex(laws.get("m1")).splitlines()[3]
    '\\varepsilon_x = \\beta x^{c}'
    """
    return as_latex.render(blocks(record, verdicts))


def as_json(record: Any, verdicts: Iterable[Verdict] = ()) -> Any:
    """A record as plain dictionaries and lists, in the shape that the commands print with ``--json``.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> as_json(laws.get("m1"))["form"]
    'eps_x = beta*x**c'
    """
    match record:
        case Law():
            return of_law.as_json(record)
        case Derivation():
            return of_derivation.as_json(record, verdicts)
    if (answered := _verdicts(record)) is not None:
        return {"verdicts": [of_verdict.as_json(verdict) for verdict in answered]}
    from . import of_plan

    if of_plan.is_plan(record):
        return of_plan.as_json(record)
    from . import of_best, of_fit

    if of_fit.is_fit(record):
        return of_fit.as_json(record)
    if of_best.is_best(record):
        return of_best.as_json(record)
    raise ScalingError("report a record", f"a {type(record).__name__}", "give a law, derivation, verdicts, plan or fit")


def _verdicts(record: Any) -> tuple[Verdict, ...] | None:
    if isinstance(record, Verdict):
        return (record,)
    if isinstance(record, Sequence) and all(isinstance(item, Verdict) for item in record):
        return tuple(record)
    return None
