"""BNSL: a smoothly broken power law with n breaks. Caballero et al. 2022 (arXiv 2210.14891)."""

from sympy import Eq, Mul, Symbol, symbols

from ..errors import LawError
from ..law import Law, Parameter, Variable

y, x, a, b = symbols("y x a b", positive=True)
c0 = symbols("c0", real=True)

MOST_BREAKS = 100


def law(n: int = 1) -> Law:
    """The law with ``n`` breaks, in ascending order; the log-log slope of y - a begins at -c0 and ends at -sum(c)."""
    if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= MOST_BREAKS:
        raise LawError("get a broken power law", f"n = {n!r}", f"give a number of breaks from 0 to {MOST_BREAKS}")
    breaks = [_letters(i) for i in range(1, n + 1)]
    factors = Mul(*((1 + (x / d) ** (1 / f)) ** (-c * f) for c, d, f in breaks))
    return Law(
        name="bnsl",
        title="BNSL: smoothly broken power law",
        source="Caballero et al. 2022, arXiv 2210.14891",
        response=Variable(y, "error or loss", typical=(1e-3, 10)),
        variables=(Variable(x, "what is scaled: examples, steps, parameters, compute", typical=(1, 1e12)),),
        parameters=(
            Parameter(a, "floor", start=(0.0, 2.0), below=y, closed=True),
            Parameter(b, "amplitude", start=(1e-3, 1e6)),
            Parameter(c0, "fall of the first segment", start=(-0.5, 1.5)),
            *(parameter for i in range(n) for parameter in _own(breaks, i)),
        ),
        form=Eq(y, a + b * x ** (-c0) * factors),
    )


def _letters(i: int) -> tuple[Symbol, Symbol, Symbol]:
    return Symbol(f"c{i}", real=True), Symbol(f"d{i}", positive=True), Symbol(f"f{i}", positive=True)


def _own(breaks: list[tuple[Symbol, Symbol, Symbol]], i: int) -> tuple[Parameter, ...]:
    c, d, f = breaks[i]
    return (
        Parameter(c, f"fall that break {i + 1} adds", start=(-1.5, 1.5)),
        Parameter(d, f"where break {i + 1} lies", start=(1e1, 1e9), above=breaks[i - 1][1] if i else None),
        Parameter(f, f"width of break {i + 1} in log x; 0 is sharp", start=(0.02, 2.0)),
    )
