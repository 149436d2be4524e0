#pragma once
// cub::DeviceReduce of tallies.

#include "tallies.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// The tally of one partial an element; write(0, last partial) makes the result.
template <class T, class Tally, class Write>
void tally_by_cub(gpu& place, device_span<T const> values, Tally tally, Write write,
                  bool may_allocate) {
  auto const first = ::thrust::make_counting_iterator(std::int64_t{0});
  call_cub(place, may_allocate, [&](void* scratch, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(
        scratch, bytes, first, ::thrust::make_tabulate_output_iterator(write),
        static_cast<std::int64_t>(values.size()), tally, partial_at<T, Tally>{values.data()},
        Tally::nothing(), place.stream());
  });
}

} // namespace warpfold::inline v0::detail
