"""What must not be PROVED although it holds almost everywhere, and what must not be REFUTED where it says nothing."""

from __future__ import annotations

import itertools
import random
import time
from dataclasses import replace

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import Domain, Status, derive, laws, verify
from symbolic_scaling.algebra.isolate import isolate
from symbolic_scaling.algebra.order import sign
from symbolic_scaling.errors import InternalError, Undecided
from symbolic_scaling.law import Law
from symbolic_scaling.records import Claim, Equal, Less, Tends
from symbolic_scaling.verify import second
from symbolic_scaling.verify.hostile import hostile

VANISHING = ("a - b", "a*c - b", "a - b*c", "a^2 - b^2", "log(a/b)", "c - a*b", "a^c - 1")
"""Coefficients of positive letters that are zero somewhere."""
LIMITS = (
    ("Limit(1/(({0})*x + 1), x, oo)", "0"),
    ("Limit((x + 2)/(({0})*x + 1), x, oo)", "1/({0})"),
    ("Limit(x/(({0})^2 + x), x, 0)", "0"),
    ("Limit(log(1 + ({0})^2*x)/log(x), x, oo)", "1"),
    ("Limit((({0})^2 + x)^(-1/2), x, 0)", "1/Abs({0})"),
    ("Limit((({0})^2*x^2 + x)^c/x^(2*c), x, oo)", "Abs({0})^(2*c)"),
)
NOWHERE_ELSE = (LIMITS[0], LIMITS[2], LIMITS[3])
DECLARED = "a b c x positive"


@pytest.mark.parametrize("coefficient", VANISHING)
@pytest.mark.parametrize(("limit", "value"), NOWHERE_ELSE)
def test_a_coefficient_that_may_vanish_does_not_lead(coefficient, limit, value):
    text = f"{limit.format(coefficient)} = {value.format(coefficient)}"
    assert verify.claim(text, symbols=DECLARED, mend=False).status is not Status.PROVED


@pytest.mark.parametrize(("limit", "value"), LIMITS)
def test_it_leads_where_the_domain_says_so(limit, value):
    text = f"{limit.format('(a - b)')} = {value.format('(a - b)')}"
    domain = Domain().assume([tuple(sp.symbols("a b", positive=True))])
    assert verify.claim(text, symbols=DECLARED, domain=domain).status is Status.PROVED


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("Limit(1/((a - b)*x + 1), x, oo) = 0", "a b x positive"),
        ("Limit((a + 1)/(a*x + 1), x, oo) = 0", "a nonnegative, x positive"),
        ("Limit(x/(x + a), x, 0) = 0", "a nonnegative, x positive"),
        ("Limit(1/(a*x + b*x^2 + 3), x, oo) = 0", "a b nonnegative, x positive"),
        ("Limit(exp((a - b)*x), x, oo) = 0", "a b x positive"),
        ("Limit(a^(1/x), x, oo) = 1", "a nonnegative, x positive"),
        ("Limit((a*b)^x*c, x, 0) = c", "a nonnegative, b c x positive"),
        ("Limit(Abs(u)^(1/x), x, oo) = 1", "u real, x positive"),
    ],
)
def test_the_point_where_it_vanishes_refutes(text, declared):
    found = verify.claim(text, symbols=declared)
    assert found.status is Status.REFUTED and found.evidence[0][0] == "point"


def test_cases_that_agree_prove():
    found = verify.claim("Limit(((a - b)*x + x^2)/x^2, x, oo) = 1", symbols="a b x positive")
    assert found.status is Status.PROVED
    found = verify.claim("1/(1 + (a - b)^2*x) = O(1)", symbols="a b x positive", variable="x")
    assert found.status is Status.PROVED
    found = verify.claim("1/(1 + (a - b)*x) = O(1/x)", symbols="a b x positive", variable="x")
    assert found.status is Status.REFUTED


x, y, a, b, k = sp.symbols("x y a b k", positive=True)
u, v = sp.symbols("u v", real=True)
p, q = sp.symbols("p q", nonnegative=True)
n = sp.Symbol("n", integer=True)
WEAK = [
    (p, {p: 0}), (p + q, {p: 0, q: 0}), (p * x, {p: 0}), (u**2, {u: 0}), (u**2 + p, {u: 0, p: 0}),
    (sp.Abs(a - b), {a: b}), ((a - b) ** 2, {a: b}), (sp.Abs(a - b) ** k, {a: b}), (((a - b) ** 2) ** k, {a: b}),
    ((k * (sp.log(a / b) - y) ** 2) ** x, {a: b * sp.exp(y)}), (sp.sqrt(p), {p: 0}), (sp.sqrt(p + q), {p: 0, q: 0}),
    (sp.exp(u) - 1 - u, {u: 0}), (p * sp.exp(q), {p: 0}), (sp.Max(p, q), {p: 0, q: 0}), (sp.Abs(u), {u: 0}),
    (((u - 3) ** 2 * a) ** sp.Rational(1, 3), {u: 3}), (sp.log(1 + p), {p: 0}), (sp.sqrt((u - v) ** 2), {u: v}),
]  # fmt: skip


