#pragma once
// Groups of options on paths, on a GPU.

#include "path_backend.hpp"

#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::pricing {

template <class Group>
void simulate_groups(gpu& place, detail::path_plan const& plan, path_book<Group> const& book,
                     estimate* results, bool blocking, path_sharing* sharing) {
  detail::simulate_gpu(place, plan, book.problems, book.finish, results, book.wanted, blocking,
                       1 << 20, sharing);
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(...)                                                                           \
  template void warpfold::pricing::simulate_groups(                                                \
      warpfold::gpu&, warpfold::detail::path_plan const&,                                          \
      warpfold::pricing::path_book<warpfold::pricing::__VA_ARGS__> const&,                         \
      warpfold::pricing::estimate*, bool, warpfold::pricing::path_sharing*);
