#pragma once
// A sum of squares of doubles of any magnitude, without overflow or underflow: three sums, of the
// squares of small, medium and large elements, the first and the last of them scaled.
//
// J. L. Blue, "A portable Fortran program to find the Euclidean norm of a vector", ACM TOMS 4(1),
// 1978; E. Anderson, "Algorithm 978: safe scaling in the Level 1 BLAS", ACM TOMS 44(1), 2017, doi
// 10.1145/3061665. The thresholds are theirs. Which sums count is decided at the end.

#include <warpfold/reduction/operations.hpp>

#include <cmath>

namespace warpfold::inline v0::detail {

struct scaled_squares {
  static constexpr double below = 0x1p-511, above = 0x1p486; ///< |x| of medium elements
  static constexpr double scale_up = 0x1p537, scale_down = 0x1p-538;

  double small = 0, medium = 0, large = 0;

  scaled_squares() = default;
  WARPFOLD_HOST_DEVICE constexpr scaled_squares(double x) { add(x); }

  /// NaN is medium.
  WARPFOLD_HOST_DEVICE constexpr void add(double x) {
    double const size = absolute{}(x);
    bool const is_small = size<below, is_large = size> above;
    double const scaled = multiplies{}(x, is_small ? scale_up : is_large ? scale_down : 1.0);
    double const squared = multiplies{}(scaled, scaled);
    if (is_small) small = plus{}(small, squared);
    else if (is_large) large = plus{}(large, squared);
    else medium = plus{}(medium, squared);
  }
};

struct add_squares {
  using is_commutative = void;
  WARPFOLD_HOST_DEVICE constexpr scaled_squares operator()(scaled_squares a,
                                                           scaled_squares const& b) const {
    a.small = plus{}(a.small, b.small);
    a.medium = plus{}(a.medium, b.medium);
    a.large = plus{}(a.large, b.large);
    return a;
  }
  /// One element more.
  WARPFOLD_HOST_DEVICE constexpr scaled_squares operator()(scaled_squares a, double x) const {
    a.add(x);
    return a;
  }
};

/// sqrt(x), rounded to nearest on either place.
WARPFOLD_HOST_DEVICE inline double square_root(double x) {
#ifdef __CUDA_ARCH__
  return __dsqrt_rn(x);
#else
  return std::sqrt(x);
#endif
}

/// The square root of a sum of squares, as a double or as the type that was squared in double.
template <class Result>
struct root {
  WARPFOLD_HOST_DEVICE Result operator()(double squares) const {
    return static_cast<Result>(square_root(squares));
  }
  WARPFOLD_HOST_DEVICE Result operator()(scaled_squares const& sums) const {
    using s = scaled_squares;
    // Scaled-up squares vanish beside large elements, and nearly beside medium ones.
    if (sums.large > 0) {
      double const others = multiplies{}(multiplies{}(sums.medium, s::scale_down), s::scale_down);
      return multiplies{}(square_root(plus{}(sums.large, others)), 1 / s::scale_down);
    }
    if (sums.medium == 0) return multiplies{}(square_root(sums.small), 1 / s::scale_up);
    double const others = multiplies{}(multiplies{}(sums.small, 1 / s::scale_up), 1 / s::scale_up);
    return square_root(plus{}(sums.medium, others));
  }
};

} // namespace warpfold::inline v0::detail
