#pragma once
// What scans are made of: plain, compensated and segmented ones. A transform makes an accumulator
// of an element, and its finish() a result of an accumulator.

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
  /// Bit i % 32 of word i / 32: a segment begins at element i. The first element begins one. Bits
  /// behind the last element are 0.
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
  WARPFOLD_HOST_DEVICE A operator()(T const& x) const {
    return transform(x);
  }
  WARPFOLD_HOST_DEVICE A finish(A const& y) const { return y; }
};

/// Sums with the error of their additions.
template <std::floating_point T>
struct compensated_transform {
  using result = T;

  WARPFOLD_HOST_DEVICE exact_pair<T> operator()(T x) const { return {x, 0}; }
  /// A sum that is infinite or NaN stays as it is, and so does -0.
  WARPFOLD_HOST_DEVICE T finish(exact_pair<T> const& y) const {
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
template <class A>
struct kept_prefix<segment_part<A>> {
  using type = A;
  WARPFOLD_HOST_DEVICE static A const& value(segment_part<A> const& x) { return x.value; }
  WARPFOLD_HOST_DEVICE static bool flag(segment_part<A> const& x) { return x.begins != 0; }
  WARPFOLD_HOST_DEVICE static segment_part<A> join(A const& value, bool flag) {
    return {value, flag};
  }
};

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

/// The operator of values alone.
template <class Op>
WARPFOLD_HOST_DEVICE Op const& value_operator(Op const& op) {
  return op;
}
template <class Op>
WARPFOLD_HOST_DEVICE Op const& value_operator(fold_segment<Op> const& op) {
  return op.op;
}

/// Whoever reads an element sets its flag. In an exclusive scan init is a part of a segment's first
/// element, and its result.
template <class A, class Transform>
struct segment_transform {
  using result = A;
  Transform transform;

  WARPFOLD_CALLS_USER
  template <class T>
  WARPFOLD_HOST_DEVICE segment_part<A> operator()(T const& x) const {
    return {transform(x), 0};
  }
  WARPFOLD_HOST_DEVICE A finish(segment_part<A> const& y) const { return y.value; }
};

/// Bit v: element first + v begins a segment, of a lane's `Count` elements, of which `live` exist.
template <int Count>
WARPFOLD_HOST_DEVICE std::uint32_t begins_of(std::uint32_t const* begins, std::uint64_t first,
                                             int live) {
  std::uint32_t bits = 0;
  if constexpr (32 % Count == 0) { // a lane's are in one word
    if (live > 0) bits = begins[first / 32] >> first % 32 & ~(~1u << (Count - 1));
  } else
    for (int v = 0; v < Count && v < live; ++v) {
      std::uint64_t const i = first + static_cast<unsigned>(v);
      bits |= (begins[i / 32] >> i % 32 & 1) << v;
    }
  return bits;
}

/// Names the operator of a segmented scan to the door.
template <class Op>
struct segmented {
  Op op;
};

/// The terms of a segmented scan.
template <class A, class Op, class Transform>
auto segment_terms(scan_start<A> start, Op op, Transform transform) {
  return scan_terms<segment_part<A>, fold_segment<Op>, segment_transform<A, Transform>>{
      {{start.init, 0}, start.is_exclusive, start.begins}, {op}, {transform}};
}

} // namespace detail
} // namespace warpfold::inline v0
