"""A fit comes back from its file with its law whole; a file that was edited is refused, and never a traceback."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from symbolic_scaling import fit, laws, report
from symbolic_scaling.domain import Domain, Interval
from symbolic_scaling.errors import DataError, ScalingError
from symbolic_scaling.fit import law_record

X = np.geomspace(1, 1e4, 8)
SAVED = json.loads(json.dumps(fit.store.to_dict(fit.curve(laws.get("m2"), X, 0.3 + X**-0.4))))
ENDS = st.sampled_from([sp.Rational(1, 3), sp.Integer(2), sp.sqrt(7), sp.Integer(40), sp.Rational(10**30)])


@st.composite
def narrowed(draw) -> laws.Law:
    """Any law, some of its positive constants and inputs in a part of their domain, and an order between two."""
    law = laws.get(draw(st.sampled_from(laws.names())))
    free = [s for s in (*law.constants, *law.inputs) if law.domain.interval(s) == Interval(0, sp.oo)]
    some = draw(st.lists(st.sampled_from(free), max_size=3, unique=True)) if free else []
    ranges = []
    for symbol in some:
        lo, hi = sorted(draw(st.lists(ENDS, min_size=2, max_size=2, unique=True)))
        hi = sp.oo if draw(st.booleans()) else hi
        ranges.append((symbol, Interval(lo, hi, draw(st.booleans()), hi == sp.oo or draw(st.booleans()))))
    more = [(free[0], free[1] * sp.Rational(2, 3))] if len(free) > 1 and draw(st.booleans()) else []
    return replace(law, domain=law.domain.meet(Domain(tuple(ranges), tuple(more))))


@given(law=narrowed())
def test_a_law_comes_back_whole(law):
    read = law_record.from_json(json.loads(json.dumps(law_record.as_json(law))))
    assert read == law
    assert read.domain.facts() == law.domain.facts()


@pytest.mark.parametrize("planted", [1000.0, 4000.0])
def test_a_fit_that_was_loaded_looks_in_the_same_box(planted, tmp_path):
    """The domain of b is [2000, 9000]: intervals of the loaded fit end there too, to the same digits."""
    law = laws.formula("y = a + b/x", ("x",))
    domain = Domain(((law.symbols["b"], Interval(sp.Integer(2000), sp.Integer(9000), False, False)),))
    x = np.geomspace(1e3, 1e6, 12)
    noise = np.exp(0.05 * np.sin(np.arange(12)))
    found = fit.curve(replace(law, domain=law.domain.meet(domain)), x, (0.5 + planted / x) * noise)
    found.save(tmp_path / "fit.json")
    read = fit.load(tmp_path / "fit.json")
    assert read.law == found.law
    assert fit.curve(read.law, x, (0.5 + planted / x) * noise).box == found.box
    for method in ("bootstrap", "profile"):
        got = [fit.interval_table(each, {"b": "b"}, methods=(method,), samples=40) for each in (found, read)]
        assert got[0] == got[1]
        assert all(np.isnan(one.lo) or 2000 <= one.lo <= one.hi <= 9000 for one in got[1])


def test_files_from_before_relations_were_kept_still_load():
    before = copy.deepcopy(SAVED)
    del before["law"]["relations"], before["law"]["published"]
    assert fit.store.from_dict(before).estimate == fit.store.from_dict(SAVED).estimate


def places(value, at=()):
    """The path to everything inside a JSON value."""
    if at:
        yield at
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(item, (*at, key))


HOSTILE = [None, {}, [], "", -1, 10**400, True, [[]], "x", "(" * 3000, [1, 2], -1.5, float("nan"), "gone"]


@given(at=st.sampled_from(list(places(SAVED))), value=st.sampled_from(HOSTILE))
def test_an_edited_file_is_a_fit_or_a_typed_error(at, value):
    edited = copy.deepcopy(SAVED)
    inside = edited
    for key in at[:-1]:
        inside = inside[key]
    inside[at[-1]] = value
    if value == "gone":
        del inside[at[-1]]
    try:
        read = fit.store.read(json.dumps(edited), "fit.json")
        assert str(read) and report.text(read) and report.as_json(read)
        read.predict(X)
    except ScalingError as error:
        assert error.found and error.remedy


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 100_000, json.dumps({**SAVED, "digest": {}})])
def test_a_nested_file_is_refused(content, tmp_path):
    (tmp_path / "fit.json").write_text(content)
    with pytest.raises(DataError, match="load"):
        fit.load(tmp_path / "fit.json")


@pytest.mark.parametrize("name", ["y", "counts", "x", "places"])
def test_arrays_of_a_file_have_one_length(name, tmp_path):
    edited = copy.deepcopy(SAVED)
    column = edited["x"]["x"] if name == "x" else edited[name]
    column.pop()
    (tmp_path / "fit.json").write_text(json.dumps(edited))
    with pytest.raises(DataError, match="rows"):
        fit.load(tmp_path / "fit.json")
