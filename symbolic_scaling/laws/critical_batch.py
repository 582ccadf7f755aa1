"""Critical batch size against loss. Kaplan et al. 2020 (arXiv 2001.08361), equation (1.4)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

B_crit, L, B_star, alpha_B = symbols("B_crit L B_star alpha_B", positive=True)

LAW = Law(
    name="critical-batch",
    title="Critical batch size against loss",
    source="Kaplan et al. 2020, arXiv 2001.08361, equation (1.4)",
    response=Variable(B_crit, "critical batch", unit="tokens", latex=r"B_{\mathrm{crit}}", typical=(1e3, 1e8)),
    variables=(Variable(L, "loss", unit="nats/token", typical=(1, 10)),),
    parameters=(
        Parameter(B_star, "critical batch at a loss of 1", latex="B_*", start=(1e5, 1e10)),
        Parameter(alpha_B, "loss falls as the critical batch to this power", latex=r"\alpha_B", start=(0.05, 1.0)),
    ),
    form=Eq(B_crit, B_star / L ** (1 / alpha_B)),
)
