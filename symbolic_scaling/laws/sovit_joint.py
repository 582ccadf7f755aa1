"""SoViT, all shape dimensions jointly. Alabdulmohsin et al. 2023 (arXiv 2305.13035), equation (3)."""

from sympy import Add, Eq, Symbol, symbols

from ..errors import LawError
from ..law import Law, Parameter, Variable

f, t = symbols("f t", positive=True)
xi, c, eps_inf = symbols("xi c eps_inf", positive=True)


def law(dimensions: tuple[str, ...] | str = ("width", "depth", "mlp")) -> Law:
    """The joint law of some dimensions; their names index the letters: ``x_width``, ``alpha_width`` and so on.

    Text names them with commas: ``"width,depth"``.
    """
    if isinstance(dimensions, str):
        dimensions = tuple(name.strip() for name in dimensions.split(","))
    if not dimensions or len(set(dimensions)) < len(dimensions):
        raise LawError("get the joint law of shapes", f"dimensions = {dimensions!r}", "name each dimension once")
    letters = [_letters(name) for name in dimensions]
    falling = Add(*(alpha * x ** (-a) for x, alpha, a, _, _ in letters))
    rising = Add(*(beta * x**b * t ** (-c) for x, _, _, beta, b in letters))
    return Law(
        name="sovit-joint",
        title="SoViT: all shape dimensions against compute",
        source="Alabdulmohsin et al. 2023, arXiv 2305.13035, equation (3)",
        response=Variable(f, "error", typical=(1e-2, 10)),
        variables=(
            *(
                Variable(x, f"shape dimension {name}", unit="units", typical=(1, 1e5))
                for name, (x, *_) in zip(dimensions, letters, strict=True)
            ),
            Variable(t, "training compute", unit="GFLOP", typical=(1e6, 1e14)),
        ),
        parameters=(
            *(parameter for name, (_, *own) in zip(dimensions, letters, strict=True) for parameter in _own(name, own)),
            Parameter(xi, "amplitude of the rest of the compute term", latex=r"\xi", start=(0.0, 1e3), closed=True),
            Parameter(c, "exponent of compute", start=(0.05, 1.0)),
            Parameter(eps_inf, "floor", latex=r"\varepsilon_\infty", start=(0.0, 2.0), below=f, closed=True),
        ),
        form=Eq(f, falling + rising + xi * t ** (-c) + eps_inf),
    )


def _letters(name: str) -> list[Symbol]:
    return [Symbol(f"{letter}_{name}", positive=True) for letter in ("x", "alpha", "a", "beta", "b")]


def _own(name: str, own: list[Symbol]) -> tuple[Parameter, ...]:
    alpha, a, beta, b = own
    return (
        Parameter(alpha, f"amplitude of the term that falls with {name}", start=(1e-2, 1e2)),
        Parameter(a, f"exponent of the term that falls with {name}", start=(0.05, 1.5)),
        Parameter(beta, f"amplitude of the cost of {name}", start=(1e-3, 1e3)),
        Parameter(b, f"exponent of the cost of {name}", start=(0.05, 1.5)),
    )
