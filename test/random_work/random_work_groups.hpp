#pragma once
// Random work: what groups of ranks share, host threads or one GPU.

#include "random_work.hpp"

#include <warpfold/comm/communicator.hpp>

namespace random_work {

/// Calls check(over) in a thread for each rank.
template <class Place, class Check>
void in_a_group(step<Place>& at, Check check) {
  if constexpr (step<Place>::on_gpu) {
    int const devices[] = {at.place.device()};
    wf::local_group<wf::gpu> group(devices);
    group.run(check);
  } else {
    int const ranks = 1 + static_cast<int>(at.random.below(4));
    at.what << ", " << ranks << " ranks";
    wf::local_group<wf::host> group(ranks, at.place.threads());
    for (std::size_t runs = 1 + at.random.below(2); runs > 0; --runs) group.run(check);
  }
}

/// A rank's part of an array, in memory of its place.
template <class T, class Place>
auto part_of(wf::communicator<Place>& over, std::vector<T> const& values) {
  auto const [first, count] = wf::rank_part(values.size(), over.rank(), over.size());
  return test::memory_of<Place, T>(over.place(), test::part_of(values, first, count));
}

} // namespace random_work
