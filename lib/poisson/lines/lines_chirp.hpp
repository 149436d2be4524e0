#pragma once
// Tables of Bluestein's algorithm, which makes a transform of any length a convolution (L.
// Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970).
//
// Since 2 j k = j^2 + k^2 - (k - j)^2, the transform of n numbers is, with the chirp
// c_j = exp(-i pi j^2 / n), c_k times the convolution of c_j v_j with conj(c). The convolution is
// periodic, of a length m >= 2 n - 1 with small factors: transforms of m numbers there and back,
// with a product between. The inverse transform has the conjugate tables: as c_-j = c_j, so has the
// convolution.

#include "poisson/complex.hpp"

#include <cstddef>
#include <vector>

namespace warpfold::inline v0::poisson {

struct chirp_tables {
  std::vector<complex<double>> chirp;    ///< c
  std::vector<complex<double>> spectrum; ///< of conj(c) continued evenly to m numbers, over m
};

/// Rounded once, from long double. `places` says where the transform of m numbers leaves each
/// frequency: the spectrum has that order. m has no prime factor above 13.
chirp_tables make_chirp(std::size_t points, std::vector<std::size_t> const& places);

} // namespace warpfold::inline v0::poisson
