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

/// An engine for the constructor of solver<T, gpu>: for problems of two axes whose lengths are
/// powers of two or have factors 3, 5 and 7 too, such as 3000, which no kernels were built for. The
/// first solver of an axis in a process takes some two seconds of one host thread, as long as NVRTC
/// compiles; later ones find its kernels. They stay loaded until the process ends.
///
/// Solutions are those of other engines but for rounding; solver::engine_name says "compiled".
/// Determinism, lifetime, layouts and streams are those of the solver.
/// @throws argument_error, from the constructor, for `engine` with a problem that can_compile does
///         not know; vendor_error if NVRTC fails, for one that is older than the GPU; cuda_error
inline constexpr compiled_engine compiled{};

/// True if `compiled` solves the problem with fields of T: two axes, of which one at least is not
/// as long as kernels were built for. That one is periodic or of cells, of 64 to 16384 points
/// (double 8192), whose number is even and a product of few numbers that a thread's share is a
/// multiple of: three in four of the products of 2, 3, 5 and 7 are. A symbol::spectral gradient is
/// not solved. Compiles nothing, and does not wait for the GPU.
/// @throws argument_error for problems that a solver refuses; cuda_error
template <class T>
[[nodiscard]] bool can_compile(gpu const& place, problem const& problem);

/// Used by the solver's constructor.
template <class T>
[[nodiscard]] detail::engine_maker<T, gpu> maker_of(compiled_engine engine, gpu& place,
                                                    std::type_identity<T>) noexcept;

} // namespace warpfold::inline v0::poisson
