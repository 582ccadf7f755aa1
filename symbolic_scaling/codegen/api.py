"""The public verbs of ``codegen``: compile expressions, a law's response, a law's residual."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import sympy as sp

from ..budget import cached
from ..domain import Domain
from ..errors import LawError
from ..law import Law
from . import root
from .build import build
from .compiled import Compiled
from .lower import Lowering

__all__ = ["compile", "law", "residual"]


def compile(
    expressions: sp.Expr | Sequence[sp.Expr],
    arguments: Sequence[sp.Symbol],
    wrt: Sequence[sp.Symbol] = (),
    target: str = "numpy",
    *,
    scalars: Iterable[sp.Symbol] = (),
    domain: Domain | None = None,
    lowered: bool = True,
) -> Compiled:
    """Expressions as a function of ``arguments``, with the gradient in ``wrt``.

    Parameters
    ----------
    expressions : Expr or sequence of Expr
        Real expressions; a sequence adds an axis in front of the results.
    arguments, wrt : sequence of Symbol
        All free symbols in the order of the call; those of the gradient.
    target : {"numpy", "numba", "mpmath"}
        Arrays of doubles, by array operations or by machine code (extra ``numba``), or mpmath numbers at any precision.
    scalars : iterable of Symbol
        Arguments that are parameters: a number, or a column of shape (k, 1) for k parameter sets. What depends on them
        alone is computed once a call.
    domain : Domain, optional
        Facts beyond the symbols' signs.
    lowered : bool
        Whether to rewrite in log form; False evaluates the expressions as they stand, for checks.

    Returns
    -------
    Compiled
        Call it for the value; ``value_and_gradient`` gives both. Shapes are in the notes of :class:`Compiled`.

    Raises
    ------
    ScalingError
        If a free symbol is no argument, or a function has no printer.

    Examples
    --------
    >>> N, C = sp.symbols("N C", positive=True)
    >>> half = compile(sp.sqrt(C / N), [C, N], wrt=[C], scalars=[N])
    >>> value, gradient = half.value_and_gradient([1.0, 4.0], 1.0)
    >>> value.tolist(), gradient.tolist()
    ([1.0, 2.0], [[0.5, 0.25]])
    """
    single = isinstance(expressions, sp.Basic)
    given = [expressions] if single else [sp.Integer(e) if isinstance(e, int) else e for e in expressions]
    rules = Lowering(domain or Domain())
    title = ", ".join(map(str, given))
    return build(
        title,
        [rules.value(e) if lowered else e for e in given],
        arguments,
        wrt,
        scalars=scalars,
        target=target,
        texts=[str(e) for e in given],
        single=single,
    )


@cached
def law(law: Law, target: str = "numpy") -> Compiled:
    """The response of a law: arguments (inputs, constants), gradient in the constants.

    Inputs may be 0 and oo: the results are limits there, NaN where there is none.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> float(law(laws.get("m2"))(1e4, 2.0, -0.5, 0.25))
    0.27
    """
    if law.explicit is None:
        return replace(root.compile_response(law, target), law=law)
    rules = Lowering(law.domain)
    y = law.response.symbol.name
    made = build(
        f"{y} of {law.name}",
        [rules.value(law.explicit)],
        (*law.inputs, *law.constants),
        law.constants,
        scalars=law.constants,
        target=target,
        texts=[y],
    )
    return replace(made, law=law)


@cached
def residual(law: Law, kind: str = "response", target: str = "numpy") -> Compiled:
    """The logarithmic residual of a law: arguments (inputs, response, constants), gradient in the constants.

    Parameters
    ----------
    law : Law
    kind : {"response", "equation"}
        ``log y - log y_hat``, or ``log left - log right`` of the law's form.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> r, jacobian = residual(laws.get("m1"), "equation").value_and_gradient([1.0, 100.0], [2.0, 0.3], 2.0, -0.5)
    >>> r.round(6).tolist(), jacobian.shape
    ([0.0, 0.405465], (2, 2))
    """
    rules = Lowering(law.domain)
    y = law.response.symbol
    if kind == "equation":
        value = rules.log(law.form.lhs) - rules.log(law.form.rhs)
    elif kind == "response":
        if law.explicit is None:
            return root.compile_residual(law, target)
        value = rules.log(y) - rules.log(law.explicit)
    else:
        raise LawError(f"compile the residual of {law.name}", f"kind {kind!r}", "take 'response' or 'equation'")
    return build(
        f"{kind} residual of {law.name}",
        [value],
        (*law.inputs, y, *law.constants),
        law.constants,
        scalars=law.constants,
        target=target,
        texts=[f"{kind} residual"],
    )
