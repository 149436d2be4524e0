#pragma once
// The computations of verbs over arrays, for their blocking and _async forms alike.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/core/verbs.hpp>
#include <warpfold/detail/reduction/arguments.hpp>

#include <concepts>
#include <span>
#include <type_traits>

namespace warpfold::inline v0 {

template <class T>
struct extremum;
template <class T>
struct min_max;
template <class T>
struct description;

namespace detail {

template <class Place, class Range>
using extremum_for = extremum<accumulator_for<void, Place, Range>>;
template <class Place, class Range>
using min_max_for = min_max<accumulator_for<void, Place, Range>>;
template <class Place, class Range>
using description_for = description<accumulator_for<void, Place, Range>>;

/// A Result that enqueue(Result*, blocking) writes to memory of the place. An enqueue to which it
/// is all the same whether the caller waits leaves `blocking` out. now and later name the verb.
template <class Result, class Place, class Enqueue>
struct job {
  Place& place;
  Enqueue enqueue;

  [[nodiscard]] Result now(char const* name) const {
    verb const scope(name);
    return compute_now<Result>(place, [&](Result* result) { run(result, true); });
  }
  void later(char const* name, result_t<Place, Result> result,
             char const* argument = "result") const {
    verb const scope(name);
    compute_later(
        result, [&](Result* to) { run(to, false); }, argument);
  }

private:
  void run(Result* result, bool blocking) const {
    if constexpr (std::invocable<Enqueue const&, Result*, bool>) enqueue(result, blocking);
    else enqueue(result);
  }
};
template <class Result, class Place, class Enqueue>
job<Result, Place, Enqueue> job_of(Place& place, Enqueue enqueue) {
  return {place, enqueue};
}

// The backends: each computes into *result, which must be accessible to the place. Defined for the
// built-in element types.

/// op(init, fold of the transformed values); of those that count, unless `count` is null.
template <class T, class A, class Op, class Transform>
void reduce_to(gpu& place, device_span<T const> values, A init, A* result,
               std::uint64_t const* count = nullptr);
template <class T, class A, class Op, class Transform>
void reduce_to(host const& place, std::span<T const> values, A init, A* result,
               std::uint64_t const* count = nullptr);

/// The element that Op, a minimum or maximum, keeps, and its index.
template <class T, class Op, class A>
void find_to(gpu& place, device_span<T const> values, extremum<A>* result);
template <class T, class Op, class A>
void find_to(host const& place, std::span<T const> values, extremum<A>* result);

template <class T, nan_policy Nan, class A>
void min_max_to(gpu& place, device_span<T const> values, min_max<A>* result);
template <class T, nan_policy Nan, class A>
void min_max_to(host const& place, std::span<T const> values, min_max<A>* result);

template <class T, class A>
void describe_to(gpu& place, device_span<T const> values, description<A>* result);
template <class T, class A>
void describe_to(host const& place, std::span<T const> values, description<A>* result);

enum class moment { mean, variance };
template <class T>
void moment_to(gpu& place, device_span<T const> values, moment which, double* result);
template <class T>
void moment_to(host const& place, std::span<T const> values, moment which, double* result);

/// Calls use(Extremum<policy>{}); integers have no NaN to ask about.
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

template <nan_policy Nan>
struct policy_tag {
  static constexpr nan_policy nan = Nan;
};

template <class Op, class Transform = identity, class A, class Place, class Range>
auto fold_job(Place& place, Range const& values, A init) {
  return job_of<A>(place, [&place, &values, init](A* result) {
    using room = room_t<Range>;
    reduce_to<element_t<Place, room>, A, Op, Transform>(place, span_t<Place, room>(room_of(values)),
                                                        init, result, count_of<Place>(values));
  });
}

/// Op's fold of the values alone, in the accumulator asked for.
template <class Op, class Asked, class Place, class Range>
auto fold_job(Place& place, Range const& values) {
  return fold_job<Op>(place, values, neutral<Op, accumulator_for<Asked, Place, Range>>);
}

template <template <nan_policy> class Extremum, class Place, class Range>
auto extremum_job(Place& place, Range const& values, nan_policy policy) {
  using A = accumulator_for<void, Place, Range>;
  return job_of<A>(place, [&place, &values, policy](A* result) {
    with_checked_policy<Extremum, A>(
        policy, [&]<class Op>(Op) { fold_job<Op>(place, values, neutral<Op, A>).enqueue(result); });
  });
}

template <template <nan_policy> class Extremum, class Place, class Range>
auto find_job(Place& place, Range const& values, nan_policy policy) {
  using A = accumulator_for<void, Place, Range>;
  return job_of<extremum<A>>(
      place, [&place, view = span_t<Place, Range>(values), policy](extremum<A>* result) {
        with_checked_policy<Extremum, A>(policy, [&]<class Op>(Op) {
          find_to<element_t<Place, Range>, Op>(place, view, result);
        });
      });
}

template <class Place, class Range>
auto min_max_job(Place& place, Range const& values, nan_policy policy) {
  using A = accumulator_for<void, Place, Range>;
  return job_of<min_max<A>>(
      place, [&place, view = span_t<Place, Range>(values), policy](min_max<A>* result) {
        with_checked_policy<policy_tag, A>(policy, [&]<class Policy>(Policy) {
          min_max_to<element_t<Place, Range>, Policy::nan>(place, view, result);
        });
      });
}

template <class Place, class Range>
auto description_job(Place& place, Range const& values) {
  using result_type = description<accumulator_for<void, Place, Range>>;
  return job_of<result_type>(place,
                             [&place, view = span_t<Place, Range>(values)](result_type* result) {
                               describe_to<element_t<Place, Range>>(place, view, result);
                             });
}

template <class Place, class Range>
auto moment_job(Place& place, Range const& values, moment which) {
  return job_of<double>(place,
                        [&place, view = span_t<Place, Range>(values), which](double* result) {
                          moment_to<element_t<Place, Range>>(place, view, which, result);
                        });
}

} // namespace detail
} // namespace warpfold::inline v0
