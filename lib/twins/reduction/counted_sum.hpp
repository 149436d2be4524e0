#pragma once
// compensated_sum in trees that are the vendors': counts the additions on the longest path.

#include <warpfold/reduction/compensated.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

template <std::floating_point T>
struct counted_terms {
  compensated_terms<T> terms;
  std::int64_t additions = 0;

  counted_terms() = default;
  WARPFOLD_HOST_DEVICE constexpr counted_terms(T x) : terms{x} {}
};

struct add_counted {
  using is_commutative = void;
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr counted_terms<T> operator()(counted_terms<T> a,
                                                             counted_terms<T> const& b) const {
    a.terms = add_compensated{}(a.terms, b.terms);
    a.additions = (a.additions < b.additions ? b.additions : a.additions) + 2;
    return a;
  }
};

struct finish_counted {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr bounded<T> operator()(counted_terms<T> const& total) const {
    return value_of(total.terms, total.additions);
  }
};

template <floating_element T>
struct counted_sum {
  using value = typename default_accumulator<T>::type;
  using accumulator = counted_terms<value>;
  using result = bounded<value>;
  using op = add_counted;
  using transform = widened<value, identity>;
  static finish_counted finish() { return {}; }
};

/// A measure as the vendors compute it.
template <class Measure>
struct vendor_measure {
  using type = Measure;
};
template <class T>
struct vendor_measure<sum_and_bound<T>> {
  using type = counted_sum<T>;
};

/// A transformed element as the accumulator.
template <class A, class Transform>
struct as_accumulator {
  Transform transform{};
  template <class T>
  WARPFOLD_HOST_DEVICE A operator()(T x) const {
    return A(transform(x));
  }
};

} // namespace warpfold::inline v0::detail
