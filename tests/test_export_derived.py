"""Exported derivations: frontiers, optima, inverses and their roots against the numbers of ``codegen.evaluate``."""

import re
import tempfile
from pathlib import Path

import mpmath
import pytest
from exported import TOLERANCE, agree, bare, c_function, compiled, points

from symbolic_scaling import catalogue, codegen, derive, laws
from symbolic_scaling.codegen import export
from symbolic_scaling.codegen.export import lines
from symbolic_scaling.errors import ScalingError
from symbolic_scaling.records import Derivation


def test_the_frontier_and_its_root_agree(tmp_path: Path) -> None:
    law = laws.get("chinchilla")
    found = derive.frontier(law, "C = 6*N*D + 2*N*D_inf")
    constants = law.published_set("besiroglu2024").exact()
    bound = [export.Constant(name, float(value), str(value), "besiroglu2024") for name, value in constants.items()]
    text = export.source(found, "python", bound)
    for C, D_inf in ((1e18, 1e9), (1e21, 1e11), (1e28, 1e3)):
        wanted = codegen.evaluate(found, {**constants, "C": C, "D_inf": D_inf}, "mpmath", 30)
        keys = ("N", "D", "L")
        got = bare(text, tmp_path, f"[{', '.join(f'exported.{key}({C}, {D_inf})' for key in keys)}]")
        assert isinstance(got, list)
        agree(got, [wanted[key] for key in keys], (C, D_inf))


def test_the_gradient_of_a_root_is_its_slope(tmp_path: Path) -> None:
    found = derive.frontier(laws.get("chinchilla"), "C = 6*N*D + 2*N*D_inf")
    values = {"E": 1.8, "A": 480.0, "B": 2085.0, "alpha": 0.35, "beta": 0.37}
    ours = {name: values[name] for name in ("A", "B", "alpha", "beta")}
    h = 1e18 * 1e-4
    calls = f"[exported.N_gradient(1e18, 1e9, **{ours}), exported.N({1e18 + h}, 1e9, **{ours}), "
    calls += f"exported.N({1e18 - h}, 1e9, **{ours})]"
    (_, gradient), above, below = bare(export.source(found, "python"), tmp_path, calls)  # type: ignore[misc]
    assert gradient["C"] == pytest.approx((above - below) / (2 * h), rel=1e-7)


def test_a_target_out_of_reach_is_not_a_number(tmp_path: Path) -> None:
    text = export.source(derive.inverse(laws.get("m2"), "x"), "python")
    constants = "beta=2.0, c=-0.5, eps_inf=0.25"
    near, far = bare(text, tmp_path, f"[exported.x(0.27, {constants}), repr(exported.x(0.2, {constants}))]")  # type: ignore[misc]
    assert near == pytest.approx(1e4)
    assert far == "nan"


def test_coupled_roots_are_named_not_guessed() -> None:
    law = laws.formula("L = E + A/N^a + B/D^b + K/R^c", ["N", "D", "R"])
    with pytest.raises(ScalingError, match="coupled"):
        export.source(derive.frontier(law, "C = 6*N*D + 2*N*R", given=["a > 0", "b > 0", "c > 0"]), "c")


ROUNDED = 1e-15  # what the rounding of each input may move an answer by, times its slope


def check_derivation(found: Derivation, folder: Path) -> int:
    """Compare every exported answer, in Python and C, with the 30-digit one at a few points; how many there were."""
    try:
        module = export.module(found)
    except ScalingError:
        return 0
    law, compared = found.law, 0
    apart = Path(tempfile.mkdtemp(dir=folder))  # a library that is loaded stays loaded under its path
    text, library = export.source(found, "python"), compiled(export.source(found, "c"), apart)
    prefix = re.sub(r"[^A-Za-z0-9]+", "_", module.name).strip("_")
    for row in points(law, 3):
        at = dict(zip((symbol.name for symbol in (*law.inputs, *law.constants)), row, strict=True))
        at |= {
            letter.symbol.name: 1e22 for f in module.functions for letter in f.arguments if letter.symbol.name not in at
        }
        needed = {symbol.name for f in module.functions for symbol in [letter.symbol for letter in f.arguments]}
        if law.response.symbol.name in at:  # inside its bounds
            at[law.response.symbol.name] = float(codegen.law(law)(*row))
        try:
            wanted = codegen.evaluate(found, {name: at[name] for name in sorted(needed)}, "mpmath", 30)
        except ScalingError:  # no real value there
            continue
        for function in module.functions:
            key = function.doc.partition(" of the ")[0]
            if key in wanted and mpmath.isfinite(wanted[key]):
                plan = next(plan for plan in lines.plans(module, ()) if plan.function is function)
                values = [at[letter.symbol.name] for letter in function.arguments]
                given = ", ".join(f"{n}={value!r}" for n, value in zip(plan.arguments, values, strict=True))
                value, gradient = bare(text, folder, f"exported.{plan.name}_gradient({given})")  # type: ignore[misc]
                split = len(function.inputs)
                named = next(one.name for one in lines.plans(module, readable=False) if one.function is function)
                in_c = c_function(library, f"{prefix}_{named}", len(values))(values[:split], values[split:])
                moved = sum(abs(slope * x) for slope, x in zip(gradient.values(), values, strict=True))
                assert list(gradient.values()) == pytest.approx(in_c[1], rel=1e-9, abs=1e-12 * moved)
                for one in (value, in_c[0]):
                    error, size = abs(one - wanted[key]), abs(wanted[key])
                    assert error <= TOLERANCE * size + ROUNDED * moved + 1e-300, (plan.name, at, one, wanted[key])
                compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue.names())
def test_every_derivation_agrees(name: str, tmp_path: Path) -> None:
    found = [one for one in catalogue.get(name).derivations() if not one.cases]
    if not sum(check_derivation(one, tmp_path) for one in found):
        pytest.skip("its answers are laws, cases, or limits that are infinite")


def test_results_of_one_name_stand_apart() -> None:
    m4 = laws.get("m4")
    both = [derive.series(m4, "x", order=2), derive.series(m4, "x", order=2, at="0")]
    assert [function.name for function in export.module([*both, both[0]]).functions] == ["eps_x", "eps_x_2"]
