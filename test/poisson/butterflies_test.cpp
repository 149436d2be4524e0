// Butterflies against the sums that they stand for, in long double.

#include "poisson/butterflies.hpp"
#include "support.hpp"

#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace butterflies_test {

using namespace warpfold::poisson;
using wide_complex = std::complex<long double>;

/// exp(-2 pi i turns).
wide_complex root(long double turns) {
  return std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turns);
}

/// `transform(numbers)` in place: the sum over j of number j and `turns(j, k)` for each k.
template <class T, int R, class Transform, class Turns>
void check(std::mt19937_64& random, Transform transform, Turns turns) {
  CAPTURE(R);
  std::uniform_real_distribution<T> numbers(-1, 1);
  complex<T> v[R];
  std::vector<wide_complex> before;
  long double size = 0;
  for (auto& x : v) {
    x = {numbers(random), numbers(random)};
    before.emplace_back(x.re, x.im);
    size += std::norm(before.back());
  }
  transform(v);
  for (int k = 0; k < R; ++k) {
    wide_complex sum = 0;
    for (int j = 0; j < R; ++j)
      sum += before[static_cast<std::size_t>(j)] * root(turns(j, k) / static_cast<long double>(R));
    CAPTURE(k);
    CHECK(std::abs(wide_complex(v[k].re, v[k].im) - sum) <
          4 * std::numeric_limits<T>::epsilon() * std::sqrt(size));
  }
}

template <class T, int R>
void check_plain(std::mt19937_64& random) {
  check<T, R>(
      random, [](auto* v) { butterfly<R, false>(v); },
      [](int j, int k) -> long double { return j * k; });
  check<T, R>(
      random, [](auto* v) { butterfly<R, true>(v); },
      [](int j, int k) -> long double { return -j * k; });
}
template <class T, int R>
void check_tilted(std::mt19937_64& random) {
  check<T, R>(
      random, [](auto* v) { tilted_butterfly<R, false>(v); },
      [](int j, int k) { return j * (k + 0.5L); });
  check<T, R>(
      random, [](auto* v) { tilted_butterfly<R, true>(v); },
      [](int j, int k) { return -k * (j + 0.5L); });
}

TEST_CASE_TEMPLATE("butterflies are sums", T, float, double) {
  unsigned const seed = 811;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  check_plain<T, 2>(random);
  check_plain<T, 3>(random);
  check_plain<T, 4>(random);
  check_plain<T, 5>(random);
  check_plain<T, 7>(random);
  check_plain<T, 8>(random);
  check_plain<T, 16>(random);
  check_tilted<T, 4>(random);
  check_tilted<T, 8>(random);
  check_tilted<T, 16>(random);
}

} // namespace butterflies_test
