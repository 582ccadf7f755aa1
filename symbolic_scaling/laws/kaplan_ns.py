"""Kaplan L(N,S_min): loss against parameters and steps. Kaplan et al. 2020 (arXiv 2001.08361), equation (1.6)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

L, N, S_min = symbols("L N S_min", positive=True)
N_c, S_c, alpha_N, alpha_S = symbols("N_c S_c alpha_N alpha_S", positive=True)

LAW = Law(
    name="kaplan-ns",
    title="Kaplan L(N,S_min): loss against parameters and steps",
    source="Kaplan et al. 2020, arXiv 2001.08361, equation (1.6)",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(
        Variable(N, "parameters without embeddings", typical=(1e3, 1e12)),
        Variable(S_min, "steps at a batch far above the critical one", latex=r"S_{\min}", typical=(1e2, 1e7)),
    ),
    parameters=(
        Parameter(N_c, "parameters at which their term would be 1", start=(1e10, 1e16)),
        Parameter(S_c, "steps at which their term would be 1", start=(1e1, 1e6)),
        Parameter(alpha_N, "exponent of parameters", latex=r"\alpha_N", start=(0.02, 0.5)),
        Parameter(alpha_S, "exponent of steps", latex=r"\alpha_S", start=(0.1, 2.0)),
    ),
    form=Eq(L, (N_c / N) ** alpha_N + (S_c / S_min) ** alpha_S),
)
