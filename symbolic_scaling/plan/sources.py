"""Where a plan's constants come from: a printed set, a fit, or numbers given; and how sure a fit is of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import sympy as sp

from ..errors import FitError, LawError
from ..law import Law
from ..records import Root
from .records import Amount
from .units import evaluated

if TYPE_CHECKING:
    from ..fit import FitResult

__all__ = ["Chosen", "Source", "chosen_source", "source"]


@dataclass(frozen=True, eq=False)
class Source:
    """A law with a number for every constant, and whose numbers they are."""

    law: Law
    label: str
    constants: dict[str, sp.Expr]
    fit: FitResult | None = None

    @property
    def point(self) -> dict[sp.Symbol, sp.Expr]:
        """Symbol -> number."""
        return {symbol: self.constants[symbol.name] for symbol in self.law.constants}

    def respond(self, inputs: Mapping[str, sp.Expr], asked: str) -> sp.Float:
        """The response of an explicit law at inputs."""
        if self.law.explicit is None:
            raise LawError(asked, f"{self.law.name} is implicit", "take a law that gives its response")
        here = {symbol: inputs[symbol.name] for symbol in self.law.inputs}
        return evaluated(self.law.explicit, {**self.point, **here}, asked)

    def sure(
        self,
        wanted: Mapping[str, sp.Expr],
        values: Mapping[str, sp.Expr],
        methods: Sequence[str],
        root: Root | None = None,
    ) -> dict[str, Amount]:
        """What a fit says of how sure each wanted expression is; nothing for printed constants.

        ``root`` is the one whose symbol stands in the expressions.
        """
        if self.fit is None or not methods or not wanted:
            return {}
        from ..fit import interval_table

        given = {name: float(value) for name, value in values.items()}
        asked = self._asked(wanted, given, root)
        found: dict[str, Amount] = {}
        for row in interval_table(self.fit, asked, values=given, methods=tuple(methods)):
            before = found.get(row.name, Amount(row.name, sp.Integer(0)))
            ends = () if math.isnan(row.lo) or math.isnan(row.hi) else ((row.method, row.lo, row.hi),)
            note = "; ".join(part for part in (before.note, f"{row.method}: {row.note}" if row.note else "") if part)
            found[row.name] = Amount(row.name, before.value, "", before.intervals + ends, note)
        return found

    def require(
        self, wanted: Mapping[str, sp.Expr], values: Mapping[str, sp.Expr], root: Root | None = None, *, asked: str
    ) -> None:
        """Refuse what the rows of a fit leave open; as :meth:`sure`.

        Raises
        ------
        FitError
            If the fit is as good at other constants, where a wanted expression is another number.
        """
        if self.fit is None or not wanted:
            return
        from ..fit.derived import quantity
        from ..fit.determined import not_identified
        from ..fit.local import at_optimum

        given, ties = {name: float(value) for name, value in values.items()}, self.fit.problem.tie
        local = at_optimum(self.fit)
        for name, what in self._asked(wanted, given, root).items():
            why = not_identified(local, quantity(self.law, what, given, name, ties))
            if why:
                known = [note for note in self.fit.notes if "identified" in note]
                remedy = "add rows that tell them apart, fix or tie constants in the fit, or take printed ones"
                raise FitError(f"{asked} by {self.label}", "; ".join((why, *known)), remedy)

    def _asked(
        self, wanted: Mapping[str, sp.Expr], given: Mapping[str, float], root: Root | None
    ) -> dict[str, sp.Expr | Root]:
        """The expressions without the symbol of the root."""
        from ..fit.rooted import rooted

        if self.fit is None or root is None:
            return dict(wanted)
        ties = self.fit.problem.tie
        return {n: rooted(self.law, value, root, dict(given), name=n, ties=ties) for n, value in wanted.items()}


def source(
    law: Law | FitResult | None = None,
    published: str | None = None,
    fit: FitResult | None = None,
    constants: Mapping[str, object] | None = None,
    label: str = "",
) -> Source:
    """A law with its numbers.

    Parameters
    ----------
    law : Law or FitResult, optional
        The fit's own without it; a fit in its place is that fit.
    published : str, optional
        A printed set; the law's first one where nothing else is given. A law without letters needs none.
    fit : FitResult, optional
    constants : mapping of name to number, optional
    label : str
        What to call them; the set's name, or what the fit rests on, without it.

    Raises
    ------
    LawError
        If there is no such set, a constant has no number or one that the law does not admit, a number belongs to no
        constant, more than one source is named, or something else stands in the law's place.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> source(laws.get("chinchilla"), "besiroglu2024").constants["alpha"]
    1739/5000
    """
    placed = None
    if law is not None and not isinstance(law, Law):
        law, placed = None, _fitted(law)
    if sum(one is not None for one in (published, fit, constants, placed)) > 1:
        raise LawError("choose constants", "more than one source is named", "give a published set, a fit or numbers")
    if (fit := fit if placed is None else placed) is not None:
        numbers = {name: sp.Rational(repr(float(value))) for name, value in fit.estimate.items()}
        return Source(fit.law, label or f"a fit to {len(fit.problem.y)} rows", numbers, fit)
    if law is None:
        raise LawError("choose constants", "no law is named", "give --law NAME --published SET, or --fit FIT")
    if constants is not None:
        own, numbers = "given", _given(law, constants)
    elif published is None and not law.constants:
        own, numbers = "the formula's numbers", {}
    elif published is None and not law.published:
        raise LawError(f"plan with {law.name}", "it has no published constants", "give a fit of it")
    else:
        chosen = law.published_set(published) if published else law.published[0]
        own, numbers = chosen.name, chosen.exact()
    if missing := [symbol.name for symbol in law.constants if symbol.name not in numbers]:
        remedy = "take another set" if constants is None else "give each constant a number"
        raise LawError(f"plan with {law.name}, {own}", f"no number for {', '.join(missing)}", remedy)
    return Source(law, label or own, {symbol.name: numbers[symbol.name] for symbol in law.constants})


def _fitted(given: object) -> FitResult:
    """A fit that stands in a law's place; anything else is refused."""
    from ..fit import FitResult

    if not isinstance(given, FitResult):
        remedy = "give laws.get(...), a fit, or plan.source(law, ...)"
        raise LawError("choose constants", f"{given!r:.80} is neither a law nor a fit", remedy)
    return given


