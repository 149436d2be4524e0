#pragma once
// Engines of Poisson's solver, by their tags.

#include "course.hpp"
#include "fftw/fftw_backend.hpp"
#include "poisson/backend.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/twins/poisson.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::twins {
namespace {

using poisson::plan;

[[noreturn]] inline void refuse_engine(engine twin, char const* accepted) {
  detail::refuse("twin", to_string(twin), accepted);
}

inline void check_course(engine twin, poisson::problem const& problem) {
  bool const fits = problem.axes.size() == 2 &&
                    problem.axes[0].lower == poisson::boundary::periodic &&
                    problem.axes[1].lower == poisson::boundary::periodic &&
                    problem.symbol == poisson::symbol::spectral &&
                    problem.gauge == poisson::gauge::first_point && !problem.gradient;
  if (!fits)
    refuse_engine(twin, "other engines; the course solves on two periodic axes, by "
                        "symbol::spectral and gauge::first_point, and makes no derivatives");
}

inline constexpr char const* no_cufft = "fused or automatic; this library was built without cuFFT";

template <class T, engine Twin>
poisson::engine<T> make(gpu& place, plan const& plan) {
  namespace gi = poisson::gpu_impl;
  auto const named = [](char const* name, std::unique_ptr<poisson::backend<T>> run,
                        char const* accepted) -> poisson::engine<T> {
    if (!run) refuse_engine(Twin, accepted);
    return {name, std::move(run)};
  };
  if constexpr (Twin == engine::fused)
    return named("fused", gi::make_fused<T>(place, plan),
                 "other engines; no fused kernels are compiled for this problem: see can_fuse");
  else if constexpr (Twin == engine::vendor)
    return named("cuFFT", gi::make_vendor<T>(place, plan), no_cufft);
  else {
    check_course(Twin, plan.problem);
    return named("course", gi::make_course<T>(place, plan, Twin), no_cufft);
  }
}

template <class T, engine Twin>
poisson::engine<T> make(host& place, plan const& plan) {
  if constexpr (Twin == engine::fused) {
    return poisson::choose<T>(place, plan);
  } else if constexpr (Twin == engine::vendor) {
    if (auto run = poisson::host_impl::make_fftw<T>(place, plan)) return {"FFTW", std::move(run)};
    refuse_engine(Twin, "fused or automatic; this library was built without FFTW");
  } else {
    refuse_engine(Twin, "fused, vendor or automatic; it needs a gpu");
  }
}

template <class T, class Place>
poisson::engine<T> make_nothing(Place&, plan const&) {
  refuse_engine(static_cast<engine>(-1), "a twins::engine");
}

} // namespace

template <class T, class Place>
detail::engine_maker<T, Place> maker_of(engine twin, Place&, std::type_identity<T>) noexcept {
  switch (twin) {
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
