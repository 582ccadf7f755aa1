"""Claims whose truth is known by how they are made: eighteen kinds, each as an entry of a claims file.

Not covered: limits at finite points other than 0, sums and products of symbolic length, laws of the catalogue,
statements of more than four letters, LaTeX other than of printed numbers.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

NAMES = ("a", "b", "c", "k", "N", "M", "E", "beta", "gamma", "small", "slow", "fast", "power_0", "inner", "x", "y", "t")


@dataclass
class Made:
    """A claim's entry, its given relations, and whether it is true."""

    kind: str
    entry: dict[str, object]
    true: bool
    given: tuple[str, ...] = ()


@dataclass
class Draw:
    """Letters and numbers of one claim."""

    rng: random.Random
    symbols: dict[str, str] = field(default_factory=dict)

    def letter(self, kind: str = "positive") -> str:
        """A new letter of a kind."""
        name = self.rng.choice([name for name in NAMES if name not in self.symbols])
        self.symbols[name] = kind
        return name

    def letters(self, count: int, kind: str = "positive") -> list[str]:
        """New letters."""
        return [self.letter(kind) for _ in range(count)]

    def number(self, least: int = 1, most: int = 9) -> Fraction:
        """A rational number that is at least ``least``."""
        return least + Fraction(self.rng.randint(0, (most - least) * 6), self.rng.choice((1, 2, 3, 5)) * 6)

    def some(self) -> bool:
        """Either."""
        return self.rng.random() < 0.5


def q(number: Fraction) -> str:
    """A number in the grammar."""
    return f"({number})" if number.denominator > 1 or number < 0 else str(number)


def _claim(kind: str, true: bool, draw: Draw, statement: str, given: tuple[str, ...] = (), **keys: object) -> Made:
    entry = {"kind": kind, "statement": statement, "symbols": dict(draw.symbols), **keys}
    return Made("", entry, true, given)


def identity(d: Draw) -> Made:
    a, b = d.letters(2, d.rng.choice(("positive", "real", "nonnegative")))
    p, r, true = d.number(), d.number(), d.some()
    forms = [
        (f"({q(p)}*{a} + {q(r)}*{b})^2", f"{q(p * p)}*{a}^2 + {q(2 * p * r)}*{a}*{b} + {q(r * r)}*{b}^2"),
        (f"({a} + {q(p)})*({b} - {q(r)})", f"{a}*{b} - {q(r)}*{a} + {q(p)}*{b} - {q(p * r)}"),
        (f"({a}^3 - {b}^3)", f"({a} - {b})*({a}^2 + {a}*{b} + {b}^2)"),
        (f"Abs({a} - {b})^2", f"{a}^2 - 2*{a}*{b} + {b}^2"),
        (f"exp({a} + {q(p)}*{b})", f"exp({a})*exp({b})^{q(p)}"),
    ]
    left, right = d.rng.choice(forms)
    return _claim("equal", true, d, f"{left} = {right}" + ("" if true else f" + {q(Fraction(1, 10**6))}*{a}^2"))


def power_identity(d: Draw) -> Made:
    a, b, k = d.letters(3)
    p, true = d.number(2), d.some()
    forms = [
        (f"({a}^{q(p)}*{b})^{k}", f"{a}^({q(p)}*{k})*{b}^{k}"),
        (f"({a} + {b})^{k}", f"{b}^{k}*(1 + {a}/{b})^{k}"),
        (f"log({a}^{k}/{b}^{q(p)})", f"{k}*log({a}) - {q(p)}*log({b})"),
        (f"(({a} - {b})^2)^{k}", f"Abs({a} - {b})^(2*{k})"),
        (f"{a}^{k}*{b}^(-{k})", f"exp({k}*log({a}/{b}))"),
    ]
    left, right = d.rng.choice(forms)
    return _claim("equal", true, d, f"{left} = {right}" + ("" if true else f"*(1 + {a}/10^9)"))


def square(d: Draw) -> Made:
    a, b = d.letters(2, d.rng.choice(("positive", "real")))
    p, r = d.number(), d.number()
    inside = d.rng.choice((f"{q(p)}*{a} - {q(r)}*{b}", f"{a} - {q(p)}", f"{a}*{b} - {q(p)}", f"{a}^2 - {q(p)}*{b}^2"))
    outer = d.rng.choice(("({0})^2", "Abs({0})", "(({0})^2)^3", "({0})^2*(1 + {1}^2)", "2*({0})^2 + ({0})^4"))
    true = d.some()
    return _claim("inequality", true, d, f"{outer.format(inside, b)} {'>=' if true else '>'} 0")


