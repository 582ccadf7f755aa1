"""What a fit is asked that it cannot do: each refusal names its cause and what to do."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import FitError

M2 = laws.get("m2")
X = np.geomspace(1e4, 1e9, 12)
Y = 50 * X**-0.4 + 0.5


@pytest.mark.parametrize(
    ("y", "options", "cause"),
    [
        (Y * np.nan, {}, "12 rows cannot be used: rows 1, 2, 3, 4, 5 and 7 more: eps_x is missing"),
        (-Y, {}, "rows 1, 2, 3, 4, 5 and 7 more: eps_x is not positive"),
        (Y, {"sigma": -1.0}, "rows 1, 2, 3, 4, 5 and 7 more: sigma = -1 is not positive"),
        (Y, {"weights": -1.0}, "weights = -1 is not positive"),
        (np.where(X > 4e4, -Y, Y), {}, "2 distinct x in 2 usable rows; 10 rows cannot be used: rows 3, 4"),
    ],
    ids=("missing", "negative", "sigma", "weights", "few"),
)
def test_rows_that_cannot_be_used_are_named(y, options, cause):
    with pytest.raises(FitError) as refused:
        fit.curve(M2, X, y, **options)
    assert cause in refused.value.found
    assert "correct the rows" in refused.value.remedy


def test_a_note_of_many_dropped_rows_is_short():
    x = np.tile(X, 40)
    found = fit.curve(laws.get("m1"), x, np.where(x < 1e6, -1.0 - x, 3 * x**-0.1))
    assert found.notes[0] == "200 rows dropped: rows 1, 2, 3, 4, 5 and 195 more: eps_x is not positive"
    assert len(found.problem.rows_dropped) == 200
