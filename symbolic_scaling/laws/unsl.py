"""UNSL: unified neural scaling laws of several inputs. Caballero, Jaini, Krueger, Rish 2026 (arXiv 2605.26248).

The paper's letters: inputs x_i; ``b_k``, ``c_i_j_k`` (c_ijk), ``d_j_k``, ``f_j_k`` of the k-th broken power law K;
ceilings ``a_q``. Sizes: ``m`` inputs; ``n`` breaks of each K, or a mapping (r, t) -> n with t = 0 for the first term of
R(r), all others 0; ``S`` counterforces; ``U`` and ``T``, mappings from r to sets of inputs (numbers or names); where
they name no r there is no first term and every input has its bottleneck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from sympy import Abs, Add, Eq, Expr, Mul, Symbol

from ..errors import LawError
from ..law import Law, Parameter, Variable

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

    ``ceilings`` lists the q with a finite a_q (a_1 comes with ``overfitting``); ``signs``, a number or a
    mapping (j, k) -> number, makes widths f positive (1), negative (-1) or leaves their sign open (0): below
    both of its power laws, above both, or either.
    """
    build = Builder.of(m, n, U=U, T=T, ceilings=ceilings, inputs=inputs, signs=signs)
    if S not in (0, 1, 2, 3) or level not in LEVELS:
        raise LawError("get unsl", f"S = {S!r}, level = {level!r}", f"S from 0 to 3, a level of {', '.join(LEVELS)}")
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
        if not isinstance(m, int) or not 1 <= m <= 9:
            raise LawError("get unsl", f"m = {m!r}", "give 1 to 9 inputs")
        names = tuple(inputs) or (("x",) if m == 1 else tuple(f"x_{i}" for i in range(1, m + 1)))
        if len(names) != m or len(set(names)) != m:
            raise LawError("get unsl", f"inputs {names} for m = {m}", "name each input once")
        first, bottlenecks = (
            {int(r): _members(names, members) for r, members in dict(given).items()} for given in (U, T)
        )
        symbols = tuple(Symbol(name, positive=True) for name in names)
        return cls(symbols, _counts(n, "n"), first, bottlenecks, frozenset(ceilings), _counts(signs, "signs"))

    @property
    def all(self) -> tuple[int, ...]:
        """The numbers of all inputs."""
        return tuple(range(1, len(self.inputs) + 1))

    def breaks(self, r: int, t: int) -> int:
        """How many breaks the component t of R(r) has."""
        return self.n if isinstance(self.n, int) else self.n.get((r, t), 0)

    def K(self, members: Iterable[int], n: int, k: int) -> Expr:
        """Equation (4): a power law with n smooth hyperbreaks in the inputs ``members``."""
        of = [(i, self.inputs[i - 1]) for i in members]
        power = Mul(*(x ** -self.real(f"c_{i}_0_{k}", f"c_{{{i}0,{k}}}", f"fall of term {k} in {x}") for i, x in of))
        factors = []
        for j in range(1, n + 1):
            c = [(x, self.real(f"c_{i}_{j}_{k}", f"c_{{{i}{j},{k}}}", f"change of the fall in {x}")) for i, x in of]
            d = self.positive(f"d_{j}_{k}", f"d_{{{j},{k}}}", f"where hyperbreak {j} of term {k} lies", (1e-2, 1e12))
            f = self.width(j, k)
            factors.append((1 + (Mul(*(x**power for x, power in c)) / d) ** Abs(1 / f)) ** -f)
        b = self.positive(f"b_{k}", f"b_{{{k}}}", f"amplitude of term {k}", (1e-3, 1e6))
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

    def width(self, j: int, k: int) -> Symbol:
        """The width of a hyperbreak; 0 is sharp, and its sign says which way the fall turns."""
        sign = self.signs if isinstance(self.signs, int) else self.signs.get((j, k), 0)
        facts = {"positive": True} if sign > 0 else {"negative": True} if sign < 0 else {"real": True, "nonzero": True}
        start = (-2.0, -0.02) if sign < 0 else (0.02, 2.0)
        symbol = Symbol(f"f_{j}_{k}", **facts)
        return self._declare(symbol, f"f_{{{j},{k}}}", f"width of hyperbreak {j} of term {k}", start)

    def _declare(self, symbol: Symbol, latex: str, doc: str, start: tuple[float, float]) -> Symbol:
        self.parameters[symbol] = Parameter(symbol, doc, latex, start)
        return symbol

    def law(self, name: str, title: str, expression: Expr) -> Law:
        """The law ``y = a_0 + expression``."""
        y = Symbol("y", positive=True)
        a = Symbol("a_0", positive=True)
        floor = Parameter(a, "floor", "a_{0}", (0.0, 2.0), below=y, closed=True)
        return Law(
            name=name,
            title=title,
            source=SOURCE,
            response=Variable(y, "loss or error", typical=(1e-3, 10)),
            variables=tuple(Variable(x, "what is scaled", typical=(1, 1e12)) for x in self.inputs),
            parameters=(floor, *self.parameters.values()),
            form=Eq(y, a + expression),
        )


def _members(names: tuple[str, ...], given: Iterable[Any]) -> tuple[int, ...]:
    """Numbers of inputs that are named or numbered."""
    known = {name: i for i, name in enumerate(names, 1)} | {i: i for i in range(1, len(names) + 1)}
    strange = [item for item in given if item not in known]
    if strange:
        raise LawError(
            "get unsl", f"{strange[0]!r} in U or T", f"name inputs: {', '.join(names)}, or 1 to {len(names)}"
        )
    return tuple(sorted({known[item] for item in given}))


def _counts(given: Any, what: str) -> Any:
    """A whole number, or a mapping to whole numbers."""
    counts = given if isinstance(given, int) else {tuple(key): count for key, count in dict(given).items()}
    if not all(isinstance(count, int) for count in (counts.values() if isinstance(counts, Mapping) else (counts,))):
        raise LawError("get unsl", f"{what} = {given!r}", "give whole numbers")
    return counts
