"""Kaplan L(N,D): loss against parameters and tokens. Kaplan et al. 2020 (arXiv 2001.08361), equation (1.5)."""

from sympy import Eq, symbols

from ..law import Cost, Law, Parameter, Variable

L, N, D, C = symbols("L N D C", positive=True)
N_c, D_c, alpha_N, alpha_D = symbols("N_c D_c alpha_N alpha_D", positive=True)

LAW = Law(
    name="kaplan-nd",
    title="Kaplan L(N,D): loss against parameters and tokens",
    source="Kaplan et al. 2020, arXiv 2001.08361, equation (1.5)",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(
        Variable(N, "parameters without embeddings", typical=(1e3, 1e12)),
        Variable(D, "tokens in the data set", unit="tokens", typical=(1e6, 1e13)),
    ),
    parameters=(
        Parameter(N_c, "parameters at which the loss would be 1, data unlimited", start=(1e10, 1e16)),
        Parameter(D_c, "tokens at which the loss would be 1, parameters unlimited", start=(1e10, 1e16)),
        Parameter(alpha_N, "exponent of parameters", latex=r"\alpha_N", start=(0.02, 0.5)),
        Parameter(alpha_D, "exponent of tokens", latex=r"\alpha_D", start=(0.02, 0.5)),
    ),
    form=Eq(L, ((N_c / N) ** (alpha_N / alpha_D) + D_c / D) ** alpha_D),
    costs=(Cost(C, 6 * N * D, "6ND training FLOPs, one epoch, embeddings excluded"),),
)
