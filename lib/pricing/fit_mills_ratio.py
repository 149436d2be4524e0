#!/usr/bin/env python3
"""Fits the coefficients of include/warpfold/detail/{mills_ratio,elementary}.hpp and prints them.

Remez's exchange algorithm at 40 digits (mpmath): the largest relative error of the polynomial is
the least possible. What is fitted to the Mills ratio is the derivative of the polynomial, so that
every divided difference, a mean of the derivative, has no more relative error than that.
"""
import functools
import struct
import sys

from mpmath import atanh, cos, erfc, exp, log, lu_solve, matrix, mp, mpf, nstr, pi, sqrt

mp.dps = 40
GRID = 400


def remez(function, low, high, degree, weight):
    """Minimises the largest |polynomial - function| weight; returns coefficients and that."""
    x = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / GRID) for i in range(GRID + 1)]
    f = [function(v) for v in x]
    w = [weight(v, y) for v, y in zip(x, f)]
    points = [round(GRID * i / (degree + 1)) for i in range(degree + 2)]
    for _ in range(20):
        system = matrix(degree + 2, degree + 2)
        for row, i in enumerate(points):
            for k in range(degree + 1):
                system[row, k] = x[i] ** k
            system[row, degree + 1] = (-1) ** row / w[i]
        solved = lu_solve(system, matrix([f[i] for i in points]))
        coefficients = [solved[k] for k in range(degree + 1)]
        error = [(mp.polyval(coefficients[::-1], v) - y) * q for v, y, q in zip(x, f, w)]
        extrema = []
        for i in range(GRID + 1):
            if not extrema or (error[i] > 0) != (error[extrema[-1]] > 0):
                extrema.append(i)
            elif abs(error[i]) > abs(error[extrema[-1]]):
                extrema[-1] = i
        while len(extrema) > degree + 2:
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
        if extrema == points or len(extrema) < degree + 2:
            break
        points = extrema
    return coefficients, max(abs(e) for e in error)


def mills_slope(v, shift):
    """dQ/dv where Q(v) = 2^(t^2) N(-t sqrt(2 ln 2)) and v = 1 / (t + shift)."""
    root = sqrt(log(2))
    t = 1 / v - shift
    if t < 2000:
        derivative = 2 * log(2) * t * exp(log(2) * t * t) * erfc(t * root) / 2 - root / sqrt(pi)
    else:  # the asymptotic series of that
        derivative, term = mpf(0), mpf(1)
        for k in range(12):
            derivative -= (2 * k + 1) * term
            term *= -mpf(2 * k + 1) / (2 * log(2) * t * t)
        derivative /= 2 * root * sqrt(pi) * t * t
    return -derivative / v**2


def rounded_fit(function, low, high, degree, weight, round_to, scale=lambda k: 1):
    """As remez; the highest coefficient is rounded, the others are fitted again, and so on."""
    fixed = []
    for k in range(degree, -1, -1):
        def rest(v):
            return function(v) - sum(c * v ** (k + 1 + i) for i, c in enumerate(fixed))
        coefficients, _ = remez(rest, low, high, k, lambda v, y: weight(v, function(v)))
        fixed.insert(0, round_to(coefficients[k] / scale(k)) * scale(k))
    grid = [low + (high - low) * i / 2000 for i in range(2001)]
    error = max(abs(mp.polyval(fixed[::-1], v) - function(v)) * weight(v, function(v))
                for v in grid)
    return [c / scale(k) for k, c in enumerate(fixed)], error


def as_float(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def as_double(x):
    return mpf(float(x))


def show(name, fit, narrow):
    coefficients, error = fit
    print(f"{name}: error {nstr(error, 3)}")
    print("    " + ", ".join(nstr(c, 9) + "F" if narrow else nstr(c, 17) for c in coefficients))


def mills(start, shift, terms, narrow):
    shift, start = mpf(shift), mpf(start)
    high = 1 / (shift + start)
    slope = functools.cache(lambda v: mills_slope(v, shift))
    fit = rounded_fit(slope, high / 10**6, high, terms - 1, lambda v, y: 1 / y,
                      as_float if narrow else as_double, lambda k: k + 1)
    show(f"Mills ratio from {nstr(start, 4)}, shift {nstr(shift, 4)}", fit, narrow)


def series(z):
    return (atanh(sqrt(z)) / sqrt(z) - 1) / z


def exponential(f):
    return (mpf(2) ** f - 1) / f if abs(f) > mpf(10) ** -20 else log(2)


def fit_all():
    mills("-0.4375", "2.5", 11, True)
    mills("-0.125", "4", 23, False)
    for degree, narrow in ((2, True), (7, False)):  # of atanh(z) / z, as 1 + z^2 (...)
        show("atanh", rounded_fit(series, mpf(10) ** -9, mpf("0.0401"), degree,
                                  lambda z, y: z + mpf(10) ** -4,
                                  as_float if narrow else as_double), narrow)
    for degree, narrow in ((5, True), (10, False)):  # of 2^f, as 1 + f (...)
        show("2^f", rounded_fit(exponential, mpf(-0.5), mpf(0.5), degree,
                                lambda f, y: (abs(f) + mpf("0.01")) / mpf(2) ** f,
                                as_float if narrow else as_double), narrow)


if __name__ == "__main__":
    if len(sys.argv) == 5:
        mills(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "float")
    else:
        fit_all()
