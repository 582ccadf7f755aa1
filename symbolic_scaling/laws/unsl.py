"""UNSL: unified neural scaling laws of several inputs. Caballero, Jaini, Krueger, Rish 2026 (arXiv 2605.26248).

The paper's letters: inputs x_i; ``b_k``, ``c_i_j_k`` (c_ijk), ``d_j_k``, ``f_j_k`` of the k-th broken power law K;
ceilings ``a_q``. Inputs are extended positive reals: 0 and oo are taken by their limits (``codegen.ends``).

Sizes: ``m`` inputs; ``n`` breaks of each K, or a mapping (r, t) -> n with t = 0 for the first term of R(r), all others
0; ``S`` counterforces; ``U`` and ``T``, mappings from r to sets of inputs (numbers or names); where they name no r
there is no first term and every input has its bottleneck. Keys may be text, as in JSON: ``{"3,0": 2}``. With names of
inputs m follows from them. Each level alone: ``mbnsl`` (4), ``bottlenecks`` (3), ``saturated`` (2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from sympy import Abs, Add, Eq, Expr, Mul, Symbol

from ..errors import LawError
from ..law import Law, Parameter, Variable
from ._unsl_sizes import counts, named, sets

__all__ = ["LEVELS", "law"]

LEVELS = ("y", "Q", "R", "K")
SOURCE = "Caballero, Jaini, Krueger, Rish 2026, arXiv 2605.26248"


def law(
    m: int = 1,
    n: Any = 1,
    S: int = 0,
    *,
    U: Any = (),
    T: Any = (),
    ceilings: Any = (),
    overfitting: bool = False,
    inputs: Any = (),
    signs: Any = 1,
    level: str = "y",
) -> Law:
    """Equations (1) to (4), or with ``level`` "Q", "R" or "K" one of (2) to (4) alone, plus the floor a_0.

    Parameters
    ----------
    m, S : int
        How many inputs, 1 to 9, and counterforces, 0 to 3.
    n : int or mapping
        Breaks of every component, or (r, t) -> breaks.
    U, T : mapping
        r -> inputs of the first term of R(r), and inputs that have a bottleneck there.
    ceilings : collection of int
        The q with a finite a_q, from 2 on (a_1 comes with ``overfitting``).
    overfitting : bool
        Whether the overfitting counterforce is there.
    inputs : sequence of str
        Names; x, or x_1, x_2, ... without it.
    signs : int or mapping
        Widths f are positive (1), negative (-1) or of open sign (0): below both power laws of a break, above both, or
        either; (j, k) -> sign for each, all others open.
    level : {"y", "Q", "R", "K"}

    Raises
    ------
    LawError
        If a size is impossible, or names what this instance does not have.

    Examples
    --------
    >>> law(inputs=("N", "D"), n=0, ceilings=(2,)).constants
    (a_0, c_1_0_10, b_10, c_2_0_11, b_11, a_2)
    """
    build = Builder.of(m, n, U=U, T=T, ceilings=ceilings, inputs=inputs, signs=signs)
    if S not in (0, 1, 2, 3) or level not in LEVELS or not isinstance(overfitting, bool | int):
        raise LawError(
            "get unsl",
            f"S = {S!r}, level = {level!r}, overfitting = {overfitting!r}",
            f"S from 0 to 3, a level of {', '.join(LEVELS)}, overfitting true or false",
        )
    build.check("unsl", 2 * S + 4 if overfitting else S + 3)
    expression = {
        "y": lambda: build.outer(S, overfitting),
        "Q": lambda: build.Q(3, S),
        "R": lambda: build.R(3),
        "K": lambda: build.K(build.all, build.breaks(3, 0), 3 * (m + 1)),
    }[level]()
    title = {"y": "unified neural scaling law", "Q": "saturated sum", "R": "sum of bottlenecks", "K": "one MBNSL"}[
        level
    ]
    return build.law("unsl", f"UNSL: {title}", expression)


@dataclass
class Builder:
    """The components of one instance; parameters are declared in the order in which they are met."""

    inputs: tuple[Symbol, ...]
    n: int | dict[tuple[int, int], int]
    U: dict[int, tuple[int, ...]]
    T: dict[int, tuple[int, ...]]
    ceilings: frozenset[int]
    signs: int | dict[tuple[int, int], int]
    parameters: dict[Symbol, Parameter] = field(default_factory=dict)

    @classmethod
    def of(cls, m: int, n: Any, *, U: Any, T: Any, ceilings: Any, inputs: Any, signs: Any) -> Self:
        """Read the sizes as they are given."""
        names = named(m, inputs)
        first, bottlenecks = (sets(names, given, which) for given, which in ((U, "U"), (T, "T")))
        symbols = tuple(Symbol(name, positive=True) for name in names)
        tops = frozenset(ceilings if isinstance(ceilings, Iterable) else (ceilings,))
        return cls(symbols, counts(n, "n"), first, bottlenecks, tops, counts(signs, "signs"))

    def check(self, name: str, last: int) -> None:
        """Refuse ceilings and sets of R(r) that an instance with 3 <= r <= ``last`` does not have."""
        strange = [f"a_{q}" for q in sorted(self.ceilings, key=str) if not (isinstance(q, int) and 2 <= q <= last)]
        strange += [f"R({r})" for r in sorted({*self.U, *self.T}) if not 3 <= r <= last]
        given = self.n if isinstance(self.n, dict) else {}
        strange += [f"K({t}) of R({r})" for r, t in given if not (3 <= r <= last and 0 <= t <= len(self.inputs))]
        if strange:
            has = f"it has R(3) to R({last}) and may have a_2 to a_{last}; t from 0 to {len(self.inputs)}"
            raise LawError(f"get {name}", f"no {strange[0]} in this instance", has)

    @property
    def all(self) -> tuple[int, ...]:
        """The numbers of all inputs."""
        return tuple(range(1, len(self.inputs) + 1))

    def breaks(self, r: int, t: int) -> int:
        """How many breaks the component t of R(r) has."""
        return self.n if isinstance(self.n, int) else self.n.get((r, t), 0)

    def K(self, members: Iterable[int], n: int, k: int | None) -> Expr:
        """Equation (4): a power law with n smooth hyperbreaks in the inputs ``members``; alone it needs no k."""
        of = [(i, self.inputs[i - 1]) for i in members]
        end, tex, term = ("", "", "the term") if k is None else (f"_{k}", f",{k}", f"term {k}")
        power = Mul(*(x ** -self.real(f"c_{i}_0{end}", f"c_{{{i}0{tex}}}", f"fall of {term} in {x}") for i, x in of))
        factors = []
        for j in range(1, n + 1):
            c = [(x, self.real(f"c_{i}_{j}{end}", f"c_{{{i}{j}{tex}}}", f"change of the fall in {x}")) for i, x in of]
            d = self.positive(f"d_{j}{end}", f"d_{{{j}{tex}}}", f"where hyperbreak {j} of {term} lies", (1e-2, 1e12))
            f = self.width(j, k)
            factors.append((1 + (Mul(*(x**power for x, power in c)) / d) ** Abs(1 / f)) ** -f)
        b = self.positive(f"b{end}", "b" if k is None else f"b_{{{k}}}", f"amplitude of {term}", (1e-3, 1e6))
        return b * power * Mul(*factors)

    def R(self, r: int) -> Expr:
        """Equation (3): the first term over U_r, and a bottleneck for each input of T_r."""
        base = r * (len(self.inputs) + 1)
        first = [self.K(self.U[r], self.breaks(r, 0), base)] if r in self.U else []
        terms = [*first, *(self.K((t,), self.breaks(r, t), base + t) for t in self.T.get(r, self.all))]
        if not terms:
            raise LawError("get unsl", f"R({r}) has no term", "name inputs in U or T")
        return Add(*terms)

    def Q(self, q: int, S: int) -> Expr:
        """Equation (2): ceilings, and a counterforce for each s."""
        return Add(
            *(
                (1 / self.R(r) + self.over(r)) ** -1 if s == 0 else 1 / (self.R(r) + self.over(r))
                for s, r in enumerate(range(q, q + S + 1))
            )
        )

    def outer(self, S: int, overfitting: bool) -> Expr:
        """Equation (1) without a_0."""
        inner = 1 / self.Q(3, S)
        if overfitting:
            a = self.positive("a_1", "a_{1}", "where overfitting ends", (1e-3, 1e3))
            inner = 1 / (self.Q(3, S) + 1 / (self.Q(S + 4, S) + 1 / a))
        return 1 / (inner + self.over(2))

    def over(self, q: int) -> Expr:
        """``1/a_q``, 0 where there is no ceiling."""
        if q not in self.ceilings:
            return Add()
        return 1 / self.positive(f"a_{q}", f"a_{{{q}}}", "ceiling", (1e-2, 1e3))

    def positive(self, name: str, latex: str, doc: str, start: tuple[float, float]) -> Symbol:
        """A positive constant."""
        return self._declare(Symbol(name, positive=True), latex, doc, start)

    def real(self, name: str, latex: str, doc: str) -> Symbol:
        """An exponent of either sign."""
        return self._declare(Symbol(name, real=True), latex, doc, (-1.0, 1.0))

    def width(self, j: int, k: int | None) -> Symbol:
        """The width of a hyperbreak; 0 is sharp, and its sign says which way the fall turns."""
        sign = self.signs if isinstance(self.signs, int) else self.signs.get((j, k or 0), 0)
        end, tex, term = ("", "", "the term") if k is None else (f"_{k}", f",{k}", f"term {k}")
        facts = {"positive": True} if sign > 0 else {"negative": True} if sign < 0 else {"real": True, "nonzero": True}
        start = (-2.0, -0.02) if sign < 0 else (0.02, 2.0)
        return self._declare(
            Symbol(f"f_{j}{end}", **facts), f"f_{{{j}{tex}}}", f"width of hyperbreak {j} of {term}", start
        )

    def _declare(self, symbol: Symbol, latex: str, doc: str, start: tuple[float, float]) -> Symbol:
        self.parameters[symbol] = Parameter(symbol, doc, latex, start)
        return symbol

    def law(self, name: str, title: str, expression: Expr, *, floor: bool = True) -> Law:
        """The law ``y = a_0 + expression``, or without the floor a_0."""
        y = Symbol("y", positive=True)
        a = Symbol("a_0", positive=True)
        first = (Parameter(a, "floor", "a_{0}", (0.0, 2.0), below=y, closed=True),) if floor else ()
        return Law(
            name=name,
            title=title,
            source=SOURCE,
            response=Variable(y, "loss or error", typical=(1e-3, 10)),
            variables=tuple(Variable(x, "what is scaled", typical=(1, 1e12)) for x in self.inputs),
            parameters=(*first, *self.parameters.values()),
            form=Eq(y, a + expression if floor else expression),
        )
