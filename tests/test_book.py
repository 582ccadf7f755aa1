"""Documents and the derivation book: links that lead somewhere, the same bytes, numbers beside pictures."""

import csv
import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from symbolic_scaling import catalogue, codegen, derive, fit, laws, notation, report
from symbolic_scaling.cli import main
from symbolic_scaling.codegen import export
from symbolic_scaling.errors import DataError, ScalingError
from symbolic_scaling.records import Status, Verdict
from symbolic_scaling.report import as_latex, book, document, figures, saved

PARTS = ("chinchilla", "chinchilla-frontier", "gadre2024", "m1")
LINK = re.compile(r"\]\(([^)]+)\)")


def judged(contents: book.Contents) -> list[Verdict]:
    """Verdicts as the catalogue states them, without the work."""
    stated = [pair for part in contents.stated for pair in part]
    return [Verdict(claim, status, "stated") for claim, status in stated]


def written(place: Path) -> dict[str, str]:
    contents = book.contents(PARTS)
    files = book.write(place, contents, judged(contents), "symscale report --book B")
    return {path.relative_to(place).as_posix(): path.read_text(encoding="utf-8") for path in files}


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


# ---------------------------------------------------------------- the book


def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    pages = written(tmp_path / "book")
    followed = set()
    for name, text in pages.items():
        for target in LINK.findall(text):
            if not target.startswith("https://arxiv.org/abs/"):
                place = ((tmp_path / "book" / name).parent / target).resolve()
                assert place.is_file(), (name, target)
                followed.add(place.relative_to((tmp_path / "book").resolve()).as_posix())
    assert followed == set(pages)


def test_the_pages_hold_formulas_verdicts_and_indices(tmp_path: Path) -> None:
    pages = written(tmp_path / "book")
    assert r"\frac{A}{N^{\alpha}}" in pages["laws/chinchilla.md"]
    assert "PROVED" in pages["derivations/chinchilla-frontier.md"]
    assert "over-training form" in pages["papers/gadre2024.md"]
    assert "[2203.15556](https://arxiv.org/abs/2203.15556)" in pages["sources.md"]
    meanings = ["amplitude of the parameter term", "exponent of parameters", "amplitude of the data term"]
    places = [pages["symbols.md"].index(meaning) for meaning in meanings]
    assert places == sorted(places), "A, alpha, B"


def test_the_same_bytes_but_for_provenance(tmp_path: Path) -> None:
    one, other = written(tmp_path / "one"), written(tmp_path / "two")
    assert one == other
    assert [name for name, text in one.items() if "Provenance" in text] == ["index.md"]


def test_a_refuted_statement_is_told(tmp_path: Path) -> None:
    contents = book.contents(["gadre2024"])
    verdicts = judged(contents)
    verdicts[0] = Verdict(verdicts[0].claim, Status.REFUTED, "by hand")
    book.write(tmp_path / "book", contents, verdicts)
    page = (tmp_path / "book/papers/gadre2024.md").read_text(encoding="utf-8")
    assert "REFUTED" in page
    assert "Not as this catalogue states" in page


def test_what_is_no_book_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    contents = book.contents(["m1"])
    with pytest.raises(ScalingError):
        book.write(tmp_path, contents, [])
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(ScalingError, match="not those of its claims"):
        book.write(tmp_path / "new", book.contents(["gadre2024"]), [])
    with pytest.raises(ScalingError, match="no part nowhere"):
        book.contents(["nowhere"])


