#pragma once
// The computations that have twins. A task is one with its parameters; it says for which elements
// the vendors' code is compiled, and computes by warpfold's own.

#include <warpfold/detail/counting/count.hpp>
#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/reduction.hpp>
#include <warpfold/reduction/extrema.hpp>
#include <warpfold/reduction/statistics.hpp>
#include <warpfold/twins/tags.hpp>

namespace warpfold::inline v0::detail {

template <class T, class A>
concept compared_element = one_of<T, std::int32_t, float, double> &&
    std::same_as<A, typename default_accumulator<T>::type>;
template <class T, class A, class Op, class Transform>
concept compared_reduction = built_in_reduction<T, A, Op, Transform> &&
    ((one_of<Op, plus> && one_of<Transform, identity>) || compared_element<T, A>);
template <class T, class Measure>
concept compared_measure = one_of<T, float, double> ||
    (std::same_as<T, __half>&& std::same_as<Measure, sum_and_bound<T>>);
template <class T, class A>
concept compared_dot = compared_element<T, A> ||(std::same_as<T, __half>&& std::same_as<A, float>);
template <class T, class Predicate>
concept compared_predicate = (std::same_as<T, float> && built_in_predicate<float, Predicate>) ||
                             (std::same_as<T, double> &&
                              one_of<Predicate, less_than<double>, greater_than<double>, is_nan>) ||
                             (std::same_as<T, std::int32_t> &&
                              one_of<Predicate, less_than<std::int32_t>, equal_to<std::int32_t>>) ||
                             (std::same_as<T, __half> &&
                              std::same_as<Predicate, greater_than<__half>>);

template <class A, class Op, class Transform = identity>
struct reduce_task {
  using output = A*;
  template <class T>
  static constexpr bool is_compared = compared_reduction<T, A, Op, Transform>;
  A init;

  template <class T, class Place, class Span>
  void own(Place& place, Span values, A* result) const {
    reduce_to<T, A, Op, Transform>(place, values, init, result);
  }
};

/// A task that exists for the elements' default accumulator alone.
template <class Result>
struct usual_task {
  using output = Result*;
  template <class T>
  static constexpr bool is_compared = one_of<T, std::int32_t, float, double>;
};

template <class A, class Op>
struct find_task : usual_task<extremum<A>> {
  template <class T, class Place, class Span>
  void own(Place& place, Span values, extremum<A>* result) const {
    find_to<T, Op>(place, values, result);
  }
};

template <class A, nan_policy Nan>
struct min_max_task : usual_task<min_max<A>> {
  template <class T, class Place, class Span>
  void own(Place& place, Span values, min_max<A>* result) const {
    min_max_to<T, Nan>(place, values, result);
  }
};

template <class A>
struct describe_task : usual_task<description<A>> {
  template <class T, class Place, class Span>
  void own(Place& place, Span values, description<A>* result) const {
    describe_to<T>(place, values, result);
  }
};

struct moment_task : usual_task<double> {
  moment which;

  template <class T, class Place, class Span>
  void own(Place& place, Span values, output result) const {
    moment_to<T>(place, values, which, result);
  }
};

template <class Measure>
struct measure_task {
  using output = typename Measure::result*;
  template <class T>
  static constexpr bool is_compared = compared_measure<T, Measure>;

  template <class T, class Place, class Span>
  void own(Place& place, Span values, output result) const {
    measure_to<T, Measure>(place, values, result);
  }
};

/// The values are the other factors.
template <class X, class A>
struct dot_task {
  using output = A*;
  template <class T>
  static constexpr bool is_compared = compared_dot<T, A>;
  X const* y;
  std::size_t size;

  template <class T, class Place, class Span>
  void own(Place& place, Span x, output result) const {
    dot_to<T>(place, x, Span(y, size), result);
  }
};

template <class Predicate>
struct count_task {
  using output = count_answer;
  template <class T>
  static constexpr bool is_compared = compared_predicate<T, Predicate>;
  Predicate predicate;

