"""Derivations: the field cases, the closed forms of the papers, and what is said where there is no answer."""

from __future__ import annotations

import subprocess
import sys

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rationals

from symbolic_scaling import Domain, Law, Parameter, Root, Status, Variable, derive, laws, verify
from symbolic_scaling.algebra.balance import Budget, balance, one_direction
from symbolic_scaling.algebra.peel import Term, peel, split
from symbolic_scaling.errors import LawError, NoOptimum, ScalingError, Unattainable, Undecided

CHINCHILLA, SOVIT, M4 = (laws.get(name) for name in ("chinchilla", "sovit", "m4"))

# FIELD_CASES 1: three published parameter sets of one law
FRONTIERS = [
    ("hoffmann2022", "5.76e23", 3.2189859e10, 2.9823057e12, 92.64737, 1.9307481),
    ("hoffmann2022-unrounded", "5.76e23", 4.0360938e10, 2.3785374e12, 58.93167, 1.91841205),
    ("besiroglu2024", "5.76e23", 7.2248703e10, 1.3287436e12, 18.39124, 1.97444111),
    ("hoffmann2022", "1e18", 8.0581984e7, 2.068287e9, 25.66687, 3.53529775),
    ("besiroglu2024", "1e25", 3.1207034e11, 5.3406763e12, 17.11369, 1.91172924),
]
LOSSES = [("hoffmann2022", 1.93664547), ("hoffmann2022-unrounded", 1.92084603), ("besiroglu2024", 1.97388186)]


def constants(law: Law, name: str) -> dict[str, sp.Expr]:
    return law.published_set(name).exact()


def at(law: Law, expression: sp.Expr, values: dict[str, object]) -> float:
    point = {law.symbols[name]: sp.sympify(value) for name, value in values.items()}
    return float(expression.evalf(30, subs=point))


def law_of(right: sp.Expr, *inputs: str, domain: Domain = Domain()) -> Law:  # noqa: B008
    """A law of one's own: y = right, everything positive."""
    y = sp.Symbol("y", positive=True)
    symbols = sorted(right.free_symbols, key=lambda symbol: symbol.name)
    return Law(
        name="own",
        title="own",
        source="test",
        response=Variable(y, "response"),
        variables=tuple(Variable(s, s.name) for s in symbols if s.name in inputs),
        parameters=tuple(Parameter(s, s.name) for s in symbols if s.name not in inputs),
        form=sp.Eq(y, right, evaluate=False),
        domain=domain,
    )


@pytest.mark.parametrize("row", FRONTIERS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_published_frontiers(row: tuple[str, str, float, float, float, float]) -> None:
    name, budget, *expected = row
    found = derive.frontier(CHINCHILLA)
    values = {**constants(CHINCHILLA, name), "C": sp.Rational(budget)}
    N, D, L = (at(CHINCHILLA, found[key], values) for key in ("N", "D", "L"))
    found_values = [N, D, D / N, L]
    assert found_values == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("name", "loss"), LOSSES)
def test_published_losses(name: str, loss: float) -> None:
    values = {**constants(CHINCHILLA, name), "N": 70 * 10**9, "D": 14 * 10**11}
    assert at(CHINCHILLA, CHINCHILLA.explicit, values) == pytest.approx(loss, abs=6e-9)


def test_frontier_constants_of_the_rounded_set() -> None:
    found = derive.frontier(CHINCHILLA)
    values = constants(CHINCHILLA, "hoffmann2022")
    assert at(CHINCHILLA, found["G"], values) == pytest.approx(1.3447106427725, rel=1e-13)
    assert at(CHINCHILLA, found["prefactor of L"], values) == pytest.approx(813.67983100905, rel=1e-13)
    assert at(CHINCHILLA, found["exponent of L"], values) == pytest.approx(-0.153548387097, rel=1e-11)


def test_every_step_of_the_frontier_is_proved() -> None:
    # FIELD_CASES 2; the same statements as the paper's letters are in derivations/
    verdicts = verify.derivation(derive.frontier(CHINCHILLA))
    names = {verdict.claim.name for verdict in verdicts}
    assert {"stationary along the budget", "the budget is met", "curvature in log N", "the law at the optimum"} <= names
    assert {verdict.status for verdict in verdicts} == {Status.PROVED}


