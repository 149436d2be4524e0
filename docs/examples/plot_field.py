#!/usr/bin/env python3
"""Draws a right-hand side and its solution side by side. Both are .npy files of two dimensions.

    plot_field.py RHS.npy SOLUTION.npy PICTURE.png
"""

import sys

try:
    import numpy
except ModuleNotFoundError:
    sys.exit("plot_field.py: this python has no NumPy; the Debian package is python3-numpy")


def read(path):
    try:
        field = numpy.load(path)
    except OSError as error:
        sys.exit(f"plot_field.py: {path}: {error.strerror or error}")
    except ValueError:
        field = None
    if not isinstance(field, numpy.ndarray):
        sys.exit(f"plot_field.py: {path}: not a .npy file of numbers")
    if field.ndim != 2 or field.size == 0:
        sys.exit(f"plot_field.py: {path}: an array of shape {field.shape}, not of two dimensions")
    if field.dtype.kind not in "fiu" or not numpy.isfinite(field).all():
        sys.exit(f"plot_field.py: {path}: not all values are real and finite")
    return field


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: plot_field.py RHS.npy SOLUTION.npy PICTURE.png")
    rhs, solution, picture = sys.argv[1:]
    fields = {"f": read(rhs), "u": read(solution)}
    try:
        import matplotlib
    except ModuleNotFoundError:
        sys.exit("plot_field.py: this python has no Matplotlib; the Debian package is python3-matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, plots = plt.subplots(1, 2, figsize=(8.4, 3.8), layout="constrained")
    for plot, (name, field) in zip(plots, fields.items()):
        largest = abs(field.astype(float)).max() or 1
        image = plot.imshow(field, origin="lower", cmap="RdBu_r", vmin=-largest, vmax=largest)
        plot.set_title(name)
        plot.set_xlabel("second index")
        plot.set_ylabel("first index")
        figure.colorbar(image, ax=plot, shrink=0.9)
    try:
        figure.savefig(picture, dpi=100)
    except (OSError, ValueError) as error:
        sys.exit(f"plot_field.py: {picture}: {getattr(error, 'strerror', None) or error}")


if __name__ == "__main__":
    main()
