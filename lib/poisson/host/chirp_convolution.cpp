#include "core/host_loops.hpp"
#include "host_transform.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace warpfold::inline v0::poisson {
namespace {

using exact = complex<long double>;

complex<double> rounded(exact const& v) {
  return {static_cast<double>(v.re), static_cast<double>(v.im)};
}

/// A transform of a power of two, whose errors are too small for double. Leaves frequency k at the
/// bits of k reversed.
void transform_exactly(std::vector<exact>& values) {
  std::size_t const all = values.size();
  for (std::size_t half = all / 2; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) {
      long double const angle = std::numbers::pi_v<long double> * static_cast<long double>(j) /
                                static_cast<long double>(half);
      exact const root{std::cos(angle), -std::sin(angle)};
      for (std::size_t i = j; i < all; i += 2 * half) {
        exact const a = values[i], b = values[i + half];
        values[i] = a + b;
        values[i + half] = (a - b) * root;
      }
    }
}

template <class V>
void multiply_all(complex<V>* values, std::vector<complex<double>> const& factors) {
  for (auto const& factor : factors) {
    *values = *values * factor;
    ++values;
  }
}
WARPFOLD_CLONES void multiply(complex<double>* values,
                              std::vector<complex<double>> const& factors) {
  multiply_all(values, factors);
}
WARPFOLD_CLONES void multiply(complex<pack<double>>* values,
                              std::vector<complex<double>> const& factors) {
  multiply_all(values, factors);
}

} // namespace

chirp_convolution::chirp_convolution(std::size_t points)
    : smooth_{std::bit_ceil(2 * points - 1)}, spectrum_(smooth_.length()) {
  std::size_t const all = smooth_.length();
  std::vector<exact> wave(all);
  for (std::size_t j = 0; j < points; ++j) {
    long double const angle = std::numbers::pi_v<long double> *
                              static_cast<long double>(j * j % (2 * points)) /
                              static_cast<long double>(points);
    exact const one{std::cos(angle), -std::sin(angle)};
    chirp_.push_back(rounded(one));
    wave[j] = wave[(all - j) % all] = (1 / static_cast<long double>(all)) * conj(one);
  }
  transform_exactly(wave);
  auto const places = smooth_.places();
  std::size_t reversed = 0;
  for (std::size_t k = 0; k < all; ++k) {
    spectrum_[places[k]] = rounded(wave[reversed]);
    // Adds one to the highest bit, and carries downwards.
    std::size_t bit = all / 2;
    for (; reversed & bit; bit /= 2) reversed ^= bit;
    reversed |= bit;
  }
}

void chirp_convolution::run(complex<double>* values) const {
  smooth_.forward(values);
  multiply(values, spectrum_);
  smooth_.backward(values);
}
void chirp_convolution::run(complex<pack<double>>* values) const {
  smooth_.forward(values);
  multiply(values, spectrum_);
  smooth_.backward(values);
}

} // namespace warpfold::inline v0::poisson
