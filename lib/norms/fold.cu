#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/fold.cuh>
#include <warpfold/detail/output.hpp>
#include <warpfold/detail/pair_reader.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::norms::gpu_impl {

using namespace detail;

template <class T, class Measure>
void fold(gpu& place, device_span<T const> values, typename Measure::result* result) {
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

template <class T, class A>
void fold_dot(gpu& place, device_span<T const> x, device_span<T const> y, A* result) {
  using tuning = pair_tuning<sizeof(T) == 4 && sizeof(A) == 4 ? 4 : 2>;
  fold_shape const shape = fold_shape_of<T>(x.size(), sizeof(A));
  auto const run = [&]<class Reader>(Reader from_x, Reader from_y) {
    launch_fold<tuning>(place, pair_reader<Reader, widened_product<A>>{from_x, from_y, {}}, shape,
                        A{}, plus{}, result);
  };
  auto const is_aligned = [](T const* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  if (is_aligned(x.data()) && is_aligned(y.data()))
    run(packed_reader<T, identity>{x.data(), {}}, packed_reader<T, identity>{y.data(), {}});
  else
    run(element_reader<T const*, identity>{x.data(), {}},
        element_reader<T const*, identity>{y.data(), {}});
}

#define INSTANTIATE(T, Measure)                                                                    \
  template void fold<T, Measure>(gpu&, device_span<T const>, Measure::result*);
WARPFOLD_FOR_EACH_MEASURE(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, A)                                                                          \
  template void fold_dot<T, A>(gpu&, device_span<T const>, device_span<T const>, A*);
WARPFOLD_FOR_EACH_DOT(INSTANTIATE)

} // namespace warpfold::norms::gpu_impl
