#pragma once
// Reductions of arrays that are spread over the ranks of a communicator: the verbs of
// <warpfold/reduction.hpp> and others, with a communicator for their place.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/comm/counting.hpp>
#include <warpfold/detail/comm/contributions.hpp>
#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/exact.hpp>
#include <warpfold/extrema.hpp>
#include <warpfold/norms.hpp>
#include <warpfold/reduction.hpp>
#include <warpfold/statistics.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0 {

namespace detail {

/// What is exact is merged exactly, and rounded once.
template <class Accumulator, class Place, class Enqueue>
Accumulator merge_ranks(communicator<Place>& over, collective_verb verb, std::uint64_t elements,
                        Enqueue enqueue) {
  return fold_ranks<Accumulator>(
      over, verb, elements,
      [](Accumulator a, Accumulator const& b) {
        a.merge(b);
        return a;
      },
      enqueue);
}

/// The rank's finding as one among those of all ranks.
template <class A>
extremum<A> found_in_all(extremum<A> const& found, std::uint64_t elements, std::uint64_t first) {
  return {found.value, found.index == elements ? no_index : first + found.index};
}

template <class Op, class A>
extremum<A> first_of(std::vector<contribution<extremum<A>>> const& all) {
  using track = tracker<A, Op>;
  extremum<A> best = track::nothing();
  std::uint64_t elements = 0;
  for (auto const& one : all) {
    auto const found = found_in_all(one.result, one.elements, one.first);
    if (one.elements > 0) best = elements > 0 ? track::merge(best, found) : found;
    elements += one.elements;
  }
  return track::finish(best, elements);
}

template <class A>
description<A> described_together(std::vector<contribution<description<A>>> const& all) {
  description_tally<A, statistic::all> tally{0};
  auto whole = tally.nothing();
  for (auto const& one : all) {
    auto part = tally.nothing();
    description<A> const& d = one.result;
    part.number = static_cast<double>(d.count);
    part.nans = d.nan_count;
    if (d.count > 0) {
      // Merging subtracts shifts.
      (std::isfinite(d.mean) ? part.shift : part.offset) = d.mean;
      part.m2 = d.m2;
      part.m3 = d.m3;
      part.m4 = d.m4;
      part.low = found_in_all(extremum<A>{d.min, d.argmin}, one.elements, one.first);
      part.high = found_in_all(extremum<A>{d.max, d.argmax}, one.elements, one.first);
    }
    whole = tally(whole, part);
    tally.size += one.elements;
  }
  return tally.finish(whole);
}

} // namespace detail

// What holds for every verb below, and for those of <warpfold/comm/counting.hpp>.
//
// over        a communicator: all ranks call the verb, each with its own part of the elements,
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
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<plus, Place, Range, Accumulator>
auto sum(communicator<Place>& over, Range const& values) {
  return detail::fold_ranks<detail::accumulator_for<Accumulator, Place, Range>>(
      over, detail::collective_verb::sum, detail::elements_of<Place>(values), plus{},
      [&](auto result) { sum_async<Accumulator>(over.place(), values, result); });
}

/// The product.
template <class Accumulator = void, class Place, elements_for<Place> Range>
requires detail::built_in_verb<multiplies, Place, Range, Accumulator>
auto product(communicator<Place>& over, Range const& values) {
  return detail::fold_ranks<detail::accumulator_for<Accumulator, Place, Range>>(
      over, detail::collective_verb::product, detail::elements_of<Place>(values), multiplies{},
      [&](auto result) { product_async<Accumulator>(over.place(), values, result); });
}

/// The smallest element.
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<minimum<>, Place, Range>
auto min(communicator<Place>& over, Range const& values, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_nan_policy<minimum, A>(options.nan, [&](auto op) {
    return detail::fold_ranks<A>(
        over, detail::collective_verb::min, detail::elements_of<Place>(values), op,
        [&](auto result) { min_async(over.place(), values, result, options); });
  });
}

/// The largest element.
template <class Place, elements_for<Place> Range>
requires detail::built_in_verb<maximum<>, Place, Range>
auto max(communicator<Place>& over, Range const& values, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_nan_policy<maximum, A>(options.nan, [&](auto op) {
    return detail::fold_ranks<A>(
        over, detail::collective_verb::max, detail::elements_of<Place>(values), op,
        [&](auto result) { max_async(over.place(), values, result, options); });
  });
}

