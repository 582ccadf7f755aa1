"""M4: a sigmoid-like curve from eps_0 to eps_inf. Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), section 2."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

eps_x, x, beta, alpha, eps_inf, eps_0 = symbols("eps_x x beta alpha eps_inf eps_0", positive=True)
c = symbols("c", negative=True)

LAW = Law(
    name="m4",
    title="M4: from random guessing to the floor",
    source="Alabdulmohsin et al. 2022, arXiv 2209.06640, M4",
    response=Variable(eps_x, "error or loss after x examples", latex=r"\varepsilon_x", typical=(1e-2, 10)),
    variables=(Variable(x, "training examples seen", unit="examples", typical=(1e3, 1e13)),),
    parameters=(
        Parameter(beta, "amplitude", latex=r"\beta", start=(1e-3, 1e6)),
        Parameter(c, "exponent", start=(-1.0, -0.01)),
        Parameter(alpha, "how early the curve bends; 0 is M2", latex=r"\alpha", start=(0.0, 4.0), closed=True),
        Parameter(eps_inf, "floor", latex=r"\varepsilon_\infty", start=(0.0, 2.0), below=eps_x, closed=True),
        Parameter(eps_0, "loss at random guessing", latex=r"\varepsilon_0", start=(0.5, 12.0), above=eps_x),
    ),
    form=Eq((eps_x - eps_inf) / (eps_0 - eps_x) ** alpha, beta * x**c),
)
