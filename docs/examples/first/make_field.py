"""Writes f.npy: a source and a sink of equal strength on a periodic square."""

import numpy

n = 256
y, x = numpy.mgrid[0:n, 0:n] / n


def spot(at):
    return numpy.exp(-200 * ((x - at) ** 2 + (y - 0.5) ** 2))


numpy.save("f.npy", spot(0.3) - spot(0.7))
