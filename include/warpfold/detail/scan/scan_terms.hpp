#pragma once
// What scans are made of: plain, compensated and segmented ones. A transform makes an accumulator
// of element i, and its finish() result i of an accumulator.

#include <warpfold/detail/reduction/two_sum.hpp>
#include <warpfold/detail/scan/scan_tree.hpp>

#include <concepts>
#include <cstdint>

namespace warpfold::inline v0 {

/// The operator of prefix sums that are nearly as accurate as in twice the precision.
///
/// Every addition of the scan's tree also gives the error of its rounding (Knuth's TwoSum). Errors
/// are added up beside the sums, and in the end to each result (T. Ogita, S. M. Rump, S. Oishi,
/// "Accurate sum and dot product", SIAM J. Sci. Comput. 26(6), 2005):
///
///   |result - exact| <= u |exact| + 3 (h u)^2 (sum of the absolute values that are added)
///
/// with u half the type's epsilon, and h = 15 + 6 l for up to 32^l times 4 KiB of values, unless
/// something overflows. A result is infinite or NaN where that of plus is.
struct compensated_plus {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr detail::exact_pair<T> operator()(detail::exact_pair<T> a,
                                                                  detail::exact_pair<T> b) const {
    auto const [sum, error] = detail::two_sum(a.sum, b.sum);
    return {sum, plus{}(plus{}(a.error, b.error), error)};
  }
};

namespace detail {

/// What comes before the first element, and where segments begin.
template <class A>
struct scan_start {
  A init;            ///< of an exclusive scan
  bool is_exclusive; ///< result i is without element i
  /// Bit i % 32 of word i / 32: a segment begins at element i. The first element begins one.
  std::uint32_t const* begins = nullptr;
};

/// What a scan is made of.
template <class A, class Op, class Transform>
struct scan_terms {
  scan_start<A> start;
  Op op;
  Transform transform;
};

template <class T>
inline constexpr std::size_t scan_bytes<exact_pair<T>> = sizeof(T);

/// Accumulators are results.
template <class A, class Transform>
struct plain_transform {
  using result = A;
  Transform transform;

  WARPFOLD_CALLS_USER
  template <class T>
  WARPFOLD_HOST_DEVICE A operator()(T const& x, std::uint64_t) const {
    return transform(x);
  }
  WARPFOLD_HOST_DEVICE A finish(A const& y, std::uint64_t) const { return y; }
};

/// Sums with the error of their additions.
template <std::floating_point T>
struct compensated_transform {
  using result = T;

  WARPFOLD_HOST_DEVICE exact_pair<T> operator()(T x, std::uint64_t) const { return {x, 0}; }
  /// A sum that is infinite or NaN stays as it is, and so does -0.
  WARPFOLD_HOST_DEVICE T finish(exact_pair<T> const& y, std::uint64_t) const {
    T const error = absolute{}(y.error);
    return error > 0 && error < highest<T> ? plus{}(y.sum, y.error) : y.sum;
  }
};

/// The elements from the last begin on, folded.
template <class A>
struct segment_part {
  A value;
  std::uint32_t begins; ///< 1 if a segment begins among the elements, or 0
};
template <class A>
inline constexpr std::size_t scan_bytes<segment_part<A>> = sizeof(A);

/// Leaves out what lies before a begin.
template <class Op>
struct fold_segment {
  Op op;
  WARPFOLD_CALLS_USER
  template <class A>
  WARPFOLD_HOST_DEVICE segment_part<A> operator()(segment_part<A> const& a,
                                                  segment_part<A> const& b) const {
    return {b.begins ? b.value : static_cast<A>(op(a.value, b.value)), a.begins | b.begins};
  }
};

/// In an exclusive scan, init is a part of a segment's first element.
template <class A, class Op, class Transform>
struct segment_transform {
  using result = A;

  scan_start<A> start;
  Op op;
  Transform transform;

  [[nodiscard]] WARPFOLD_HOST_DEVICE bool is_begin(std::uint64_t i) const {
    return (start.begins[i / 32] >> i % 32 & 1) != 0;
  }
  WARPFOLD_CALLS_USER
  template <class T>
  WARPFOLD_HOST_DEVICE segment_part<A> operator()(T const& x, std::uint64_t i) const {
    A const value = transform(x);
    bool const begins = is_begin(i);
    return {begins && start.is_exclusive ? static_cast<A>(op(start.init, value)) : value, begins};
  }
  WARPFOLD_HOST_DEVICE A finish(segment_part<A> const& y, std::uint64_t i) const {
    return start.is_exclusive && is_begin(i) ? start.init : y.value;
  }
};

/// Names the operator of a segmented scan to the door.
template <class Op>
struct segmented {
  Op op;
};

/// The terms of a segmented scan.
template <class A, class Op, class Transform>
auto segment_terms(scan_start<A> start, Op op, Transform transform) {
  return scan_terms<segment_part<A>, fold_segment<Op>, segment_transform<A, Op, Transform>>{
      {{start.init, 0}, start.is_exclusive}, {op}, {start, op, transform}};
}

} // namespace detail
} // namespace warpfold::inline v0
