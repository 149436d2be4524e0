#pragma once
// The backends of the solver, of the same names on both places.

#include "layout.hpp"
#include "plan.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace warpfold::inline v0::poisson {

/// Boundary values, by axis; null is none.
template <class T>
struct faces {
  T const* lower[3];
  T const* upper[3];
};

/// What fields of T are converted from.
template <class T>
using other_real = std::conditional_t<std::is_same_v<T, float>, double, float>;

namespace gpu_impl {
/// cuFFT, for any problem; null if the library was built without it.
template <class T>
std::unique_ptr<backend<T>> make_vendor(gpu& place, plan const& plan);
/// Hand-written; null if it is not compiled for the problem.
template <class T>
std::unique_ptr<backend<T>> make_fused(gpu& place, plan const& of);
/// The hand-written backends: units (engine/), and lines that fit in a block's shared memory.
enum class fused_form : std::uint8_t { none, units, long_units, lines };
/// The one that takes a problem of elements of so many bytes.
fused_form form_of(gpu const& place, plan const& of, std::size_t element);
/// For a problem that has_lines.
template <class T>
std::unique_ptr<backend<T>> make_lines(gpu& place, plan const& plan);
/// Slabs are made of these kernels, whatever form_of says.
bool has_lines(gpu const& place, plan const& of, std::size_t element);
/// Bytes of shared memory that a block may have.
std::size_t most_shared(gpu const& place);
/// True if the solver takes the hand-written backend rather than cuFFT.
bool prefers_fused(gpu const& place, plan const& of, std::size_t element);

/// Adds what boundary values contribute to all right-hand sides.
template <class T>
void add_faces(gpu& place, plan const& plan, faces<T> const& values, T* rhs,
               field_layout const& layout);
/// Central differences of solutions along an axis, as symbols other than spectral want them.
template <class T>
void difference(gpu& place, plan const& plan, std::size_t axis, faces<T> const& values,
                T const* solution, field_layout const& solution_layout, T* derivative,
                field_layout const& derivative_layout);
/// Rounds doubles to floats, or widens floats. Arrays have any alignment; they do not overlap.
template <class From, class To>
void convert(gpu const& place, From const* from, std::size_t size, To* to);
/// Converts a field to one that shares no element with it; with one type it copies.
template <class From, class To>
void convert_field(gpu const& place, plan const& plan, From const* from,
                   field_layout const& from_layout, To* to, field_layout const& to_layout);
} // namespace gpu_impl

namespace host_impl {
/// Hand-written, for any problem.
template <class T>
std::unique_ptr<backend<T>> make_fused(host const& place, plan const& of);
template <class T>
void add_faces(host const& place, plan const& plan, faces<T> const& values, T* rhs,
               field_layout const& layout);
template <class T>
void difference(host const& place, plan const& plan, std::size_t axis, faces<T> const& values,
                T const* solution, field_layout const& solution_layout, T* derivative,
                field_layout const& derivative_layout);
template <class From, class To>
void convert(host const& place, From const* from, std::size_t size, To* to);
template <class From, class To>
void convert_field(host const& place, plan const& plan, From const* from,
                   field_layout const& from_layout, To* to, field_layout const& to_layout);
} // namespace host_impl

/// The engine that a solver takes by itself.
/// @throws argument_error on a gpu if the library was built without what the problem needs
template <class T>
engine<T> choose(gpu& place, plan const& plan);
template <class T>
engine<T> choose(host& place, plan const& plan);

} // namespace warpfold::inline v0::poisson