@pytest.mark.parametrize(("weak", "there"), WEAK, ids=lambda one: str(one)[:30])
def test_what_may_vanish_is_not_positive(weak, there):
    assert weak.subs(there) == 0
    assert sign(weak) in (None, 0) and sign(weak + weak * y) in (None, 0)
    for part in (weak, x * weak, weak * (1 + weak)):
        assert verify.claim(Claim("", Less(sp.Integer(0), part))).status is not Status.PROVED


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(WEAK), st.sampled_from(WEAK))
def test_sums_and_products_of_what_may_vanish_may_vanish(one, other):
    assert sign(one[0] + other[0]) != 1 or (one[0] + other[0]).subs({**one[1], **other[1]}) != 0
    assert sign(one[0] * other[0]) != 1


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["1 - u*v", "u - v", "1 - u^2*v", "u + v - 2"]),
    st.sampled_from([("< 1", 2), ("> -1", 2), ("<= 1", 2), (">= 0", 2), ("< 2", 4)]),
    st.integers(3, 6),
)
def test_powers_of_a_base_of_open_sign_are_bounded_only_where_both_parities_are(base, relation, high):
    kept = {"u": ("real", 0, high), "v": ("real", 0, high)}
    names = verify.declare({"t": "integer", **{name: kind for name, (kind, *_) in kept.items()}})
    ranges = {names[name]: (lo, hi) for name, (_, lo, hi) in kept.items()}
    domain = Domain.make({**ranges, names["t"]: (1, relation[1] + 3)})
    found = verify.claim(f"({base})^t {relation[0]}", symbols=names, domain=domain)
    assert found.status is Status.REFUTED


def test_both_parities_are_seen_beyond_a_wall():
    text = "Abs(1 + (1 - x/10^8)^k) = 1 + (1 - x/10^8)^k"
    names = verify.declare("x positive, k integer")
    found = verify.claim(text, symbols=names, domain=Domain.make({names["k"]: (1, 9)}))
    assert found.status is Status.REFUTED


@pytest.mark.parametrize(
    ("entry", "status"),
    [
        (("y^2 = x", {"x": "real", "y": "real"}, {}), "REFUTED"),
        (("y*(t - 2) = 1", {"t": "positive", "y": "real"}, {}), "REFUTED"),
        (("y*(3*t - 7) = 1", {"t": "positive", "y": "real"}, {}), "REFUTED"),
        (("x*y > 1", {"x": "nonnegative", "y": "real"}, {"y": "2/x"}), "REFUTED"),
        (("exp(y) = t", {"t": "real", "y": "real"}, {}), "REFUTED"),
        (("y^4 = x - 5", {"x": "positive", "y": "real"}, {}), "REFUTED"),
        (("y^2 = x", {"x": "nonnegative", "y": "real"}, {}), "PROVED"),
        (("y*x = 1", {"x": "positive", "y": "real"}, {}), "PROVED"),
        (("(y - 3/11)^2*x = 0", {"x": "real", "y": "real"}, {}), "PROVED"),
    ],
    ids=lambda one: str(one)[:40],
)
def test_a_witness_exists_on_all_of_the_domain(entry, status):
    statement, symbols, witness = entry
    made = {"kind": "exists", "in": "y", "statement": statement, "symbols": symbols}
    assert verify.claim(verify.claim_of({**made, **({"witness": witness} if witness else {})})).status.name == status


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("sqrt(a - b)^2 >= 0", "PROVED"),
        ("exp(3*log(a - b)) = Abs(a - b)^3", "PROVED"),
        ("(1/(a - b))^(-2) > 0", "PROVED"),
        ("exp(log(a - b)) > 0", "PROVED"),
        ("sqrt(a - b)^2 > 0", "REFUTED"),
        ("sqrt(a - b)^2 >= 1", "REFUTED"),
        ("exp(log(a - b)) > a", "REFUTED"),
    ],
)
def test_a_counterexample_lies_where_the_text_has_a_value(text, status):
    found = verify.claim(text, symbols="a b positive")
    assert found.status.name == status or (status == "REFUTED" and found.status is Status.SUPPORTED)
    assert "a - b" in dict(found.evidence)["where"]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([2, 3, 5, 7, 11]), st.integers(1, 6), st.sampled_from([r"\sqrt{%d} = %s", "sqrt(%d) = %s"]))
