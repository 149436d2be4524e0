#pragma once
// FFTW's place among the engines of a host.

#include "poisson/plan.hpp"

#include <warpfold/execution.hpp>

#include <memory>

namespace warpfold::inline v0::poisson::host_impl {

/// For any problem; null if the library was built without FFTW.
template <class T>
std::unique_ptr<backend<T>> make_fftw(host const& place, plan const& of);

} // namespace warpfold::inline v0::poisson::host_impl
