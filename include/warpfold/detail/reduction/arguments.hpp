#pragma once
// The arguments of reductions: views, accumulators, and the combinations that are compiled.

#include <warpfold/counted.hpp>
#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/reduction/operations.hpp>
#include <warpfold/span.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::detail {

template <class T, class... Types>
concept one_of = (std::same_as<T, Types> || ...);

template <class T>
struct default_accumulator {
  using type = T;
};
template <class T>
requires is_half<T>
struct default_accumulator<T> {
  using type = float;
};

/// The element type and the view of a range that lives where `Place` works.
template <class Place, class Range>
struct input_of;
template <class Range>
requires device_range<Range const>
struct input_of<gpu, Range> {
  using element = std::remove_const_t<device_element_t<Range const>>;
  using span = device_span<element const>;
};
template <host_elements Range>
struct input_of<host, Range> {
  using element =
      std::remove_const_t<typename decltype(std::span(std::declval<Range const&>()))::element_type>;
  using span = std::span<element const>;
};

template <class Place, class Range>
using element_t = typename input_of<std::remove_cvref_t<Place>, Range>::element;
template <class Place, class Range>
using span_t = typename input_of<std::remove_cvref_t<Place>, Range>::span;
template <class Place>
inline constexpr bool is_gpu = std::same_as<std::remove_cvref_t<Place>, gpu>;
/// Where an asynchronous result goes: memory on the same side as the values.
template <class Place, class A>
using result_t = std::conditional_t<is_gpu<Place>, device_span<A>, std::span<A>>;

/// The type of results that a caller hands over.
template <class Place, class Results>
using result_element = element_t<Place, std::remove_cvref_t<Results>>;
/// Results that the place can write.
template <class Results, class Place>
concept results_for = requires(Results&& results) {
  typename result_element<Place, Results>;
  result_t<Place, result_element<Place, Results>>(std::forward<Results>(results));
};

/// The span in a `counted`; any other range as it is.
template <class Range>
Range const& room_of(Range const& range) {
  return range;
}
template <class Values, class Count>
Values const& room_of(counted<Values, Count> const& range) {
  return range.values;
}
template <class Range>
using room_t = std::remove_cvref_t<decltype(room_of(std::declval<Range const&>()))>;
/// Where the number of elements lies; null if that is all.
template <class Place, class Range>
std::uint64_t const* count_of([[maybe_unused]] Range const& range) {
  if constexpr (std::is_same_v<room_t<Range>, Range>) return nullptr;
  else {
    result_t<Place, std::uint64_t const> const count(range.count);
    check_result(count.data(), count.size(), "values.count");
    return count.data();
  }
}

/// The accumulator asked for (void: the element's default), and the result of that type.
template <class Asked, class Place, class Range>
using accumulator_for =
    typename std::conditional_t<std::is_void_v<Asked>,
                                default_accumulator<element_t<Place, room_t<Range>>>,
                                std::type_identity<Asked>>::type;
template <class Asked, class Place, class Range>
using result_for = result_t<Place, accumulator_for<Asked, Place, Range>>;

/// The combinations of element, accumulator, operator and transform that are compiled.
template <class T, class A>
concept wider_accumulator = (one_of<T, float, __half, __nv_bfloat16, std::int64_t, std::uint64_t> &&
                             std::same_as<A, double>) ||
                            (std::same_as<T, std::int32_t> && std::same_as<A, std::int64_t>) ||
                            (std::same_as<T, std::uint32_t> && std::same_as<A, std::uint64_t>);
template <class T>
concept built_in_element = one_of<T, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
                                  float, double, __half, __nv_bfloat16>;
template <class T>
concept floating_element = one_of<T, float, double, __half, __nv_bfloat16>;
template <class T, class A>
concept built_in_accumulator = built_in_element<T> &&
    (std::same_as<A, typename default_accumulator<T>::type> || wider_accumulator<T, A>);
template <class T, class A, class Op, class Transform>
concept built_in_reduction = built_in_accumulator<T, A> &&
    ((one_of<Op, plus> && one_of<Transform, identity, square>) ||
     (one_of<Op, multiplies> && one_of<Transform, identity>) ||
     (one_of<Transform, identity> && !wider_accumulator<T, A> &&
      (one_of<Op, minimum<nan_policy::propagate>, maximum<nan_policy::propagate>> ||
       (std::floating_point<A> &&
        one_of<Op, minimum<nan_policy::ignore>, maximum<nan_policy::ignore>>))));

/// The operator's neutral element: its result for no elements.
template <class Op, class A>
inline constexpr A neutral;
template <class A>
inline constexpr A neutral<plus, A>{0};
template <class A>
inline constexpr A neutral<multiplies, A>{1};
template <nan_policy Nan, class A>
inline constexpr A neutral<minimum<Nan>, A> = highest<A>;
template <nan_policy Nan, class A>
inline constexpr A neutral<maximum<Nan>, A> = lowest<A>;

/// Ranges of elements that have built-in verbs, sums and products in the accumulator asked for.
template <class Range, class Place, class Asked = void>
concept built_in_elements =
    built_in_accumulator<element_t<Place, Range>, accumulator_for<Asked, Place, Range>>;
template <class Range, class Place>
concept floating_elements = floating_element<element_t<Place, Range>>;
/// Ranges that have a built-in fold with such an initial value, operator and transform.
template <class Range, class Place, class A, class Op, class Transform = identity>
concept built_in_operands = built_in_reduction<element_t<Place, Range>, A, Op, Transform>;
/// And those that may be counted.
template <class Range, class Place, class Asked = void>
concept countable_elements = built_in_elements<room_t<Range>, Place, Asked>;
template <class Range, class Place, class A, class Op, class Transform = identity>
concept countable_operands = built_in_operands<room_t<Range>, Place, A, Op, Transform>;

} // namespace warpfold::inline v0::detail
