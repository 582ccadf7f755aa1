"""Error against data and model size, from random guessing on. Rosenfeld et al. 2019 (arXiv 1909.12673).

As printed, ``e~ = a n**-alpha + b m**-beta + c_inf`` and ``e^ = eps_0*|e~/(e~ - i*eta)|``; the absolute value is
``1/sqrt(1 + (eta/e~)**2)``.
"""

from sympy import Eq, sqrt, symbols

from ..law import Law, Parameter, Variable

eps, n, m = symbols("eps n m", positive=True)
a, b, c_inf, alpha, beta, eps_0, eta = symbols("a b c_inf alpha beta eps_0 eta", positive=True)

LAW = Law(
    name="rosenfeld",
    title="Rosenfeld: error against data and model size",
    source="Rosenfeld et al. 2019, arXiv 1909.12673",
    response=Variable(eps, "error or loss", latex=r"\hat\epsilon", typical=(1e-2, 10)),
    variables=(
        Variable(n, "examples in the data set", unit="examples", typical=(1e3, 1e9)),
        Variable(m, "parameters", typical=(1e3, 1e9)),
    ),
    parameters=(
        Parameter(a, "amplitude of the data term", start=(1e-2, 1e3)),
        Parameter(alpha, "exponent of data", latex=r"\alpha", start=(0.05, 1.5)),
        Parameter(b, "amplitude of the model term", start=(1e-2, 1e3)),
        Parameter(beta, "exponent of model size", latex=r"\beta", start=(0.05, 1.5)),
        Parameter(c_inf, "floor of the power laws", latex=r"c_\infty", start=(0.0, 2.0), closed=True),
        Parameter(eps_0, "error of random guessing", latex=r"\epsilon_0", start=(0.5, 12.0), above=eps),
        Parameter(eta, "where the error leaves that of random guessing", latex=r"\eta", start=(1e-2, 10.0)),
    ),
    form=Eq(eps, eps_0 / sqrt(1 + (eta / (a * n ** (-alpha) + b * m ** (-beta) + c_inf)) ** 2)),
)
