"""Reports: one page a record, the same content in every format; files whole or not at all."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import sympy as sp

from symbolic_scaling import laws, notation, report
from symbolic_scaling.errors import MissingExtra, ScalingError
from symbolic_scaling.records import (
    Case,
    Claim,
    Derivation,
    Equal,
    Less,
    Number,
    Root,
    Series,
    Status,
    Step,
    Tends,
    Verdict,
)
from symbolic_scaling.report import as_latex, as_markdown, as_text, export, of_verdict, plot, write
from symbolic_scaling.report.blocks import Code, Heading, Paragraph, Table
from symbolic_scaling.report.maths import Math, symbol_latex, to_latex, to_text

N, D, alpha, x = sp.symbols("N D alpha x", positive=True)
CHINCHILLA = laws.get("chinchilla")


def derivation(found, cases=()) -> Derivation:
    claim = Claim("product", Equal(N * D, D * N))
    steps = (Step("name", "multiply", N, N * D, (claim,)),)
    return Derivation("a result", CHINCHILLA, ("alpha > beta",), steps, tuple(found), tuple(cases))


@pytest.mark.parametrize("name", laws.names())
def test_every_law_has_a_page_in_every_format(name: str) -> None:
    law = laws.get(name)
    form = report.as_json(law)["form"]
    relation = notation.relation(form, law.symbols)
    assert (relation.left, relation.right) == (law.form.lhs, law.form.rhs)
    assert form in report.text(law)
    for page in (report.markdown(law), report.latex(law)):
        assert law.title in page.replace("\\", "") and report.as_json(law)["latex"] in page
    assert json.loads(write.json_text(report.as_json(law)))["parameters"]


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("N", "N"),
        ("alpha", r"\alpha"),
        ("N_star", r"N^{\star}"),
        ("eps_inf", r"\varepsilon_{\infty}"),
        ("x_k", "x_{k}"),
        ("x_k_star", r"x_{k}^{\star}"),
        ("alpha_N", r"\alpha_{N}"),
    ],
)
def test_plain_names_become_latex(name: str, latex: str) -> None:
    assert symbol_latex(name) == latex


def test_the_law_chooses_its_latex() -> None:
    law = laws.get("m4")
    eps_inf = law.symbols["eps_inf"]
    names = tuple(law.latex_names.items())
    assert to_latex(Math(eps_inf**2, law.symbols["eps_x"], names)) == r"\varepsilon_x = \varepsilon_\infty^{2}"


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("chinchilla", r"L = \frac{A}{N^{\alpha}} + \frac{B}{D^{\beta}} + E"),
        (
            "m4",
            r"\frac{\varepsilon_x - \varepsilon_\infty}{\left(\varepsilon_0 - \varepsilon_x\right)^{\alpha}}"
            r" = \beta x^{c}",
        ),
    ],
)
def test_laws_read_as_papers_print_them(name: str, latex: str) -> None:
    assert report.as_json(laws.get(name))["latex"] == latex


def test_a_minus_sign_stands_before_the_bar() -> None:
    assert to_latex(Math(-D * N ** (-alpha))) == r"- \frac{D}{N^{\alpha}}"
    assert to_latex(Math(1 - D * N ** (-alpha))) == r"1 - \frac{D}{N^{\alpha}}"
    assert to_latex(Math((D / N) ** (-alpha))) == r"\frac{1}{\left(\frac{D}{N}\right)^{\alpha}}"


def test_a_superscript_is_braced_before_a_power() -> None:
    assert to_latex(Math(sp.Symbol("N_star") ** alpha)) in (r"{N^{\star}}^{\alpha}", r"\left(N^{\star}\right)^{\alpha}")


def test_relations_read_as_text() -> None:
    assert to_text(Math(sp.Eq(N, D, evaluate=False))) == "N = D"
    assert to_text(Math(sp.StrictLessThan(N, D, evaluate=False))) == "N < D"


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Equal(N * D, D**2), "D*N = D**2"),
        (Less(N, D), "N < D"),
        (Less(N, D, strict=False), "N <= D"),
        (Tends(1 / N, N, sp.oo, sp.Integer(0)), "Limit(1/N, N, oo) = 0"),
        (Number(N, printed="2e10"), "N = 2e10"),
        (Number(N, "<", right=sp.Integer(3)), "N < 3"),
    ],
)
def test_statements_read_as_claims(statement, text: str) -> None:
    assert of_verdict.statement_text(statement) == text


@pytest.mark.parametrize(
    ("statement", "text", "latex"),
    [
        (Equal(N, D), "N = D", "N = D"),
        (Less(N, D, strict=False), "N <= D", r"N \leq D"),
        (Number(N, printed="2e10"), "N = 2e10", r"N = 2 \times 10^{10}"),
        (Number(N, "<", right=sp.Integer(3)), "N < 3", "N < 3"),
        (Equal(N, N), "N", "N"),
        (Tends(1 / N, N, sp.oo, sp.Integer(0)), None, r"\lim_{N \to \infty} \frac{1}{N} = 0"),
    ],
)
def test_statements_as_formulas(statement, text: str | None, latex: str) -> None:
    made = of_verdict.statement_math(statement)
    assert made is not None and to_latex(made) == latex
    assert text is None or to_text(made) == text


def test_a_number_says_from_what_it_follows() -> None:
    claim = Claim("(1)", Number(N, printed="3", values=((N, "2.4"),)))
    verdict = Verdict(claim, Status.ROUNDING, "", (("value", "2.4"), ("wanted", "3, that is 2.5 to 3.5")))
    assert "with N = 2.4 the value is 2.4, wanted 3" in of_verdict.sentence(verdict)


def test_verdicts_are_counted_and_keep_their_order() -> None:
    verdicts = [
        Verdict(Claim("second", Equal(N, D)), Status.REFUTED, "ball", (("point", "N = 1"), ("point", "D = 2")), 0.25),
        Verdict(Claim("first", Equal(N, N)), Status.PROVED, "normal form"),
    ]
    assert "1 PROVED, 1 REFUTED" in report.text(verdicts)
    found = report.as_json(verdicts)["verdicts"]
    assert [entry["id"] for entry in found] == ["second", "first"]
    assert found[0]["evidence"] == {"point": "N = 1; D = 2"} and found[0]["seconds"] == 0.25
    assert report.as_json([]) == {"verdicts": []}


def test_a_derivation_by_symbol_with_exponents() -> None:
    found = derivation([("N_star", N**alpha), ("exponent of N_star", alpha)])
    value = report.as_json(found)
    assert value["result"] == {"N_star": "N**alpha"} and value["exponents"] == {"N_star": "alpha"}
    assert value["law"] == "chinchilla" and value["given"] == ["alpha > beta"]
    assert value["steps"] == [{"rule": "name", "text": "multiply", "before": "N", "after": "D*N", "owes": ["product"]}]
    assert r"N^{\star} = N^{\alpha}" in report.markdown(found)


def test_roots_series_and_cases() -> None:
    root = Root(x, x**3 + x - 1, (sp.Integer(0), sp.Integer(1)), "it rises")
    assert report.as_json(derivation([("x", root)]))["result"] == {"x": {"root_of": "x**3 + x - 1", "in": ["0", "1"]}}
    assert "it rises" in report.text(derivation([("x", root)]))
    series = Series(x, sp.oo, 1 / x, ((N, alpha), (D, 2 * alpha)))
    value = report.as_json(derivation([("series", series)]))["result"]
    assert value["terms"] == [["N", "alpha"], ["D", "2*alpha"]] and value["at"] == "oo" and value["radius"] is None
    assert "2*alpha" in report.text(derivation([("series", series)]))
    case = Case(((N, D),), (("x", N),))
    assert report.as_json(derivation([], [case]))["result"] == [{"when": "N > D", "result": {"x": "N"}}]
    assert "If N > D" in report.text(derivation([], [case]))


PAGE = [
    Heading("100 % of x_k <b>"),
    Paragraph("a*b*c | d \\ e_f"),
    Table(("name", "value"), (("p|q", Math(sp.Abs(sp.Symbol("y", real=True)))), (Code("a*b|c"), "1"))),
]


def test_markdown_escapes_what_it_would_interpret() -> None:
    page = as_markdown.render(PAGE)
    assert r"x\_k \<b\>" in page and r"a\*b\*c \| d \\ e\_f" in page
    table = [line for line in page.splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in table), "a stray bar would add a column"


def test_latex_escapes_its_special_letters() -> None:
    page = as_latex.render(PAGE)
    assert r"100 \% of x\_k \textless{}b\textgreater{}" in page and r"\texttt{a*b\textbar{}c}" in page


def test_text_columns_line_up() -> None:
    lines = as_text.render([PAGE[2]]).splitlines()
    assert lines[0].index("value") == lines[1].rindex(" ") + 1 == lines[2].index("Abs") == lines[3].index("1")


def test_an_unknown_record_is_an_error() -> None:
    with pytest.raises(ScalingError, match="give a law"):
        report.text(object())
    with pytest.raises(ScalingError, match="ending"):
        export.write(CHINCHILLA, Path("x.docx"))


@pytest.mark.parametrize("suffix", [".md", ".tex", ".txt", ".json"])
def test_a_record_is_exported_by_its_ending(tmp_path: Path, suffix: str) -> None:
    path = export.write(CHINCHILLA, tmp_path / f"law{suffix}")
    assert "Chinchilla" in path.read_text(encoding="utf-8")
    assert [item.name for item in tmp_path.iterdir()] == [path.name], "no temporary file stays behind"


def test_a_file_is_replaced_whole_or_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write.file(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write.file(path, "\ud800")
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ScalingError, match="write"):
        write.file(tmp_path / "missing" / "a.txt", "x")


def test_a_folder_is_put_in_place_as_a_whole(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "report"
    files = write.folder(place, lambda made: [(made / name).write_text(name) for name in ("b", "a")] and None)
    assert [path.name for path in files] == ["a", "b"] and files[0].read_text() == "a"
    write.folder(place, lambda made: (made / "c").write_text("new") and None)
    assert sorted(path.name for path in place.iterdir() if path.name[0] != ".") == ["c"]

    def fails(made: Path) -> None:
        (made / "half").write_text("half")
        raise ValueError

    with pytest.raises(ValueError):
        write.folder(place, fails)
    assert (place / "c").read_text() == "new" and [path.name for path in place.parent.iterdir()] == ["report"]


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "mine"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("years")
    (tmp_path / "link").symlink_to(foreign)
    ours = tmp_path / "ours"
    write.folder(ours, lambda made: (made / "a").write_text("a") and None)
    (ours / "notes.md").write_text("added later by a person")
    for place in (foreign, tmp_path / "link", ours, foreign / "thesis.tex"):
        with pytest.raises(ScalingError, match="name another folder"):
            write.folder(place, lambda made: (made / "a").write_text("a") and None)
    assert (foreign / "thesis.tex").read_text() == "years" and (ours / "notes.md").exists()


def test_json_holds_no_nan() -> None:
    assert json.loads(write.json_text({"a": [float("nan"), float("-inf"), 1, True, None]})) == {
        "a": [None, "-oo", 1, True, None]
    }


def test_a_plot_is_the_same_bytes_twice() -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    grid = numpy.geomspace(1, 100, 5)
    points = [plot.Points("measured", grid, 1 / grid), plot.Points("later", grid * 10, 0.1 / grid, held_out=True)]
    curves = [plot.Curve("m1", grid, 1 / grid, until=10.0), plot.Curve("m2", grid, 2 / grid)]
    first, second = (plot.png(plot.figure("title", points, curves, x="x", y="y")) for _ in range(2))
    assert first == second and first.startswith(b"\x89PNG") and len(first) > 5000


HIDE = """
import sys
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"matplotlib", "polars", "numba", "dask", "distributed", "nbformat", "pandas"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hide())
"""


def hidden(code: str) -> str:
    """Standard output of ``code`` in a process that has none of the optional packages."""
    run = subprocess.run([sys.executable, "-c", HIDE + code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_every_module_imports_without_the_optional_packages() -> None:
    code = """
import importlib, pkgutil, symbolic_scaling
for info in pkgutil.walk_packages(symbolic_scaling.__path__, "symbolic_scaling."):
    if not info.name.endswith("__main__"):
        importlib.import_module(info.name)
print("all")
"""
    assert hidden(code) == "all\n"


def test_a_plot_names_its_extra_when_it_is_missing() -> None:
    code = """
from symbolic_scaling.errors import MissingExtra
from symbolic_scaling.report import plot
try:
    plot.figure("", [], [], x="", y="")
except MissingExtra as error:
    print(error)
"""
    assert "symbolic-scaling[plot]" in hidden(code)
    assert issubclass(MissingExtra, ScalingError)


def test_an_empty_answer_says_so() -> None:
    empty = Derivation("reductions", CHINCHILLA, (), (), ())
    page = report.text(empty)
    assert "Nothing was found of what was asked." in page and "Steps" not in page
