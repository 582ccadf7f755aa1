"""What UNSL is built of, shown: the tree with every constant once, drawn, and LaTeX of any instance that reads back."""

from collections.abc import Iterator

import pytest
import test_unsl

from symbolic_scaling import laws, report
from symbolic_scaling.errors import LawError
from symbolic_scaling.fit import law_record
from symbolic_scaling.notation import Relation, latex_relation, law_symbols, relation, text, to_latex
from symbolic_scaling.report.structure import Component, as_json, picture, structure, tree

LEVELS = [("mbnsl", {"m": 2, "n": 2}), ("mbnsl", {"n": 0, "floor": True}), ("bottlenecks", {"m": 2, "U": [1, 2]}),
          ("saturated", {"m": 2, "S": 1, "ceilings": (3, 4)}), ("chinchilla", {}), ("bnsl", {"n": 3}), ("kaplan-c", {}),
          ("data-constrained", {})]  # fmt: skip


def walk(component: Component) -> Iterator[Component]:
    yield component
    for part in component.parts:
        yield from walk(part)


def made(which):
    return laws.get("unsl", **test_unsl.instance(which)) if isinstance(which, int) else laws.get(which[0], **which[1])


@pytest.mark.parametrize("which", [*range(6), *LEVELS], ids=str)
def test_every_constant_stands_once_in_the_tree(which):
    law = made(which)
    found = structure(law)
    named = [name for part in walk(found) for name in part.constants]
    assert sorted(named) == sorted(symbol.name for symbol in law.constants)
    assert found.count == len(law.constants) and tree(found).endswith(f"\n{len(law.constants)} constants")
    assert as_json(found)["count"] == len(law.constants)


@pytest.mark.parametrize("seed", range(6))
def test_components_are_those_of_the_sizes(seed):
    size = test_unsl.instance(seed)
    law = laws.get("unsl", **size)
    names = [part.name for part in walk(structure(law))]
    m, S, last = size["m"], size["S"], 2 * size["S"] + 4 if size["overfitting"] else size["S"] + 3
    assert [name for name in names if name[0] == "Q"] == ["Q(3)", f"Q({S + 4})"][: 1 + size["overfitting"]]
    assert [name for name in names if name[0] == "R"] == [f"R({r})" for r in range(3, last + 1)]
    wanted = []
    for r in range(3, last + 1):
        for t in [0] * (r in size["U"]) + list(size["T"][r]):
            members = size["U"][r] if t == 0 else (t,)
            inputs = ", ".join(law.inputs[i - 1].name for i in members)
            wanted.append(f"K({{{inputs}}}, n = {size['n'].get((r, t), 0)}, k = {r * (m + 1) + t})")
    assert [name for name in names if name[0] == "K"] == wanted


def test_a_saved_law_has_its_structure():
    law = laws.get("unsl", **test_unsl.instance(3))
    assert structure(law_record.from_json(law_record.as_json(law))) == structure(law)


def test_an_implicit_law_has_none():
    with pytest.raises(LawError, match="implicit"):
        structure(laws.get("m4"))


def test_the_tree_is_shown_and_drawn(symscale, answer, tmp_path):
    law = "unsl(m=2, n=1, S=1, overfitting=true, ceilings=2,3,4)"
    shown = answer("show", law, "--structure")
    assert shown["structure"]["count"] == 45 and [p["name"] for p in shown["structure"]["parts"]] == ["Q(3)", "Q(5)"]
    code, out, _ = symscale("show", law, "--structure")
    assert code == 0 and "└─ hyperbreak 1: x_1**c_1_1_10 = d_1_10, width f_1_10" in out and "45 constants" in out
    pytest.importorskip("matplotlib")
    code, *_ = symscale("show", law, "--plot", str(tmp_path / "tree.svg"))
    assert code == 0 and "hyperbreak" in (tmp_path / "tree.svg").read_text()
    assert picture(structure(laws.get("m1"))) == picture(structure(laws.get("m1")))
    code, _, err = symscale("show", law, "--plot", str(tmp_path / "no" / "tree.png"))
    assert code == 2 and "folder that exists" in err


@pytest.mark.parametrize("which", [*range(4), *LEVELS[:4]], ids=str)
def test_latex_of_any_instance_reads_back(which):
    law = made(which)
    form = Relation(law.form.lhs, "=", law.form.rhs)
    assert latex_relation(to_latex(law.form, law.latex_names), law_symbols(law)) == form
    assert latex_relation(report.as_json(law)["latex"], law_symbols(law)) == form
    assert relation(text(form), law.symbols) == form
