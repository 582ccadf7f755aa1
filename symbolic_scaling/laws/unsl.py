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
from ._unsl_sizes import ceilings as tops
from ._unsl_sizes import counts, named, sets, switch, whole

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
    _possible(S, level, switch("unsl", "overfitting", overfitting))
    expression = {
        "y": lambda: build.outer(S, overfitting),
        "Q": lambda: build.Q(3, S),
        "R": lambda: build.R(3),
        "K": lambda: build.K(build.all, build.breaks(3, 0), 3 * (len(build.all) + 1)),
    }[level]()
    title = {"y": "unified neural scaling law", "Q": "saturated sum", "R": "sum of bottlenecks", "K": "one MBNSL"}[
        level
    ]
    return build.law("unsl", f"UNSL: {title}", expression)


def _possible(S: Any, level: Any, overfitting: bool) -> None:
    """Refuse counterforces and overfitting that the level does not have."""
    if not whole(S) or not 0 <= S <= 3 or level not in LEVELS:
        levels = ", ".join(LEVELS)
        raise LawError("get unsl", f"S = {S!r}, level = {level!r}", f"S from 0 to 3, a level of {levels}")
    if S and level in ("R", "K"):
        raise LawError("get unsl", f"S = {S} at level {level}", "levels y and Q have counterforces")
    if overfitting and level != "y":
        raise LawError("get unsl", f"overfitting at level {level}", "level y alone has it")


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
    met: dict[str, set[Any]] = field(default_factory=lambda: {size: set() for size in "RKaf"})

    @classmethod
    def of(cls, m: int, n: Any, *, U: Any, T: Any, ceilings: Any, inputs: Any, signs: Any) -> Self:
        """Read the sizes as they are given."""
        names = named(m, inputs)
        first, bottlenecks = (sets(names, given, which) for given, which in ((U, "U"), (T, "T")))
        symbols = tuple(Symbol(name, positive=True) for name in names)
        return cls(symbols, counts(n, "n"), first, bottlenecks, tops(ceilings), counts(signs, "signs"))

    def check(self, name: str) -> None:
        """Refuse sizes that name what the instance does not have: what was not met when it was built."""
        R, K, a, f = (sorted(self.met[size]) for size in "RKaf")
        one = name == "bottlenecks"  # a single sum, whose terms are known by t alone
        terms = ", ".join(str(t if one else (r, t)) for r, t in K)
        first = "0 with U" if one else "0 where U names r"
        given = (
            (self.ceilings, a, "a_{}", f"it may have {', '.join(f'a_{q}' for q in a) or 'no ceiling'}"),
            ({**self.U, **self.T}, R, "R({})", f"it has {', '.join(f'R({r})' for r in R) or 'one K of all inputs'}"),
            (
                self.n,
                K,
                "term {1}" if one else "K({1}) of R({0})",
                f"n may name {terms}; t from 0 to {len(self.all)}, {first}",
            ),
            (self.signs, f, "f_{}_{}", f"signs may name {', '.join(map(str, f)) or 'none: it has no break'}"),
        )
        for asked, has, form, remedy in given:
            strange = [key for key in (() if isinstance(asked, int) else sorted(asked)) if key not in has]
            if strange:
                key = strange[0] if isinstance(strange[0], tuple) else (strange[0],)
                raise LawError(f"get {name}", f"no {form.format(*key)} in this instance", remedy)

    @property
    def all(self) -> tuple[int, ...]:
        """The numbers of all inputs."""
        return tuple(range(1, len(self.inputs) + 1))

    def breaks(self, r: int, t: int) -> int:
        """How many breaks the component t of R(r) has."""
        self.met["K"].add((r, t))
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
        self.met["R"].add(r)
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
        self.met["a"].add(q)
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
        self.met["f"].add((j, k or 0))
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
        """The law ``y = a_0 + expression``, or without the floor a_0; every size must have been met."""
        self.check(name)
        left = [x.name for x in self.inputs if x not in expression.free_symbols]
        if left:
            found = f"{', '.join(left)} {'stands' if len(left) == 1 else 'stand'} in no set U or T"
            raise LawError(f"get {name}", found, "put each input into a set, or leave it out of the inputs")
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