def test_an_interrupted_book_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(page: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(book, "render", interrupted)
    with pytest.raises(KeyboardInterrupt):
        book.write(tmp_path / "book", book.contents(["m1"]), [])
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "book"
    assert run("report", "--book", str(place), "--only", "gadre2024", "--json") == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert str(place / "papers/gadre2024.md") in files
    assert "4 proved" in (place / "index.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- single documents


@pytest.fixture(scope="module")
def found() -> fit.FitResult:
    x = np.geomspace(1e5, 1e9, 12)
    noise = np.exp(0.01 * np.random.default_rng(5).standard_normal(12))
    return fit.curve(laws.get("m2"), x=x, y=(0.1 + 20 * x**-0.3) * noise)


def test_a_fit_report_holds_residuals_and_provenance(found: fit.FitResult) -> None:
    text = document.render(document.fitted(found), "md")
    assert found.problem.digest in text
    assert all(f"| {name} |" in text.replace("fitted with ", "") for name in ("numpy", "sympy"))
    rows = [line for line in text.splitlines() if re.match(r"\| [\d.e+]+ \| [\d.e-]+ \| [\d.e-]+ \| [+-]", line)]
    assert len(rows) == 12
    gaps = [float(line.split("|")[4]) for line in rows]
    assert np.mean(np.square(gaps)) == pytest.approx(found.objective, rel=1e-2)


def test_the_numbers_lie_beside_the_pictures(found: fit.FitResult, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = figures.of_fit(found)
    page = document.fitted(found, drawn)
    files = {path.name for path in document.write(tmp_path / "out", page, "md", drawn)}
    names = ("curve", "residuals", "excess", "floor", *(f"profile-{name}" for name in ("beta", "c", "eps_inf")))
    assert files == {"report.md", *(f"{name}.{ending}" for name in names for ending in ("png", "csv"))}
    rows = list(csv.reader((tmp_path / "out/curve.csv").read_text(encoding="utf-8").splitlines()))
    runs = [(float(x), float(y)) for series, x, y in rows[1:] if series == "runs"]
    assert runs == list(zip(*(values.tolist() for values in (found.problem.x[0][1], found.problem.y)), strict=True))
    curve = {float(x): float(y) for series, x, y in rows[1:] if series == "m2"}
    low, high = ({float(x): float(y) for s, x, y in rows[1:] if s == end} for end in ("95 % from", "95 % to"))
    assert max(curve) == pytest.approx(1e10)
    assert all(low[x] < float(found.predict(x)) < high[x] for x in low)
    document.write(tmp_path / "again", page, "md", drawn)
    assert all((tmp_path / "out" / n).read_bytes() == (tmp_path / "again" / n).read_bytes() for n in files)


def test_a_fit_is_exported_and_reported(
    found: fit.FitResult, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found.save(tmp_path / "fit.json")
    assert run("export", str(tmp_path / "fit.json"), "--to", "python", "-o", str(tmp_path / "curve.py")) == 0
    specification = importlib.util.spec_from_file_location("curve", tmp_path / "curve.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    assert module.eps_x(1e12) == pytest.approx(float(found.predict(1e12)), rel=1e-13)
    assert found.problem.digest in (tmp_path / "curve.py").read_text(encoding="utf-8")
    capsys.readouterr()
    assert run("report", str(tmp_path / "fit.json"), "--to", "snippet") == 0
    assert r"\section*{m2 fitted}" in capsys.readouterr().out
    assert run("export", str(tmp_path / "fit.json"), "--to", "c", "--published", "none") == 2
    assert run("export", str(tmp_path / "fit.json"), "--to", "c", "-o", str(tmp_path / "fit.json")) == 2
    assert run("export", "nowhere", "--to", "c") == 2
    assert fit.load(tmp_path / "fit.json").estimate == found.estimate


def test_a_saved_derivation_is_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    law = laws.get("chinchilla")
    frontier = derive.frontier(law)
    content = {"what": "frontier", **report.as_json(frontier, [Verdict(frontier.claims[0], Status.PROVED, "m")])}
    (tmp_path / "d.json").write_text(json.dumps(content), encoding="utf-8")
    back = saved.derivation(saved.read(tmp_path / "d.json"), law)
    assert dict(back.found) == dict(frontier.found)
    assert [step.after for step in back.steps] == [step.after for step in frontier.steps]
    assert run("report", str(tmp_path / "d.json")) == 0
    page = capsys.readouterr().out
    assert "PROVED" in page
    assert "Provenance" in page
    numbers = {**law.published_set("besiroglu2024").exact(), "C": 1e21}
    assert codegen.evaluate(back, numbers) == codegen.evaluate(frontier, numbers)


@pytest.mark.parametrize("text", ["", "[1]", "{}", '{"law": 1, "what": 2, "steps": 3, "result": 4}', "{" * 9999])
def test_what_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError):
        saved.derivation(saved.read(tmp_path / "d.json"), laws.get("m1"))


# ---------------------------------------------------------------- LaTeX compiles


def compiles(text: str, folder: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex here: install texlive-latex-base")
    (folder / "page.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_a_law_and_its_frontier_compile(tmp_path: Path) -> None:
    law = laws.get("chinchilla")
    compiles(as_latex.article([*report.blocks(law), *report.blocks(derive.frontier(law))]), tmp_path)


def test_exported_latex_compiles(tmp_path: Path) -> None:
    compiles(export.source(derive.frontier(laws.get("chinchilla")), "latex"), tmp_path)


def reads_back(name: str) -> int:
    """Read the LaTeX of every step of a derivation back; how many expressions that were."""
    read = 0
    for found in catalogue.get(name).derivations():
        names = found.law.latex_names
        for side in (side for step in found.steps for whole in (step.before, step.after) for side in sides(whole)):
            symbols = {names.get(symbol, symbol.name): symbol for symbol in side.free_symbols}
            assert notation.parse_latex(notation.to_latex(side, names), symbols) == side
            read += 1
    return read


def sides(whole: sp.Basic) -> tuple[sp.Basic, ...]:
    return whole.args if isinstance(whole, sp.Equality) else (whole,)


def test_the_steps_of_a_derivation_read_back() -> None:
    assert reads_back("chinchilla-frontier") >= 12


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue.names())
def test_the_steps_of_every_derivation_read_back(name: str) -> None:
    assert reads_back(name)


def test_every_law_compiles(tmp_path: Path) -> None:
    compiles(as_latex.article([block for name in laws.names() for block in report.blocks(laws.get(name))]), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue.names())
def test_every_derivation_compiles(name: str, tmp_path: Path) -> None:
    entry = catalogue.get(name)
    claims, expected = zip(*entry.claims(), strict=True)
    verdicts = [Verdict(claim, status, "stated") for claim, status in zip(claims, expected, strict=True)]
    compiles(as_latex.article(document.statements(entry.title, entry.derivations(), verdicts, expected)), tmp_path)
