#!/usr/bin/env python3
"""Fits the coefficients of include/warpfold/detail/{normals,inverse_normal}.hpp and prints them.

The inverse normal is written as (u - 1/2) G(w), where w = -ln(4 u (1 - u)): so much of it is smooth
for M. Giles, Approximating the erfinv function, GPU Computing Gems (2011).
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "pricing"))

from fit_mills_ratio import remez, show  # noqa: E402
from mpmath import atanh, cos, erfc, exp, log, mpf, nstr, pi, sin, sqrt  # noqa: E402

NEARLY_ZERO = mpf(10) ** -9


def log_rest(f):
    """(ln(1 + f) - f) / f^2"""
    return (log(1 + f) - f) / f**2 if abs(f) > mpf(10) ** -12 else f / 3 - mpf(1) / 2


def log_weight(f, _):
    """ln u is ln(1 + f) alone near 1, where f < 0; elsewhere it is ln(1 + f) - k ln 2."""
    size = -log(1 + f) if f < 0 else log(2) - log(1 + f)
    return f * f / max(size, NEARLY_ZERO) + mpf(10) ** -6


def atanh_rest(z):
    """(2 atanh(s) - 2 s) / s where z = s^2, over z"""
    return 2 * (atanh(sqrt(z)) / sqrt(z) - 1) / z


def normal_quantile(p):
    """The x below which a normal is with probability p, p <= 1/2."""
    t = sqrt(-2 * log(p))
    x = (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t
    for _ in range(60):
        step = (erfc(-x / sqrt(2)) / 2 - p) * sqrt(2 * pi) * exp(x * x / 2)
        step /= 1 + x * step / 2
        x -= step
        if abs(step) < mpf(10) ** -36 * (1 + abs(x)):
            break
    return x


def quotient(w):
    """G(w)"""
    if w < mpf(10) ** -12:
        return sqrt(2 * pi)
    y = exp(-w)
    p = y / 2 / (1 + sqrt(1 - y))
    return normal_quantile(p) / (p - mpf(1) / 2)


def fit_quotient(name, low, high, degree, digits, suffix, root):
    """In x from -1 to 1, which is w or its square root."""
    low, high = mpf(low), mpf(high)
    if root:
        low, high = sqrt(low), sqrt(high)
    middle, half = (low + high) / 2, (high - low) / 2

    def function(x):
        v = middle + half * x
        return quotient(v * v if root else max(v, mpf(0)))

    c, error = remez(function, mpf(-1), mpf(1), degree, lambda x, y: 1 / y, 300)
    print(f"x = {nstr(1 / half, digits)}{suffix} * v - {nstr(middle / half, digits)}{suffix}")
    show(name, c, f"{nstr(error, 3)} relative", digits, suffix)


if __name__ == "__main__":
    c, error = remez(log_rest, sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, 7, log_weight, 500)
    show("ln(1 + f) = f + f^2 (...)", c, f"{nstr(error, 3)} relative", 9, "F")
    c, error = remez(atanh_rest, NEARLY_ZERO, mpf("0.0295"), 6, lambda z, y: z, 400)
    show("ln(1 + f) = f - s (f - s^2 (...))", c, f"{nstr(error, 3)} of s", 17)
    for degree, digits, suffix in ((3, 9, "F"), (7, 17, "")):
        c, error = remez(lambda z: sqrt(2) * sin(pi / 2 * sqrt(z)) / sqrt(z), NEARLY_ZERO,
                         mpf("0.25"), degree, lambda z, y: 1 / y, 400)
        show("sqrt(2) sin(pi y / 2) = y (...)", c, f"{nstr(error, 3)} relative", digits, suffix)
    for degree, digits, suffix in ((4, 9, "F"), (8, 17, "")):
        c, error = remez(lambda z: sqrt(2) * cos(pi / 2 * sqrt(z)), mpf(0), mpf("0.25"), degree,
                         lambda z, y: 1 / y, 400)
        show("sqrt(2) cos(pi y / 2)", c, f"{nstr(error, 3)} relative", digits, suffix)
    fit_quotient("G, float, w < 6", 0, 6, 10, 9, "F", False)
    fit_quotient("G, float, w > 6", 6, 31 * log(2), 9, 9, "F", True)
    fit_quotient("G, double, w < 8", 0, 8, 26, 17, "", False)
    fit_quotient("G, double, 8 < w < 20", 8, 20, 20, 17, "", True)
    fit_quotient("G, double, 20 < w", 20, 65 * log(2), 18, 17, "", True)
