"""Every number of every printed set can be used in every question, and a formula's own numbers are constants too."""

import contextlib
import math

import pytest
import sympy as sp
from exported import bare

from symbolic_scaling import Law, cli, codegen, derive, laws, plan
from symbolic_scaling.catalogue.digits import digits
from symbolic_scaling.codegen import evaluate, export
from symbolic_scaling.errors import ScalingError

SETS = [(name, one.name) for name in laws.names() for one in laws.get(name).published]
CHINCHILLA = "L = 1.69 + 406.4/N^0.34 + 410.7/D^0.28"


def middle(law: Law) -> dict[str, sp.Expr]:
    """Each input in the middle of where the law is met."""
    return {v.symbol.name: sp.Rational(f"{math.sqrt(v.typical[0] * v.typical[1]):.3g}") for v in law.variables}


def floats(numbers: dict[str, sp.Expr]) -> dict[str, float]:
    return {name: float(value.evalf(30)) for name, value in numbers.items()}


def questions(law: Law):
    """Derivations with a number for every letter, budgets and responses included."""
    yield from (derive.gradient(law), derive.hessian(law), derive.elasticity(law))
    asked = [(derive.limits, (law,)), (derive.series, (law, law.inputs[0])), (derive.inverse, (law, law.inputs[0]))]
    asked += [(derive.frontier, (law,))] if law.costs else []
    for ask, arguments in asked:
        with contextlib.suppress(ScalingError):  # the law has no such answer, whatever its numbers
            yield ask(*arguments)


@pytest.mark.parametrize(("name", "published"), SETS, ids=["-".join(one) for one in SETS])
def test_every_number_of_a_set_is_usable_in_every_question(name: str, published: str) -> None:
    law = laws.get(name)
    beside = {symbol.name: sp.Integer(1) for symbol in law.constants}  # what a paper does not print
    exact, at = beside | law.published_set(published).exact(), middle(law)
    y = codegen.law(law, "mpmath")(**{s.name: {**exact, **at}[s.name] for s in (*law.inputs, *law.constants)})
    money = {cost.symbol.name: sp.Integer(10) ** 22 for cost in law.costs}
    numbers = {**money, **exact, law.response.symbol.name: sp.Float(y, 30), **at}
    for found in questions(law):
        letters = {s.name for value in dict(found.found).values() for s in _letters(value)} | set(law.symbols)
        used = {key: value for key, value in numbers.items() if key in letters}
        values = evaluate(found, used)
        assert values == pytest.approx(evaluate(found, floats(used)), rel=1e-6), found.title
        if found.title.startswith("inverse"):
            assert values[law.inputs[0].name] == pytest.approx(float(at[law.inputs[0].name]), rel=1e-9)


def _letters(value: object) -> set[sp.Symbol]:
    parts = (value.condition,) if hasattr(value, "condition") else (value,)
    return {symbol for part in parts if isinstance(part, sp.Expr) for symbol in part.free_symbols}


@pytest.mark.parametrize("published", [one.name for one in laws.get("chinchilla").published])
def test_plans_exports_and_digits_take_every_set(published: str) -> None:
    law = laws.get("chinchilla")
    best = evaluate(derive.frontier(law), {**law.published_set(published).exact(), "C": 10**24})
    made = plan.allocate(law, "1e24", published=published)
    assert float(made["N"]) == pytest.approx(best["N"], rel=1e-12)
    back = plan.invert(law, str(best["L"]), published=published)
    assert float(back["C"]) == pytest.approx(1e24, rel=1e-6)
    assert digits(law, published).needed
    compared = plan.compare([plan.source(law, published), plan.source(law, constants=floats(made_of(law)))], "1e24")
    assert float(compared[f"N of {published}"]) == pytest.approx(best["N"], rel=1e-12)


def made_of(law: Law) -> dict[str, sp.Expr]:
    return law.published_set("besiroglu2024").exact()


def test_the_digits_as_given_have_a_frontier(capsys) -> None:
    """N* of approach 3 with the digits of the TeX source, at Gopher's budget."""
    assert run("derive", "chinchilla", "frontier", "--published", "hoffmann2022-unrounded", "--at", "C=5.76e23") == 0
    assert "N               4.0360938e+10" in capsys.readouterr().out


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    return int(ended.value.code or 0)


