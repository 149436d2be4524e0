#pragma once
// Reductions of arrays that are spread over the ranks of a communicator: the verbs of
// <warpfold/reduction.hpp> and others, with a communicator for their place.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/comm/counting.hpp>
#include <warpfold/detail/comm/contributions.hpp>
#include <warpfold/norms.hpp>
#include <warpfold/reduction/exact.hpp>

namespace warpfold::inline v0 {

// Contract of every verb below, and of those of <warpfold/comm/counting.hpp>.
//
// comm        a communicator: all ranks call the verb, each with its own part of the elements,
//             which live where its place works. Elements are numbered through the ranks in
//             their order; a rank may have none.
// Returns     the result for all of them together, on every rank. Blocks.
// Elements    and options as of the verb of the same name that takes a place.
// Determinism what each rank has is folded as there, and the ranks' results in their order: the
//             same bits on every run for the same parts. Exact results, extrema, counts and
//             integers are the same however the elements are spread, and on however many ranks.
// Throws      what that verb throws, and then the other ranks throw communication_error; this too
//             if the ranks call different verbs, and if one does not come in time. vendor_error
//             from NCCL.

/// The sum of all ranks' elements.
template <class Accumulator = void, class Place,
          detail::built_in_elements<Place, Accumulator> Range>
auto sum(communicator<Place>& comm, Range const& values) {
  detail::verb const scope("sum");
  return detail::fold_ranks<detail::accumulator_for<Accumulator, Place, Range>>(
      comm, values, plus{},
      [&](auto result) { sum_async<Accumulator>(comm.place(), values, result); });
}

/// The product.
template <class Accumulator = void, class Place,
          detail::built_in_elements<Place, Accumulator> Range>
auto product(communicator<Place>& comm, Range const& values) {
  detail::verb const scope("product");
  return detail::fold_ranks<detail::accumulator_for<Accumulator, Place, Range>>(
      comm, values, multiplies{},
      [&](auto result) { product_async<Accumulator>(comm.place(), values, result); });
}

/// The smallest element.
template <class Place, detail::built_in_elements<Place> Range>
auto min(communicator<Place>& comm, Range const& values, extremum_options const& options = {}) {
  detail::verb const scope("min");
  return detail::extremum_of_ranks<minimum>(comm, values, options.nan, [&](auto result) {
    min_async(comm.place(), values, result, options);
  });
}

/// The largest element.
template <class Place, detail::built_in_elements<Place> Range>
auto max(communicator<Place>& comm, Range const& values, extremum_options const& options = {}) {
  detail::verb const scope("max");
  return detail::extremum_of_ranks<maximum>(comm, values, options.nan, [&](auto result) {
    max_async(comm.place(), values, result, options);
  });
}

/// The sum of the products x[i] * y[i], of which each rank has a part of both.
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
auto dot(communicator<Place>& comm, X const& x, Y const& y) {
  detail::verb const scope("dot");
  return detail::fold_ranks<detail::accumulator_for<Accumulator, Place, X>>(
      comm, x, plus{}, [&](auto result) { dot_async<Accumulator>(comm.place(), x, y, result); });
}

/// The sum of all ranks' elements, correctly rounded: the same bits for any number of ranks.
template <class Result = void, class Place, detail::exact_elements<Place, Result> Range>
auto exact_sum(communicator<Place>& comm, Range const& values) {
  detail::verb const scope("exact_sum");
  return detail::fold_ranks<detail::accumulator_type<Place, Range>>(
             comm, values, detail::merging{},
             [&](auto result) { exact_accumulate_async(comm.place(), values, result); })
      .template finish<detail::exact_result_of<Result, Place, Range>>();
}

/// The sum of the products, correctly rounded: the same bits for any number of ranks.
template <class Result = void, class Place, detail::exact_elements<Place, Result> X,
          detail::same_elements<Place, X> Y>
auto exact_dot(communicator<Place>& comm, X const& x, Y const& y) {
  detail::verb const scope("exact_dot");
  return detail::fold_ranks<detail::product_accumulator_type<Place, X>>(
             comm, x, detail::merging{},
             [&](auto result) { exact_accumulate_products_async(comm.place(), x, y, result); })
      .template finish<detail::exact_result_of<Result, Place, X>>();
}

/// The Euclidean norm, correctly rounded: the same bits for any number of ranks.
template <class Result = void, class Place, detail::exact_elements<Place, Result> Range>
auto exact_norm2(communicator<Place>& comm, Range const& values) {
  detail::verb const scope("exact_norm2");
  return detail::fold_ranks<detail::product_accumulator_type<Place, Range>>(
             comm, values, detail::merging{},
             [&](auto result) {
               detail::span_t<Place, Range> const all(values);
               detail::check_elements("values", all.data(), all.size());
               exact_accumulate_products_async(comm.place(), values, values, result);
             })
      .template finish_root<detail::exact_result_of<Result, Place, Range>>();
}

/// The description of all elements. Ranks' moments are merged as those of parts of one array.
template <class Place, detail::built_in_elements<Place> Range>
auto describe(communicator<Place>& comm, Range const& values) {
  detail::verb const scope("describe");
  return detail::described_together(detail::contributions<detail::description_for<Place, Range>>(
      comm, values, [&](auto result) { describe_async(comm.place(), values, result); }));
}

/// The first of the smallest elements, and its number among those of all ranks.
template <class Place, detail::built_in_elements<Place> Range>
auto argmin(communicator<Place>& comm, Range const& values, extremum_options const& options = {}) {
  detail::verb const scope("argmin");
  return detail::first_extremum_of_ranks<minimum>(comm, values, options.nan, [&](auto result) {
    argmin_async(comm.place(), values, result, options);
  });
}

/// The first of the largest elements, and its number among those of all ranks.
template <class Place, detail::built_in_elements<Place> Range>
auto argmax(communicator<Place>& comm, Range const& values, extremum_options const& options = {}) {
  detail::verb const scope("argmax");
  return detail::first_extremum_of_ranks<maximum>(comm, values, options.nan, [&](auto result) {
    argmax_async(comm.place(), values, result, options);
  });
}

/// The smallest and the largest element.
template <class Place, detail::built_in_elements<Place> Range>
auto minmax(communicator<Place>& comm, Range const& values, extremum_options const& options = {}) {
  detail::verb const scope("minmax");
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_nan_policy<minimum, A>(options.nan, [&]<nan_policy Nan>(minimum<Nan> least) {
    return detail::fold_ranks<min_max<A>>(
        comm, values,
        [=](min_max<A> const& a, min_max<A> const& b) {
          return min_max<A>{least(a.min, b.min), maximum<Nan>{}(a.max, b.max)};
        },
        [&](auto result) { minmax_async(comm.place(), values, result, options); },
        detail::policy_number(options.nan));
  });
}

} // namespace warpfold::inline v0
