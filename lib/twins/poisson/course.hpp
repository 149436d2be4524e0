#pragma once
// The solver of NVIDIA's course of 2008.

#include "poisson/plan.hpp"

#include <warpfold/execution.hpp>
#include <warpfold/twins/tags.hpp>

#include <memory>

namespace warpfold::inline v0::poisson::gpu_impl {

/// One of its versions, for problems that it takes; null if the library was built without cuFFT.
template <class T>
std::unique_ptr<backend<T>> make_course(gpu& place, plan const& of, twins::engine version);

} // namespace warpfold::inline v0::poisson::gpu_impl
