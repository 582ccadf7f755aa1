"""A logarithm of the parameters, the rival of a power law. Kaplan et al. 2020 (arXiv 2001.08361), figure 23."""

from sympy import Eq, log, symbols

from ..domain import Domain
from ..law import Law, Parameter, Variable

L, N, a, b = symbols("L N a b", positive=True)

LAW = Law(
    name="logarithm",
    title="Logarithm: loss against log parameters",
    source="Kaplan et al. 2020, arXiv 2001.08361, figure 23",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(Variable(N, "parameters without embeddings", typical=(1e3, 1e12)),),
    parameters=(
        Parameter(a, "loss at one parameter", start=(1.0, 20.0)),
        Parameter(b, "fall for each factor e", start=(1e-3, 1.0)),
    ),
    form=Eq(L, a - b * log(N)),
    domain=Domain((), ((a, b * log(N)),)),
)