def test_a_number_printed_with_an_equals_sign_is_judged_by_its_digits(number, digits, form):
    value = sp.sqrt(number).evalf(30)
    right, wrong = f"{sp.Float(value, 30):.{digits}f}", f"{sp.Float(value + sp.Rational(2, 10**digits)):.{digits}f}"
    key = "latex" if "\\" in form else "statement"
    for printed, status in ((right, "CONSISTENT"), (wrong, "REFUTED")):
        claimed = verify.claim_of({"kind": "number", key: form % (number, printed)})
        assert verify.claim(claimed).status.name == status


@pytest.mark.parametrize(
    ("text", "status"), [("2^10 = 1024", "PROVED"), ("1/4 = 0.25", "PROVED"), ("2^10 = 1030", "REFUTED")]
)
def test_an_exact_number_stays_exact(text, status):
    assert verify.claim(verify.claim_of({"kind": "number", "statement": text})).status.name == status


@pytest.mark.parametrize(
    "said",
    [
        Less(a, b), Equal(sp.Abs(a - b), a - b), Less(sp.Integer(0), (a - b) ** 2), Equal(u**n, sp.Abs(u) ** n),
        Less(x, sp.Integer(10) ** 5), Tends(1 / ((a - b) * x + 1), x, sp.oo, sp.Integer(0)),
        Tends(a / (a + x), x, sp.Integer(0), sp.Integer(0)), Less(sp.Integer(0), p),
    ],
    ids=str,
)  # fmt: skip
def test_the_second_judge_sees_what_is_false(said):
    with pytest.raises(InternalError, match="judge it"):
        second.check(Claim("it", said))


def test_hostile_points_lie_in_the_domain_and_repeat():
    rng = random.Random(5)
    for _ in range(20):
        lo = sp.Rational(rng.randint(1, 9), rng.randint(1, 9))
        domain = Domain.make({x: (lo, lo + 3)}, [(y, x)])
        found = hostile((sp.log(x / y) * (1 - x / 2) ** n,), domain, 40)
        assert found == hostile((sp.log(x / y) * (1 - x / 2) ** n,), domain, 40) and len(found) > 10
        assert all(domain.contains(point.exact) for point in found)


@pytest.mark.parametrize(
    "text",
    [
        "x^2 + 2 > 2*sqrt(2)*x", "x + 3/x > 2*sqrt(3)", "x^3 + 2*sqrt(2) > 3*2^(1/3)*x", "log(x) < x/exp(1)",
        "x^x > exp(-1/exp(1))", "(log(x/a) - 1/7)^2 > 0", "(a*x - 5/13)^2*(1 + x) > 0", "x^4 + 4 > 4*x^2",
    ],
)  # fmt: skip
def test_sides_that_touch_at_no_round_point_refute(text):
    assert verify.claim(text, symbols="a x positive").status is Status.REFUTED
    assert verify.claim(text.replace(">", ">=").replace("<", "<="), symbols="a x positive").status is not Status.REFUTED


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 9), st.integers(2, 40), st.sampled_from(["x", "x*log(x)", "log(1 + x)^2"]))
def test_slow_limits_are_not_vetoed(power, root, inside):
    inner = inside.replace("x*log(x)", "log(x)*log(x)") if inside != "x" else "log(x)"
    text = f"Limit(({inner})^{power}/x^(1/{root}), x, oo) = 0"
    assert verify.claim(text, symbols="x positive").status is Status.PROVED


@settings(max_examples=10, deadline=None)
@given(st.integers(3, 8), st.sampled_from(["positive", "real"]), st.randoms(use_true_random=False))
def test_chains_of_given_relations_are_transitive(count, kind, rng):
    names = [f"v_{k}" for k in range(count)]
    symbols = verify.declare(dict.fromkeys(names, kind))
    chain = [f"{one} < {other}" for one, other in itertools.pairwise(names)]
    rng.shuffle(chain)
    domain = verify.assumed(chain, symbols)
    low, high = sorted(rng.sample(range(count), 2))
    assert verify.claim(f"v_{low} < v_{high}", symbols=symbols, domain=domain).status is Status.PROVED
    assert verify.claim(f"v_{high} <= v_{low}", symbols=symbols, domain=domain).status is Status.REFUTED


