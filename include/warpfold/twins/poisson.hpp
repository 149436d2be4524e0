#pragma once
// Poisson's solver by an engine of the caller's choice: poisson::solver<T, Place>(place, problem,
// twins::engine::vendor, options). For float and double, on gpu and host.

#include <warpfold/poisson.hpp>
#include <warpfold/twins/tags.hpp>

namespace warpfold::inline v0::twins {

/// Used by the solver's constructor, which refuses as `twin` what is no engine, and what the engine
/// does not solve: see twins::engine. fused takes what poisson::can_fuse knows, and any problem on
/// a host; vendor takes all problems where the library was built with cuFFT, on a host with FFTW.
/// The course takes two periodic axes, symbol::spectral, gauge::first_point and no derivatives, and
/// needs cuFFT. solver::engine_name then says "fused", "cuFFT", "FFTW" or "course".
/// FFTW's solutions have the same bits on every run where lengths have no large prime factors and
/// the program gives it no wisdom: it shares tables among all plans that are alive. A program that
/// plans with FFTW in other threads calls fftw_make_planner_thread_safe and
/// fftwf_make_planner_thread_safe first.
template <class T, class Place>
[[nodiscard]] detail::engine_maker<T, Place> maker_of(engine twin, Place& place,
                                                      std::type_identity<T>) noexcept;

} // namespace warpfold::inline v0::twins