def _given(law: Law, constants: Mapping[str, object]) -> dict[str, sp.Expr]:
    """Numbers as given, each of a constant of the law and inside its interval."""
    from ..fit.require import misplaced

    known, found = {parameter.symbol.name: parameter for parameter in law.parameters}, {}
    for name, value in constants.items():
        asked = f"take {name} = {value!s:.80} for {law.name}"
        if name not in known:
            raise LawError(asked, f"it has no constant {name!r}", f"it has {', '.join(known)}")
        number = _exact(value)
        if number is None:
            raise LawError(asked, "it is no real number", f"give one in {law.domain.interval(known[name].symbol)}")
        if why := misplaced(law, known[name], float(number)):
            raise LawError(asked, *why)
        found[name] = number
    return found


def _exact(value: object) -> sp.Expr | None:
    """The number that a value prints as, or an exact real one itself; None of anything else."""
    if isinstance(value, sp.Expr) and value.is_number and value.is_real and not value.is_Float:
        return value
    text = str(value).strip()
    try:
        number = Fraction(text) if "/" in text or 0 < abs(float(text)) < math.inf else Fraction(float(text))
    except (ValueError, ArithmeticError):
        return None
    return sp.Rational(number.numerator, number.denominator)


Chosen: TypeAlias = "Source | Law | FitResult"


def chosen_source(given: Chosen, published: str | None = None) -> Source:
    """A source as it is, a law with a printed set, or a fit's own numbers."""
    return given if isinstance(given, Source) else source(given, published)
