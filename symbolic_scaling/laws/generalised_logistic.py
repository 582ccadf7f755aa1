"""Generalised logistic in log compute, not symmetric about its middle. Richards 1959 (J. Exp. Bot. 10, 290-301)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

A, C, A_0, A_1, C_h, s, nu = symbols("A C A_0 A_1 C_h s nu", positive=True)

LAW = Law(
    name="generalised-logistic",
    title="Generalised logistic: accuracy against log compute, turning early or late",
    source="Richards 1959, J. Exp. Bot. 10, 290-301, with the logarithm of compute as time",
    response=Variable(A, "accuracy", typical=(0.01, 1)),
    variables=(Variable(C, "training compute", unit="FLOP", typical=(1e18, 1e26)),),
    parameters=(
        Parameter(A_0, "accuracy at chance", start=(0.0, 0.5), below=A, closed=True),
        Parameter(A_1, "accuracy at unlimited compute", start=(0.1, 1.0), above=A_0),
        Parameter(C_h, "compute at the turn", start=(1e18, 1e26)),
        Parameter(s, "slope in the logarithm of compute", start=(0.05, 3.0)),
        Parameter(nu, "1 is the logistic; how early the curve bends", latex=r"\nu", start=(0.2, 5.0)),
    ),
    form=Eq(A, A_0 + (A_1 - A_0) / (1 + (C_h / C) ** s) ** (1 / nu)),
)
