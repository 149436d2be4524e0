"""Runs solve_field on files that numpy.save wrote, and compares what numpy.load reads.

Usage: check_solve_field.py SOLVE_FIELD
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def solve(f, *options):
    with tempfile.TemporaryDirectory() as here:
        rhs, solution = (str(pathlib.Path(here) / name) for name in ("f.npy", "u.npy"))
        np.save(rhs, f)
        subprocess.run([sys.argv[1], *options, rhs, solution], check=True)
        return np.load(solution)


def check(what, u, expected, dtype, tolerance):
    assert u.dtype == dtype and u.shape == expected.shape, (what, u.dtype, u.shape)
    error = np.abs(u - expected).max()
    assert error < tolerance, (what, error)


def periodic(f):
    """By numpy's transforms, on the unit box."""
    squares = np.zeros(f.shape)
    for axis, n in enumerate(f.shape):
        k = 2 * np.pi * np.fft.fftfreq(n, 1 / n)
        squares = squares + np.moveaxis((k * k)[(...,) + (None,) * (f.ndim - 1)], 0, axis)
    squares.flat[0] = 1
    modes = np.fft.fftn(f) / -squares
    modes.flat[0] = 0
    return np.fft.ifftn(modes).real


random = np.random.default_rng(20261121)
for shape in ((30,), (1,), (16, 21), (7, 8, 9)):
    f = random.standard_normal(shape)
    check(shape, solve(f), periodic(f), np.float64, 1e-14)
    single = f.astype(np.float32)
    check(shape, solve(single), periodic(single), np.float32, 1e-6)
f = random.standard_normal((12, 9))
u = solve(f, "--boundary=dirichlet", "--grid=nodes", "--length=13,10", "--symbol=second-order")
padded = np.pad(u, 1)
laplacian = (padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2]) - 4 * u
check("five points", laplacian, f, np.float64, 1e-13)
