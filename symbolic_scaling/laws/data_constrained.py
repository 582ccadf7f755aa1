"""Loss where data repeat. Muennighoff et al. 2023 (arXiv 2305.16264).

The inputs are those of the printed formula. From N parameters, D tokens seen and U unique tokens:
``U_D = min(U, D)``, ``U_N = min((U_D*G)**(beta/alpha)*G, N)``, ``R_D = D/U_D - 1``, ``R_N = N/U_N - 1``, with
``G = (alpha*A/(beta*B))**(1/(alpha + beta))``. The minima stay outside, so that the law is smooth in its inputs.
"""

from sympy import Eq, exp, symbols

from ..law import Law, Parameter, Variable

L, U_N, U_D, R_N, R_D = symbols("L U_N U_D R_N R_D", positive=True)
E, A, B, alpha, beta, R_N_star, R_D_star = symbols("E A B alpha beta R_N_star R_D_star", positive=True)

LAW = Law(
    name="data-constrained",
    title="Data-constrained: loss where data repeat",
    source="Muennighoff et al. 2023, arXiv 2305.16264",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(
        Variable(U_N, "parameters that the unique tokens call for", typical=(1e6, 1e12)),
        Variable(R_N, "excess parameters, in multiples of U_N", typical=(1e-2, 1e3)),
        Variable(U_D, "unique tokens", unit="tokens", typical=(1e8, 1e13)),
        Variable(R_D, "repetitions: epochs beyond the first", typical=(1e-2, 1e3)),
    ),
    parameters=(
        Parameter(E, "loss of the ideal model", start=(0.0, 3.0), below=L, closed=True),
        Parameter(A, "amplitude of the parameter term", start=(1.0, 1e5)),
        Parameter(B, "amplitude of the data term", start=(1.0, 1e5)),
        Parameter(alpha, "exponent of parameters", latex=r"\alpha", start=(0.05, 1.0)),
        Parameter(beta, "exponent of tokens", latex=r"\beta", start=(0.05, 1.0)),
        Parameter(R_N_star, "excess that is worth 1 - 1/e of its limit", latex="R_N^*", start=(0.5, 100.0)),
        Parameter(R_D_star, "repetitions worth 1 - 1/e of their limit", latex="R_D^*", start=(0.5, 100.0)),
    ),
    form=Eq(
        L,
        A / (U_N + U_N * R_N_star * (1 - exp(-R_N / R_N_star))) ** alpha
        + B / (U_D + U_D * R_D_star * (1 - exp(-R_D / R_D_star))) ** beta
        + E,
    ),
)
