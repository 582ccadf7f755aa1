"""The total order of the packages: a module imports only from its left, inside functions too."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import symbolic_scaling

ROOT = Path(symbolic_scaling.__file__).parent
ORDER = re.findall(
    r"\w+",
    "errors escape atomic_write budget quantity nodes draws shown < interval < domain < algebra < law < statements"
    " < records < notation"
    " < derive < verify < codegen < data < fit < plan < laws < catalogue < report < cli < __main__",
)
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")
NUMERIC = {"numpy", "scipy", "matplotlib", "polars", "numba", "rich", "click"}


def layer(module: str) -> str:
    """The package's part that a dotted name belongs to: ``symbolic_scaling.derive.optimum`` -> ``derive``."""
    return [*module.split("."), "", ""][1]


def imported(path: Path) -> set[str]:
    """Every module of ours that a file names in an import, at the top or inside a function."""
    package = ["symbolic_scaling", *path.relative_to(ROOT).parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) + 1 - node.level], node.module] if node.level else [node.module]
            stem = ".".join(part for part in base if part)
            found |= {f"{stem}.{alias.name}" for alias in node.names} if stem == "symbolic_scaling" else {stem}
    return {name for name in found if name.split(".")[0] == "symbolic_scaling"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    here = ORDER.index(path.relative_to(ROOT).parts[0].removesuffix(".py"))
    to_the_right = [name for name in imported(path) if layer(name) in ORDER[here + 1 :]]
    assert not to_the_right, f"{path.relative_to(ROOT)} imports {sorted(to_the_right)}"


def test_the_order_names_every_part() -> None:
    parts = {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in FILES}
    assert parts <= set(ORDER)


@pytest.mark.parametrize("module", ["", ".laws", ".derive", ".verify", ".notation", ".catalogue", ".report"])
def test_symbolic_parts_load_nothing_numeric(module: str) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", f"import sys, symbolic_scaling{module}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    heavy = {name.split(".")[0] for name in loaded} & NUMERIC
    assert not heavy
    assert module or "sympy" not in loaded, "the front door alone loads nothing"


@pytest.mark.parametrize("path", [*FILES, *sorted(Path(__file__).parent.rglob("*.py"))], ids=lambda path: path.name)
def test_no_file_passes_the_wall(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def reads_text_as_code(call: ast.Call) -> bool:
    """Whether a call could execute the text it is given; ``sympify(..., strict=True)`` refuses text."""
    name = ast.unparse(call.func)
    strict = any(word.arg == "strict" and ast.unparse(word.value) == "True" for word in call.keywords)
    return (
        name in {"exec", "eval", "pickle.loads", "marshal.loads"}
        or name.endswith(("lambdify", "parse_expr"))
        or (name.endswith("sympify") and not strict)
    )


def test_text_is_executed_in_one_place_only() -> None:
    calls = {
        str(path.relative_to(ROOT))
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and reads_text_as_code(node)
    }
    assert calls <= {"codegen/emit.py"}


def test_no_module_hides_a_public_name_of_its_package() -> None:
    """A module that is imported later than its package takes the place of a function of its name."""
    code = (
        "import pkgutil, sys, importlib, symbolic_scaling\n"
        "for name in ('fit', 'derive', 'verify', 'plan', 'report', 'notation', 'codegen', 'data', 'laws'):\n"
        "    package = importlib.import_module(f'symbolic_scaling.{name}')\n"
        "    public = {each: getattr(package, each) for each in package.__all__}\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(module.name)\n"
        "    for each, value in public.items():\n"
        "        if getattr(package, each) is not value: print(name, each)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not said
