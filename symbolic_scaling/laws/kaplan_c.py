"""Kaplan L(C_min): loss against compute, well allocated. Kaplan et al. 2020 (arXiv 2001.08361), equation (1.3)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

L, C_min, C_c, alpha_C = symbols("L C_min C_c alpha_C", positive=True)

LAW = Law(
    name="kaplan-c",
    title="Kaplan L(C_min): loss against compute",
    source="Kaplan et al. 2020, arXiv 2001.08361, equation (1.3)",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(Variable(C_min, "compute at a batch far below the critical one", unit="PF-days", typical=(1e-8, 1e6)),),
    parameters=(
        Parameter(C_c, "compute at which the loss would be 1", latex=r"C_c^{\min}", start=(1e4, 1e12)),
        Parameter(alpha_C, "exponent of compute", latex=r"\alpha_C^{\min}", start=(0.02, 0.5)),
    ),
    form=Eq(L, (C_c / C_min) ** alpha_C),
)
