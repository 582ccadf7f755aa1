"""What exported Python and NumPy calls: operations that follow IEEE 754 at 0 and oo, and the solver of roots.

``find_root``: doubled steps from the start find a change of sign, then Newton inside the bracket, halved wherever a
step leaves it or does not shrink. A step of Newton's below 1e-9 leaves an error below 1e-16.
"""

from __future__ import annotations

from ...nodes import bernoulli_gap

__all__ = ["MATH", "MATH_ROOT", "NUMPY", "NUMPY_ROOT"]


def _functions(text: str) -> dict[str, str]:
    """Name -> text of each function."""
    text = text.replace("@", ", ".join(map(repr, bernoulli_gap.WEIGHTS)))
    parts = ["def " + part.strip() + "\n" for part in text.split("\ndef ") if part.strip()]
    return {part.removeprefix("def ").partition("(")[0]: part for part in parts}


MATH = _functions('''
def absolute(a):
    return abs(a)

def bernoulli_gap(a):
    """1 - a/(exp(a) - 1), exact near 0."""
    if not abs(a) < 0.5:
        return 1.0 if a > 700 else 1.0 - a / math.expm1(a)
    total = 0.0
    for weight in (@):
        total = total * a * a + weight
    return a * (0.5 - a * total)

def divide(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b

def exp(a):
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf

def expm1(a):
    try:
        return math.expm1(a)
    except OverflowError:
        return math.inf

def heaviside(a, b):
    return 1.0 if a > 0 else 0.0 if a < 0 else b

def log(a):
    return math.log(a) if a > 0 else -math.inf if a == 0 else math.nan

def log1mexp(a):
    """log(1 - exp(a)), exact near 0 and far below it."""
    if not a < 0:
        return -math.inf if a == 0 else math.nan
    return math.log(-math.expm1(a)) if a > -0.6931471805599453 else math.log1p(-math.exp(a))

def log1p(a):
    return math.log1p(a) if a > -1 else -math.inf if a == -1 else math.nan

def maximum(a, b):
    return a if a > b or a != a else b

def minimum(a, b):
    return a if a < b or a != a else b

def pi():
    return math.pi

def power(a, b):
    try:
        return math.pow(a, b)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.inf if a == 0 else math.nan

def sign(a):
    return 1.0 if a > 0 else -1.0 if a < 0 else a

def sqrt(a):
    return math.sqrt(a) if a >= 0 else math.nan
''')

MATH_ROOT = '''def find_root(function, start):
    """Where the function, returning (value, slope), changes sign; nan if it does not."""
    low = high = start
    at_start = function(start)[0]
    if at_start == 0:
        return start
    step = 1.0
    while True:
        if not step < 1e12:
            return math.nan
        if (function(high + step)[0] > 0) != (at_start > 0):
            low, high, rising = high, high + step, at_start < 0
            break
        if (function(low - step)[0] > 0) != (at_start > 0):
            low, high, rising = low - step, low, at_start > 0
            break
        low, high, step = low - step, high + step, 2 * step
    u, last = (low + high) / 2, high - low
    for _ in range(200):
        value, slope = function(u)
        if value == 0:
            return u
        if (value > 0) == rising:
            high = u
        else:
            low = u
        new = u - value / slope if slope else math.nan
        newton = low < new < high and abs(new - u) <= last / 2
        if not newton:
            new = (low + high) / 2
        last, u = abs(new - u), new
        if last <= (1e-9 if newton else 2.3e-16) * max(1.0, abs(u)):
            break
    return u
'''

NUMPY = _functions('''
def absolute(a):
    return np.absolute(a)

def bernoulli_gap(a):
    """1 - a/(exp(a) - 1), exact near 0."""
    near = a * (0.5 - a * np.polyval([@], a * a))
    return np.where(np.absolute(a) < 0.5, near, 1.0 - a / np.expm1(a))

def exp(a):
    return np.exp(a)

def expm1(a):
    return np.expm1(a)

def heaviside(a, b):
    return np.heaviside(a, b)

def log(a):
    return np.log(a)

def log1mexp(a):
    """log(1 - exp(a)), exact near 0 and far below it."""
    return np.where(a > -0.6931471805599453, np.log(-np.expm1(a)), np.log1p(-np.exp(a)))

def log1p(a):
    return np.log1p(a)

def maximum(a, b):
    return np.maximum(a, b)

def minimum(a, b):
    return np.minimum(a, b)

def pi():
    return np.pi

def power(a, b):
    return np.power(a, b)

def sign(a):
    return np.sign(a)

def sqrt(a):
    return np.sqrt(a)
''')

NUMPY_ROOT = '''def find_root(function, start):
    """Where the function, returning (value, slope), changes sign, for every point; nan where it does not."""
    at_start = np.asarray(function(start)[0])
    start = start + np.zeros(at_start.shape)
    low, high = start.copy(), start.copy()
    below, above = start.copy(), start.copy()
    searching, rising = at_start != 0, at_start < 0
    step = 1.0
    while step < 1e12 and searching.any():
        for sign in (1.0, -1.0):
            near = above if sign > 0 else below
            far = near + sign * step
            found = searching & ((function(far)[0] > 0) != (at_start > 0))
            low = np.where(found, np.minimum(near, far), low)
            high = np.where(found, np.maximum(near, far), high)
            rising = np.where(found, (at_start < 0) == (sign > 0), rising)
            searching = searching & ~found
        below, above, step = below - step, above + step, 2 * step
    u, last = (low + high) / 2, high - low
    for _ in range(200):
        value, slope = function(u)
        up = (value > 0) == rising
        low, high = np.where(up, low, u), np.where(up, u, high)
        new = u - value / slope
        newton = (value == 0) | ((low < new) & (new < high) & (np.absolute(new - u) <= last / 2))
        new = np.where(value == 0, u, np.where(newton, new, (low + high) / 2))
        last, u = np.absolute(new - u), new
        if not np.any(last > np.where(newton, 1e-9, 2.3e-16) * np.maximum(1.0, np.absolute(u))):
            break
    return np.where(searching, np.nan, u)
'''
