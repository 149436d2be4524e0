#pragma once
// The headers of kernels.cuh, as CMake wrote them into texts.cpp.

#include <span>

namespace warpfold::inline v0::poisson::gpu_impl {

struct source_text {
  char const* name; ///< as it is included
  char const* text;
};

std::span<source_text const> kernel_headers();

} // namespace warpfold::inline v0::poisson::gpu_impl