@pytest.mark.parametrize("name", ["m1", "m2", "m3", "m4", "sovit", "chinchilla"])
def test_every_question_to_the_first_laws_is_answered_and_proved(name: str) -> None:
    law = laws.get(name)
    asked = [derive.gradient(law), derive.hessian(law), derive.elasticity(law), derive.limits(law)]
    for found in [*asked, *(derive.inverse(law, x) for x in law.inputs)]:
        statuses = {verdict.claim.name: verdict.status.name for verdict in verify.derivation(found)}
        assert set(statuses.values()) == {"PROVED"}, (found.title, statuses)


def test_forms_read_like_the_paper() -> None:
    frontier, optimum = derive.frontier(CHINCHILLA), derive.optimum(SOVIT, "x_k")
    envelope = derive.envelope(SOVIT, over="x_k")
    A, B, C, alpha, beta = (CHINCHILLA.symbols[name] for name in ("A", "B", "C", "alpha", "beta"))
    assert frontier["N"] == (alpha * A / (beta * B)) ** (1 / (alpha + beta)) * (C / 6) ** (beta / (alpha + beta))
    a_k, b_k, c, alpha_k, beta_k = (SOVIT.symbols[name] for name in ("a_k", "b_k", "c", "alpha_k", "beta_k"))
    assert optimum["x_k"] == (alpha_k * a_k * SOVIT.symbols["t"] ** c / (beta_k * b_k)) ** (1 / (a_k + b_k))
    assert optimum["exponent of x_k"] == c / (a_k + b_k)
    assert (envelope["F"], envelope["G"]) == (alpha_k * (a_k + b_k) / b_k, SOVIT.symbols["xi_k"])


def test_results_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "from symbolic_scaling import derive, laws, notation as n; ch = laws.get('chinchilla');"
        "print([(k, n.text(v)) for d in (derive.frontier(ch), derive.optimum(laws.get('sovit'), 'x_k'),"
        " derive.hessian(laws.get('m4'))) for k, v in d.found])"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(runs) == 1


# FIELD_CASES 7 (the refit) and 15: inverses at numbers
REFIT = constants(CHINCHILLA, "besiroglu2024")
CURVE = {"eps_inf": "0.1", "eps_0": "1", "alpha": "0.5", "beta": "20", "c": "-0.3"}


@pytest.mark.parametrize(
    ("variable", "loss", "held", "answer"),
    [("D", "2.0", {"N": "7e10"}, 6.19640450782e11), ("N", "1.9", {"D": "oo"}, 6.687454119e10)],
)
def test_inputs_for_a_loss(variable: str, loss: str, held: dict[str, str], answer: float) -> None:
    assert derive.invert_value(CHINCHILLA, variable, loss, REFIT, held) == pytest.approx(answer, rel=1e-9)


@pytest.mark.parametrize(
    ("loss", "held", "said"),
    [
        (1.9, {"D": 1e12}, "1.90223459"),
        (1.5, {"D": 1e12}, "1.8172"),
        (1.5, {"D": "oo"}, "1.8172"),
        ("1.8172", {"D": "oo"}, "1.8172"),
    ],
)
def test_losses_that_no_model_reaches(loss: object, held: dict[str, object], said: str) -> None:
    with pytest.raises(Unattainable, match=said):
        derive.invert_value(CHINCHILLA, "N", loss, REFIT, held)


@pytest.mark.parametrize(("error", "answer"), [("0.9", 984.31332023037), ("0.5", 145049.651050399)])
def test_m4_solved_for_x(error: str, answer: float) -> None:
    assert derive.invert_value(M4, "x", error, CURVE) == pytest.approx(answer, rel=1e-14)


@pytest.mark.parametrize("error", ["0.05", "0.1", "1", "1.2", "-3"])
def test_errors_outside_m4s_range(error: str) -> None:
    with pytest.raises(Unattainable):
        derive.invert_value(M4, "x", error, CURVE)


