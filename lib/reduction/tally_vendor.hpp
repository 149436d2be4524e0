#pragma once
// What the vendors' methods are given, so that they keep the verbs' contracts.

#include "tally_backend.hpp"

#include <cstdint>

namespace warpfold::reduction {

/// Element number i, as a tally's partial of one element.
template <class T, class Tally>
struct partial_at {
  T const* values;
  WARPFOLD_HOST_DEVICE typename Tally::partial operator()(std::int64_t i) const {
    return Tally::of(detail::widen<typename Tally::element>(values[i]),
                     static_cast<std::uint64_t>(i));
  }
};

/// Makes the result of a tally's last partial.
template <class Tally>
struct finish_tally {
  Tally tally;
  WARPFOLD_HOST_DEVICE typename Tally::result
  operator()(typename Tally::partial const& last) const {
    return tally.finish(last);
  }
};

/// A strict weak order of all elements, NaN too, in which what Op keeps comes first.
template <class A, class Op>
struct comes_first {
  template <class T>
  WARPFOLD_HOST_DEVICE bool operator()(T const& a, T const& b) const {
    using sought = detail::sought_by<Op>;
    A const x = detail::widen<A>(a), y = detail::widen<A>(b);
    if constexpr (!std::floating_point<A>) return sought::before(x, y);
    else if (x != x || y != y)
      return sought::nan == nan_policy::ignore ? x == x && y != y : x != x && y == y;
    else return sought::before(x, y);
  }
};

/// The result of the search that found element number i, x, of `size`.
template <class A, class Op, class T>
extremum<A> found_at(T x, std::uint64_t i, std::uint64_t size) {
  using tally = detail::extremum_tally<A, Op>;
  return tally{size}.finish(tally::of(detail::widen<A>(x), i));
}

} // namespace warpfold::reduction
