// The extrema on the GPU.

#include "tally_backend.hpp"
#include "tally_instances.hpp"

#include <warpfold/detail/tally.cuh>

#include <type_traits>

namespace warpfold::reduction::gpu_impl {

template <class T, class Tally>
void tally_fold(gpu& place, device_span<T const> values, Tally tally,
                typename Tally::result* result) {
  detail::tally_array(place, values.data(), values.size(), tally,
                      detail::widened<typename Tally::element, identity>{}, result);
}

template <class T, nan_policy Nan, class A>
void min_max_fold(gpu& place, device_span<T const> values, min_max<A>* result) {
  auto const fold = [&]<class Tuning>(Tuning, auto op, auto both) {
    detail::fold_array<Tuning>(place, values.data(), values.size(), detail::min_max_of_nothing<A>,
                               op, both, result);
  };
  // More rows in flight fill the registers of two blocks a multiprocessor, an even number, where
  // three would fit otherwise; see docs/numerics.md. Halves would spill.
  using tuning = std::conditional_t<sizeof(T) == 4 || std::is_same_v<T, double>,
                                    detail::wide_tuning, detail::fold_tuning>;
  if constexpr (std::is_same_v<T, double>)
    fold(tuning{}, detail::keyed_min_max_op<Nan>{}, detail::keys_of_both<Nan>{});
  else fold(tuning{}, detail::min_max_op<Nan>{}, detail::both_extrema<A>{});
}

#define INSTANTIATE(T, Op, A)                                                                      \
  template void tally_fold(gpu&, device_span<T const>, detail::extremum_tally<A, Op>, extremum<A>*);
WARPFOLD_FOR_EACH_SOUGHT(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, Nan, A)                                                                     \
  template void min_max_fold<T, Nan, A>(gpu&, device_span<T const>, min_max<A>*);
WARPFOLD_FOR_EACH_MIN_MAX(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
