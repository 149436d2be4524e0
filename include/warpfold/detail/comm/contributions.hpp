#pragma once
// The ranks' parts of a result: gathered in records, and folded in their order.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/reduction.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace warpfold::inline v0::detail {

/// A rank's part of a result, of so many elements, the first of which has this number among those
/// of all ranks.
template <class Result>
struct contribution {
  Result result;
  std::uint64_t elements, first;
};

/// Those of all ranks in their order; enqueue(result) makes this rank's in memory of the place.
template <class Result, class Place, class Enqueue>
std::vector<contribution<Result>> contributions(communicator<Place>& over, collective_verb verb,
                                                std::uint64_t elements, Enqueue enqueue) {
  static_assert(sizeof(Result) <= sizeof(record::result));
  return over.guarded([&] {
    enqueue(result_t<Place, Result>(
        static_cast<Result*>(over.open_record({verb, std::uint32_t{sizeof(Result)}, elements})),
        1));
    std::vector<contribution<Result>> all;
    std::uint64_t first = 0;
    for (record const& one : over.gather_records()) {
      contribution<Result> next{{}, one.head.elements, first};
      std::memcpy(static_cast<void*>(&next.result), one.result, sizeof(Result));
      all.push_back(next);
      first += one.head.elements;
    }
    return all;
  });
}

/// The results of all ranks folded in their order.
template <class Result, class Place, class Op, class Enqueue>
Result fold_ranks(communicator<Place>& over, collective_verb verb, std::uint64_t elements, Op op,
                  Enqueue enqueue) {
  auto const all = contributions<Result>(over, verb, elements, enqueue);
  Result result = all[0].result;
  for (std::size_t r = 1; r < all.size(); ++r) result = op(result, all[r].result);
  return result;
}

template <class Place, class Range>
std::uint64_t elements_of(Range const& values) {
  return span_t<Place, Range>(values).size();
}

} // namespace warpfold::inline v0::detail