def test_only_sets_that_help_are_offered() -> None:
    found = derive.gradient(laws.get("precision"))
    with pytest.raises(ScalingError, match=r"no number for A, B, alpha, beta; say --at [^ ]*$"):
        evaluate(found, middle(laws.get("precision")) | laws.get("precision").published_set("kumar2024").exact())
    with pytest.raises(ScalingError, match=r"or --published .*besiroglu2024"):
        evaluate(derive.gradient(laws.get("chinchilla")), middle(laws.get("chinchilla")))


# ---------------------------------------------------------------- infinite answers


def test_an_infinite_limit_is_an_answer(answer, capsys) -> None:
    at = ("--published", "hoffmann2022", "--at", "N=7e10,D=1.4e12")
    values = answer("derive", "chinchilla", "limits", *at)["values"]
    assert values.pop("N->0") == values.pop("D->0") == "oo"
    assert values == pytest.approx({"N->oo": 1.8531582, "D->oo": 1.7734873}, rel=1e-7)
    assert run("derive", "chinchilla", "limits", *at) == 0
    assert "N->0   oo" in capsys.readouterr().out


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("target", ["numpy", "mpmath"])
def test_infinite_answers_keep_their_sign(sign: str, target: str) -> None:
    found = derive.limits(laws.formula(f"y = a + {sign or '+'}b*log(x)".replace("++", "+"), ("x",)))
    values = evaluate(found, {"a": 2, "b": 3}, target)
    ends = (-math.inf, math.inf) if not sign else (math.inf, -math.inf)
    assert (float(values["x->0"]), float(values["x->oo"])) == ends


# ---------------------------------------------------------------- formulas without letters


def test_a_formula_without_letters_has_its_constants(answer) -> None:
    law, cost = ("--law", CHINCHILLA, "--variables", "N,D"), ("--cost", "6*N*D")
    made = answer("plan", "allocate", *law, *cost, "--compute", "1e24")["allocation"]
    got = {name: float(one["value"]) for name, one in made.items()}
    assert got["N"] == pytest.approx(4.1296702e10, rel=1e-7)
    assert got["D"] == pytest.approx(4.0358347e12, rel=1e-7)
    assert got["L"] == pytest.approx(1.9111954, rel=1e-7)
    back = answer("plan", "invert", *law, *cost, "--target", str(got["L"]))["allocation"]
    assert float(back["C"]["value"]) == pytest.approx(1e24, rel=1e-6)
    spent = answer("plan", "spend", *law, *cost, "--budget", "1e24")["allocation"]
    assert float(spent["N"]["value"]) == pytest.approx(got["N"], rel=1e-6)
    label = f"N of {CHINCHILLA}"
    both = answer("plan", "compare", f"hoffmann2022,{CHINCHILLA}", "--variables", "N,D", *cost)["allocation"]
    assert float(both[label]["value"]) == float(both["N of hoffmann2022"]["value"])


@pytest.mark.parametrize(
    "question",
    [
        ("plan", "active", "--law", CHINCHILLA, "--variables", "N,D", "--at", "N=1e9,D=1e11"),
        ("plan", "breaks", "--law", "y = 2 + 3*x^-0.5*(1 + (x/1000)^2)^-0.4", "--variables", "x", "--at", "x=1"),
        ("plan", "turns", "--law", "y = 2 + 3*x^-0.5 + x^0.3/100", "--variables", "x", "--in", "x"),
        ("show", CHINCHILLA, "--variables", "N,D"),
        ("derive", CHINCHILLA, "frontier", "--variables", "N,D", "--cost", "6*N*D", "--at", "C=1e24"),
    ],
    ids=lambda question: " ".join(question[:2]),
)
def test_every_question_takes_such_a_formula(answer, question) -> None:
    assert answer(*question)


def test_such_a_formula_is_exported(tmp_path) -> None:
    text = export.source(laws.formula(CHINCHILLA, ("N", "D")), "python")
    assert bare(text, tmp_path, "exported.L(1e9, 1e11)") == pytest.approx(2.385565, rel=1e-6)


def test_a_formula_with_letters_still_needs_their_numbers() -> None:
    with pytest.raises(ScalingError, match="no published constants"):
        plan.source(laws.formula("L = E + 2/N", ("N",)))
