#pragma once
// Two arrays of equal length read side by side, for folds of what their elements make together.

#include <warpfold/detail/reduction/fold_reader.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// Two readers of the same number of lanes as one; an element is combine(x, y).
template <class Reader, class Combine>
struct pair_reader {
  static constexpr int lanes = Reader::lanes;
  struct pack {
    typename Reader::pack x, y;
  };

  Reader x, y;
  Combine combine;

  WARPFOLD_HOST_DEVICE void advance(std::int64_t by) {
    x.advance(by);
    y.advance(by);
  }
  WARPFOLD_HOST_DEVICE void prefetch(int offset) const {
    x.prefetch(offset);
    y.prefetch(offset);
  }
  WARPFOLD_HOST_DEVICE pack load(int offset) const { return {x.load(offset), y.load(offset)}; }
  WARPFOLD_HOST_DEVICE pack load_first(int offset, int count) const {
    return {x.load_first(offset, count), y.load_first(offset, count)};
  }
  WARPFOLD_HOST_DEVICE auto operator()(pack const& loaded, int v) const {
    return combine(x(loaded.x, v), y(loaded.y, v));
  }
};

/// Calls run(pair_reader), which reads 16 bytes at a time where both arrays' alignment allows.
template <class Transform, class Combine, class T, class Run>
void with_pair_reader(T const* x, T const* y, Run run) {
  if (is_aligned(x) && is_aligned(y)) {
    using reader = packed_reader<T, Transform>;
    run(pair_reader<reader, Combine>{reader{x, {}}, reader{y, {}}, {}});
  } else {
    using reader = element_reader<T const*, Transform>;
    run(pair_reader<reader, Combine>{reader{x, {}}, reader{y, {}}, {}});
  }
}

/// combine(x[i], y[i]) for fold_host. The tree comes from the value type, that of the arrays.
template <class T, class Combine>
struct pair_iterator {
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;
  using iterator_category = std::random_access_iterator_tag;

  T const *x, *y;
  Combine combine;

  auto operator[](std::ptrdiff_t i) const { return combine(x[i], y[i]); }
  friend pair_iterator operator+(pair_iterator it, std::ptrdiff_t by) {
    it.x += by;
    it.y += by;
    return it;
  }
};

/// x * y, both converted to the accumulator before.
template <class A>
struct widened_product {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr A operator()(T x, T y) const {
    return multiplies{}(widen<A>(x), widen<A>(y));
  }
};

} // namespace warpfold::inline v0::detail
