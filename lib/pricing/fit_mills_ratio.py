#!/usr/bin/env python3
"""Fits the coefficients of include/warpfold/detail/{mills_ratio,elementary}.hpp and prints them.

Remez's exchange algorithm at 40 digits (mpmath). What is fitted to the Mills ratio is the derivative
of the polynomial, in relative error, so that every divided difference, a mean of the derivative, has
no more than that. The floats are then moved by units in the last place, two at a time, as long as
that makes the largest error less.
"""
import math
import struct

from mpmath import atanh, cos, erfc, exp, log, lu_solve, matrix, mp, mpf, nstr, pi, sqrt

mp.dps = 40


def remez(function, low, high, degree, weight, grid=600):
    """Minimises the largest |polynomial - function| weight; returns coefficients and that."""
    x = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / grid) for i in range(grid + 1)]
    f = [function(v) for v in x]
    w = [weight(v, y) for v, y in zip(x, f)]
    points = [round(grid * i / (degree + 1)) for i in range(degree + 2)]
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
        for i in range(grid + 1):
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


def mills_ratio(t):
    """G(t) = 2^(t^2) N(-t sqrt(2 ln 2))."""
    return exp(log(2) * t * t) * erfc(t * sqrt(log(2))) / 2


def mills_slope(v, shift):
    """dQ/dv where Q(v) = G(t) and v = 1 / (t + shift)."""
    root = sqrt(log(2))
    t = 1 / v - shift
    if t < 2000:
        derivative = 2 * log(2) * t * mills_ratio(t) - root / sqrt(pi)
    else:  # the asymptotic series of that
        derivative, term = mpf(0), mpf(1)
        for k in range(12):
            derivative -= (2 * k + 1) * term
            term *= -mpf(2 * k + 1) / (2 * log(2) * t * t)
        derivative /= 2 * root * sqrt(pi) * t * t
    return -derivative / v**2


def fit_mills(start, shift, terms, leniency):
    """`leniency` lets the error of the slope be larger where t is, around 3 and beyond."""
    high = 1 / (mpf(shift) + mpf(start))

    def weight(v, y):
        return 1 / y / (leniency + 1 / (1 + exp(-2 * (1 / v - shift - 3)))) if leniency else 1 / y

    slope, error = remez(lambda v: mills_slope(v, shift), high / 10**6, high, terms - 1, weight)
    return [c / (k + 1) for k, c in enumerate(slope)], error


def as_float(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def polished(coefficients, start, shift):
    """Floats near the coefficients; error of Q times 2^(-t^2) up to t = 4, and of its slope."""
    a = [as_float(c) for c in coefficients]
    high = 1 / (mpf(shift) + mpf(start))
    table = []
    for i in range(1, 161):
        v = high * i / 160
        t = 1 / v - shift
        table.append((float(v), float(mills_ratio(t)), float(mills_slope(v, shift)),
                      2 ** -float(t * t) if t < 4 else 0.0))

    def errors(b):
        value = slope = 0.0
        for v, g, d, density in table:
            q = p = 0.0
            for k in range(len(b) - 1, -1, -1):
                q = q * v + b[k]
                p = p * v + (k + 1) * b[k]
            value = max(value, abs(q * v - g) * density)
            slope = max(slope, abs(p / d - 1))
        return value, slope

    def badness(b):
        value, slope = errors(b)
        return max(value / 4e-9, slope / 1e-6)

    best, improved = badness(a), True
    unit = [math.ldexp(1, math.frexp(x)[1] - 24) for x in a]
    while improved:
        improved = False
        for i in range(len(a)):
            for j in range(i, len(a)):
                for di in (-2, -1, 1, 2):
                    for dj in (-3, -2, -1, 1, 2, 3) if j > i else (0,):
                        b = a[:]
                        b[i] += di * unit[i]
                        b[j] += dj * unit[j]
                        if badness(b) < best * 0.995:
                            a, best, improved = b, badness(b), True
    return a, errors(a)


def series(z):
    return (atanh(sqrt(z)) / sqrt(z) - 1) / z


def exponential(f):
    return (mpf(2) ** f - 1) / f if abs(f) > mpf(10) ** -15 else log(2)


def show(name, coefficients, error, digits, suffix=""):
    print(f"{name}: {error}")
    print("    " + ", ".join(nstr(mpf(c), digits) + suffix for c in coefficients))


if __name__ == "__main__":
    rough, _ = fit_mills(mpf("-0.125"), mpf("2.75"), 10, mpf("0.3"))
    floats, (value, slope) = polished(rough, mpf("-0.125"), mpf("2.75"))
    show("Mills ratio, float", floats, f"{value:.2g} of Q, {slope:.2g} of its slope", 9, "F")
    exact, error = fit_mills(mpf("-0.125"), mpf(4), 23, 0)
    show("Mills ratio, double", exact, f"{nstr(error, 3)} of its slope", 17)
    for degree, digits, suffix in ((2, 9, "F"), (7, 17, "")):
        c, error = remez(series, mpf(10) ** -9, mpf("0.0401"), degree,
                         lambda z, y: z + mpf(10) ** -4, 400)
        show("atanh(z) / z = 1 + z^2 (...)", c, f"{nstr(error, 3)} relative", digits, suffix)
    for degree, digits, suffix in ((5, 9, "F"), (10, 17, "")):
        c, error = remez(exponential, mpf(-0.5), mpf(0.5), degree,
                         lambda f, y: abs(f) / mpf(2) ** f + mpf(10) ** -6, 400)
        show("2^f = 1 + f (...)", c, f"{nstr(error, 3)} relative", digits, suffix)
