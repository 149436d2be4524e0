#pragma once
// Compaction.

#include "instances.hpp"
#include "reduction/door.hpp"

#include <warpfold/counting/compaction.hpp>

#ifndef __CUDACC__
#include <warpfold/detail/counting/counting_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
void compact_to(door_place& place, door_span<T const> values, Predicate predicate,
                door_span<T> output, std::uint64_t* count, bool blocking) {
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  compact_array(place, values.data(), values.size(), predicate, output.data(), output.size(), count,
                blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Predicate)                                                                  \
  namespace warpfold::inline v0::detail {                                                          \
  template void compact_to<T, Predicate>(door_place&, door_span<T const>, Predicate, door_span<T>, \
                                         std::uint64_t*, bool);                                    \
  }
