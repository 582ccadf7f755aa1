"""Random hostile tables through every door of a fit: a typed error with a remedy, or numbers that are numbers.

Warnings are errors in tests, so that a sum that overflows unseen fails here too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import ScalingError

LAWS = {name: laws.get(name) for name in ("m1", "m2", "m3", "m4", "chinchilla", "kaplan-nd")}
LAWS |= {"y = a": laws.formula("y = a", ()), "free": laws.formula("y = a + b*x^(-c)", ("x",))}
ODD = [0.0, -0.0, -1.0, 1e300, 1e-300, 5e-324, 1.7e308, math.inf, -math.inf, math.nan, 1.0, 2.0, 1e9]
TEXT = ["", "abc", "N/A", "1e400", "1e-400", "1e5000000", "1,5", "12%", "70B", "9" * 400, "²", "'", '"', "nan", "None"]
CELLS = [*ODD, *TEXT, None, True, 10**400, 1j, b"x"]
RARELY = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],  # to shrink a table of many fits takes minutes
)


def column(rows: int) -> st.SearchStrategy[list[Any]]:
    """Numbers of a run, of all sizes, all but constant, integers of any size, or anything at all."""
    step = np.arange(rows)
    good = [np.geomspace(1e3, 1e9, rows), 0.3 + 30 / (1.0 + step) ** 0.4, np.exp(3 * np.sin(step))] if rows else [[]]
    sizes = st.floats(-300, 300).map(lambda power: 10.0**power)
    ways = [
        *(st.just(list(values)) for values in (*good, *good)),
        st.builds(lambda unit: [float(v) * unit for v in good[1 % len(good)]], sizes),
        st.lists(sizes, min_size=rows, max_size=rows),
        st.lists(st.sampled_from(ODD), min_size=rows, max_size=rows),
        st.lists(st.sampled_from(CELLS), min_size=rows, max_size=rows),
        st.sampled_from(ODD).map(lambda value: [value] * rows),
        st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=rows, max_size=rows),
        st.lists(st.integers(1, 10**330), min_size=rows, max_size=rows),
        st.just([1 + 1e-15 * i for i in range(rows)]),
    ]
    return st.one_of(ways)


@st.composite
def problems(draw):
    """A law, its inputs, a response, and options."""
    name = draw(st.sampled_from(sorted(LAWS)))
    law, rows = LAWS[name], draw(st.sampled_from([0, 1, 2, 3, 5, 8, 12, 12, 12]))
    x = {symbol.name: draw(column(rows)) for symbol in law.inputs}
    y = draw(column(rows if draw(st.integers(0, 19)) else rows + 1))
    asked: dict[str, Any] = {}
    if draw(st.booleans()):
        asked["residual"] = draw(st.sampled_from(["response", "equation", "relative", "absolute"]))
    if not draw(st.integers(0, 3)):
        asked |= {"loss": draw(st.sampled_from(["huber", "soft-l1"])), "delta": draw(st.sampled_from([1e-3, 1e-300]))}
    constants = st.sampled_from([symbol.name for symbol in law.constants])
    if not draw(st.integers(0, 5)):
        asked["priors"] = {
            draw(constants): (draw(st.sampled_from([0.3, -0.3, 1e300])), draw(st.sampled_from([0.1, 1e-300])))
        }
    if not draw(st.integers(0, 5)):
        asked["fix"] = {draw(constants): draw(st.sampled_from([0.3, -0.3, 1e300, 1e-300]))}
    more = {name: draw(column(rows)) for name in ("sigma", "weights") if not draw(st.integers(0, 5))}
    return name, x, y, asked, more


def tried(call: Callable[[], Any]) -> Any:
    """What a call gives; None for a typed error, which has a remedy."""
    try:
        return call()
    except ScalingError as error:
        assert error.found and error.remedy
        return None


def honest(made: fit.FitResult) -> None:
    """Numbers that are numbers, inside their intervals."""
    assert np.isfinite([*made.estimate.values(), made.objective]).all()
    for name, lo, hi in made.intervals:
        assert lo <= made.estimate[name] <= hi


def judge(problem, folder, *, whole: bool) -> None:
    """One problem through every door; through the slow ones where it is ``whole``."""
    name, x, y, asked, more = problem
    law = LAWS[name]
    made = tried(lambda: fit.curve(law, x, y, **asked, **more))
    if made is not None:
        honest(made)
        free = [s.name for s in law.constants if s.name not in asked.get("fix", {})]
        methods = ("delta", "sandwich", "bootstrap", "residuals") if whole else ("delta",)
        tried(lambda: fit.interval_table(made, {name: name for name in free}, methods=methods, samples=20))
        made.save(folder / "fit.json")
        assert fit.load(folder / "fit.json").estimate == made.estimate
    tried(lambda: fit.identify(law, x))
    parts = {part: ({key: values[part::2] for key, values in x.items()}, y[part::2]) for part in (0, 1)}
    tried(lambda: fit.shared(law, parts, law.constants[-1].name, **asked) if whole or len(y) < 4 else None)
    columns = {"half": ["a", "b"] * len(y), **{f"of {key}": values for key, values in x.items()}, "y": y, **more}
    columns = {key: list(values[: len(y)]) for key, values in columns.items()}
    named = {"by": "half", "x": {key: f"of {key}" for key in x}, "y": "y", **{key: key for key in more}}
    lines = tried(lambda: list(fit.many(columns, law=law, **named, **asked)))
    assert lines is None or all(line.outcome != "ERROR" or line.error["remedy"] for line in lines)


@settings(RARELY, max_examples=50)
@given(problem=problems())
def test_a_hostile_table_gives_a_typed_error_or_numbers(problem, tmp_path_factory):
    judge(problem, tmp_path_factory.getbasetemp(), whole=False)


@pytest.mark.slow
@settings(RARELY, max_examples=150)
@given(problem=problems())
def test_many_hostile_tables_give_typed_errors_or_numbers(problem, tmp_path_factory):
    judge(problem, tmp_path_factory.getbasetemp(), whole=True)


@settings(RARELY, max_examples=15)
@given(rows=st.integers(4, 12), data=st.data())
def test_extrapolation_of_a_hostile_table(rows, data):
    x, y = data.draw(column(rows)), data.draw(column(rows))
    tried(lambda: fit.best(x=x, y=y, at=1e10))


@st.composite
def files(draw):
    """The bytes of a table, and its ending."""
    rows = draw(st.integers(0, 8))
    cells = [draw(column(rows)) for _ in range(3)]
    heads = draw(st.sampled_from([["g", "x", "y"], ["x", "x", "y"], ["y"], [], ["g", " x ", "y"], ["g", "x", ""]]))
    mark = draw(st.sampled_from([",", ";", "\t"]))
    lines = [mark.join(heads), *(mark.join(map(str, row)) for row in zip(*cells, strict=True))]
    coding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8", "utf-16", "latin-1"]))
    content = "\n".join(lines).encode(coding, "replace")
    ending = draw(st.sampled_from(["csv", "csv", "tsv", "jsonl", "parquet"]))
    return draw(st.sampled_from([content, content, content, content, b"", b"\0\xff" * 40])), ending


COMMANDS = [
    ("fit", "--law", "m2"),
    ("fit", "--law", "m2", "--by", "g"),
    ("fit", "--law", "m2", "--by", "g", "--out", "OUT"),
    ("fit", "--law", "m2", "--intervals", "bootstrap", "--bootstrap", "20", "--certify"),
    ("fit", "--law", "m2", "--sigma", "g", "--weights", "y"),
    ("check", "--law", "m2"),
    ("best", "--at", "1e10"),
]


@settings(RARELY, max_examples=60)
@given(table=files(), command=st.sampled_from(COMMANDS))
def test_a_hostile_file_gives_an_error_in_words_or_an_answer(table, command, tmp_path_factory):
    content, ending = table
    folder = tmp_path_factory.getbasetemp()
    path = folder / f"hostile.{ending}"
    path.write_bytes(content)
    name, *options = (str(folder / "out.jsonl") if part == "OUT" else part for part in command)
    code, _, error = run(name, str(path), "--x", "x", "--y", "y", *options)
    assert "Traceback" not in error and code in (0, 1, 2), error
    assert code != 2 or len(error) > 20


def run(*arguments: str) -> tuple[int, str, str]:
    """Run a command in this process: exit code, standard output, standard error."""
    import contextlib
    import io

    from symbolic_scaling import cli

    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), pytest.raises(SystemExit) as end:
        cli.main(arguments)
    return int(end.value.code or 0), out.getvalue(), error.getvalue()