def test_missing_and_contradictory_constants_are_named() -> None:
    with pytest.raises(ScalingError, match=r"missing.*beta"):
        derive.invert_value(M4, "x", "0.5", {k: v for k, v in CURVE.items() if k != "beta"})
    with pytest.raises(ScalingError, match="c = 3/10 leaves"):
        derive.invert_value(M4, "x", "0.5", {**CURVE, "c": "0.3"})


def test_inverse_without_closed_form() -> None:
    x, a, b, k = sp.symbols("x a b k", positive=True)
    falling = law_of(k / x**a + x ** (-b), "x")
    root = derive.inverse(falling, "x")["x"]
    assert isinstance(root, Root)
    assert "strictly" in root.why_unique
    value = derive.invert_value(falling, "x", 5, {"a": "0.5", "b": "0.3", "k": 3})
    assert 3 * value**-0.5 + value**-0.3 == pytest.approx(5, rel=1e-12)
    below, above = derive.inverse(SOVIT, "x_k").cases
    turn = derive.optimum(SOVIT, "x_k")["x_k"]
    assert below.when[0][0] == turn == above.when[0][1]


def test_no_interior_optimum_and_families() -> None:
    N, D, A, a, b = sp.symbols("N D A a b", positive=True)
    with pytest.raises(NoOptimum, match="no interior optimum"):
        derive.optimum(CHINCHILLA, "N")
    with pytest.raises(NoOptimum, match="no interior optimum"):
        derive.frontier(law_of(A / N**a + D**b, "N", "D"), "C = N*D")
    with pytest.raises(NoOptimum, match="a family of optima"):
        derive.frontier(law_of(A / (N * D) ** a, "N", "D"), "C = N*D")
    with pytest.raises(LawError, match="declares no cost"):
        derive.frontier(M4)
    with pytest.raises(LawError, match="uses this name"):
        derive.frontier(CHINCHILLA, "D = 6*N")


@pytest.mark.parametrize("text", ["L = 1/(A/N + B*N)", "L = E - A/N - B*N", "L = exp(-A/N - B*N)", "1/L = A/N + B*N"])
def test_a_largest_response_is_not_called_the_least(text: str) -> None:
    law = laws.formula(text, ["N"])
    for ask in (derive.optimum, derive.envelope, derive.suboptimality):
        with pytest.raises(ScalingError, match=r"largest, not least|needs an explicit law"):
            ask(law, "N")
    with pytest.raises(NoOptimum, match="largest, not least"):
        derive.frontier(laws.formula("L = E - A/N - B/D", ["N", "D"]), "C = N*D")


def test_open_signs_are_asked_for() -> None:
    x, A, a, b = sp.symbols("x A a b", positive=True)
    law = law_of(A / x + x ** (a - b), "x")
    with pytest.raises(Undecided) as error:
        derive.optimum(law, "x")
    assert "a - b" in error.value.question
    found = derive.optimum(law, "x", given=["a > b"])
    assert found["x"] == (A / (a - b)) ** (1 / (a - b + 1))
    assert "a > b" in found.given
    with pytest.raises(NoOptimum):
        derive.optimum(law, "x", given=["a < b"])


def test_more_terms_than_the_shares_determine() -> None:
    x, N, D, A, B, K, a = sp.symbols("x N D A B K a", positive=True)
    closed = derive.optimum(law_of(1 / x + A * x + B * x**3, "x"), "x")
    assert not isinstance(closed["x"], Root)
    three = derive.frontier(law_of(A / N + B / D + K / D**3, "N", "D"), "C = N*D")
    values = {A: 3, B: 2, K: 5, sp.Symbol("C", positive=True): 7}
    n, d = (three[key].evalf(30, subs=values) for key in ("N", "D"))
    assert abs(n * d - 7) < 1e-20
    assert abs(3 / n - 2 / d - 15 / d**3) < 1e-20  # A/N = B/D + 3 K/D**3
    root = derive.optimum(law_of(1 / x + A * x + B * x**a, "x"), "x")["x"]
    assert isinstance(root, Root)
    assert "convex" in root.why_unique
    for found in (closed, three):
        verdicts = {verdict.claim.name: verdict.status.name for verdict in verify.derivation(found)}
        assert set(verdicts.values()) == {"PROVED"}, verdicts


