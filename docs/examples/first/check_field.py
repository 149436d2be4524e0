"""Walks the README's third path in an empty folder, and looks at the picture.

Usage: check_field.py SOLVE_FIELD
"""

import pathlib
import subprocess
import sys
import tempfile

import matplotlib.image
import numpy

here = pathlib.Path(__file__).resolve().parent
plot_field = here.parent / "plot_field.py"


def run(*command):
    return subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)


def walk(*command):
    done = run(*command)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def refused(complaint, *files):
    done = run(sys.executable, plot_field, *files)
    assert done.returncode == 1 and done.stderr == complaint + "\n", (files, done.stderr)


def colours(panel):
    """The middle of what is red in a panel, and of what is blue: row and column, from 0 to 1."""
    red = panel[..., 0] - panel[..., 2]
    return [numpy.argwhere(tint > 0.25).mean(axis=0) / red.shape for tint in (red, -red)]


with tempfile.TemporaryDirectory() as folder:
    walk(sys.executable, here / "make_field.py", "f.npy")
    said = walk(sys.argv[1], "f.npy", "u.npy")
    assert said.startswith("the mean of the right-hand side was removed: "), said
    f, u = (numpy.load(pathlib.Path(folder) / name) for name in ("f.npy", "u.npy"))
    assert f.shape == u.shape == (256, 256) and u.dtype == f.dtype
    # Laplacian(u) is f: u is least where f is largest, and swapping source and sink changes the sign.
    assert numpy.argmin(u[128]) < 128 < numpy.argmax(u[128])
    assert abs(u + u[:, (-numpy.arange(256)) % 256]).max() < 1e-5 * abs(u).max() # the spots end at the edge

    walk(sys.executable, plot_field, "f.npy", "u.npy", "field.png")
    picture = matplotlib.image.imread(pathlib.Path(folder) / "field.png")
    assert picture.shape == (380, 840, 4), picture.shape
    for left, sign in ((4, 1), (420, -1)):
        red, blue = colours(picture[32:352, left:left + 322])
        assert abs(red[0] - 0.5) < 0.1 and abs(blue[0] - 0.5) < 0.1, (red, blue)
        assert sign * (blue[1] - red[1]) > 0.2, (red, blue)

    numpy.save(pathlib.Path(folder) / "line.npy", f[0])
    numpy.save(pathlib.Path(folder) / "complex.npy", f + 1j)
    refused("usage: plot_field.py RHS.npy SOLUTION.npy PICTURE.png", "f.npy")
    refused("plot_field.py: none.npy: No such file or directory", "none.npy", "u.npy", "a.png")
    refused("plot_field.py: field.png: not a .npy file of numbers", "f.npy", "field.png", "a.png")
    refused("plot_field.py: line.npy: an array of shape (256,), not of two dimensions", "line.npy", "u.npy", "a.png")
    refused("plot_field.py: complex.npy: not all values are real and finite", "f.npy", "complex.npy", "a.png")
    refused("plot_field.py: none/a.png: No such file or directory", "f.npy", "u.npy", "none/a.png")
