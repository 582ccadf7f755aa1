"""What exported C calls beyond ``math.h``, and the words that its public names must avoid."""

from __future__ import annotations

from types import MappingProxyType

from ...nodes import bernoulli_gap

__all__ = ["FUNCTIONS", "NAMES", "RESERVED", "ROOT"]

NAMES = MappingProxyType({"absolute": "fabs", "maximum": "fmax", "minimum": "fmin", "power": "pow"})

FUNCTIONS = MappingProxyType(
    {
        "bernoulli_gap": f"""/* 1 - a/(exp(a) - 1), exact near 0 */
static double bernoulli_gap(double a)
{{
    static const double weights[] = {{{", ".join(map(repr, bernoulli_gap.WEIGHTS))}}};
    double total = 0.0;
    if (!(fabs(a) < 0.5))
        return 1.0 - a / expm1(a);
    for (int j = 0; j < {len(bernoulli_gap.WEIGHTS)}; j++)
        total = total * a * a + weights[j];
    return a * (0.5 - a * total);
}}
""",
        "heaviside": """static double heaviside(double a, double b)
{
    return a > 0 ? 1.0 : a < 0 ? 0.0 : b;
}
""",
        "log1mexp": """/* log(1 - exp(a)), exact near 0 and far below it */
static double log1mexp(double a)
{
    return a > -0.6931471805599453 ? log(-expm1(a)) : log1p(-exp(a));
}
""",
        "pi": """static double pi(void)
{
    return 3.14159265358979323846;
}
""",
        "sign": """static double sign(double a)
{
    return a > 0 ? 1.0 : a < 0 ? -1.0 : a;
}
""",
    }
)

ROOT = """/* Where the function changes sign: doubled steps, then Newton inside the bracket; NAN if it does not. */
static double find_root(void (*function)(double, const double *, double *), const double *at, double start)
{
    double low = start, high = start, step = 1.0, out[2], first, u, last, next;
    int rising, newton;
    function(start, at, out);
    first = out[0];
    if (first == 0)
        return start;
    for (;;) {
        if (!(step < 1e12))
            return NAN;
        function(high + step, at, out);
        if ((out[0] > 0) != (first > 0)) {
            low = high, high += step, rising = first < 0;
            break;
        }
        function(low - step, at, out);
        if ((out[0] > 0) != (first > 0)) {
            high = low, low -= step, rising = first > 0;
            break;
        }
        low -= step, high += step, step *= 2;
    }
    u = (low + high) / 2, last = high - low;
    for (int j = 0; j < 200; j++) {
        function(u, at, out);
        if (out[0] == 0)
            return u;
        if ((out[0] > 0) == rising)
            high = u;
        else
            low = u;
        next = u - out[0] / out[1];
        newton = low < next && next < high && fabs(next - u) <= last / 2;
        if (!newton)
            next = (low + high) / 2;
        last = fabs(next - u), u = next;
        if (last <= (newton ? 1e-9 : 2.3e-16) * fmax(1.0, fabs(u)))
            break;
    }
    return u;
}
"""

RESERVED = (
    "bernoulli_gap", "find_root", "double_t", "float_t", "max_align_t", "ptrdiff_t", "size_t", "wchar_t",
    "gamma_r", "lgamma_r", "lgammaf_r", "lgammal_r", "static_assert", "thread_local", "typeof_unqual",
)  # fmt: skip
"""Words with an underscore that are no macros: public names hold one, all others are this package's own."""
