"""Chinchilla: loss against parameters and tokens. Hoffmann et al. 2022 (arXiv 2203.15556), equation (2)."""

from sympy import Eq, symbols

from ..law import Cost, Law, Parameter, Variable

L, N, D, C = symbols("L N D C", positive=True)
E, A, B, alpha, beta = symbols("E A B alpha beta", positive=True)

LAW = Law(
    name="chinchilla",
    title="Chinchilla: loss against parameters and tokens",
    source="Hoffmann et al. 2022, arXiv 2203.15556, equation (2)",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(
        Variable(N, "parameters", typical=(1e6, 1e13)),
        Variable(D, "training tokens", unit="tokens", typical=(1e8, 1e14)),
    ),
    parameters=(
        Parameter(E, "loss of the ideal model", start=(0.0, 3.0), below=L, closed=True),
        Parameter(A, "amplitude of the parameter term", start=(1.0, 1e5)),
        Parameter(B, "amplitude of the data term", start=(1.0, 1e5)),
        Parameter(alpha, "exponent of parameters", latex=r"\alpha", start=(0.05, 1.0)),
        Parameter(beta, "exponent of tokens", latex=r"\beta", start=(0.05, 1.0)),
    ),
    form=Eq(L, E + A / N**alpha + B / D**beta),
    costs=(Cost(C, 6 * N * D, "6ND training FLOPs"),),
)
