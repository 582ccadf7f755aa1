"""Random and mutated inputs of every reader, and the process that reads them under a memory cap and an audit.

Run as a script, ``inputs.py SEED COUNT``, it reads ``COUNT`` inputs and prints one JSON object: how many were read,
refused and judged, and what went wrong: another exception than the package's own, an input that took too long, a
verdict beyond its budget. A text that reached the interpreter, the shell or the network ends it at once.
"""

import faulthandler
import json
import random
import re
import resource
import string
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

MEMORY = 1 << 30
SECONDS = 10.0
BUDGET = 0.5
PATIENCE = 30

SEEDS = [
    "E + A/N**alpha + B/D**beta",
    "6*N*D = C",
    "(N_c/N)^(aN/aD) + D_c/D = L",
    "S*N + I - Q/O",
    "lambda*x**-c = gamma",
    "Limit(D*((a + 1/D)^b - a^b), D, oo) = b*a^(b-1)",
    "diff(x^a*exp(-x), x, 2) <= Max(a, x)",
    "1/(1/R + 1/a) < Min(R, a)",
    "9**9**9**9 = 1",
    "2**(-0.076) = 0.95",
    "Abs(x - 1)^(1/2) >= 0",
    "x^a ~ x^b",
    "x prop x^2",
    "(1 + x)^a = O(x^a)",
    '__import__("os").getcwd()',
    "N.__class__",
    "N if D else C",
    "lambda: 0",
    "exec('x=1')",
    "open('/tmp/x','w')",
    "0^0 = 1",
    "log(0) = 1",
    "1/0 = 1",
    "(-8)^(1/3) = -2",
    "Rational(1, 3) = 1/3",
    "exp(exp(exp(exp(9)))) = 1",
]
LATEX = [
    r"E + \frac{A}{N^\alpha} + \frac{B}{D^\beta} = L",
    r"N_{opt}(C) = G \left(\frac{C}{6}\right)^a",
    r"\mathrm{L}_{\mathrm{min}} \le \hat{L}",
    r"\Big(\frac{N_c}{N}\Big)^{\alpha_N} \approx 1.82 \times 10^{3}",
    r"\log L = a \log N + b",
    r"\frac{\varepsilon_x - \varepsilon_\infty}{(\varepsilon_0 - \varepsilon_x)^\alpha} = \beta x^{c}",
    r"\prod_{i=1}^{n} \left(1 + \left(\frac{x}{d_i}\right)^{1/f_i}\right)^{-c_i f_i} > 0",
    r"x_k^\star = O(t^{s})",
    r"\lim_{x \to \infty} \frac{d}{dx} x^{-a} = 0",
    r"\sqrt[3]{|1/f|} \sim \sum_{k=1}^{9} k^{9^{9^{9}}}",
    r"\begin{align} a &= b \\ &+ c \end{align}",
    r"\[ \frac{\partial^2 L}{\partial N^2} \gtrsim 0 \]",
    r"$\alpha_C^{\min}$",
    r"\newcommand{\x}{\x\x} $$\x = \x$$",
    r"\input{/etc/passwd} \write18{id}",
]
ENTRY = {
    "id": "one",
    "kind": "equal",
    "statement": "v/u = x",
    "latex": r"\frac{v}{u} = x",
    "symbols": {"x": "positive"},
    "let": [["u", "1 + x"], ["v", "u**2"]],
    "sample": {"x": [0.1, 2]},
    "expect": "holds",
    "printed": "0.50",
    "values": {"x": "0.10"},
    "tolerance": 0.01,
    "in": "x",
    "at": "oo",
    "order": 2,
    "witness": {"x": "1"},
    "where": [["N", "chinchilla", "frontier", "6*N*D"]],
}
KINDS = ["equal", "equal", "equal", "inequality", "limit", "number", "asymptotic", "proportional", "exists", None]
NAMES = ("x", "a", "b", "c", "N", "D", "A", "B", "C", "E", "L", "R", "G", "alpha", "beta", "N_c", "D_c", "aN", "aD")
OPERATORS = {"inequality": "<", "asymptotic": "~", "proportional": "prop"}
WORDS = [
    "alpha",
    "N",
    "x",
    "oo",
    "diff(",
    "Limit(",
    "Max(",
    "exp(",
    "log(",
    "sqrt(",
    "Abs(",
    r"\frac{",
    r"\sum_{i=1}^{",
    "}",
    r"\left(",
    r"\right)",
    "^{",
    "_{",
    "**",
    "^",
    "<=",
    "~",
    "O(",
    "&",
    r"\\",
    "|",
    "e99999",
    "1e-400",
    "70B",
    "12.5%",
]
ODD = (
    "\x00\x07\x1b\u200b\u202e\ufeff\u0430\u03b1\u0395\uff0a\u2212"
    "\u00d7\u221e\u00b2\U0001d6fc\ud7ff\n\t\"'`[]{}\\%$#&~|;:,."
)


