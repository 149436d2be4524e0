#pragma once
// Reductions of arrays of the built-in types. For element types, operators and transforms of your
// own, compile with nvcc and include <warpfold/reduction.cuh>.

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/verbs.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/operations.hpp>
#include <warpfold/span.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0 {

/// What min, max and the searches for them may be told. To be used with designated initialisers.
struct extremum_options {
  /// For floating-point elements.
  nan_policy nan = nan_policy::propagate;
};

namespace detail {

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
/// Some owners of GPU memory are contiguous ranges to the standard library, too.
template <class Range>
requires(!device_range<Range const>) && requires(Range const& r) { std::span(r); }
struct input_of<host, Range> {
  using element =
      std::remove_const_t<typename decltype(std::span(std::declval<Range const&>()))::element_type>;
  using span = std::span<element const>;
};

template <class Place, class Range>
using element_t = typename input_of<std::remove_cvref_t<Place>, Range>::element;
template <class Place, class Range>
using span_t = typename input_of<std::remove_cvref_t<Place>, Range>::span;
/// Where an asynchronous result goes: memory on the same side as the values.
template <class Place, class A>
using result_t =
    std::conditional_t<std::same_as<std::remove_cvref_t<Place>, gpu>, device_span<A>, std::span<A>>;

/// The accumulator asked for (void: the element's default), and the result of that type.
template <class Asked, class Place, class Range>
using accumulator_for =
    typename std::conditional_t<std::is_void_v<Asked>, default_accumulator<element_t<Place, Range>>,
                                std::type_identity<Asked>>::type;
template <class Asked, class Place, class Range>
using result_for = result_t<Place, accumulator_for<Asked, Place, Range>>;

/// The built-in kernels: which combinations of element, accumulator, operator and transform are
/// compiled into the library.
template <class T, class A>
concept wider_accumulator = (one_of<T, float, __half, __nv_bfloat16, std::int64_t, std::uint64_t> &&
                             std::same_as<A, double>) ||
                            (std::same_as<T, std::int32_t> && std::same_as<A, std::int64_t>) ||
                            (std::same_as<T, std::uint32_t> && std::same_as<A, std::uint64_t>);
template <class T>
concept built_in_element = one_of<T, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
                                  float, double, __half, __nv_bfloat16>;
/// Elements that have built-in verbs.
template <class Range, class Place>
concept built_in_elements = built_in_element<element_t<Place, Range>>;
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
template <class Op, class Place, class Range, class Asked = void>
concept built_in_verb =
    built_in_reduction<element_t<Place, Range>, accumulator_for<Asked, Place, Range>, Op, identity>;

/// Computes op(init, fold of the transformed values) into *result, which must be accessible to the
/// place: enqueues on a gpu's stream, performs at once on the host. Defined for the built-in
/// reductions.
template <class T, class A, class Op, class Transform>
void reduce_to(gpu& place, device_span<T const> values, A init, A* result);
template <class T, class A, class Op, class Transform>
void reduce_to(host const& place, std::span<T const> values, A init, A* result);

template <class Op, class Transform, class A, class Place, class Range>
A reduce_now(Place& place, Range const& values, A init) {
  return compute_now<A>(place, [&](A* result) {
    reduce_to<element_t<Place, Range>, A, Op, Transform>(place, span_t<Place, Range>(values), init,
                                                         result);
  });
}

template <class Op, class Transform, class A, class Place, class Range>
void reduce_later(Place& place, Range const& values, A init, result_t<Place, A> result) {
  compute_later(result, [&](A* to) {
    reduce_to<element_t<Place, Range>, A, Op, Transform>(place, span_t<Place, Range>(values), init,
                                                         to);
  });
}

/// Calls use(Extremum<policy>{}) for the policy in the options; integers have no NaN to ask about.
template <template <nan_policy> class Extremum, class A, class Use>
decltype(auto) with_nan_policy(nan_policy policy, Use use) {
  if constexpr (std::is_floating_point_v<A>)
    if (policy == nan_policy::ignore) return use(Extremum<nan_policy::ignore>{});
  return use(Extremum<nan_policy::propagate>{});
}

/// Refuses what is no policy.
void check_policy(nan_policy policy);

/// with_nan_policy of a policy that is one.
template <template <nan_policy> class Extremum, class A, class Use>
decltype(auto) with_checked_policy(nan_policy policy, Use use) {
  check_policy(policy);
  return with_nan_policy<Extremum, A>(policy, use);
}

} // namespace detail

/// A range whose elements live where `Place` works: for a gpu a device_range (device_span,
/// device_buffer, thrust::device_vector, rmm::device_uvector, what has device_range_traits of its
/// own), for a host any other contiguous range (std::span, std::vector, pinned_buffer, ...).
template <class Range, class Place>
concept elements_for = requires {
  typename detail::element_t<Place, Range>;
};

