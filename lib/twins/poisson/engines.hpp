#pragma once
// Engines of Poisson's solver, by their tags.

#include "course.hpp"
#include "poisson/backend.hpp"
#include "poisson/instances.hpp"

#include <warpfold/error.hpp>
#include <warpfold/twins/poisson.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::twins {
namespace {

using poisson::plan;

[[noreturn]] void refuse(char const* reason) { throw argument_error("twin", reason); }

template <class T>
poisson::engine<T> named(char const* name, std::unique_ptr<poisson::backend<T>> run,
                         char const* missing) {
  if (!run) refuse(missing);
  return {name, std::move(run)};
}

inline void check_course(poisson::problem const& of) {
  bool const fits = of.axes.size() == 2 && of.axes[0].lower == poisson::boundary::periodic &&
                    of.axes[1].lower == poisson::boundary::periodic &&
                    of.stands == poisson::symbol::spectral &&
                    of.fixed_by == poisson::gauge::first_point && !of.gradient;
  if (!fits)
    refuse("the course solves on two periodic axes, by symbol::spectral and gauge::first_point, "
           "and makes no derivatives");
}

constexpr char const* no_cufft = "this library was built without cuFFT";

template <class T, engine By>
poisson::engine<T> make(gpu& place, plan const& of) {
  namespace gi = poisson::gpu_impl;
  if constexpr (By == engine::fused)
    return named("fused", gi::make_fused<T>(place, of),
                 "fused kernels are not compiled for this problem: see can_fuse");
  else if constexpr (By == engine::vendor)
    return named("cuFFT", gi::make_vendor<T>(place, of), no_cufft);
  else {
    check_course(of.of);
    return named("course", gi::make_course<T>(place, of, By), no_cufft);
  }
}

template <class T, engine By>
poisson::engine<T> make(host& place, plan const& of) {
  if constexpr (By == engine::vendor)
    return named("FFTW", poisson::host_impl::make_vendor<T>(place, of),
                 "this library was built without FFTW");
  else refuse("it needs a gpu");
}

template <class T, class Place>
poisson::engine<T> make_nothing(Place&, plan const&) {
  refuse("not an engine");
}

} // namespace

template <class T, class Place>
detail::engine_maker<T, Place> maker_of(engine by, Place&, std::type_identity<T>) noexcept {
  switch (by) {
  case engine::automatic: return poisson::choose<T>;
  case engine::fused: return make<T, engine::fused>;
  case engine::vendor: return make<T, engine::vendor>;
  case engine::course: return make<T, engine::course>;
  case engine::course_shared: return make<T, engine::course_shared>;
  case engine::course_coalesced: return make<T, engine::course_coalesced>;
  }
  return make_nothing<T, Place>;
}

} // namespace warpfold::inline v0::twins

#define INSTANTIATE(T, Place)                                                                      \
  namespace warpfold::inline v0::twins {                                                           \
  template detail::engine_maker<T, Place> maker_of(engine, Place&,                                 \
                                                   std::type_identity<T>) noexcept;                \
  }
