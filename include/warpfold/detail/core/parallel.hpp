#pragma once
// A parallel loop on the host, compiled into the library so that headers need no OpenMP.

#include <cstdint>

namespace warpfold::inline v0::detail {

/// Calls body(context, i) for every i in [0, count), from up to `threads` threads, each i once.
/// The first exception is rethrown after the loop.
void for_each_index(int threads, std::int64_t count, void (*body)(void*, std::int64_t),
                    void* context);

template <class Body>
void parallel_for(int threads, std::int64_t count, Body body) {
  for_each_index(
      threads, count, [](void* self, std::int64_t i) { (*static_cast<Body*>(self))(i); }, &body);
}

} // namespace warpfold::inline v0::detail
