#pragma once
// Tasks as the vendors' methods are given them, so that they keep the verbs' contracts: a fold of
// transformed elements, and where its result goes.

#include "counted_sum.hpp"

#include <warpfold/detail/core/output.hpp>
#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/extremum_tally.hpp>
#include <warpfold/detail/reduction/pair_reader.hpp>
#include <warpfold/detail/twins/tasks.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// store(the fold with op of init and the transformed elements)
template <class Input, class Op, class Transform, class A, class Store>
struct fold_form {
  Input first;
  std::size_t size;
  Op op;
  Transform transform;
  A init;
  Store store;
};
template <class Input, class Op, class Transform, class A, class Store>
fold_form(Input, std::size_t, Op, Transform, A, Store) -> fold_form<Input, Op, Transform, A, Store>;

template <class A>
struct store_plain {
  A* result;
  WARPFOLD_HOST_DEVICE void operator()(A const& value) const { *result = value; }
};

/// A minimum or maximum that nothing times. It chooses at run time: each type of operator takes the
/// compilers seconds.
struct any_extremum {
  using is_commutative = void;
  bool greatest, ignores_nan;

  template <class A>
  WARPFOLD_HOST_DEVICE A operator()(A a, A b) const {
    constexpr auto ignore = nan_policy::ignore;
    if (greatest) return ignores_nan ? maximum<ignore>{}(a, b) : maximum<>{}(a, b);
    return ignores_nan ? minimum<ignore>{}(a, b) : minimum<>{}(a, b);
  }
};
template <class Op>
constexpr Op vendor_op(Op op) {
  return op;
}
template <nan_policy Nan>
constexpr any_extremum vendor_op(maximum<Nan>) {
  return {true, Nan == nan_policy::ignore};
}
constexpr any_extremum vendor_op(minimum<nan_policy::ignore>) { return {false, true}; }

template <class T, class A, class Op, class Transform>
auto form_of(reduce_task<A, Op, Transform> const& task, T const* values, std::size_t size,
             A* result) {
  return fold_form{
      values, size, vendor_op(Op{}), widened<A, Transform>{}, task.init, store_plain<A>{result}};
}

/// Element number i, as a tally's partial of one element.
template <class T, class Tally>
struct partial_at {
  T const* values;
  WARPFOLD_HOST_DEVICE typename Tally::partial operator()(std::int64_t i) const {
    return Tally::of(widen<typename Tally::element>(values[i]), static_cast<std::uint64_t>(i));
  }
};
template <class T, class Tally, class Store>
auto tally_form(Tally const& tally, T const* values, std::size_t size, Store const& store) {
  return fold_form{::thrust::counting_iterator<std::int64_t>(0),
                   size,
                   tally,
                   partial_at<T, Tally>{values},
                   Tally::nothing(),
                   store};
}

template <class Tally>
struct store_tally {
  Tally tally;
  typename Tally::result* result;
  WARPFOLD_HOST_DEVICE void operator()(typename Tally::partial const& total) const {
    *result = tally.finish(total);
  }
};
template <class T, class A, class Op>
auto form_of(find_task<A, Op> const&, T const* values, std::size_t size, extremum<A>* result) {
  using tally = extremum_tally<A, Op>;
  return tally_form(tally{size}, values, size, store_tally<tally>{tally{size}, result});
}

template <class T, class A, nan_policy Nan>
auto form_of(min_max_task<A, Nan> const&, T const* values, std::size_t size, min_max<A>* result) {
  return fold_form{values,
                   size,
                   min_max_op<Nan>{},
                   both_extrema<A>{},
                   min_max_of_nothing<A>,
                   store_plain<min_max<A>>{result}};
}

/// One reduction of all statistics serves every verb: each takes the compilers seconds. One of the
/// addresses is null.
template <class A>
struct store_statistics {
  description_tally<A, statistic::all> tally;
  description<A>* all;
  double* one;
  moment which;
  WARPFOLD_HOST_DEVICE void
  operator()(typename description_tally<A, statistic::all>::partial const& total) const {
    description<A> const made = tally.finish(total);
    if (all) *all = made;
    if (one) *one = moment_of(made, which);
  }
};
template <class A, class T>
auto statistics_form(T const* values, std::size_t size, description<A>* all, double* one,
                     moment which) {
  description_tally<A, statistic::all> const tally{size};
  return tally_form(tally, values, size, store_statistics<A>{tally, all, one, which});
}
template <class T, class A>
auto form_of(describe_task<A> const&, T const* values, std::size_t size, description<A>* result) {
  return statistics_form<A>(values, size, result, nullptr, {});
}
template <class T>
auto form_of(moment_task const& task, T const* values, std::size_t size, double* result) {
  using A = typename default_accumulator<T>::type;
  return statistics_form<A>(values, size, nullptr, result, task.which);
}

template <class T, class Measure>
auto form_of(measure_task<Measure> const&, T const* values, std::size_t size,
             typename Measure::result* result) {
  using M = typename vendor_measure<Measure>::type;
  using A = typename M::accumulator;
  using finish = decltype(M::finish());
  return fold_form{values,
                   size,
                   typename M::op{},
                   as_accumulator<A, typename M::transform>{},
                   A{},
                   store_finished<finish, typename M::result>{M::finish(), result}};
}

template <class T, class A>
auto form_of(dot_task<T, A> const& task, T const* x, std::size_t size, A* result) {
  return fold_form{::thrust::make_zip_iterator(x, task.y),
                   size,
                   plus{},
                   ::thrust::make_zip_function(widened_product<A>{}),
                   A{},
                   store_plain<A>{result}};
}

template <class T, class Predicate>
auto form_of(count_task<Predicate> const& task, T const* values, std::size_t size,
             count_answer const& answer) {
  return fold_form{values,           size,
                   plus{},           one_if<Predicate, std::uint64_t>{task.predicate},
                   std::uint64_t{0}, answer};
}

} // namespace warpfold::inline v0::detail
