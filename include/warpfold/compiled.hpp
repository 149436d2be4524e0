#pragma once
// Poisson's solver with kernels that are compiled for a problem's lengths when the solver is made:
// component warpfold::compiled, which links NVRTC.
//
//   poisson::solver<float, gpu> solver(place, {.axes = {{.points = 3000}, {.points = 3000}}},
//                                      poisson::compiled);

#include <warpfold/poisson.hpp>

#include <type_traits>

namespace warpfold::inline v0::poisson {

/// The type of `compiled`.
struct compiled_engine {};

/// An engine for solver's constructor, which has kernels compiled where can_compile says so; other
/// problems, and all on a host, are solved as without it. solver::engine_name says "compiled" of
/// the former.
///
/// The first solver of an axis in a process waits one or two seconds for NVRTC, which compiles rows
/// and columns in two host threads; later ones find the kernels, which stay loaded until the
/// process ends. Solutions are those of other engines but for rounding. Determinism, lifetime,
/// layouts and streams are the solver's.
/// @throws from the constructor also vendor_error if NVRTC fails, for example because it is older
///         than the GPU
inline constexpr compiled_engine compiled{};

/// True if kernels can be compiled for the problem with fields of T: for two axes, of which one at
/// least has a length that no kernels were built for (they were for powers of two). That one is
/// periodic or of cells. Its points are an even number from 64 to 16384 (double: 8192) without a
/// factor above 7, and are divided among threads so that each has a multiple of every factor's
/// share; two in three of these numbers can be, in double more than half. Multiples of 35 cannot,
/// nor 1920. Gradients by symbol::spectral are left to other engines. Compiles nothing, and does
/// not wait for the GPU.
/// @throws argument_error for problems that a solver refuses; cuda_error
template <class T>
[[nodiscard]] bool can_compile(gpu const& place, problem const& problem);

/// Used by the solver's constructor.
template <class T, class Place>
[[nodiscard]] detail::engine_maker<T, Place> maker_of(compiled_engine engine, Place& place,
                                                      std::type_identity<T>) noexcept;

} // namespace warpfold::inline v0::poisson
