#!/usr/bin/env python3
"""Print the coefficients in include/warpfold/detail/pricing/implied_volatility_terms.hpp.

The Mills ratio M(u) = x R(y), x = 1 / (u + 4), y = -u x, by Chebyshev interpolation in x from
u = -0.75 to infinity; R / sqrt(2 pi) as powers of y, which is small at the money. Then the guesses:
least squares, reweighted towards the largest error (Lawson 1961). Needs mpmath and numpy.
"""
import mpmath
import numpy as np
from mpmath import mp, mpf

mp.dps = 40
SHIFT, FROM, DEGREE, NODES = 4, mpf("-0.75"), 28, 56


def mills(u):
    if u < 60:
        return mpmath.sqrt(mp.pi / 2) * mpmath.exp(u * u / 2) * mpmath.erfc(u / mpmath.sqrt(2))
    rest = mpf(0)  # Laplace's continued fraction
    for n in range(400, 0, -1):
        rest = n / (u + rest)
    return 1 / (u + rest)


def ratio(w):
    x = (1 + w) / 2 / (FROM + SHIFT)
    return mills(1 / x - SHIFT) / x / mpmath.sqrt(2 * mp.pi)


def powers():
    angles = [mp.pi * (2 * i + 1) / (2 * NODES) for i in range(NODES)]
    values = [ratio(mpmath.cos(angle)) for angle in angles]
    stretch = (FROM + SHIFT) / 2  # w = stretch y + stretch - 1
    chebyshev = [[mpf(1)], [stretch - 1, stretch]]
    while len(chebyshev) <= DEGREE:
        after = [2 * (stretch - 1) * c for c in chebyshev[-1]] + [mpf(0)]
        for i, c in enumerate(chebyshev[-1]):
            after[i + 1] += 2 * stretch * c
        for i, c in enumerate(chebyshev[-2]):
            after[i] -= c
        chebyshev.append(after)
    result = [mpf(0)] * (DEGREE + 1)
    for j, polynomial in enumerate(chebyshev):
        weight = sum(f * mpmath.cos(j * a) for f, a in zip(values, angles)) * (2 if j else 1) / NODES
        for i, c in enumerate(polynomial):
            result[i] += weight * c
    return result


R = powers()
print("R:", ",\n   ".join(float(r).hex() for r in R))
R = [float(r) for r in R]


def mills_pair(near, far, gap):
    """(M(near) + M(far), M(near) - M(far)) / sqrt(2 pi), as the header does it."""
    product = 1 / ((near + 4) * (far + 4))
    x_near, x_far = product * (far + 4), product * (near + 4)
    y_near, y_far = -near * x_near, -far * x_far
    value = np.full_like(near, R[DEGREE])
    slope = value.copy()
    for r in R[DEGREE - 1 : 0 : -1]:
        value = value * y_near + r
        slope = slope * y_far + value
    value = value * y_near + R[0]
    difference = gap * product * (value + 4 * x_far * slope)
    far_value = value - 4 * gap * product * slope
    return difference + 2 * x_far * far_value, difference


# The plane: a twentieth at k = 0, half evenly in ln s, half evenly in u.
random = np.random.default_rng(1)
SAMPLES = 120_000
k = np.exp(random.uniform(np.log(1e-9), np.log(1500), SAMPLES))
k[random.uniform(size=SAMPLES) < 0.03] = 0
u = random.uniform(-9, 54, SAMPLES)
root = np.sqrt(u * u + 2 * k)
s = np.where(u > 0, 2 * k / (root + abs(u)), root - u)
even = (random.uniform(size=SAMPLES) < 0.5) | (s == 0)
s[even] = np.exp(random.uniform(np.log(1e-9), np.log(100), even.sum()))
u, v = k / s - s / 2, k / s + s / 2
use = (u > -9) & (u < 54)
k, s, u, v = k[use], s[use], u[use], v[use]
low = u > -0.7
log_p = np.where(low, np.log(mills_pair(np.maximum(u, -0.7), v, s)[1]) - u * u / 2, 0)
low &= log_p <= np.log(0.5)
log_q = np.log(np.maximum(mills_pair(np.maximum(-u, 0), v, 2 * k / s)[0], 1e-9)) - u * u / 2
high = ~low & (log_q > -37)


def guess(name, z, k, y, sensitivity):
    r = z / np.sqrt(z * z + 2 * k)
    basis = np.stack([z**-i * r**j for i in range(4) for j in range(3)], 1)
    weight, best = np.ones(len(z)), (np.inf, None)
    for _ in range(60):
        scaled = weight * sensitivity
        fit = np.linalg.lstsq(basis * scaled[:, None], y / z * scaled, rcond=None)[0]
        error = abs(basis @ fit - y / z) * sensitivity
        best = min(best, (error.max(), tuple(fit)))
        weight *= np.sqrt(error / error.max() + 1e-3)
        weight /= weight.max()
    print(f"{name}: off by {best[0]:.3f}")
    for i in range(4):
        print("   ", ", ".join(f"{c:.6f}" for c in best[1][3 * i : 3 * i + 3]))


# The change of s relative to s counts, and that of u: it is v / s times as large.
K, S, U, V = (array[high] for array in (k, s, u, v))
Z = np.sqrt(-2 * log_q[high])
guess("high", Z, K, -U, Z)
K, S, U, V = (array[low] for array in (k, s, u, v))
P = np.exp(log_p[low])
Z = np.sqrt(-2 * (log_p[low] - np.log(K / (1 + K / 2) + 3 * P)))
K = K + 3 * P
Y = K / S - S / 2
guess("low", Z, K, Y, Z / np.sqrt(Y * Y + 2 * K) * (1 + V / (1 + abs(U))))
