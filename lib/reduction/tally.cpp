// The door of the extrema and the statistics.

#include "door.hpp"
#include "tally_backend.hpp"
#include "tally_instances.hpp"

namespace warpfold::detail {
namespace {

template <class T, class Tally>
void tally_to(gpu& place, device_span<T const> values, Tally tally, typename Tally::result* result,
              bool blocking, reduce_options const& options) {
  using namespace reduction;
  check_arguments(values, result, {.on_gpu = true, .blocking = blocking, .has_ladder = false},
                  options);
  if (options.how == method::thrust) *result = gpu_impl::tally_thrust<T>(place, values, tally);
  else if (options.how == method::cub)
    gpu_impl::tally_cub<T>(place, values, tally, result, blocking);
  else gpu_impl::tally_fold<T>(place, values, tally, result);
}

template <class T, class Tally>
void tally_to(host const& place, std::span<T const> values, Tally tally,
              typename Tally::result* result, bool, reduce_options const& options) {
  using namespace reduction;
  check_arguments(values, result, {.on_gpu = false, .blocking = true, .has_ladder = false},
                  options);
  *result = options.how == method::thrust ? host_impl::tally_thrust<T>(place, values, tally)
                                          : host_impl::tally_fold<T>(place, values, tally);
}

} // namespace

template <class T, class Op, class A>
void find_to(gpu& place, device_span<T const> values, extremum<A>* result, bool blocking,
             reduce_options const& options) {
  tally_to(place, values, extremum_tally<A, Op>{values.size()}, result, blocking, options);
}
template <class T, class Op, class A>
void find_to(host const& place, std::span<T const> values, extremum<A>* result, bool blocking,
             reduce_options const& options) {
  tally_to(place, values, extremum_tally<A, Op>{values.size()}, result, blocking, options);
}

template <class T, class A>
void describe_to(gpu& place, device_span<T const> values, description<A>* result, bool blocking,
                 reduce_options const& options) {
  tally_to(place, values, reduction::full_description<A>{values.size()}, result, blocking, options);
}
template <class T, class A>
void describe_to(host const& place, std::span<T const> values, description<A>* result,
                 bool blocking, reduce_options const& options) {
  tally_to(place, values, reduction::full_description<A>{values.size()}, result, blocking, options);
}

template <class T>
void moment_to(gpu& place, device_span<T const> values, moment which, double* result, bool blocking,
               reduce_options const& options) {
  using A = typename default_accumulator<T>::type;
  tally_to(place, values, moment_tally<A>{{values.size()}, which}, result, blocking, options);
}
template <class T>
void moment_to(host const& place, std::span<T const> values, moment which, double* result,
               bool blocking, reduce_options const& options) {
  using A = typename default_accumulator<T>::type;
  tally_to(place, values, moment_tally<A>{{values.size()}, which}, result, blocking, options);
}

template <class T, nan_policy Nan, class A>
void min_max_to(gpu& place, device_span<T const> values, min_max<A>* result, bool blocking,
                reduce_options const& options) {
  using namespace reduction;
  check_arguments(values, result, {.on_gpu = true, .blocking = blocking, .has_ladder = false},
                  options);
  if (options.how == method::thrust) *result = gpu_impl::min_max_thrust<T, Nan, A>(place, values);
  else if (options.how == method::cub)
    gpu_impl::min_max_cub<T, Nan, A>(place, values, result, blocking);
  else gpu_impl::min_max_fold<T, Nan, A>(place, values, result);
}

template <class T, nan_policy Nan, class A>
void min_max_to(host const& place, std::span<T const> values, min_max<A>* result, bool,
                reduce_options const& options) {
  using namespace reduction;
  check_arguments(values, result, {.on_gpu = false, .blocking = true, .has_ladder = false},
                  options);
  *result = options.how == method::thrust ? host_impl::min_max_thrust<T, Nan, A>(place, values)
                                          : host_impl::min_max_fold<T, Nan, A>(place, values);
}

#define INSTANTIATE(T, Op, A)                                                                      \
  template void find_to<T, Op, A>(gpu&, device_span<T const>, extremum<A>*, bool,                  \
                                  reduce_options const&);                                          \
  template void find_to<T, Op, A>(host const&, std::span<T const>, extremum<A>*, bool,             \
                                  reduce_options const&);
WARPFOLD_FOR_EACH_SOUGHT(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, Nan, A)                                                                     \
  template void min_max_to<T, Nan, A>(gpu&, device_span<T const>, min_max<A>*, bool,               \
                                      reduce_options const&);                                      \
  template void min_max_to<T, Nan, A>(host const&, std::span<T const>, min_max<A>*, bool,          \
                                      reduce_options const&);
WARPFOLD_FOR_EACH_MIN_MAX(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, A)                                                                          \
  template void describe_to<T, A>(gpu&, device_span<T const>, description<A>*, bool,               \
                                  reduce_options const&);                                          \
  template void describe_to<T, A>(host const&, std::span<T const>, description<A>*, bool,          \
                                  reduce_options const&);                                          \
  template void moment_to<T>(gpu&, device_span<T const>, moment, double*, bool,                    \
                             reduce_options const&);                                               \
  template void moment_to<T>(host const&, std::span<T const>, moment, double*, bool,               \
                             reduce_options const&);
WARPFOLD_FOR_EACH_ELEMENT(INSTANTIATE)

} // namespace warpfold::detail
