"""M2: a power law above a floor. Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), section 2."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

eps_x, x, beta, eps_inf = symbols("eps_x x beta eps_inf", positive=True)
c = symbols("c", negative=True)

LAW = Law(
    name="m2",
    title="M2: power law above a floor",
    source="Alabdulmohsin et al. 2022, arXiv 2209.06640, M2",
    response=Variable(eps_x, "error or loss after x examples", latex=r"\varepsilon_x", typical=(1e-2, 10)),
    variables=(Variable(x, "training examples seen", unit="examples", typical=(1e3, 1e13)),),
    parameters=(
        Parameter(beta, "amplitude", latex=r"\beta", start=(1e-3, 1e6)),
        Parameter(c, "exponent", start=(-1.0, -0.01)),
        Parameter(eps_inf, "floor", latex=r"\varepsilon_\infty", start=(0.0, 2.0), below=eps_x, closed=True),
    ),
    form=Eq(eps_x - eps_inf, beta * x**c),
)
