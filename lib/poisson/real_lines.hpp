#pragma once
// Real transforms of lines through complex Fourier transforms of the same length: what comes before
// them and after them, entry by entry. Fourier stands here for Hartley's transform, which is real
// and has the same eigenvalues.
//
// Lines of most kinds enter in pairs, the second as the imaginary part: all is linear in complex
// numbers there. Cosines 2 and 3 reorder as J. Makhoul, "A fast cosine transform in one and two
// dimensions", 1980. Types 4 and 1 take one line: its output of even numbers is the transform of a
// sequence half a point away, and type 4 is odd about its end; type 1, extended to twice the length
// and folded back for even and for odd outputs apart, gives two sequences of real transforms, which
// share one complex one. Sines are cosines of lines reversed or with alternating signs.

#include "complex.hpp"
#include "plan.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace warpfold::inline v0::poisson {

/// For a line of `size` numbers.
struct real_line {
  transform kind;
  std::int64_t size;

  /// For the Fourier transform.
  WARPFOLD_HOST_DEVICE std::int64_t length() const {
    return kind == transform::cosine_1 ? size - 1 : kind == transform::sine_1 ? size + 1 : size;
  }
  /// That enter together.
  WARPFOLD_HOST_DEVICE int together() const {
    switch (kind) {
    case transform::cosine_1:
    case transform::sine_1:
    case transform::cosine_4:
    case transform::sine_4: return 1;
    default: return 2;
    }
  }

  /// Entry j of what is to be transformed, of a line whose numbers are x(i), with the factor that
  /// factors_before has for it.
  template <class T, class Line>
  WARPFOLD_HOST_DEVICE complex<T> before(std::int64_t j, complex<T> factor, Line const& x) const {
    switch (kind) {
    default: return x(j);
    case transform::cosine_2: return x(reordered(j));
    case transform::sine_2: return 2 * j < size ? x(2 * j) : T{-1} * x(reordered(j));
    case transform::cosine_3:
      if (j == 0) return x(0);
      return factor * minus_i_times(x(j), x(size - j));
    case transform::sine_3:
      if (j == 0) return x(size - 1);
      return factor * minus_i_times(x(size - 1 - j), x(j - 1));
    case transform::cosine_4: return x(j).re * factor;
    case transform::sine_4: return x(size - 1 - j).re * factor;
    case transform::cosine_1: {
      T const a = x(j).re, b = x(size - 1 - j).re;
      complex<T> const odd = (a - b) * factor;
      return {a + b - odd.im, odd.re};
    }
    case transform::sine_1: {
      if (j == 0) return {0, 0};
      T const a = x(j - 1).re, b = x(size - j).re;
      complex<T> const odd = (a + b) * factor;
      return {-odd.re, a - b - odd.im};
    }
    }
  }

  /// Number k of the result, of a transform whose entries are z(i), with its factor.
  template <class T, class Modes>
  WARPFOLD_HOST_DEVICE complex<T> after(std::int64_t k, complex<T> factor, Modes const& z) const {
    switch (kind) {
    default: {
      complex<T> const a = z(k), b = z(opposite(k));
      return {(a.re + b.re - (a.im - b.im)) / 2, (a.im + b.im + (a.re - b.re)) / 2};
    }
    case transform::cosine_2:
    case transform::sine_2: {
      std::int64_t const q = kind == transform::cosine_2 ? k : size - 1 - k;
      complex<T> const a = factor * z(q);
      complex<T> const b = conj(factor) * z(opposite(q));
      return {a.re + b.re, a.im + b.im};
    }
    case transform::cosine_3: return z(opposite(even_or_folded(k)));
    case transform::sine_3: return (k % 2 ? T{-1} : T{1}) * z(opposite(even_or_folded(k)));
    case transform::cosine_4:
    case transform::sine_4: return {(factor * z(even_or_folded(k))).re, 0};
    case transform::cosine_1: return {part(z(k / 2), k), 0};
    case transform::sine_1: return {part(z((k + 1) / 2), k + 1), 0};
    }
  }

