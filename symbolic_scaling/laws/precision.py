"""Loss where weights, activations and cache have few bits. Kumar et al. 2024 (arXiv 2411.04330)."""

from sympy import Eq, exp, symbols

from ..law import Cost, Law, Parameter, Variable

L, N, D, P_w, P_a, P_kv, C = symbols("L N D P_w P_a P_kv C", positive=True)
E, A, B, alpha, beta = symbols("E A B alpha beta", positive=True)
gamma_w, gamma_a, gamma_kv = symbols("gamma_w gamma_a gamma_kv", positive=True)

N_eff = N * (1 - exp(-P_w / gamma_w)) * (1 - exp(-P_a / gamma_a)) * (1 - exp(-P_kv / gamma_kv))

LAW = Law(
    name="precision",
    title="Precision: fewer bits act as fewer parameters",
    source="Kumar et al. 2024, arXiv 2411.04330",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(
        Variable(N, "parameters", typical=(1e6, 1e12)),
        Variable(D, "training tokens", unit="tokens", typical=(1e8, 1e14)),
        Variable(P_w, "precision of the weights", unit="bits", typical=(1, 32)),
        Variable(P_a, "precision of the activations", unit="bits", typical=(1, 32)),
        Variable(P_kv, "precision of the key-value cache", unit="bits", typical=(1, 32)),
    ),
    parameters=(
        Parameter(E, "loss of the ideal model", start=(0.0, 3.0), below=L, closed=True),
        Parameter(A, "amplitude of the parameter term", start=(1.0, 1e5)),
        Parameter(B, "amplitude of the data term", start=(1.0, 1e5)),
        Parameter(alpha, "exponent of parameters", latex=r"\alpha", start=(0.05, 1.0)),
        Parameter(beta, "exponent of tokens", latex=r"\beta", start=(0.05, 1.0)),
        Parameter(gamma_w, "sensitivity to the weights' bits", latex=r"\gamma_w", start=(0.2, 10.0)),
        Parameter(gamma_a, "sensitivity to the activations' bits", latex=r"\gamma_a", start=(0.2, 10.0)),
        Parameter(gamma_kv, "sensitivity to the cache's bits", latex=r"\gamma_{kv}", start=(0.2, 10.0)),
    ),
    form=Eq(L, A / N_eff**alpha + B / D**beta + E),
    costs=(Cost(C, 6 * N * D, "6ND training operations, whatever their bits"),),
)
