#pragma once
// The kernels of lines, compiled apart from each other.

#include "lines_shared.hpp"

namespace warpfold::inline v0::poisson::gpu_impl {

template <class T>
using line_kernel_of = void (*)(line_pass<T>);

/// For lines along any axis but the fastest, and along that.
template <class T>
line_kernel_of<T> strided_kernel(line_kind kind);
template <class T>
line_kernel_of<T> contiguous_kernel(line_kind kind);

} // namespace warpfold::inline v0::poisson::gpu_impl
