"""A formula on columns of float64, node by node: no integer can overflow, and no text is executed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
import sympy as sp

from ..errors import DataError
from .table import Floats

__all__ = ["evaluate"]

_FUNCTIONS = {sp.exp: np.exp, sp.log: np.log, sp.Abs: np.abs}
_PAIRS = {sp.Add: np.add, sp.Mul: np.multiply, sp.Min: np.minimum, sp.Max: np.maximum}


def evaluate(expression: sp.Expr, columns: Mapping[str, Floats], length: int) -> Floats:
    """The values of an expression.

    Parameters
    ----------
    expression : Expr
        Of the plain-text grammar, without ``diff`` and ``Limit``.
    columns : mapping of str to array (n,)
        Values by symbol name.
    length : int
        n, for an expression that holds no symbol.

    Returns
    -------
    array (n,)
        NaN or infinite where the value is not finite; no warning is raised.

    Raises
    ------
    DataError
        For a node that has no value on columns.

    Examples
    --------
    >>> N, D = sp.symbols("N D")
    >>> evaluate(6 * N * D, {"N": np.array([70e9]), "D": np.array([1.4e12])}, 1)
    array([5.88e+23])
    """
    with np.errstate(all="ignore"):
        return np.broadcast_to(np.asarray(_value(expression, columns), dtype=np.float64), (length,)).copy()


def _value(node: sp.Expr, columns: Mapping[str, Floats]) -> Any:
    if isinstance(node, sp.Symbol):
        return columns[node.name]
    if node.is_number and not node.args:
        return np.float64(sp.N(node, 20))
    if isinstance(node, sp.Mul):
        top, bottom = sp.fraction(node)
        if bottom != 1:
            return np.divide(_value(top, columns), _value(bottom, columns))
    if type(node) not in {*_PAIRS, *_FUNCTIONS, sp.Pow}:
        found = f"{type(node).__name__} has no value on columns"
        raise DataError("compute a column", found, "use + - * / ** log exp sqrt Abs Min Max")
    values = [_value(child, columns) for child in node.args]
    if type(node) in _PAIRS:
        return reduce(_PAIRS[type(node)], values)
    if type(node) in _FUNCTIONS:
        return _FUNCTIONS[type(node)](*values)
    return np.sqrt(values[0]) if node.exp == sp.S.Half else np.power(*values)
