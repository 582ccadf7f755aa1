"""Groups of ``--by`` that have no answer: the others have theirs, and these are named with their reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..errors import ScalingError
from ._common import show

if TYPE_CHECKING:
    from ..report.blocks import Block

__all__ = ["Failed", "attempt", "parted", "print_answers"]

Answer = TypeVar("Answer")
Given = TypeVar("Given")
Key: TypeAlias = dict[str, str]
Failed: TypeAlias = list[tuple[Key, ScalingError]]


def attempt(make: Callable[[Given], Answer], given: Given) -> Answer | ScalingError:
    """Make an answer, or return why there is none."""
    try:
        return make(given)
    except ScalingError as error:
        return error


def parted(made: Sequence[tuple[Key, Answer | ScalingError]]) -> tuple[list[tuple[Key, Answer]], Failed]:
    """Split the answers from the groups without one.

    Raises
    ------
    ScalingError
        The first group's, where no group has an answer.
    """
    answers = [(key, one) for key, one in made if not isinstance(one, ScalingError)]
    failed = [(key, one) for key, one in made if isinstance(one, ScalingError)]
    if failed and not answers:
        raise failed[0][1]
    return answers, failed


def print_answers(value: Mapping[str, Any], page: Sequence[Block], failed: Failed, as_json: bool) -> None:
    """Print the answers, then the groups without one: ``failed`` in JSON."""
    from ..report.blocks import Heading, Paragraph

    lines = [Paragraph(f"{', '.join(map(str, key.values()))}: {error}.") for key, error in failed]
    many = f"{len(failed)} group{'s' if len(failed) > 1 else ''} without an answer"
    more: list[Block] = [Heading(many, 2), *lines] if failed else []
    told = {"failed": [{"by": key, "error": error.as_dict()} for key, error in failed]} if failed else {}
    show({**value, **told}, (*page, *more), as_json)
