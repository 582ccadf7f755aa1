"""Whether the runs vary their inputs apart: constant inputs, and runs on one line or plane of the logarithms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from .table import Floats

__all__ = ["degenerate"]

_FLAT = 1e-6  # relative to the largest spread; a grid of runs is near 1


def degenerate(x: Mapping[str, Floats]) -> Iterator[str]:
    """A sentence for each way in which the runs do not vary their inputs apart.

    Parameters
    ----------
    x : mapping of name to array (n,)
        Positive inputs.

    Examples
    --------
    >>> n = np.array([1e8, 3e8, 1e9])
    >>> list(degenerate({"N": n, "D": 20 * n}))
    ['the runs lie on one line: D = 20*N^1; a law of both is hardly identified by them']
    >>> list(degenerate({"N": n, "D": np.full(3, 4.4e9)}))
    ['D is 4.4e+09 in every run: nothing here tells what depends on it']
    """
    if len(next(iter(x.values()))) < 3:  # two runs always lie on a line
        return
    logs = {name: np.log(values) for name, values in x.items()}
    varied = {name: values for name, values in logs.items() if np.ptp(values) > _FLAT}
    for name in x:
        if name not in varied:
            yield f"{name} is {x[name][0]:.6g} in every run: nothing here tells what depends on it"
    if len(varied) < 2:
        return
    columns = np.stack([values - values.mean() for values in varied.values()], axis=1)
    few = len(columns) < len(varied)
    _, sizes, right = np.linalg.svd(columns / np.linalg.norm(columns, axis=0), full_matrices=few)
    sizes = np.append(sizes, np.zeros(columns.shape[1] - len(sizes)))
    rank = int((sizes > _FLAT * sizes[0]).sum())
    if rank < len(varied):
        kind = "line" if rank == 1 else f"surface of {rank} dimensions"
        yield f"the runs lie on one {kind}: {_relation(varied, right[-1])}; a law of both is hardly identified by them"


def _relation(logs: Mapping[str, Floats], direction: Floats) -> str:
    """The last input as a product of powers of the others, by least squares of logarithms."""
    *others, last = [name for name, part in zip(logs, direction, strict=True) if abs(part) > 1e-3]
    matrix = np.stack([np.ones(len(logs[last])), *(logs[name] for name in others)], axis=1)
    (constant, *powers), *_ = np.linalg.lstsq(matrix, logs[last], rcond=None)
    product = "*".join(f"{name}^{power:.4g}" for name, power in zip(others, powers, strict=True))
    return f"{last} = {np.exp(constant):.4g}*{product}"