  template <class T, class Place, class Span>
  void own(Place& place, Span values, output const& answer) const {
    count_to<T>(place, values, predicate, answer);
  }
};

/// Does a task by a twin, where that is compiled. `blocking` says that the caller will wait:
/// scratch memory may grow, and methods that block may run.
template <class T, class Task>
void twin_to(twins::reducer twin, gpu& place, device_span<T const> values, Task const& task,
             typename Task::output output, bool blocking);
template <class T, class Task>
void twin_to(twins::reducer twin, host const& place, std::span<T const> values, Task const& task,
             typename Task::output output, bool blocking);

/// Refuses twins other than warpfold's own code: nothing else is compiled.
void check_own(twins::reducer twin);

/// The job of do_task(run), which calls run(task, output) once.
template <class Result, class Place, class Range, class Do>
auto twin_job_of(Place& place, Range const& values, twins::reducer twin, Do do_task) {
  using T = element_t<Place, Range>;
  return job_of<Result>(place, [&place, view = span_t<Place, Range>(values), twin,
                                do_task](Result* result, bool blocking) {
    do_task(result, [&]<class Task>(Task const& task, typename Task::output output) {
      if constexpr (Task::template is_compared<T>) {
        twin_to<T>(twin, place, view, task, output, blocking);
      } else {
        check_own(twin);
        task.template own<T>(place, view, output);
      }
    });
  });
}

template <class Task, class Place, class Range>
auto task_job(Place& place, Range const& values, Task const& task, twins::reducer twin) {
  using result = std::remove_pointer_t<typename Task::output>;
  return twin_job_of<result>(place, values, twin, [task](result* to, auto run) { run(task, to); });
}

template <class Op, class Transform = identity, class A, class Place, class Range>
auto fold_twin(Place& place, Range const& values, A init, twins::reducer twin) {
  return task_job(place, values, reduce_task<A, Op, Transform>{init}, twin);
}

/// Op's fold of the values alone, in the accumulator asked for.
template <class Op, class Asked, class Place, class Range>
auto fold_twin(Place& place, Range const& values, twins::reducer twin) {
  return fold_twin<Op>(place, values, neutral<Op, accumulator_for<Asked, Place, Range>>, twin);
}

template <template <nan_policy> class Extremum, class Place, class Range>
auto extremum_twin(Place& place, Range const& values, nan_policy policy, twins::reducer twin) {
  using A = accumulator_for<void, Place, Range>;
  return twin_job_of<A>(place, values, twin, [policy](A* result, auto run) {
    with_checked_policy<Extremum, A>(
        policy, [&]<class Op>(Op) { run(reduce_task<A, Op>{neutral<Op, A>}, result); });
  });
}

template <template <nan_policy> class Extremum, class Place, class Range>
auto find_twin(Place& place, Range const& values, nan_policy policy, twins::reducer twin) {
  using A = accumulator_for<void, Place, Range>;
  return twin_job_of<extremum<A>>(place, values, twin, [policy](extremum<A>* result, auto run) {
    with_checked_policy<Extremum, A>(policy,
                                     [&]<class Op>(Op) { run(find_task<A, Op>{}, result); });
  });
}

template <class Place, class Range>
auto min_max_twin(Place& place, Range const& values, nan_policy policy, twins::reducer twin) {
  using A = accumulator_for<void, Place, Range>;
  return twin_job_of<min_max<A>>(place, values, twin, [policy](min_max<A>* result, auto run) {
    with_checked_policy<policy_tag, A>(
        policy, [&]<class Policy>(Policy) { run(min_max_task<A, Policy::nan>{}, result); });
  });
}

template <class Place, class Range>
auto description_twin(Place& place, Range const& values, twins::reducer twin) {
  return task_job(place, values, describe_task<accumulator_for<void, Place, Range>>{}, twin);
}

template <class Place, class Range>
auto moment_twin(Place& place, Range const& values, moment which, twins::reducer twin) {
  return task_job(place, values, moment_task{{}, which}, twin);
}

template <template <class> class Measure, class Place, class Range>
auto measure_twin(Place& place, Range const& values, twins::reducer twin) {
  return task_job(place, values, measure_task<Measure<element_t<Place, Range>>>{}, twin);
}

template <class Asked, class Place, class X, class Y>
auto dot_twin(Place& place, X const& x, Y const& y, twins::reducer twin) {
  span_t<Place, Y> const others(y);
  using task = dot_task<element_t<Place, Y>, accumulator_for<Asked, Place, X>>;
  return task_job(place, x, task{others.data(), others.size()}, twin);
}

/// The member `Answer` of a count_answer.
template <auto Answer, class Place, class Range, class Predicate>
auto count_twin(Place& place, Range const& values, Predicate predicate, twins::reducer twin) {
  using result = std::remove_pointer_t<std::remove_reference_t<decltype(count_answer{}.*Answer)>>;
  std::uint64_t const size = span_t<Place, Range>(values).size();
  return twin_job_of<result>(place, values, twin, [predicate, size](result* to, auto run) {
    count_answer answer{.size = size};
    answer.*Answer = to;
    run(count_task<Predicate>{predicate}, answer);
  });
}

} // namespace warpfold::inline v0::detail
