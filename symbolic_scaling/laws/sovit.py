"""SoViT: one shape dimension against compute. Alabdulmohsin et al. 2023 (arXiv 2305.13035), equation (2)."""

from sympy import Eq, symbols

from ..law import Law, Parameter, Variable

f_k, x_k, t = symbols("f_k x_k t", positive=True)
alpha_k, a_k, beta_k, b_k, xi_k, c, eps_k = symbols("alpha_k a_k beta_k b_k xi_k c eps_k", positive=True)

LAW = Law(
    name="sovit",
    title="SoViT: one shape dimension against compute",
    source="Alabdulmohsin et al. 2023, arXiv 2305.13035, equation (2)",
    response=Variable(f_k, "error", typical=(1e-2, 10)),
    variables=(
        Variable(x_k, "shape dimension: width, depth or MLP size", unit="units", typical=(1, 1e5)),
        Variable(t, "training compute", unit="GFLOP", typical=(1e6, 1e14)),
    ),
    parameters=(
        Parameter(alpha_k, "amplitude of the term that falls with the dimension", latex=r"\alpha_k", start=(1e-2, 1e2)),
        Parameter(a_k, "exponent of the term that falls with the dimension", start=(0.05, 1.5)),
        Parameter(beta_k, "amplitude of the cost of the dimension", latex=r"\beta_k", start=(1e-3, 1e3)),
        Parameter(b_k, "exponent of the cost of the dimension", start=(0.05, 1.5)),
        Parameter(xi_k, "amplitude of the rest of the compute term", latex=r"\xi_k", start=(0.0, 1e3), closed=True),
        Parameter(c, "exponent of compute", start=(0.05, 1.0)),
        Parameter(eps_k, "floor", latex=r"\varepsilon_k", start=(0.0, 2.0), below=f_k, closed=True),
    ),
    form=Eq(f_k, alpha_k * x_k ** (-a_k) + (beta_k * x_k**b_k + xi_k) * t ** (-c) + eps_k),
)
