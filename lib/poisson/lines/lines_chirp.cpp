#include "lines_chirp.hpp"

#include "lines_maps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpfold::inline v0::poisson {
namespace {

using exact = complex<long double>;

constexpr int most_prime = 13;

complex<double> rounded(exact const& v) {
  return {static_cast<double>(v.re), static_cast<double>(v.im)};
}

/// exp(-2 pi i k / n)
exact exact_root(std::size_t k, std::size_t n) {
  long double const angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                            static_cast<long double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

std::vector<int> prime_factors(std::size_t of) {
  std::vector<int> primes;
  for (int p = 2; p <= most_prime && of > 1; ++p)
    for (; of % static_cast<std::size_t>(p) == 0; of /= static_cast<std::size_t>(p))
      primes.push_back(p);
  return primes;
}

/// A transform whose errors are too small for double. Leaves frequencies with their digits
/// reversed.
void transform_exactly(std::vector<exact>& values, std::vector<int> const& radices) {
  std::size_t const all = values.size();
  std::size_t length = all;
  for (int const radix : radices) {
    auto const r = static_cast<std::size_t>(radix);
    std::size_t const stride = length / r;
    exact roots[most_prime], turns[most_prime], in[most_prime];
    for (std::size_t k = 0; k < r; ++k) roots[k] = exact_root(k, r);
    for (std::size_t j = 0; j < stride; ++j) {
      turns[1] = exact_root(j, length);
      for (std::size_t k = 2; k < r; ++k) turns[k] = turns[k - 1] * turns[1];
      for (std::size_t first = j; first < all; first += length) {
        for (std::size_t q = 0; q < r; ++q) in[q] = values[first + q * stride];
        for (std::size_t k = 0; k < r; ++k) {
          exact sum = in[0];
          for (std::size_t q = 1; q < r; ++q)
            sum = sum + (k == 0 ? in[q] : in[q] * roots[q * k % r]);
          values[first + k * stride] = k == 0 ? sum : sum * turns[k];
        }
      }
    }
    length = stride;
  }
}

} // namespace

chirp_tables make_chirp(std::size_t points, std::vector<std::size_t> const& places) {
  chirp_tables made;
  std::size_t const all = places.size();
  std::vector<exact> wave(all);
  for (std::size_t j = 0; j < points; ++j) {
    // Whole turns are taken off the phase before it is rounded.
    exact const one = exact_root(j * j % (2 * points), 2 * points);
    made.chirp.push_back(rounded(one));
    wave[j] = wave[(all - j) % all] = (1 / static_cast<long double>(all)) * conj(one);
  }
  std::vector<int> const radices = prime_factors(all);
  transform_exactly(wave, radices);
  std::vector<std::size_t> const reversed = frequency_places(all, radices);
  made.spectrum.resize(all);
  for (std::size_t k = 0; k < all; ++k) made.spectrum[places[k]] = rounded(wave[reversed[k]]);
  return made;
}

} // namespace warpfold::inline v0::poisson
