#pragma once
// Norms and compensated sums.

#include "instances.hpp"
#include "reduction/door.hpp"

#include <warpfold/detail/core/output.hpp>
#include <warpfold/detail/reduction/fold_tuning.hpp>

#include <type_traits>

#ifndef __CUDACC__
#include <warpfold/detail/reduction/fold_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class Measure>
void measure_to(door_place& place, door_span<T const> values, typename Measure::result* result) {
  check_elements("values", values.data(), values.size());
  using A = typename Measure::accumulator;
  constexpr bool is_wide = lanes_per_thread<T> * sizeof(A) > 16 && sizeof(T) > 2;
  using tuning = std::conditional_t<is_wide, wide_tuning, fold_tuning>;
  auto const finish = Measure::finish(fold_shape_of<T>(values.size(), sizeof(A)));
  auto const run = [&](auto output) {
    fold_array<tuning>(place, values.data(), values.size(), A{}, typename Measure::op{},
                       typename Measure::transform{}, output);
  };
  if constexpr (std::is_same_v<decltype(finish), identity const>) run(result);
  else
    run(storing<store_finished<std::remove_const_t<decltype(finish)>, typename Measure::result>>{
        {finish, result}});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Measure)                                                                    \
  namespace warpfold::inline v0::detail {                                                          \
  template void measure_to<T, Measure>(door_place&, door_span<T const>, Measure::result*);         \
  }
