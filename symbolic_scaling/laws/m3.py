"""M3: a shifted power law. Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), section 2."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

eps_x, x, beta, gamma = symbols("eps_x x beta gamma", positive=True)
c = symbols("c", negative=True)

LAW = Law(
    name="m3",
    title="M3: shifted power law",
    source="Alabdulmohsin et al. 2022, arXiv 2209.06640, M3",
    response=Variable(eps_x, "error or loss after x examples", latex=r"\varepsilon_x", typical=(1e-2, 10)),
    variables=(Variable(x, "training examples seen", unit="examples", typical=(1e3, 1e13)),),
    parameters=(
        Parameter(beta, "amplitude", latex=r"\beta", start=(1e-3, 1e6)),
        Parameter(
            gamma, "reciprocal of the x at which the curve flattens", latex=r"\gamma", start=(0.0, 1e-3), closed=True
        ),
        Parameter(c, "exponent", start=(-1.0, -0.01)),
    ),
    form=Eq(eps_x, beta * (1 / x + gamma) ** (-c)),
)