def powered_square(d: Draw) -> Made:
    a, b, k, e = d.letters(4)
    p, true = d.number(), d.some()
    inside = d.rng.choice((f"log({a}/{b}) - {q(p)}", f"{a} - {q(p)}*{b}", f"{a} - {b}^{q(p)}"))
    return _claim("inequality", true, d, f"{e} + ({k}*({inside})^2)^{k} {'>=' if true else '>'} {e}")


def ranged(d: Draw) -> Made:
    a, b = d.letter("real"), d.letter("positive")
    lo, hi = sorted(Fraction(d.rng.randint(0, 900), 100) for _ in range(2))
    hi += 1
    p, true = d.number(), d.some()
    sample = {a: [float(lo), float(hi)], b: ["0.5", "3"]}
    off = Fraction(1, 50)
    forms = [
        (f"{q(p)}*{a} + {b}", p * hi + 3),
        (f"{q(p)}*{a}^2 + 1/{b}", p * hi**2 + 2),
        (f"{a}*{b} - {q(p)}", hi * 3 - p),
        (f"{a}/(1 + {b}) + {q(p)}", hi / Fraction(3, 2) + p),
    ]
    text, top = d.rng.choice(forms)
    relation, bound = (
        d.rng.choice((("<", top + off), ("<=", top))) if true else d.rng.choice((("<", top), ("<=", top - off)))
    )
    return _claim("inequality", true, d, f"{text} {relation} {q(bound)}", sample=sample)


def chain(d: Draw) -> Made:
    names = d.letters(d.rng.randint(3, 4), d.rng.choice(("positive", "real")))
    given = tuple(f"{one} < {other}" for one, other in itertools.pairwise(names))
    first, last, true, p = names[0], names[-1], d.some(), d.number()
    forms = [
        f"{first} < {last}",
        f"{q(p)}*{first} + {names[1]} < {q(p)}*{last} + {names[1]}",
        f"{last} - {first} > {names[1]} - {first}",
    ]
    text = d.rng.choice(forms)
    if not true:
        text = d.rng.choice(
            (f"{last} < {first}", f"{last} - {first} > {q(p)}", f"{names[1]} + {names[1]} < {first} + {last}")
        )
    return _claim("inequality", true, d, text, given)


def whole_power(d: Draw) -> Made:
    u, t = d.letter("real"), d.letter("integer")
    true = d.some()
    hi = Fraction(2) if true else 2 + Fraction(1, d.rng.choice((10, 100, 1000)))
    sample = {u: ["0", float(hi)], t: [1, d.rng.choice((4, 9, 100))]}
    text = d.rng.choice((f"(1 - {u})^{t} <= 1", f"Abs(1 - {u})^{t} <= 1", f"(1 - {u})^(2*{t}) <= 1"))
    return _claim("inequality", true, d, text, sample=sample)


def extreme(d: Draw) -> Made:
    a, b = d.letters(2, d.rng.choice(("positive", "real")))
    true, p = d.some(), d.number()
    truths = (f"Max({a}, {b}) >= {a}", f"Min({a}, {b}) <= ({a} + {b})/2", f"Max({a}, {b}) - Min({a}, {b}) >= 0")
    lies = (f"Max({a}, {b}) > {a}", f"Min({a}, {b}) < ({a} + {b})/2", f"Max({a}, {b}) - Min({a}, {b}) > 0")
    same = (
        f"Max({a}, {b}) + Min({a}, {b}) = {a} + {b}",
        f"Abs({a} - {b}) = Max({a} - {b}, {b} - {a})",
        f"Max({a}, {q(p)}) = ({a} + {q(p)} + Abs({a} - {q(p)}))/2",
    )
    wrong = (f"Max({a}, {b}) = {a}", f"Abs({a} - {b}) = {a} - {b}", f"Abs({a} - {q(p)}) = {a} - {q(p)}")
    if d.some():
        return _claim("inequality", true, d, d.rng.choice(truths if true else lies))
    return _claim("equal", true, d, d.rng.choice(same if true else wrong))


