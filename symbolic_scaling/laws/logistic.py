"""Logistic in log compute: accuracy from chance to its ceiling. Zhang et al. 2026 (arXiv 2602.15327)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

A, C, A_0, A_1, C_h, s = symbols("A C A_0 A_1 C_h s", positive=True)

LAW = Law(
    name="logistic",
    title="Logistic: accuracy against log compute",
    source="Zhang et al. 2026, arXiv 2602.15327: a saturating sigmoid of log compute",
    response=Variable(A, "accuracy", typical=(0.01, 1)),
    variables=(Variable(C, "training compute", unit="FLOP", typical=(1e18, 1e26)),),
    parameters=(
        Parameter(A_0, "accuracy at chance", start=(0.0, 0.5), below=A, closed=True),
        Parameter(A_1, "accuracy at unlimited compute", start=(0.1, 1.0), above=A_0),
        Parameter(C_h, "compute half way", start=(1e18, 1e26)),
        Parameter(s, "slope in the logarithm of compute", start=(0.05, 3.0)),
    ),
    form=Eq(A, A_0 + (A_1 - A_0) / (1 + (C_h / C) ** s)),
)
