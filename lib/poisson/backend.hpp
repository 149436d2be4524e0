#pragma once
// The backends of the solver, of the same names on both places.

#include "plan.hpp"

#include <cstddef>
#include <memory>

namespace warpfold::inline v0::poisson {

/// Boundary values, by axis; null is none.
template <class T>
struct faces {
  T const* lower[3];
  T const* upper[3];
};

namespace gpu_impl {
/// cuFFT, for any problem; null if the library was built without it.
template <class T>
std::unique_ptr<backend<T>> make_vendor(gpu& place, plan const& plan);
/// Hand-written; null if it is not compiled for the problem.
template <class T>
std::unique_ptr<backend<T>> make_fused(gpu& place, plan const& plan);
bool can_fuse(gpu const& place, plan const& plan, std::size_t element);
/// True if the solver takes the hand-written backend rather than cuFFT.
bool prefers_fused(gpu const& place, plan const& plan, std::size_t element);

/// Adds what boundary values contribute to all right-hand sides.
template <class T>
void add_faces(gpu& place, plan const& plan, faces<T> const& values, T* rhs);
/// Central differences of solutions along an axis, as symbols other than spectral want them.
template <class T>
void difference(gpu& place, plan const& plan, std::size_t axis, faces<T> const& values,
                T const* solution, T* derivative);
} // namespace gpu_impl

namespace host_impl {
/// Hand-written, for any problem.
template <class T>
std::unique_ptr<backend<T>> make_fused(host const& place, plan const& plan);
template <class T>
void add_faces(host const& place, plan const& plan, faces<T> const& values, T* rhs);
template <class T>
void difference(host const& place, plan const& plan, std::size_t axis, faces<T> const& values,
                T const* solution, T* derivative);
} // namespace host_impl

/// The engine that a solver takes by itself.
/// @throws argument_error on a gpu if the library was built without what the problem needs
template <class T>
engine<T> choose(gpu& place, plan const& plan);
template <class T>
engine<T> choose(host& place, plan const& plan);

} // namespace warpfold::inline v0::poisson