def far_limit(d: Draw) -> Made:
    x, a, b = d.letters(3)
    p, r, true = d.number(), d.number(), d.some()
    zero = d.letter("nonnegative")
    truths = [
        (f"({q(p)}*{x} + {a})/({q(r)}*{x} + {b})", q(p / r)),
        (f"1/(({a} - {b})^2*{x} + {x})", "0"),
        (f"{a} + {b}/{x}^{a}", a),
        (f"(1 + {a}/{x})^{x}", f"exp({a})"),
        (f"log({x})^{q(p)}/{x}^{a}", "0"),
        (f"({a}*{x} + 1)^{b}/{x}^{b}", f"{a}^{b}"),
        (f"({zero} + 1)/({zero}*{x} + {x})", "0"),
        (f"sqrt({x}^2 + {a}*{x}) - {x}", f"{a}/2"),
    ]
    lies = [
        (f"1/(({a} - {b})*{x} + {q(p)})", "0"),
        (f"({zero} + 1)/({zero}*{x} + {q(p)})", "0"),
        (f"{x}^({a} - {b})", "0"),
        (f"({zero}*{a})^(1/{x})", "1"),
        (f"exp(-{zero}*{x})", "0"),
        (f"({q(p)}*{x} + {a})/({q(r)}*{x} + {b})", q(p / r + Fraction(1, 1000))),
        (f"{x}/(1 + ({a} - {q(p)})^2*{x}^2)", "0"),
        (f"log(1 + {zero}*{x})/log({x})", "1"),
    ]
    text, value = d.rng.choice(truths if true else lies)
    return _claim("limit", true, d, f"Limit({text}, {x}, oo) = {value}")


def near_limit(d: Draw) -> Made:
    x, a, b = d.letters(3)
    zero, p, true = d.letter("nonnegative"), d.number(), d.some()
    truths = [
        (f"((1 + {x})^{a} - 1)/{x}", a),
        (f"{x}^{a}*log({x})", "0"),
        (f"({a} + {x})/({b} + {x})", f"{a}/{b}"),
        (f"{x}*{zero}/({x} + 1)", "0"),
        (f"(exp({a}*{x}) - 1)/{x}", a),
        (f"{x}/({x} + {zero} + {q(p)})", "0"),
    ]
    lies = [
        (f"{x}/({x} + {zero})", "0"),
        (f"{x}^{zero}", "0"),
        (f"{zero}^{x}*{a}", a),
        (f"{x}/({x} + ({a} - {b})^2)", "0"),
        (f"({a} - {q(p)})/({x} + Abs({a} - {q(p)}))*({a} - {q(p)})", f"1 + {a}"),
        (f"((1 + {x})^{a} - 1)/{x}", f"{a} + 1/10^6"),
        (f"{x}^({a} - {b})", "0"),
    ]
    text, value = d.rng.choice(truths if true else lies)
    return _claim("limit", true, d, f"Limit({text}, {x}, 0) = {value}")


def asymptotic(d: Draw) -> Made:
    x, a, b = d.letters(3)
    p, true = d.number(2), d.some()
    truths = [
        f"(1 + {x})^{a} = {x}^{a} + O({x}^({a} - 1))",
        f"{a}*{x}^2 + {b}*{x} ~ {a}*{x}^2",
        f"log(1 + {a}*{x}) ~ log({x})",
        f"1/(1 + {a}*{x}) = O(1/{x})",
        f"1/(1 + ({a} - {b})^2*{x}) = O(1)",
        f"sqrt({x}^2 + {q(p)}*{x}) ~ {x}",
        f"{x}^{a}/({x}^{a} + {b}) ~ 1",
    ]
    lies = [
        f"1/(1 + ({a} - {b})*{x}) = O(1/{x})",
        f"{x}^{a} = O({x}^{b})",
        f"({a} - {b})*{x} + 1 ~ ({a} - {b})*{x}",
        f"{a}*{x}^2 + {b}*{x} ~ {b}*{x}^2",
        f"{x}^{q(p)}*log({x}) = O({x}^{q(p)})",
        f"1/(1 + ({a} - {q(p)})^2*{x}^2) = O(1/{x})",
    ]
    return _claim("asymptotic", true, d, d.rng.choice(truths if true else lies), **{"in": x})