def test_outer_functions_are_peeled() -> None:
    N, D, P, Q, a, b = sp.symbols("N D P Q a b", positive=True)
    law = law_of(((P / N) ** (a / b) + Q / D) ** b, "N", "D")
    found = derive.frontier(law, "C = 6*N*D")
    assert sp.cancel(found["exponent of N"] - b / (a + b)) == 0
    assert {verdict.status for verdict in verify.derivation(found)} == {Status.PROVED}


def test_fixed_inputs_and_other_costs() -> None:
    found = derive.frontier(SOVIT, "C = t")
    assert found["t"] == sp.Symbol("C", positive=True)
    assert found["exponent of x_k"] == derive.optimum(SOVIT, "x_k")["exponent of x_k"]
    skewed = derive.frontier(CHINCHILLA, "k = 3*N**2*D")
    assert {verdict.status for verdict in verify.derivation(skewed)} == {Status.PROVED}


EXPONENTS = sp.symbols("a b p q", positive=True)
AMPLITUDES = sp.symbols("A B C", positive=True)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(powers=st.tuples(*[rationals(0.01, 5)] * 4), sizes=st.tuples(*[rationals(1e-12, 1e30)] * 3))
def test_a_balance_is_stationary_at_its_optimum(
    powers: tuple[sp.Rational, ...], sizes: tuple[sp.Rational, ...]
) -> None:
    """A/x**a + B/y**b under 6 x**p y**q = C: the pulls of the terms are in proportion to the budget's exponents."""
    (a, b, p, q), (A, B, C) = EXPONENTS, AMPLITUDES
    terms = [Term(A, (-a, sp.Integer(0))), Term(B, (sp.Integer(0), -b))]
    solved = balance(terms, Domain(), Budget(Term(sp.Integer(6), (p, q)), C))
    assert solved is not None
    x, y = solved.optimum(0), solved.optimum(1)
    values = dict(zip((*EXPONENTS, *AMPLITUDES), (*powers, *sizes), strict=True))
    assert abs((6 * x**p * y**q / C).evalf(40, subs=values) - 1) < 1e-30
    assert abs((a * A / x**a * q / (b * B / y**b * p)).evalf(40, subs=values) - 1) < 1e-30
    assert abs(((A / x**a + B / y**b) / solved.value).evalf(40, subs=values) - 1) < 1e-30


def test_exponents_of_many_digits_are_refused_at_once() -> None:
    N, D, A, B = sp.symbols("N D A B", positive=True)
    law = law_of(A / N ** sp.Rational("0.33917084") + B / D ** sp.Rational("0.2849083"), "N", "D")
    with pytest.raises(ScalingError, match="too many digits"):
        derive.frontier(law, "C = 6*N*D")


@settings(max_examples=30, deadline=None, derandomize=True)
@given(p=rationals(0.1, 5), q=rationals(0.1, 5), k=rationals(1e-6, 1e6))
def test_peeling_and_putting_back(p: sp.Rational, q: sp.Rational, k: sp.Rational) -> None:
    x = sp.Symbol("x", positive=True)
    whole = 1 + (k * x**p + 3 / x**q) ** q
    peeled = peel(whole, (x,), Domain())
    assert peeled is not None
    assert peeled.outer.subs(peeled.hole, peeled.inner((x,))) == whole
    assert peeled.direction == 1
    falling = peel(5 - k / x**p, (x,), Domain())
    assert falling is not None
    assert falling.direction == -1


def test_monomials_are_told_from_sums() -> None:
    x, y, a = sp.symbols("x y a", positive=True)
    assert split(3 * (x / y) ** a, (x, y)) == Term(sp.Integer(3), (a, -a))
    assert split(x + y, (x, y)) is None
    assert split(x**y, (x, y)) is None
    with pytest.raises(ScalingError, match="several free directions"):
        one_direction([Term(sp.Integer(1), (a, a))], (x, y), Domain())
