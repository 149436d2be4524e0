#!/usr/bin/env python3
"""Draws a right-hand side and its solution, both .npy files of two dimensions, side by side.

    solve_field rhs.npy u.npy && plot_field.py rhs.npy u.npy picture.png
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy


def main():
    rhs, solution, picture = sys.argv[1:]
    figure, plots = plt.subplots(1, 2, figsize=(8.4, 3.8), layout="constrained")
    for plot, path, name in zip(plots, (rhs, solution), ("f", "u")):
        field = numpy.load(path)
        if field.ndim != 2:
            raise SystemExit(f"plot_field.py: {path} has {field.ndim} dimensions, not 2")
        largest = abs(field).max()
        image = plot.imshow(field, origin="lower", cmap="RdBu_r", vmin=-largest, vmax=largest)
        plot.set_title(name)
        plot.set_axis_off()
        figure.colorbar(image, ax=plot, shrink=0.9)
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    main()
