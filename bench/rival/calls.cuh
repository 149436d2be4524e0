#pragma once
// How CUB is called: with the place's stream and workspace.

#include "rival.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/error.hpp>

#include <cub/device/device_reduce.cuh>
#include <cuda/__cccl_config>
#include <cuda/execution>
#include <cuda/memory_resource>
#include <cuda/stream>

#include <cstddef>
#include <limits>
#include <source_location>
#include <string>

// An include path that puts the toolkit's headers first would time another CUB than it says.
static_assert(CCCL_VERSION == WARPFOLD_RIVAL_CCCL, "not the CCCL of WARPFOLD_CCCL");

namespace warpfold::bench::rival {

/// A number of elements as CUB gets it.
inline int int_size(std::size_t elements) {
  if (elements > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw argument_error("values", std::to_string(elements) + " elements are too many for an int");
  return static_cast<int>(elements);
}

/// Calls call(scratch, bytes) twice: for the size of the scratch memory, then to do the work.
template <class Call>
void call_in_two_phases(gpu& place, Call call,
                        std::source_location where = std::source_location::current()) {
  device_guard const current{place.device()};
  std::size_t bytes = 0;
  check(call(nullptr, bytes), where);
  check(call(warpfold::detail::scratch(place).workspace(bytes), bytes), where);
}

/// A memory resource of libcu++ that returns the place's workspace, to one borrower at a time.
class borrowed_workspace {
public:
  explicit borrowed_workspace(gpu& place) : place_{&place} {}

  void* allocate(::cuda::stream_ref, std::size_t bytes, std::size_t) {
    return warpfold::detail::scratch(*place_).workspace(bytes);
  }
  void deallocate(::cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}
  void* allocate_sync(std::size_t bytes, std::size_t) {
    return warpfold::detail::scratch(*place_).workspace(bytes);
  }
  void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}

  friend bool operator==(borrowed_workspace const&, borrowed_workspace const&) = default;
  friend void get_property(borrowed_workspace const&, ::cuda::mr::device_accessible) noexcept {}

private:
  gpu* place_;
};

/// Calls call(environment) with the place's stream and workspace, and a determinism of
/// cuda::execution::determinism.
template <class Determinism, class Call>
void call_with_environment(gpu& place, Determinism how, Call call,
                           std::source_location where = std::source_location::current()) {
  device_guard const current{place.device()};
  namespace execution = ::cuda::std::execution;
  check(call(execution::env{
            ::cuda::execution::require(how), ::cuda::stream_ref{place.stream()},
            execution::prop{::cuda::mr::get_memory_resource, borrowed_workspace(place)}}),
        where);
}

} // namespace warpfold::bench::rival
