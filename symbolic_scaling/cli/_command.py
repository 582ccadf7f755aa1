"""What a command does with its options before it runs: none loses a value, and none is given in vain."""

from __future__ import annotations

import contextlib
import difflib
import os
import stat
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Timer
from typing import Any

import click
from click.core import ParameterSource

from ..errors import ScalingError

__all__ = ["Command", "Group", "Option"]

_PATIENCE = 2.0  # seconds for which a pipe is waited for without a word


class Option(click.Option):
    """An option that has an effect only beside some others, or not beside some.

    Parameters
    ----------
    needs : mapping, optional
        Name of a parameter -> values with which this option has an effect, or () for any; one of them is needed.
    without : sequence of str, optional
        Parameters with which it does not go: one of the two would have none.
    """

    def __init__(
        self,
        *args: Any,
        needs: Mapping[str, Sequence[object]] | None = None,
        without: Sequence[str] = (),
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.needs, self.without = dict(needs or {}), tuple(without)

    def refuse_in_vain(self, context: click.Context) -> None:
        """Raise :class:`ScalingError` if the option is given and has no effect."""
        named = {each.name: each for each in context.command.params}
        asked = f"{context.command_path} {spelled(self)}"
        for name in self.without:
            if _given(context, name):
                found = f"it does not go with {spelled(named[name])}"
                raise ScalingError(asked, found, f"leave {spelled(self)} or {spelled(named[name])} out")
        if self.needs and not any(_has(context, name, values) for name, values in self.needs.items()):
            ways = " or ".join(
                " ".join((spelled(named[name]), "|".join(map(str, values)))).strip()
                for name, values in self.needs.items()
            )
            raise ScalingError(asked, f"it has no effect without {ways}", f"add {ways}, or leave {spelled(self)} out")


class Command(click.Command):
    """A command that refuses an option given twice where it does not gather, and one that has no effect."""

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        return ["-h", "--help"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for each, times in Counter(order).items():
            if times > 1 and isinstance(each, click.Option) and not (each.multiple or each.is_flag):
                raise ScalingError(
                    f"run {ctx.command_path}", f"{spelled(each)} is given {times} times", "give one value"
                )
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        for each in self.params:
            if isinstance(each, Option) and _given(ctx, str(each.name)):
                each.refuse_in_vain(ctx)
        with _pipes_said([path for name in ctx.params for path in _files(ctx, name)]):
            return super().invoke(ctx)


class Group(click.Group):
    """A group of such commands; alone it shows its help, and a misspelled command is told the nearest ones."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name.lower(), self.list_commands(ctx))
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {' or '.join(near)}?" if near else ""))
        return super().resolve_command(ctx, args)


def spelled(parameter: click.Parameter) -> str:
    """The parameter as people write it: the longest spelling of an option, the name of an argument."""
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else parameter.human_readable_name


def _given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _has(context: click.Context, name: str, values: Sequence[object]) -> bool:
    """Whether a parameter is given, with one of the values if there are any."""
    found = context.params[name]
    if not values:
        return _given(context, name)
    return any(each in values for each in (found if isinstance(found, tuple) else (found,)))


def _files(context: click.Context, name: str) -> Iterator[Path]:
    """The files that a parameter names.

    Raises
    ------
    ScalingError
        For one whose name the system refuses, or that is a device.
    """
    given = context.params[name]
    for each in given if isinstance(given, tuple) else (given,):
        if not isinstance(each, Path) and not (isinstance(each, str) and os.path.exists(each)):
            continue
        try:
            mode = os.stat(each).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            found = getattr(error, "strerror", None) or str(error)
            raise ScalingError(f"look at the file {each}", found, "check its name") from None
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise ScalingError(f"use {each}", "it is a device, no regular file", "name a file")
        if stat.S_ISFIFO(mode):
            yield Path(each)


@contextlib.contextmanager
def _pipes_said(pipes: Sequence[Path]) -> Iterator[None]:
    """Say after a while that a pipe is read: who opens one waits until somebody writes to it."""
    if not pipes:
        yield
        return
    named = ", ".join(map(str, pipes))
    words = f"symscale: {named} is a pipe, read until its writer closes it; interrupt if there is none\n"
    timer = Timer(_PATIENCE, lambda: sys.stderr.write(words) and sys.stderr.flush())
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
