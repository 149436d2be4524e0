#pragma once
// The backends of the solver, of the same names on both places.

#include "plan.hpp"

#include <memory>

namespace warpfold::poisson {

/// Boundary values, by axis; null is none.
template <class T>
struct faces {
  T const* lower[3];
  T const* upper[3];
};

namespace gpu_impl {
/// cuFFT; any problem.
template <class T>
std::unique_ptr<backend<T>> make_vendor(gpu& place, plan const& of);
/// The course's three versions.
template <class T>
std::unique_ptr<backend<T>> make_course(gpu& place, plan const& of, method version);
/// Hand-written; null if it is not compiled for the problem.
template <class T>
std::unique_ptr<backend<T>> make_fused(gpu& place, plan const& of);
bool can_fuse(gpu const& place, plan const& of, std::size_t element);
/// Whether it is what method::automatic takes.
bool prefers_fused(gpu const& place, plan const& of, std::size_t element);

/// Adds what boundary values contribute to all right-hand sides.
template <class T>
void add_faces(gpu& place, plan const& of, faces<T> const& values, T* rhs);
/// Central differences of solutions along an axis, as symbols other than spectral want them.
template <class T>
void difference(gpu& place, plan const& of, std::size_t axis, faces<T> const& values,
                T const* solution, T* derivative);
} // namespace gpu_impl

namespace host_impl {
/// FFTW; null if the library was built without it.
template <class T>
std::unique_ptr<backend<T>> make_vendor(host const& place, plan const& of);
template <class T>
void add_faces(host const& place, plan const& of, faces<T> const& values, T* rhs);
template <class T>
void difference(host const& place, plan const& of, std::size_t axis, faces<T> const& values,
                T const* solution, T* derivative);
} // namespace host_impl

} // namespace warpfold::poisson