/// The sum of the products x[i] * y[i], of which each rank has a part of both.
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
auto dot(communicator<Place>& over, X const& x, Y const& y) {
  return detail::fold_ranks<detail::accumulator_for<Accumulator, Place, X>>(
      over, detail::collective_verb::dot, detail::elements_of<Place>(x), plus{},
      [&](auto result) { dot_async<Accumulator>(over.place(), x, y, result); });
}

/// The sum of all ranks' elements, correctly rounded: the same bits for any number of ranks.
template <class Result = void, class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range, Result>
auto exact_sum(communicator<Place>& over, Range const& values) {
  return detail::merge_ranks<detail::accumulator_type<Place, Range>>(
             over, detail::collective_verb::exact_sum, detail::elements_of<Place>(values),
             [&](auto result) { exact_accumulate_async(over.place(), values, result); })
      .template finish<detail::exact_result_of<Result, Place, Range>>();
}

/// The sum of the products, correctly rounded: the same bits for any number of ranks.
template <class Result = void, class Place, elements_for<Place> X, elements_for<Place> Y>
requires detail::exact_ranges<Place, X, Y, Result>
auto exact_dot(communicator<Place>& over, X const& x, Y const& y) {
  return detail::merge_ranks<detail::product_accumulator_type<Place, X>>(
             over, detail::collective_verb::exact_dot, detail::elements_of<Place>(x),
             [&](auto result) { exact_accumulate_products_async(over.place(), x, y, result); })
      .template finish<detail::exact_result_of<Result, Place, X>>();
}

/// The Euclidean norm, correctly rounded: the same bits for any number of ranks.
template <class Result = void, class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range, Result>
auto exact_norm2(communicator<Place>& over, Range const& values) {
  return detail::merge_ranks<detail::product_accumulator_type<Place, Range>>(
             over, detail::collective_verb::exact_norm2, detail::elements_of<Place>(values),
             [&](auto result) {
               detail::span_t<Place, Range> const all(values);
               detail::check_elements("values", all.data(), all.size());
               exact_accumulate_products_async(over.place(), values, values, result);
             })
      .template finish_root<detail::exact_result_of<Result, Place, Range>>();
}

/// The description of all elements. Ranks' moments are merged as those of the parts of one array
/// are.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto describe(communicator<Place>& over, Range const& values) {
  return detail::described_together(detail::contributions<detail::description_for<Place, Range>>(
      over, detail::collective_verb::describe, detail::elements_of<Place>(values),
      [&](auto result) { describe_async(over.place(), values, result); }));
}

/// The first of the smallest elements, and its number among those of all ranks.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto argmin(communicator<Place>& over, Range const& values, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_nan_policy<minimum, A>(options.nan, [&]<class Op>(Op) {
    return detail::first_of<Op>(detail::contributions<extremum<A>>(
        over, detail::collective_verb::argmin, detail::elements_of<Place>(values),
        [&](auto result) { argmin_async(over.place(), values, result, options); }));
  });
}

/// The first of the largest elements, and its number among those of all ranks.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto argmax(communicator<Place>& over, Range const& values, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_nan_policy<maximum, A>(options.nan, [&]<class Op>(Op) {
    return detail::first_of<Op>(detail::contributions<extremum<A>>(
        over, detail::collective_verb::argmax, detail::elements_of<Place>(values),
        [&](auto result) { argmax_async(over.place(), values, result, options); }));
  });
}

/// What min() and max() return.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto minmax(communicator<Place>& over, Range const& values, extremum_options const& options = {}) {
  using A = detail::accumulator_for<void, Place, Range>;
  return detail::with_nan_policy<minimum, A>(options.nan, [&]<nan_policy Nan>(minimum<Nan> least) {
    return detail::fold_ranks<min_max<A>>(
        over, detail::collective_verb::minmax, detail::elements_of<Place>(values),
        [=](min_max<A> const& a, min_max<A> const& b) {
          return min_max<A>{least(a.min, b.min), maximum<Nan>{}(a.max, b.max)};
        },
        [&](auto result) { minmax_async(over.place(), values, result, options); });
  });
}

} // namespace warpfold::inline v0
