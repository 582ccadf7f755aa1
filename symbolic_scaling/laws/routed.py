"""Routed language models: loss against parameters and experts. Clark et al. 2022 (arXiv 2202.01169).

As printed, with logarithms to base 10: ``log L = a log N + b log Ehat + c log N log Ehat + d`` and
``1/Ehat = 1/(E - 1 + (1/E_s - 1/E_m)**-1) + 1/E_m``; solved for L here.
"""

from sympy import Eq, log, oo, symbols

from ..domain import Domain
from ..law import Law, Parameter, Variable

L, N, E, E_s, E_m = symbols("L N E E_s E_m", positive=True)
c = symbols("c", positive=True)
a, b = symbols("a b", negative=True)
d = symbols("d", real=True)

Ehat = 1 / (1 / (E - 1 + 1 / (1 / E_s - 1 / E_m)) + 1 / E_m)

LAW = Law(
    name="routed",
    title="Routed: loss against parameters and experts",
    source="Clark et al. 2022, arXiv 2202.01169",
    response=Variable(L, "loss", unit="nats/token", typical=(1, 10)),
    variables=(
        Variable(N, "parameters of the dense part", typical=(1e6, 1e11)),
        Variable(E, "experts", typical=(2, 512)),
    ),
    parameters=(
        Parameter(a, "exponent of parameters with one expert", start=(-0.5, -0.01)),
        Parameter(b, "exponent of experts at one parameter", start=(-0.5, -0.01)),
        Parameter(c, "how much less experts help the larger model", start=(1e-4, 0.1)),
        Parameter(d, "log10 of the loss at one parameter and one expert", start=(0.0, 3.0)),
        Parameter(E_s, "experts at which their effect begins", start=(1.0, 5.0)),
        Parameter(E_m, "experts at which their effect ends", start=(20.0, 2000.0), above=E_s),
    ),
    form=Eq(L, 10**d * N ** (a + c * log(Ehat) / log(10)) * Ehat**b),
    domain=Domain.make({E: (1, oo), E_s: (1, oo)}),
)
