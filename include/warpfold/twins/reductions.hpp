#pragma once
// The verbs of <warpfold/reduction.hpp> by CUB and Thrust, and sums by the classic ladder: a tag
// after the required arguments asks for them.
//
// Compiled     CUB: sums of all elements and accumulators, all else of std::int32_t, float and
//              double in their default accumulators. Thrust: std::int32_t, float and double in
//              their default accumulators. Classics: sums in the default accumulators.
// Blocking     every twin; _async forms on a gpu: CUB's and the classics', not Thrust's.
// Scratch      from the gpu's workspace. A blocking call makes it grow; an _async call is refused
//              where it is too small, until gpu::reserve or a blocking call has made room.
// Determinism  CUB and Thrust: the same bits on every run on one GPU model, and on a host for any
//              number of threads on one machine. Classics: see twins::classic.
// Throws       what the verb throws; argument_error "twin" for a tag that the place, the form or
//              the elements do not have; cuda_error.

#include <warpfold/reduction.hpp>
#include <warpfold/twins/tags.hpp>

namespace warpfold::inline v0 {

namespace detail {

/// What is compiled.
template <class T, class A>
concept compared_element = one_of<T, std::int32_t, float, double> &&
    std::same_as<A, typename default_accumulator<T>::type>;
template <class T, class A, class Op, class Transform>
concept compared_reduction = built_in_reduction<T, A, Op, Transform> &&
    ((one_of<Op, plus> && one_of<Transform, identity>) || compared_element<T, A>);

/// Refuses twins other than warpfold's own code: nothing else is compiled.
void check_own(twins::reducer twin);

/// A verb's door; see reduce_to. `blocking` says that the caller will wait, so that scratch memory
/// may grow and methods that block may run.
template <class T, class A, class Op, class Transform>
void reduce_by(twins::reducer twin, gpu& place, device_span<T const> values, A init, A* result,
               bool blocking);
template <class T, class A, class Op, class Transform>
void reduce_by(twins::reducer twin, host const& place, std::span<T const> values, A init, A* result,
               bool blocking);

/// The twin where it is compiled, else warpfold's own.
template <class Op, class Transform, class Place, class Range, class A>
void reduce_by_twin(twins::reducer twin, Place& place, Range const& values, A init, A* result,
                    bool blocking) {
  using T = element_t<Place, Range>;
  span_t<Place, Range> const input(values);
  if constexpr (compared_reduction<T, A, Op, Transform>) {
    reduce_by<T, A, Op, Transform>(twin, place, input, init, result, blocking);
  } else {
    check_own(twin);
    reduce_to<T, A, Op, Transform>(place, input, init, result);
  }
}
template <class Op, class Transform, class A, class Place, class Range>
A reduce_now(Place& place, Range const& values, A init, twins::reducer twin) {
  return compute_now<A>(place, [&](A* result) {
    reduce_by_twin<Op, Transform>(twin, place, values, init, result, true);
  });
}
template <class Op, class Transform, class A, class Place, class Range>
void reduce_later(Place& place, Range const& values, A init, result_t<Place, A> result,
                  twins::reducer twin) {
  compute_later(
      result, [&](A* to) { reduce_by_twin<Op, Transform>(twin, place, values, init, to, false); });
}

} // namespace detail

/// sum by a twin.
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<plus, Place, Range, Accumulator>
auto sum(Place&& place, Range const& values, twins::reducer twin) {
  using A = detail::accumulator_for<Accumulator, Place, Range>;
  return detail::reduce_now<plus, identity>(place, values, A{0}, twin);
}
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<plus, Place, Range, Accumulator>
void sum_async(Place&& place, Range const& values,
               detail::result_for<Accumulator, Place, Range> result, twins::reducer twin) {
  using A = detail::accumulator_for<Accumulator, Place, Range>;
  detail::reduce_later<plus, identity>(place, values, A{0}, result, twin);
}

/// product by a twin.
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<multiplies, Place, Range, Accumulator>
auto product(Place&& place, Range const& values, twins::reducer twin) {
  using A = detail::accumulator_for<Accumulator, Place, Range>;
  return detail::reduce_now<multiplies, identity>(place, values, A{1}, twin);
}
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<multiplies, Place, Range, Accumulator>
void product_async(Place&& place, Range const& values,
                   detail::result_for<Accumulator, Place, Range> result, twins::reducer twin) {
  using A = detail::accumulator_for<Accumulator, Place, Range>;
  detail::reduce_later<multiplies, identity>(place, values, A{1}, result, twin);
}

/// min by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<minimum<>, Place, Range>
auto min(Place&& place, Range const& values, twins::vendor twin,
         extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_checked_policy<minimum, A>(options.nan, [&]<class Op>(Op) {
    return detail::reduce_now<Op, identity>(place, values, detail::highest<A>, twin);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<minimum<>, Place, Range>
void min_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               twins::vendor twin, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  detail::with_checked_policy<minimum, A>(options.nan, [&]<class Op>(Op) {
    detail::reduce_later<Op, identity>(place, values, detail::highest<A>, result, twin);
  });
}

/// max by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<maximum<>, Place, Range>
auto max(Place&& place, Range const& values, twins::vendor twin,
         extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_checked_policy<maximum, A>(options.nan, [&]<class Op>(Op) {
    return detail::reduce_now<Op, identity>(place, values, detail::lowest<A>, twin);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<maximum<>, Place, Range>
void max_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               twins::vendor twin, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  detail::with_checked_policy<maximum, A>(options.nan, [&]<class Op>(Op) {
    detail::reduce_later<Op, identity>(place, values, detail::lowest<A>, result, twin);
  });
}

/// reduce by a twin.
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, identity>
    A reduce(Place&& place, Range const& values, A init, Op, twins::reducer twin) {
  return detail::reduce_now<Op, identity>(place, values, init, twin);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, identity>
void reduce_async(Place&& place, Range const& values, A init, Op, detail::result_t<Place, A> result,
                  twins::reducer twin) {
  detail::reduce_later<Op, identity>(place, values, init, result, twin);
}

/// transform_reduce by a twin.
template <class Place, elements_for<Place> Range, class A, class Op, class Transform>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, Transform> A
transform_reduce(Place&& place, Range const& values, A init, Op, Transform, twins::reducer twin) {
  return detail::reduce_now<Op, Transform>(place, values, init, twin);
}
template <class Place, elements_for<Place> Range, class A, class Op, class Transform>
requires detail::built_in_reduction<detail::element_t<Place, Range>, A, Op, Transform>
void transform_reduce_async(Place&& place, Range const& values, A init, Op, Transform,
                            detail::result_t<Place, A> result, twins::reducer twin) {
  detail::reduce_later<Op, Transform>(place, values, init, result, twin);
}

} // namespace warpfold::inline v0