def nested(rng):
    """Brackets, braces, roots or powers far inside each other."""
    depth = rng.choice([5, 30, 59, 61, 200, 3000])
    opening, middle, closing = rng.choice(
        [
            ("(", "x", ")"),
            ("((", "x", "))"),
            ("{", "x", "}"),
            (r"\frac{1}{1+", "x", "}"),
            (r"\sqrt{", "x", "}"),
            ("sqrt(", "x", ")"),
            ("-", "x", ""),
            ("x^", "x", ""),
            ("x^(", "2", ")"),
            ("exp(", "x", ")"),
            ("1/(1+", "x", ")"),
            ("Max(1,", "x", ")"),
            ("diff(", "x^9", ", x)"),
            ("Abs(", "x", ")"),
            ("x_{", "a", "}"),
            (r"\hat{", "x", "}"),
        ]
    )
    return opening * depth + middle + closing * depth + rng.choice(["", " = x", " < 1"])


def huge(rng):
    """Numbers and powers too large to be built, and long names."""
    digits = str(rng.randint(1, 9)) * rng.choice([3, 40, 400, 5000, 9000])
    return rng.choice(
        [
            f"{digits} = x",
            f"x^{digits} = 1",
            f"{digits}^{digits} = 1",
            f"{digits[:200]}^(1/{digits[:40]}) = x",
            f"2^-{digits} < x",
            f"(1 + x)^{digits[:4]} = 1",
            f"(x + a + b + c)^{rng.randint(2, 99)} = exp({digits})",
            "9**9**9**9 = x",
            "9^{9^{9^{9}}} = x",
            f"1e{digits[:6]} = x",
            f"x = 1.{digits}",
            f"{digits}.{digits} = 1",
            f"{'a' * len(digits)} = x",
            f"log({digits}) = x",
            f"exp({digits}) = x",
            f"diff(x^{digits[:5]}, x, {digits[:3]}) = 1",
            f"Rational({digits}, {digits[:50]}7) = x",
            " + ".join(["x"] * 900),
            "*".join(f"(x + {k})" for k in range(rng.randint(2, 200))) + " = 1",
            f"\\sum_{{k=1}}^{{{digits}}} k = x",
            f"x^(x^(x^{digits})) = 1",
        ]
    )


def mutated(rng, text):
    """The text with a few characters or pieces deleted, doubled, swapped or put in."""
    letters = list(text)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(letters) + 1)
        to = min(len(letters), at + rng.randint(1, 6))
        kind = rng.randrange(5)
        if kind == 0:
            del letters[at:to]
        elif kind == 1:
            letters[at:at] = letters[at:to] * rng.choice([1, 2, 40])
        elif kind == 2:
            letters[at:at] = rng.choice(WORDS)
        elif kind == 3:
            letters[at:at] = rng.choice(ODD)
        else:
            other = rng.randrange(len(letters) + 1)
            letters[at:to], letters[other:other] = [], letters[at:to]
    return "".join(letters)


def formula(rng):
    """One text, plain or LaTeX, near something that reads or far from it."""
    kind = rng.randrange(10)
    if kind <= 4:
        return mutated(rng, rng.choice(SEEDS + LATEX))
    if kind == 5:
        return nested(rng)
    if kind == 6:
        return huge(rng)
    if kind == 7:
        return "".join(rng.choice(WORDS) for _ in range(rng.randint(1, 30)))
    if kind == 8:
        return rng.choice(SEEDS + LATEX)
    return "".join(
        chr(rng.randrange(0xD7FF)) if rng.random() < 0.3 else rng.choice(string.printable)
        for _ in range(rng.randint(0, 60))
    )


def side(rng):
    """One side of a statement that mostly reads."""
    text = rng.choice(
        [
            rng.choice(SEEDS),
            rng.choice(SEEDS),
            huge(rng),
            nested(rng),
            rng.choice(["x", "a", "0", "Limit(x^a/(1 + x^b), x, oo)"]),
        ]
    )
    parts = re.split(r" (?:=|<=|>=|<|~|prop) ", text)
    return rng.choice(parts) if rng.random() < 0.9 else f"({parts[0]})^({parts[-1]})"


def entry(rng):
    """One claim as a table, with keys and values changed."""
    kind = rng.choice(KINDS)
    needed = {"asymptotic": ["in", "at"], "proportional": ["in"], "exists": ["in"], "number": ["values"]}.get(kind, [])
    made = {key: ENTRY[key] for key in ["id", "symbols", *needed, *rng.sample(sorted(ENTRY), rng.choice([0, 0, 0, 2]))]}
    made["kind"] = kind
    made["statement"] = (
        formula(rng) if rng.random() < 0.4 else f" {OPERATORS.get(kind, '=')} ".join([side(rng), side(rng)])
    )
    made["symbols"] = dict.fromkeys(
        NAMES,
        rng.choice(["positive", "real", "nonnegative", "integer"]),
    )
    if rng.random() < 0.3:
        made[rng.choice([*ENTRY, "odd"])] = rng.choice(
            [
                None,
                3,
                -1,
                0.1,
                True,
                [],
                {},
                "",
                formula(rng),
                [["u", formula(rng)]],
                {formula(rng): "positive"},
                {"x": formula(rng)},
                {"x": ["-oo", "oo"]},
                {"x": [2, 1]},
                10**400,
                [[]] * 3,
            ]
        )
    if rng.random() < 0.2:
        made.pop("statement")
        made["latex"] = formula(rng)
    return made