// What holds for every verb below.
//
// place       a gpu or a host; the values live there: see elements_for. Elements are
//             std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double, __half or
//             __nv_bfloat16; there may be any number of them, at any alignment that the type has.
//             Without elements the result is the initial value.
// Accumulator what the elements are added up or multiplied in, and the type of the result. By
//             default the element's type, float for the half types. For sums and products double
//             can be chosen for floating-point and 64-bit elements, and the 64-bit integer for
//             32-bit ones.
// Blocking    verb(place, values, ...) returns the value when the work is done.
// _async      verb_async(place, values, ..., result) writes it to result[0], which lives where the
//             values do. On a gpu it enqueues on the stream and returns; it neither allocates nor
//             waits, and can be captured in a CUDA graph. values and result must stay valid until
//             the stream has passed it. On a host it is done on return.
// Determinism The result is a function of the elements, their number and their types alone. It has
//             the same bits on every run, on the host and every GPU, for any number of threads. (Of
//             a NaN result, only that it is NaN.)
// Throws      argument_error for a span that is null with a size, or misaligned, and a result
//             without room; nothing is enqueued, no output is touched. cuda_error if the runtime
//             fails.
// Twins       <warpfold/twins.hpp> has the same verbs by CUB and Thrust.

/// Sum of the elements, or 0. Integers wrap around. <warpfold/compensated.hpp> has a sum with a
/// bound of its error, <warpfold/exact.hpp> one that is correctly rounded.
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<plus, Place, Range, Accumulator>
auto sum(Place&& place, Range const& values) {
  return detail::reduce_now<plus, identity>(place, values,
                                            detail::accumulator_for<Accumulator, Place, Range>{0});
}
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<plus, Place, Range, Accumulator>
void sum_async(Place&& place, Range const& values,
               detail::result_for<Accumulator, Place, Range> result) {
  detail::reduce_later<plus, identity>(
      place, values, detail::accumulator_for<Accumulator, Place, Range>{0}, result);
}

/// Product of the elements, or 1. Integers wrap around.
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<multiplies, Place, Range, Accumulator>
auto product(Place&& place, Range const& values) {
  return detail::reduce_now<multiplies, identity>(
      place, values, detail::accumulator_for<Accumulator, Place, Range>{1});
}
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<multiplies, Place, Range, Accumulator>
void product_async(Place&& place, Range const& values,
                   detail::result_for<Accumulator, Place, Range> result) {
  detail::reduce_later<multiplies, identity>(
      place, values, detail::accumulator_for<Accumulator, Place, Range>{1}, result);
}

/// Smallest element, or the largest value of the type (infinity where it has one).
///
/// NaN follows extremum_options::nan.
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<minimum<>, Place, Range>
auto min(Place&& place, Range const& values, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_checked_policy<minimum, A>(options.nan, [&]<class Op>(Op) {
    return detail::reduce_now<Op, identity>(place, values, detail::highest<A>);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<minimum<>, Place, Range>
void min_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  detail::with_checked_policy<minimum, A>(options.nan, [&]<class Op>(Op) {
    detail::reduce_later<Op, identity>(place, values, detail::highest<A>, result);
  });
}

/// Largest element, or the smallest value of the type (minus infinity where it has one). NaN as
/// for min.
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<maximum<>, Place, Range>
auto max(Place&& place, Range const& values, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_checked_policy<maximum, A>(options.nan, [&]<class Op>(Op) {
    return detail::reduce_now<Op, identity>(place, values, detail::lowest<A>);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<maximum<>, Place, Range>
void max_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  detail::with_checked_policy<maximum, A>(options.nan, [&]<class Op>(Op) {
    detail::reduce_later<Op, identity>(place, values, detail::lowest<A>, result);
  });
}

/// op(init, the elements folded with op). The type of `init` is the accumulator.
///
/// The operator is plus, multiplies, minimum<> or maximum<>; any other with
/// <warpfold/reduction.cuh>.
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, identity>
    A reduce(Place&& place, Range const& values, A init, Op) {
  return detail::reduce_now<Op, identity>(place, values, init);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, identity>
void reduce_async(Place&& place, Range const& values, A init, Op,
                  detail::result_t<Place, A> result) {
  detail::reduce_later<Op, identity>(place, values, init, result);
}

/// op(init, the transformed elements folded with op). The type of `init` is the accumulator;
/// elements are converted to it before they are transformed.
///
/// The operator is plus and the transform identity or square; any others with
/// <warpfold/reduction.cuh>.
template <class Place, elements_for<Place> Range, class A, class Op, class Transform>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, Transform>
    A transform_reduce(Place&& place, Range const& values, A init, Op, Transform) {
  return detail::reduce_now<Op, Transform>(place, values, init);
}
template <class Place, elements_for<Place> Range, class A, class Op, class Transform>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, Transform>
void transform_reduce_async(Place&& place, Range const& values, A init, Op, Transform,
                            detail::result_t<Place, A> result) {
  detail::reduce_later<Op, Transform>(place, values, init, result);
}

} // namespace warpfold::inline v0