def exists(d: Draw) -> Made:
    y = d.letter("real")
    p, r, true = d.number(), d.number(), d.some()
    x = d.letter("positive" if true else d.rng.choice(("real", "nonnegative")))
    truths = [
        (f"{y}^2 = {x}", {}),
        (f"{y}*{x} = {q(p)}", {}),
        (f"exp({y}) = {x}", {}),
        (f"{y}*{x} > {q(p)}", {y: f"{q(p + 1)}/{x}"}),
        (f"({y} - {q(p)})^2*{x} = 0", {}),
        (f"{y} > {x} + {q(p)}", {}),
    ]
    lies = [
        (f"{y}^2 = {x} - {q(p)}", {}),
        (f"{y}*{x} = {q(p)}", {}),
        (f"exp({y}) = {x}", {}),
        (f"{y}*{x} > {q(p)}", {y: f"{q(p + 1)}/{x}"}),
        (f"{y}*({x} - {q(p)}) = {q(r)}", {}),
        (f"({y} - {x})^2 < 0", {}),
        (f"{y}^2 + {q(p)} = 0", {}),
    ]
    text, witness = d.rng.choice(truths if true else lies)
    return _claim("exists", true, d, text, **{"in": y}, **({"witness": witness} if witness else {}))


def proportional(d: Draw) -> Made:
    c, a, k = d.letters(3)
    p, true = d.number(), d.some()
    truths = [f"{k}*{c}^{a} prop {c}^{a}", f"({k}*{c})^{q(p)} prop {c}^{q(p)}", f"{k}*{c}/({a} + 1) prop {c}"]
    lies = [f"{k}*{c}^{a} + 1 prop {c}^{a}", f"({k} + {c})^{q(p)} prop {c}^{q(p)}", f"{c}^{a} prop {c}^{k}"]
    return _claim("proportional", true, d, d.rng.choice(truths if true else lies), **{"in": c})


def printed(d: Draw) -> Made:
    import mpmath

    number, digits, true = d.number(2), d.rng.randint(1, 5), d.some()
    forms = [("sqrt({0})", r"\sqrt{{{0}}}", mpmath.sqrt), ("log({0})", r"\ln({0})", mpmath.log)]
    plain, latex, value = d.rng.choice(forms)
    whole = int(number) + 1
    exact = value(mpmath.mpf(whole))
    off = 0 if true else d.rng.choice((-3, 2, 7)) * mpmath.mpf(10) ** -digits
    text = mpmath.nstr(exact + off, 30, strip_zeros=False)
    shown = str(Fraction(round(Fraction(text) * 10**digits), 10**digits).limit_denominator(10**digits))
    shown = f"{float(Fraction(shown)):.{digits}f}"
    key, form = ("statement", plain) if d.some() else ("latex", latex)
    return Made("", {"kind": "number", key: f"{form.format(whole)} = {shown}"}, true)


def sigmoid(d: Draw) -> Made:
    u, k = d.letter("real"), d.letter("positive")
    true = d.some()
    s = f"1/(1 + exp(-{k}*{u}))"
    truths = [
        ("inequality", f"{s} < 1"),
        ("inequality", f"{s} > 0"),
        ("equal", f"{s} = 1 - 1/(1 + exp({k}*{u}))"),
        ("equal", f"diff({s}, {u}) = {k}*{s}*(1 - {s})"),
        ("inequality", f"diff({s}, {u}) > 0"),
        ("inequality", f"{s}*(1 - {s}) <= 1/4"),
    ]
    lies = [
        ("inequality", f"{s} < 1 - 1/10^6"),
        ("inequality", f"{s}*(1 - {s}) < 1/4"),
        ("equal", f"{s} = 1/(1 + exp({k}*{u}))"),
        ("equal", f"diff({s}, {u}) = {k}*{s}*(1 + {s})"),
        ("inequality", f"diff({s}, {u}) < {k}/4"),
    ]
    kind, text = d.rng.choice(truths if true else lies)
    return _claim(kind, true, d, text)


