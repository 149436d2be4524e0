#pragma once
// The ranks' parts of a result: gathered in records, and merged in their order.

#include <warpfold/counting/histogram.hpp>
#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/comm/digest.hpp>
#include <warpfold/detail/counting/predicates.hpp>
#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/reduction.hpp>
#include <warpfold/reduction/extrema.hpp>
#include <warpfold/reduction/statistics.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::detail {

/// A rank's part of a result, of its `elements` elements from number `first` of all ranks' on.
template <class Result>
struct contribution {
  Result result;
  std::uint64_t elements, first;
};

/// A number of the type of elements or results, which ranks compare.
template <class T>
inline constexpr std::uint64_t kind_of_elements = 8 * sizeof(T) +
                                                  (std::integral<T> ? (std::is_signed_v<T> ? 1 : 0)
                                                   : std::is_same_v<T, __nv_bfloat16> ? 3
                                                                                      : 2);

/// And of a predicate, with what it compares with.
template <template <class> class Predicate, class T>
std::uint64_t predicate_digest(Predicate<T> const& predicate) {
  using wide = std::conditional_t<std::integral<T>, T, double>;
  auto const number = [](T x) { return static_cast<wide>(comparable(x)) + wide{0}; }; // no -0
  if constexpr (requires { predicate.value; })
    return comm::digest(0, number(predicate.value)).value();
  else
    return comm::digest(std::is_same_v<Predicate<T>, less_than<T>> ? 1 : 2, number(predicate.bound))
        .value();
}
/// is_nan or is_finite.
template <class Predicate>
std::uint64_t predicate_digest(Predicate const&) {
  return std::is_same_v<Predicate, is_nan> ? 1 : 2;
}

/// The contributions of all ranks, in their order, which have elements of one type.
/// enqueue(result) makes this rank's on its place.
/// @param agreed as of record_head, but for its last number
template <class Result, class Place, class Range, class Enqueue>
std::vector<contribution<Result>> contributions(communicator<Place>& comm, Range const& values,
                                                Enqueue enqueue,
                                                std::array<std::uint64_t, 3> agreed = {}) {
  static_assert(sizeof(Result) <= sizeof(record::result));
  collective const group(comm);
  agreed[2] = kind_of_elements<element_t<Place, Range>> << 32 | kind_of_elements<Result>;
  return group.guarded([&] {
    void* const mine =
        group.open_record({sizeof(Result), span_t<Place, Range>(values).size(), agreed});
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

/// The results of all ranks folded in their order; `option` is the same on all of them.
template <class Result, class Place, class Range, class Op, class Enqueue>
Result fold_ranks(communicator<Place>& comm, Range const& values, Op op, Enqueue enqueue,
                  std::uint64_t option = 0) {
  auto const all = contributions<Result>(comm, values, enqueue, {option});
  Result result = all[0].result;
  for (std::size_t r = 1; r < all.size(); ++r) result = op(result, all[r].result);
  return result;
}

/// Folds exact accumulators.
struct merging {
  template <class A>
  A operator()(A a, A const& b) const {
    a.merge(b);
    return a;
  }
};

constexpr std::uint64_t policy_number(nan_policy nan) { return static_cast<std::uint64_t>(nan); }

/// The smallest or largest element of all ranks: Extremum is minimum or maximum.
template <template <nan_policy> class Extremum, class Place, class Range, class Enqueue>
auto extremum_of_ranks(communicator<Place>& comm, Range const& values, nan_policy nan,
                       Enqueue enqueue) {
  using A = accumulator_for<void, Place, Range>;
  return with_nan_policy<Extremum, A>(
      nan, [&](auto op) { return fold_ranks<A>(comm, values, op, enqueue, policy_number(nan)); });
}

/// The rank's finding as one among those of all ranks.
template <class A>
extremum<A> found_in_all(extremum<A> const& found, std::uint64_t elements, std::uint64_t first) {
  return {found.value, found.index == elements ? no_index : first + found.index};
}

/// The first of the smallest or largest elements of all ranks.
template <template <nan_policy> class Extremum, class Place, class Range, class Enqueue>
auto first_extremum_of_ranks(communicator<Place>& comm, Range const& values, nan_policy nan,
                             Enqueue enqueue) {
  using A = accumulator_for<void, Place, Range>;
  return with_nan_policy<Extremum, A>(nan, [&]<class Op>(Op) {
    using track = tracker<A, Op>;
    extremum<A> best = track::nothing();
    std::uint64_t elements = 0;
    for (auto const& one :
         contributions<extremum<A>>(comm, values, enqueue, {policy_number(nan)})) {
      auto const found = found_in_all(one.result, one.elements, one.first);
      if (one.elements > 0) best = elements > 0 ? track::merge(best, found) : found;
      elements += one.elements;
    }
    return track::finish(best, elements);
  });
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

// ---- histograms ---------------------------------------------------------------------------------

/// The bits of a bin's end, which is of 4 or 8 bytes.
template <class Level>
std::uint64_t bits_of_level(Level level) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &level, sizeof level);
  return bits;
}

/// Counts travel in the record, or behind it if there are too many.
template <class Place, class Range, class Bins>
std::vector<std::uint64_t> add_histograms(communicator<Place>& comm, Range const& values,
                                          Bins const& bins) {
  using T = element_t<Place, Range>;
  collective const group(comm);
  return group.guarded([&] {
    check_bins<T>(bins);
    auto const size = static_cast<std::size_t>(bins.count);
    record_head const head{
        sizeof(T),
        span_t<Place, Range>(values).size(),
        {size | kind_of_elements<T> << 32, bits_of_level(bins.lower), bits_of_level(bins.upper)}};
    std::vector<std::uint64_t> totals(size);
    auto const add = [&](void const* counts) {
      std::vector<std::uint64_t> one(size);
      std::memcpy(one.data(), counts, size * sizeof one[0]);
      for (std::size_t b = 0; b < size; ++b) totals[b] += one[b];
    };
    if (size * sizeof totals[0] <= sizeof(record::result)) {
      auto* const mine = static_cast<std::uint64_t*>(group.open_record(head));
      histogram_async(comm.place(), values, bins, {mine, size});
      for (record const& one : group.gather_records()) add(one.result);
    } else {
      auto const mine = histogram(comm.place(), values, bins);
      group.agree(head);
      auto const all = comm.all_gather(std::span(mine));
      for (std::size_t i = 0; i < all.size(); i += size) add(&all[i]);
    }
    return totals;
  });
}

} // namespace warpfold::inline v0::detail
