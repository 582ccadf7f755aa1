"""A fit in a few lines of plain text: the law, how it ended, constants with their errors, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import notation

if TYPE_CHECKING:
    from .result import FitResult

__all__ = ["fit"]

_CONSTANTS, _NOTES, _LONG = 12, 5, 300


def fit(result: FitResult) -> str:
    """What ``print`` shows of a fit.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> print(fit.curve(laws.get("m1"), [1.0, 10.0, 100.0], [8.4, 4.0, 2.1]))
    m1: eps_x = beta*x**c
    OPTIMUM_REACHED on 3 rows, objective 0.000528996, 1 of 1 starts agree
    beta = 8.26449 +- 0.3
    c = -0.30103 +- 0.012
    """
    form, problem, proof = result.law.form, result.problem, result.certificate
    errors, fixed = dict(result.standard_errors), {name for name, _ in problem.fix}
    lines = [
        f"{result.law.name}: {notation.text(form.lhs)} = {notation.text(form.rhs)}",
        f"{result.outcome.name} on {len(problem.y)} rows, objective {result.objective:.6g}, "
        f"{proof.agree} of {proof.starts} starts agree",
    ]
    for name, value in list(result.estimate.items())[:_CONSTANTS]:
        error = f" +- {errors[name]:.2g}" if name in errors else " (fixed)" if name in fixed else ""
        lines.append(f"{name} = {value:.6g}{error}")
    lines += [f"and {left} more constants"] if (left := len(result.estimate) - _CONSTANTS) > 0 else []
    lines += [f"note: {note if len(note) <= _LONG else note[:_LONG] + ' ...'}" for note in result.notes[:_NOTES]]
    return "\n".join([*lines, *([f"and {left} more notes"] if (left := len(result.notes) - _NOTES) > 0 else [])])
