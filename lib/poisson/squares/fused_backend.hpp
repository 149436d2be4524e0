#pragma once
// The hand-written solver that takes a problem.

#include "fused_squares.hpp"
#include "poisson/backend.hpp"
#include "poisson/cubes/fused_cubes.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/instances.hpp"
#include "poisson/lines/lines.hpp"

#include <type_traits>

namespace warpfold::inline v0::poisson::gpu_impl {

template <class T>
std::unique_ptr<backend<T>> make_fused(gpu& place, plan const& of) {
  if (!has_units(place, of, sizeof(T)) || !is_faster_in_units(of, sizeof(T)))
    if (auto made = make_squares<T>(place, of)) return made;
  if constexpr (std::is_same_v<T, float>)
    if (auto made = make_cubes<T>(place, of)) return made;
  if (auto made = make_units<T>(place, of)) return made;
  return make_lines<T>(place, of);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_fused(gpu&, plan const&);                              \
  }
