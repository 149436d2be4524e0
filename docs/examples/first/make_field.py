"""Writes a file of NumPy's, whose name is the argument: a source and a sink of equal strength on a periodic square."""

import sys

import numpy

if len(sys.argv) != 2:
    sys.exit("usage: make_field.py FIELD.npy")
n = 256
y, x = numpy.mgrid[0:n, 0:n] / n


def spot(at):
    return numpy.exp(-200 * ((x - at) ** 2 + (y - 0.5) ** 2))


numpy.save(sys.argv[1], spot(0.3) - spot(0.7))
