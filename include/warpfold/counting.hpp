#pragma once
// Counting the elements that a predicate holds for. For predicates, element types and iterators of
// your own, compile with nvcc and include <warpfold/counting.cuh>.

#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/operations.hpp>
#include <warpfold/reduction.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

namespace detail {
/// Half types compare as float, which holds them exactly.
template <class T>
WARPFOLD_HOST_DEVICE constexpr auto comparable(T x) {
  return widen<typename default_accumulator<T>::type>(x);
}
} // namespace detail

// Predicates known by type. NaN is neither less than anything, nor greater, nor equal.

/// x < bound
template <class T>
struct less_than {
  T bound; ///< to compare with
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) < detail::comparable(bound);
  }
};
template <class T>
less_than(T) -> less_than<T>;
/// x > bound
template <class T>
struct greater_than {
  T bound; ///< to compare with
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) > detail::comparable(bound);
  }
};
template <class T>
greater_than(T) -> greater_than<T>;
/// x == value; -0 equals +0.
template <class T>
struct equal_to {
  T value; ///< to compare with
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) == detail::comparable(value);
  }
};
template <class T>
equal_to(T) -> equal_to<T>;
/// Of float, double and the half types.
struct is_nan {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) != detail::comparable(x);
  }
};
/// Neither NaN nor infinite.
struct is_finite {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    auto const value = detail::comparable(x);
    return absolute{}(value) < detail::highest<std::remove_const_t<decltype(value)>>;
  }
};

namespace detail {

template <class T, class Predicate>
concept built_in_predicate = built_in_element<T> &&
    (one_of<Predicate, less_than<T>, greater_than<T>, equal_to<T>> ||
     (floating_element<T> && one_of<Predicate, is_nan, is_finite>));
template <class Place, class Range, class Predicate>
concept built_in_count = requires {
  requires built_in_predicate<element_t<Place, Range>, Predicate>;
};

/// What is asked about the number of elements that satisfy a predicate, and where the answer goes:
/// one of the three addresses is not null.
struct count_answer {
  std::uint64_t* count = nullptr;
  bool* all = nullptr; ///< whether it is `size`
  bool* any = nullptr; ///< whether it is not 0
  std::uint64_t size = 0;

  WARPFOLD_HOST_DEVICE void operator()(std::uint64_t counted) const {
    if (count) *count = counted;
    else if (all) *all = counted == size;
    else *any = counted != 0;
  }
};

template <class Predicate, class One = std::uint32_t>
struct one_if {
  Predicate predicate;
  template <class T>
  WARPFOLD_HOST_DEVICE One operator()(T const& x) const {
    return predicate(x) ? 1 : 0;
  }
};

/// A count is a fold of ones and zeros, 32 bits wide within a thread and 64 beyond: a thread sees
/// fewer than 2^32 elements unless there are 2^54 of them.
struct add_counts : plus {
  using lane = std::uint32_t;
};

/// Answers into memory that is accessible to the place; see reduce_to.
template <class T, class Predicate>
void count_to(gpu& place, device_span<T const> values, Predicate predicate,
              count_answer const& answer);
template <class T, class Predicate>
void count_to(host const& place, std::span<T const> values, Predicate predicate,
              count_answer const& answer);

template <class Place, class Range, class Predicate>
void count_range(Place& place, Range const& values, Predicate predicate, count_answer answer) {
  span_t<Place, Range> const input(values);
  answer.size = input.size();
  count_to<element_t<Place, Range>>(place, input, predicate, answer);
}

} // namespace detail

// What holds for every verb below.
//
// place, blocking and _async forms, alignment and errors are those of <warpfold/reduction.hpp>.
// Predicates are less_than, greater_than and equal_to of the element type and, for floating-point
// elements, is_nan and is_finite. Every element is read, also when the first ones have decided the
// answer: a call is one launch and takes the time of a sum.

/// Number of elements for which the predicate holds.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate> std::uint64_t
count_if(Place&& place, Range const& values, Predicate predicate) {
  return detail::compute_now<std::uint64_t>(place, [&](std::uint64_t* result) {
    detail::count_range(place, values, predicate, {.count = result});
  });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
void count_if_async(Place&& place, Range const& values, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result) {
  detail::compute_later(
      result, [&](auto* to) { detail::count_range(place, values, predicate, {.count = to}); });
}

/// Whether the predicate holds for all elements; true if there are none.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
bool all_of(Place&& place, Range const& values, Predicate predicate) {
  return detail::compute_now<bool>(
      place, [&](bool* result) { detail::count_range(place, values, predicate, {.all = result}); });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
void all_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::compute_later(
      result, [&](auto* to) { detail::count_range(place, values, predicate, {.all = to}); });
}

/// Whether the predicate holds for any element; false if there are none.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
bool any_of(Place&& place, Range const& values, Predicate predicate) {
  return detail::compute_now<bool>(
      place, [&](bool* result) { detail::count_range(place, values, predicate, {.any = result}); });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
void any_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::compute_later(
      result, [&](auto* to) { detail::count_range(place, values, predicate, {.any = to}); });
}

} // namespace warpfold::inline v0
