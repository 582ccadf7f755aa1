"""Kaplan L(D): loss against tokens, stopped early. Kaplan et al. 2020 (arXiv 2001.08361), equation (1.2)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

L, D, D_c, alpha_D = symbols("L D D_c alpha_D", positive=True)

LAW = Law(
    name="kaplan-d",
    title="Kaplan L(D): loss against tokens",
    source="Kaplan et al. 2020, arXiv 2001.08361, equation (1.2)",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(Variable(D, "tokens in the data set", unit="tokens", typical=(1e6, 1e13)),),
    parameters=(
        Parameter(D_c, "tokens at which the loss would be 1", start=(1e10, 1e16)),
        Parameter(alpha_D, "exponent of tokens", latex=r"\alpha_D", start=(0.02, 0.5)),
    ),
    form=Eq(L, (D_c / D) ** alpha_D),
)
