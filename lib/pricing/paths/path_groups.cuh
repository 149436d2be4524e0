#pragma once
// Groups of options on paths, on a GPU: one source for each kind of option instantiates them.

#include "path_backend.hpp"

#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::pricing::gpu_impl {

template <class Group>
void simulate_groups(gpu& place, detail::path_plan const& plan, path_book<Group> const& book,
                     estimate* results, bool blocking, path_sharing* sharing) {
  detail::simulate_gpu(place, plan, book.problems, book.finish, results, book.wanted, blocking,
                       1 << 20, sharing);
}

} // namespace warpfold::inline v0::pricing::gpu_impl

#define INSTANTIATE(...)                                                                           \
  template void simulate_groups<__VA_ARGS__>(gpu&, detail::path_plan const&,                       \
                                             path_book<__VA_ARGS__> const&, estimate*, bool,       \
                                             path_sharing*);
