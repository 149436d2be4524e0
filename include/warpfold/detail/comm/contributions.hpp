#pragma once
// The ranks' parts of a result: gathered in records, and merged in their order.

#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/reduction.hpp>
#include <warpfold/reduction/extrema.hpp>
#include <warpfold/reduction/statistics.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace warpfold::inline v0::detail {

/// A rank's part of a result. It stands for `elements` elements, of which the first has number
/// `first` among those of all ranks.
template <class Result>
struct contribution {
  Result result;
  std::uint64_t elements, first;
};

/// The contributions of all ranks, in their order. enqueue(result) makes this rank's, in memory of
/// the place.
template <class Result, class Place, class Range, class Enqueue>
std::vector<contribution<Result>> contributions(communicator<Place>& comm, collective_verb verb,
                                                Range const& values, Enqueue enqueue) {
  static_assert(sizeof(Result) <= sizeof(record::result));
  collective const group(comm);
  return group.guarded([&] {
    void* const mine = group.open_record(
        {verb, std::uint32_t{sizeof(Result)}, span_t<Place, Range>(values).size()});
    enqueue(result_t<Place, Result>(static_cast<Result*>(mine), 1));
    std::vector<contribution<Result>> all;
    std::uint64_t first = 0;
    for (record const& one : group.gather_records()) {
      contribution<Result> next{{}, one.head.elements, first};
      std::memcpy(static_cast<void*>(&next.result), one.result, sizeof(Result));
      all.push_back(next);
      first += one.head.elements;
    }
    return all;
  });
}

/// The results of all ranks folded in their order.
template <class Result, class Place, class Range, class Op, class Enqueue>
Result fold_ranks(communicator<Place>& comm, collective_verb verb, Range const& values, Op op,
                  Enqueue enqueue) {
  auto const all = contributions<Result>(comm, verb, values, enqueue);
  Result result = all[0].result;
  for (std::size_t r = 1; r < all.size(); ++r) result = op(result, all[r].result);
  return result;
}

/// Accumulators of all ranks, merged exactly.
template <class Accumulator, class Place, class Range, class Enqueue>
Accumulator merge_ranks(communicator<Place>& comm, collective_verb verb, Range const& values,
                        Enqueue enqueue) {
  return fold_ranks<Accumulator>(
      comm, verb, values,
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

} // namespace warpfold::inline v0::detail
