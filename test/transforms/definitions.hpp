#pragma once
// Real transforms by their definitions, in long double.

#include <warpfold/transforms.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace test::real_transforms {

using real = long double;
using warpfold::transforms::direction, warpfold::transforms::kind, warpfold::transforms::scaling;

/// The matrices of lines of n numbers, element by element.
class matrices {
public:
  matrices(kind of, std::size_t n) : kind_{of}, n_{n}, parts_{parts_of(of, n)} {
    for (std::size_t i = 0; i < 4 * parts_; ++i)
      table_.push_back(std::cos(std::numbers::pi_v<real> * static_cast<real>(i) /
                                static_cast<real>(2 * parts_)));
  }

  real period() const {
    real const n = static_cast<real>(n_);
    switch (kind_) {
    case kind::cosine_1: return 2 * (n - 1);
    case kind::sine_1: return 2 * (n + 1);
    case kind::halfcomplex:
    case kind::hartley: return n;
    default: return 2 * n;
    }
  }
  real element(direction to, scaling by, std::size_t k, std::size_t j) const {
    if (by == scaling::orthonormal)
      return to == direction::forward ? orthonormal(k, j) : orthonormal(j, k);
    if (to == direction::forward) return plain(kind_, k, j);
    real const undone =
        kind_ == kind::halfcomplex ? halfcomplex_to_real(k, j) : plain(inverse_of(kind_), k, j);
    return by == scaling::inverse ? undone / period() : undone;
  }

private:
  static std::size_t parts_of(kind of, std::size_t n) {
    switch (of) {
    case kind::cosine_1: return n - 1;
    case kind::sine_1: return n + 1;
    case kind::cosine_4:
    case kind::sine_4: return 4 * n;
    default: return 2 * n;
    }
  }
  static kind inverse_of(kind of) {
    switch (of) {
    case kind::cosine_2: return kind::cosine_3;
    case kind::cosine_3: return kind::cosine_2;
    case kind::sine_2: return kind::sine_3;
    case kind::sine_3: return kind::sine_2;
    default: return of;
    }
  }
  /// The cosine of pi i / parts.
  real cosine(std::size_t i) const { return table_[2 * i % (4 * parts_)]; }
  real sine(std::size_t i) const { return table_[(2 * i + 3 * parts_) % (4 * parts_)]; }

  /// FFTW's definitions.
  real plain(kind of, std::size_t k, std::size_t j) const {
    std::size_t const n = n_;
    switch (of) {
    case kind::cosine_1: return (j == 0 || j + 1 == n ? 1 : 2) * cosine(j * k);
    case kind::cosine_2: return 2 * cosine((2 * j + 1) * k);
    case kind::cosine_3: return (j == 0 ? 1 : 2) * cosine(j * (2 * k + 1));
    case kind::cosine_4: return 2 * cosine((2 * j + 1) * (2 * k + 1));
    case kind::sine_1: return 2 * sine((j + 1) * (k + 1));
    case kind::sine_2: return 2 * sine((2 * j + 1) * (k + 1));
    case kind::sine_3: return (j + 1 == n ? 1 : 2) * sine((j + 1) * (2 * k + 1));
    case kind::sine_4: return 2 * sine((2 * j + 1) * (2 * k + 1));
    case kind::halfcomplex: return 2 * k <= n ? cosine(4 * j * k) : -sine(4 * j * (n - k));
    default: return cosine(4 * j * k) + sine(4 * j * k);
    }
  }
  real halfcomplex_to_real(std::size_t j, std::size_t k) const {
    if (k == 0) return 1;
    if (2 * k == n_) return cosine(4 * j * k);
    return 2 * plain(kind::halfcomplex, k, j);
  }
  /// As Strang and SciPy's norm="ortho" have them.
  real orthonormal(std::size_t k, std::size_t j) const {
    real const n = static_cast<real>(n_), half = std::sqrt(real{1} / 2);
    auto const end = [&](std::size_t i, std::size_t at) { return i == at ? half : real{1}; };
    std::size_t const last = n_ - 1;
    switch (kind_) {
    case kind::cosine_1:
      return std::sqrt(2 / (n - 1)) * end(k, 0) * end(k, last) * end(j, 0) * end(j, last) *
             cosine(j * k);
    case kind::cosine_2: return std::sqrt(2 / n) * end(k, 0) * cosine((2 * j + 1) * k);
    case kind::cosine_3: return std::sqrt(2 / n) * end(j, 0) * cosine(j * (2 * k + 1));
    case kind::cosine_4: return std::sqrt(2 / n) * cosine((2 * j + 1) * (2 * k + 1));
    case kind::sine_1: return std::sqrt(2 / (n + 1)) * sine((j + 1) * (k + 1));
    case kind::sine_2: return std::sqrt(2 / n) * end(k, last) * sine((2 * j + 1) * (k + 1));
    case kind::sine_3: return std::sqrt(2 / n) * end(j, last) * sine((j + 1) * (2 * k + 1));
    case kind::sine_4: return std::sqrt(2 / n) * sine((2 * j + 1) * (2 * k + 1));
    case kind::halfcomplex:
      return std::sqrt((k == 0 || 2 * k == n_ ? 1 : 2) / n) * plain(kind_, k, j);
    default: return std::sqrt(1 / n) * plain(kind_, k, j);
    }
  }

  kind kind_;
  std::size_t n_, parts_;
  std::vector<real> table_;
};

} // namespace test::real_transforms
