"""Kaplan L(N): loss against parameters, data and compute unlimited. Kaplan et al. 2020 (arXiv 2001.08361), (1.1)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

L, N, N_c, alpha_N = symbols("L N N_c alpha_N", positive=True)

LAW = Law(
    name="kaplan-n",
    title="Kaplan L(N): loss against parameters",
    source="Kaplan et al. 2020, arXiv 2001.08361, equation (1.1)",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(Variable(N, "parameters without embeddings", typical=(1e3, 1e12)),),
    parameters=(
        Parameter(N_c, "parameters at which the loss would be 1", start=(1e10, 1e16)),
        Parameter(alpha_N, "exponent of parameters", latex=r"\alpha_N", start=(0.02, 0.5)),
    ),
    form=Eq(L, (N_c / N) ** alpha_N),
)