  /// For each entry that is transformed; none if they are 1.
  template <class T>
  std::vector<complex<T>> factors_before() const {
    double const n = static_cast<double>(size), m = static_cast<double>(length());
    switch (kind) {
    case transform::cosine_3:
    case transform::sine_3: return factors<T>(length(), 1, [n](double j) { return j / (2 * n); });
    case transform::cosine_4:
    case transform::sine_4: return factors<T>(length(), 1, [n](double j) { return -j / (2 * n); });
    case transform::cosine_1:
    case transform::sine_1: return factors<T>(length(), 1, [m](double j) { return -j / m; });
    default: return {};
    }
  }

  /// For each number of the result; none if they are 1.
  template <class T>
  std::vector<complex<T>> factors_after() const {
    double const n = static_cast<double>(size);
    switch (kind) {
    case transform::cosine_2: return factors<T>(size, 1, [n](double k) { return -k / (2 * n); });
    case transform::sine_2:
      return factors<T>(size, 1, [n](double k) { return (k + 1 - n) / (2 * n); });
    case transform::cosine_4:
    case transform::sine_4: {
      bool const alternating = kind == transform::cosine_4;
      return factors<T>(size, 2, [n, alternating](double k) {
        bool const odd = std::fmod(k, 2) != 0;
        double const q = odd ? n - (k + 1) / 2 : k / 2;
        return -(4 * q + 1) / (4 * n) + (odd && alternating ? 1 : 0);
      });
    }
    default: return {};
    }
  }

private:
  /// radius e^(i pi angle(j)) for j = 0 ... count - 1.
  template <class T, class Angle>
  static std::vector<complex<T>> factors(std::int64_t count, double radius, Angle angle) {
    std::vector<complex<T>> all(static_cast<std::size_t>(count));
    double j = 0;
    for (complex<T>& one : all) {
      double const phase = std::numbers::pi * angle(j++);
      one = {static_cast<T>(radius * std::cos(phase)), static_cast<T>(radius * std::sin(phase))};
    }
    return all;
  }

  template <class T>
  WARPFOLD_HOST_DEVICE static complex<T> minus_i_times(complex<T> a, complex<T> b) {
    return {a.re + b.im, a.im - b.re};
  }
  template <class T>
  WARPFOLD_HOST_DEVICE static T part(complex<T> a, std::int64_t k) {
    return k % 2 ? a.im : a.re;
  }

  /// 0, 2, 4, ... and then the odd ones down.
  WARPFOLD_HOST_DEVICE std::int64_t reordered(std::int64_t j) const {
    return 2 * j < size ? 2 * j : 2 * (size - j) - 1;
  }
  /// Undoes that.
  WARPFOLD_HOST_DEVICE std::int64_t even_or_folded(std::int64_t k) const {
    return k % 2 ? size - 1 - k / 2 : k / 2;
  }
  WARPFOLD_HOST_DEVICE std::int64_t opposite(std::int64_t k) const { return k ? size - k : 0; }
};

/// How a sum of modes is differentiated: cosines become sines and the other way round. Mode m times
/// its wavenumber and sign is number m + in of a line of `size` modes of a kind, and number j + out
/// of the sum of these is the derivative at point j. What there is no number for is 0.
struct derivative_rule {
  transform kind; ///< the inverse's; of fourier a mode's opposite is taken
  std::int64_t size, in, out;
  int sign;
};
/// For an axis of n points.
inline derivative_rule derivative_of(transform forward, std::int64_t n) {
  switch (forward) {
  case transform::cosine_1: return {transform::sine_1, n - 2, -1, -1, -1};
  case transform::cosine_2: return {transform::sine_3, n, -1, 0, -1};
  case transform::cosine_3: return {transform::sine_2, n, 0, -1, -1};
  case transform::cosine_4: return {transform::sine_4, n, 0, 0, -1};
  case transform::sine_1: return {transform::cosine_1, n + 2, 1, 1, 1};
  case transform::sine_2: return {transform::cosine_3, n, 1, 0, 1};
  case transform::sine_3: return {transform::cosine_2, n, 0, 1, 1};
  case transform::sine_4: return {transform::cosine_4, n, 0, 0, 1};
  default: return {transform::fourier, n, 0, 0, 1};
  }
}

} // namespace warpfold::inline v0::poisson