def file_text(rng):
    """A claims file, JSON or TOML, whole or broken."""
    text = json.dumps({"claims": [entry(rng) for _ in range(rng.randint(1, 3))]}, default=str)
    if rng.random() < 0.5:
        quoted = json.dumps(formula(rng))
        text = f'[[claims]]\nid = "a"\nkind = "equal"\nstatement = {quoted}\nsymbols = {{x = "positive"}}\n'
    if rng.random() < 0.15:
        return "[" * rng.choice([10, 3000, 200_000]) + text
    return mutated(rng, text) if rng.random() < 0.6 else text


def readers():
    """Each reader with the maker of its inputs; a reader returns what can be judged."""
    import sympy as sp

    from symbolic_scaling import catalogue, laws, notation, quantity, verify
    from symbolic_scaling.verify.entries import entries

    names = {name: sp.Symbol(name, positive=True) for name in NAMES}
    folder = Path(tempfile.mkdtemp())

    def claims_file(text):
        path = folder / ("a.toml" if text.startswith("[[c") else "a.json")
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        return catalogue.read_claims(path)[:2]

    def line(text):
        return verify.claim(text, symbols=names, variable="x", budget=BUDGET)

    return [
        (formula, lambda text: notation.parse(text, names)),
        (formula, lambda text: notation.relation(text, names)),
        (formula, lambda text: notation.latex_relation(text, names)),
        (formula, lambda text: notation.parse_latex(text, names)),
        (formula, notation.latex_names),
        (formula, notation.latex_statements),
        (formula, quantity.read),
        (formula, notation.plain_name),
        (formula, line),
        (lambda rng: formula(rng) + rng.choice([r"\[", r"\begin{align}", "$$", ""]) + formula(rng), entries),
        (
            lambda rng: mutated(
                rng, r"\[ " + formula(rng) + r" \] text \begin{align} " + formula(rng) + r"\end{align}"
            ),
            entries,
        ),
        (formula, lambda text: laws.formula(text, ["x", "N"])),
        *[(entry, catalogue.claim_of)] * 2,  # most that can be judged comes from these
        (file_text, claims_file),
    ]


def forbid(event, arguments):
    """The audit: no text becomes code, no process starts, no file outside the temporary folder is written."""
    if event in {"os.system", "subprocess.Popen", "os.exec", "socket.connect", "shutil.rmtree", "os.remove"}:
        print(json.dumps({"executed": [event, str(arguments)[:300]]}), flush=True)
        sys.exit(9)
    if event == "compile" and arguments[1] in ("<string>", b"<string>", "<unknown>") and arguments[0] is not None:
        if str(arguments[0]).lstrip("b'\"").startswith("def monomial_"):
            return  # SymPy 1.13 makes its products of monomials so
        print(json.dumps({"executed": [event, str(arguments)[:300]]}), flush=True)
        sys.exit(9)


def read_all(seed, count):
    """Read the inputs; the counts and the faults."""
    from symbolic_scaling import verify
    from symbolic_scaling.errors import ScalingError
    from symbolic_scaling.records import Claim, Verdict

    rng, tally, faults = random.Random(seed), Counter(), []
    listed = readers()
    warm = random.Random(-1)
    for make, reader in listed * 30:
        attempt(reader, make(warm), ScalingError)
    sys.addaudithook(forbid)
    for number in range(count):
        make, reader = listed[number % len(listed)]
        given = make(rng)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        start = time.perf_counter()
        found, wrong = attempt(reader, given, ScalingError)
        for claim in found if isinstance(found, list) else [found]:
            if isinstance(claim, Claim) and rng.random() < 0.6:
                found, more = attempt(lambda claim=claim: verify.claim(claim, budget=BUDGET), None, ScalingError)
                wrong = wrong or more
                tally["judged"] += 1
            if isinstance(found, Verdict) and found.seconds > BUDGET + 1:
                wrong = wrong or f"a verdict took {found.seconds:.1f} s of {BUDGET}"
        took = time.perf_counter() - start
        tally["read" if found is not None else "refused"] += 1
        if took > SECONDS:
            wrong = wrong or f"{took:.1f} s"
        if wrong:
            shown = {k: v for k, v in given.items() if k != "symbols"} if isinstance(given, dict) else given
            faults.append([wrong, reader.__name__, str(shown)[:400]])
    return {**tally, "faults": faults, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}


def attempt(reader, given, expected):
    """What the reader returns, and what is wrong with what it raises."""
    try:
        return (reader() if given is None else reader(given)), ""
    except expected as error:
        str(error), error.as_dict()
        return None, ""
    except Exception as error:
        return None, f"{type(error).__name__}: {str(error)[:200]}"


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(json.dumps(read_all(int(sys.argv[1]), int(sys.argv[2]))))
