#!/usr/bin/env python3
"""Packs S. Joe and F. Y. Kuo's direction numbers into joe_kuo.bin, which directions.cpp expands.

Usage: pack_joe_kuo.py SOURCE > joe_kuo.bin

SOURCE is new-joe-kuo-6.21201 of https://web.maths.unsw.edu.au/~fkuo/sobol, or the same numbers in
_sobol_direction_numbers.npz of SciPy.

A dimension has 22 bytes, a little-endian number. For a polynomial of degree s:
  bits 0 ... 152    the initial numbers m_2 ... m_s without their last bits, which are 1: m_i < 2^i
                    stands at bit (i - 1) (i - 2) / 2; m_1 is 1
  bits 153 ... 171  the primitive polynomial: bit 153 is its constant term
The first dimension, of powers of two, has the polynomial 1 and no initial numbers.
"""

import array
import io
import sys
import zipfile

DIMENSIONS, BYTES, MOST_BITS, POLYNOMIAL_AT = 20_000, 22, 18, 153


def published(text):
    """(polynomial, [m_1, ...]) of every dimension; the first one is not in the file."""
    yield 1, []
    for line in text.decode().splitlines()[1:]:
        _, degree, inner, *initial = map(int, line.split())
        yield 1 << degree | inner << 1 | 1, initial


def integers(file, name):
    """A .npy of 64-bit integers."""
    data = file.read(name)
    start = 10 + int.from_bytes(data[8:10], "little")
    assert data[:6] == b"\x93NUMPY" and data[6] == 1 and b"'<i8'" in data[:start], name
    return array.array("q", data[start:])


def of_scipy(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        polynomials, columns = integers(file, "poly.npy"), integers(file, "vinit.npy")
    size = len(polynomials)
    yield 1, []
    for d in range(1, size):
        yield polynomials[d], [columns[i * size + d] for i in range(polynomials[d].bit_length() - 1)]


def packed(polynomial, initial):
    degree = polynomial.bit_length() - 1
    assert polynomial & 1 and degree == len(initial) <= MOST_BITS
    record = polynomial << POLYNOMIAL_AT
    for i, m in enumerate(initial, 1):
        assert m & 1 and m < 1 << i
        record |= m >> 1 << (i - 1) * (i - 2) // 2
    return record.to_bytes(BYTES, "little")


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    numbers = of_scipy(data) if data.startswith(b"PK") else published(data)
    records = [packed(*each) for _, each in zip(range(DIMENSIONS), numbers)]
    assert len(records) == DIMENSIONS
    sys.stdout.buffer.write(b"".join(records))


if __name__ == "__main__":
    main(sys.argv[1])