def derivative(d: Draw) -> Made:
    x, a, b = d.letters(3)
    p, true = d.number(2), d.some()
    forms = [
        (f"diff({b}*{x}^(-{a}), {x})", f"-{a}*{b}*{x}^(-{a} - 1)"),
        (f"diff(log({a} + {x}^{q(p)}), {x})", f"{q(p)}*{x}^({q(p)} - 1)/({a} + {x}^{q(p)})"),
        (f"diff(({a} + {b}/{x})^{q(p)}, {x})", f"-{q(p)}*{b}*({a} + {b}/{x})^({q(p)} - 1)/{x}^2"),
        (f"diff(exp(-{a}*{x}), {x}, 2)", f"{a}^2*exp(-{a}*{x})"),
    ]
    left, right = d.rng.choice(forms)
    return _claim("equal", true, d, f"{left} = {right}" + ("" if true else f"*(1 + 1/10^{d.rng.randint(1, 9)})"))


def concave(d: Draw) -> Made:
    x, a, b = d.letters(3)
    true = d.some()
    truths = [
        f"log({x}) <= {x} - 1",
        f"exp({x}) > 1 + {x}",
        f"2*{a}*{b} <= {a}^2 + {b}^2",
        f"sqrt({a}*{b}) <= ({a} + {b})/2",
        f"{a}*{b}/({a} + {b}) < Min({a}, {b})",
        f"log(1 + {x}) < {x}",
        f"{x}/(1 + {x}) < log(1 + {x})",
        f"{x} + 1/{x} >= 2",
    ]
    lies = [
        f"log({x}) < {x} - 1",
        f"2*{a}*{b} < {a}^2 + {b}^2",
        f"sqrt({a}*{b}) < ({a} + {b})/2",
        f"{x} + 1/{x} > 2",
        f"log(1 + {x}) < {x} - 1/10^3",
        f"{x}^2 + 2 > 2*sqrt(2)*{x}",
        f"exp({x}) > 1 + {x} + {x}^2",
    ]
    return _claim("inequality", true, d, d.rng.choice(truths if true else lies))


def partly(d: Draw) -> Made:
    a, b = d.letters(2)
    p, true = d.number(), d.some()
    truths = [
        ("inequality", f"sqrt({a} - {q(p)}*{b})^2 >= 0"),
        ("equal", f"exp(2*log({a} - {b})) = ({a} - {b})^2"),
        ("equal", f"exp(3*log({a} - {b})) = Abs({a} - {b})^3"),
        ("inequality", f"exp(log({a} - {q(p)})) > 0"),
        ("equal", f"({a}^2 - {b}^2)/({a} - {b}) = {a} + {b}"),
    ]
    lies = [
        ("inequality", f"sqrt({a} - {q(p)}*{b})^2 >= {b}"),
        ("inequality", f"sqrt({a} - {q(p)})^2 > 0"),
        ("equal", f"exp(2*log({a} - {b})) = ({a} + {b})^2"),
        ("equal", f"({a}^2 - {b}^2)/({a} - {b}) = {a} - {b}"),
        ("inequality", f"exp(log({a} - {b})) > 1"),
    ]
    kind, text = d.rng.choice(truths if true else lies)
    return _claim(kind, true, d, text)


def small_powers(d: Draw) -> Made:
    r, a, b = d.letter("real"), *d.letters(2)
    true = d.some()
    sample = {r: ["0.05", "0.95"]}
    truths = [f"{r}^({a} + {b}) < {r}^{a}", f"{r}^{a} < 1", f"1 - {r}^{a} > 0", f"log({r})*{a} < 0"]
    lies = [f"{r}^({a} - {b}) < 1", f"{r}^{a} < {r}^{b}", f"({r} - 1/2)^2*{a} > 0", f"1 - 2*{r}^{a} > 0"]
    return _claim("inequality", true, d, d.rng.choice(truths if true else lies), sample=sample)


KINDS: tuple[Callable[[Draw], Made], ...] = (
    identity, power_identity, square, powered_square, ranged, chain, whole_power, extreme, far_limit, near_limit,
    asymptotic, exists, proportional, printed, sigmoid, derivative, concave, partly, small_powers,
)  # fmt: skip


def made(seed: int) -> Made:
    """The claim of a seed; the kinds follow each other."""
    make = KINDS[seed % len(KINDS)]
    found = make(Draw(random.Random(seed)))
    found.kind = make.__name__
    return found