@pytest.mark.parametrize(
    "text", ["diff(exp(-x^2)*log(1 + x^a)^b, x, 12) = 0", "diff(x^a/(1 + x^b)^c*exp(-1/x), x, 15) > 0"]
)
def test_repeated_derivatives_keep_to_the_budget(text):
    start = time.process_time()
    assert verify.claim(text, symbols="a b c x positive", budget=1).status is Status.UNDECIDED
    assert time.process_time() - start < 3


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_letter_meets_one_of_the_engine(data):
    """A claim says the same whatever its letters are called."""
    text, status = data.draw(st.sampled_from(RENAMED))
    names = data.draw(st.permutations(INTERNAL).map(lambda all_: all_[:3]))
    made = text.format(*names)
    found = verify.claim(made, symbols=dict.fromkeys(names, "positive"), variable=names[0], mend=False)
    assert found.status.name == status, (made, found.evidence)


INTERNAL = (
    "small", "slow", "fast", "power_0", "power_1", "inner", "delta", "delta_0", "delta_1", "delta_fading",
    "part", "gap", "t_small", "w_small", "b_0", "b_gap", "w_excess", "t_driver", "unused", "step", "g0", "g1",
)  # fmt: skip
RENAMED = (
    ("Limit((exp({1}*{0}) - 1)/{0}, {0}, 0) = {1}", "PROVED"),
    ("Limit({1} + {2}/{0}^{1}, {0}, oo) = {1}", "PROVED"),
    ("Limit({0}^(-{1} - {2})*log({0})^2*{2}, {0}, oo) = 0", "PROVED"),
    ("Limit((1 + 3^(1/{0}))^(-{0})*{1}/{2}, {0}, 0) = {1}/(3*{2})", "PROVED"),
    ("Limit(log({0})*{1}/(log({0}) + {2}), {0}, oo) = {1}", "PROVED"),
    ("(1 + {0})^{1} = {0}^{1} + O({0}^({1} - 1))", "PROVED"),
    ("1 + {1} - {1}*exp(-{0}*{2}) > 1", "PROVED"),
    ("({0} + {1})^{2} = {0}^{2}*(1 + {1}/{0})^{2}", "PROVED"),
    ("{0}*{1}/({0} + {1}) < Min({0}, {1})", "PROVED"),
    ("Limit({0}^({1} - {2}), {0}, oo) = 0", "REFUTED"),
    ("{0}^{1} < {0}^{2}", "REFUTED"),
)


def test_a_domain_without_points_of_chance_is_sampled():
    letters = sp.symbols("v_1:9", positive=True)
    found = Domain((), tuple(itertools.pairwise(letters))).sample(letters, 4)
    assert len(found) == 4 and all(
        point[one] > point[other] for point in found for one, other in itertools.pairwise(letters)
    )


@pytest.mark.parametrize(
    "equation",
    [sp.Eq(u * x, 2, evaluate=False), sp.Eq(x**u, 2, evaluate=False), sp.Eq(y**x, 3, evaluate=False)],
    ids=str,
)
def test_an_equation_is_not_divided_by_what_may_vanish(equation):
    with pytest.raises(Undecided):
        isolate(equation, x, Domain())
    assert isolate(equation, x, Domain.make({}, [(u, sp.Integer(1)), (y, sp.Integer(1))])) is not None


def with_names(law: Law, names: list[str]) -> Law:
    """The law with other names for its symbols, without its published sets."""
    old = sorted(law.symbols.values(), key=lambda one: one.name)
    new = {s: sp.Symbol(name, **s.assumptions0) for s, name in zip(old, names, strict=False)}

    def moved(item):
        bounds = {side: new[getattr(item, side)] for side in ("above", "below") if getattr(item, side, None)}
        return replace(item, symbol=new[item.symbol], **bounds)

    where = law.domain
    domain = Domain(
        tuple((new[s], interval) for s, interval in where.ranges),
        tuple((more.xreplace(new), less.xreplace(new)) for more, less in where.relations),
    )
    return replace(
        law, response=moved(law.response), variables=tuple(map(moved, law.variables)), form=law.form.xreplace(new),
        parameters=tuple(map(moved, law.parameters)), domain=domain, costs=(), published=(),
    )  # fmt: skip


@pytest.mark.parametrize(("name", "shift"), [("chinchilla", 0), ("m4", 0), ("m4", 7), ("m2", 11)])
def test_no_letter_of_a_law_meets_one_of_a_derivation(name, shift):
    law = with_names(laws.get(name), [*INTERNAL[shift:], *INTERNAL[:shift]])
    for found in (derive.limits(law), derive.series(law, law.inputs[0], order=1)):
        assert {verdict.status for verdict in verify.derivation(found, budget=60)} == {Status.PROVED}
