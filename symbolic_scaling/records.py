"""What the package says: steps, derivations, roots, series, claims and verdicts. Pure data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import sympy as sp

from .domain import Domain
from .errors import ClaimError
from .law import Cost, Law
from .shown import Shown
from .statements import Asymptotic, Equal, Exists, Less, Number, Proportional, Statement, Tends

__all__ = [
    "Asymptotic",
    "Case",
    "Claim",
    "Derivation",
    "Equal",
    "Exists",
    "Less",
    "Number",
    "Proportional",
    "Question",
    "Reduction",
    "Root",
    "Series",
    "Statement",
    "Status",
    "Step",
    "Tends",
    "Verdict",
]


@dataclass(frozen=True)
class Claim:
    """A statement with its name, the domain in which it is claimed and where it was printed.

    ``needs`` are the pairs (u, op) with ``u op 0`` without which its text means no number; SymPy may have cancelled
    what shows them.
    """

    name: str
    statement: Statement
    domain: Domain = field(default_factory=Domain)
    source: str = ""
    needs: tuple[tuple[sp.Expr, str], ...] = field(default=(), compare=False, repr=False)


class Status(Enum):
    """What a verdict says; the value is the help text."""

    PROVED = "both sides have the same normal form, or a chain of rewriting steps joins them"
    REFUTED = "a certified counterexample, or an expansion or interval that excludes the statement"
    SUPPORTED = "not proved; agrees to many digits at sample points"
    CONSISTENT = "the value at the printed inputs rounds to the printed result"
    ROUNDING = "the printed inputs, moved within their last digit, could give the printed result"
    UNDECIDED = "none of these within the budget"


@dataclass(frozen=True)
class Verdict(Shown):
    """The answer to a claim and the evidence for it.

    ``evidence`` is a tuple of (key, text) pairs: domain facts used, the point with both balls, digits and
    sample count, or the interval, by status.
    """

    claim: Claim
    status: Status
    method: str
    evidence: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Root:
    """What stands where there is no closed form: the only zero of ``condition`` inside ``bracket``.

    ``inner`` are unknowns that follow: at every value of ``symbol`` they are at roots of their own. Other unknowns in
    the condition are found with this one, as the one common zero of their conditions.
    """

    symbol: sp.Symbol
    condition: sp.Expr
    bracket: tuple[sp.Expr, sp.Expr]
    why_unique: str
    inner: tuple[sp.Symbol, ...] = ()


@dataclass(frozen=True)
class Series:
    """A truncated generalised power series: the sum of ``coefficient * small**exponent``."""

    variable: sp.Symbol
    at: sp.Expr
    small: sp.Expr
    terms: tuple[tuple[sp.Expr, sp.Expr], ...]
    radius: sp.Expr | None = None
    remainder: sp.Expr | None = None


@dataclass(frozen=True)
class Reduction:
    """``law`` is a special case: the values that make it so, and its letters in terms of the general law's."""

    law: str
    when: tuple[tuple[sp.Symbol, sp.Expr], ...]
    map: tuple[tuple[sp.Symbol, sp.Expr], ...]


Found: TypeAlias = sp.Expr | Root | Series | Reduction


@dataclass(frozen=True)
class Step:
    """One move of a derivation; ``owes`` are the claims that hold if the move is right."""

    rule: str
    text: str
    before: sp.Basic
    after: sp.Basic
    owes: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Case:
    """An answer under extra conditions ``greater > lesser``."""

    when: tuple[tuple[sp.Expr, sp.Expr], ...]
    found: tuple[tuple[str, Found], ...]


@dataclass(frozen=True)
class Question:
    """What a derivation answers, as far as its answers can be put to the law again.

    Parameters
    ----------
    what : str
        The entry of ``derive``.
    domain : Domain
        Where the answers are claimed.
    over : tuple of Symbol
        The inputs that are chosen, solved for or expanded in.
    cost : Cost, optional
        What is spent.
    moving : tuple of Symbol
        Symbols that exponents belong to.
    form, other : Expr, optional
        What stands for the response, and for that of a second law.
    values : tuple of (Symbol, Expr)
        Constants that are held, or the optimum that is left.
    laws : tuple of Law
        Laws that it is compared with.
    """

    what: str
    domain: Domain
    over: tuple[sp.Symbol, ...] = ()
    cost: Cost | None = None
    moving: tuple[sp.Symbol, ...] = ()
    form: sp.Expr | None = None
    other: sp.Expr | None = None
    values: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()
    laws: tuple[Law, ...] = ()


@dataclass(frozen=True)
class Derivation(Shown):
    """A result with every step that led to it.

    ``found`` pairs a key with an expression, :class:`Root` or :class:`Series`; the key is a symbol's name, ``N,D`` for
    second derivatives, ``x->oo`` for limits, and ``exponent of N_star`` for what a frontier scales as.
    """

    title: str
    law: Law
    given: tuple[str, ...]
    steps: tuple[Step, ...]
    found: tuple[tuple[str, Found], ...]
    cases: tuple[Case, ...] = ()
    question: Question | None = None

    def __getitem__(self, key: str) -> Found:
        for name, value in self.found:
            if name == key:
                return value
        raise ClaimError(
            f"read {key!r} of {self.title!r}", f"it has {[name for name, _ in self.found]}", "use one of these keys"
        )

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim that some step owes."""
        return tuple(claim for step in self.steps for claim in step.owes)

    def _repr_latex_(self) -> str:
        names = self.law.latex_names
        rows = [
            f"{key} &= {sp.latex(value, symbol_names=names)}" for key, value in self.found if isinstance(value, sp.Expr)
        ]
        return "$$\\begin{aligned}" + r" \\ ".join(rows) + "\\end{aligned}$$"
