#pragma once
// Problems whose lines fit in a block's shared memory, whatever their boundaries.

#include "poisson/backend.hpp"

namespace warpfold::inline v0::poisson::gpu_impl {

/// Null unless has_lines.
template <class T>
std::unique_ptr<backend<T>> make_lines(gpu& place, plan const& of);
bool has_lines(gpu const& place, plan const& of, std::size_t element);

} // namespace warpfold::inline v0::poisson::gpu_impl
