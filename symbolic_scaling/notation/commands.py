r"""The signs of LaTeX that need no reading: operators, relations, brackets; and advice on some that are not read."""

from __future__ import annotations

from .tex import words

__all__ = ["ADVICE", "BARS", "CLOSING", "ENDS", "OPENING", "RELATIONS", "SIGNS", "SIZES", "STARTS"]

RELATIONS = {
    **dict.fromkeys(["=", r"\equiv", ":=", "=:", r"\coloneqq", r"\eqqcolon", r"\triangleq", r"\doteq"], "="),
    **dict.fromkeys(["<", r"\lt"], "<"),
    **dict.fromkeys([">", r"\gt"], ">"),
    **dict.fromkeys([r"\le", r"\leq", r"\leqslant"], "<="),
    **dict.fromkeys([r"\ge", r"\geq", r"\geqslant"], ">="),
    **dict.fromkeys([r"\approx", r"\simeq"], "approx"),
    r"\sim": "~",
    r"\asymp": "asymp",
    r"\propto": "prop",
    r"\lesssim": "<~",
    r"\gtrsim": ">~",
}
SIGNS = {
    **dict.fromkeys("+-", "SIGN"),
    **dict.fromkeys(["*", r"\cdot", r"\times", r"\ast"], "TIMES"),
    **dict.fromkeys(["/", r"\div"], "SLASH"),
    r"\infty": "INFTY",
    ",": "_COMMA",
    **dict.fromkeys(RELATIONS, "REL"),
}
OPENING = {
    "(": "_LPAR",
    "[": "_LSQ",
    r"\lbrack": "_LSQ",
    r"\{": "_LCURL",
    r"\lbrace": "_LCURL",
    r"\lvert": "_LBAR",
}
CLOSING = {
    ")": "_RPAR",
    "]": "_RSQ",
    r"\rbrack": "_RSQ",
    r"\}": "_RCURL",
    r"\rbrace": "_RCURL",
    r"\rvert": "_RBAR",
}
BARS = {"|", r"\vert"}
SIZES = {rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r")} | {
    r"\left",
    r"\right",
}
ENDS = frozenset({"NUMBER", "NAME", "INFTY", "_RPAR", "_RSQ", "_RCURL", "_RBAR", "_RBRACE"})
STARTS = words("NUMBER NAME FUNC INDEXED INFTY _LPAR _LSQ _LCURL _LBAR _LBRACE _FRAC _ROOT _NTHROOT LOG EXTREME") | {
    "BIG",
    "DERIVATIVE",
    "OPERATOR",
}
ADVICE = {
    r"\%": r"write 0.018 for 1.8\%",
    r"\pm": "give one sign, or two statements",
    r"\int": "integrals are not read; give the antiderivative",
    "!": "factorials are not read",
    r"\to": r"write \lim_{x \to \infty} f = value",
    **dict.fromkeys(
        [r"\Rightarrow", r"\implies", r"\Leftrightarrow", r"\iff", ":", ";"], "give one statement at a time"
    ),
    **dict.fromkeys([r"\ldots", r"\cdots", r"\dots"], r"write the sum with \sum_{i=1}^{n}"),
}
