// The door of measures and dot products: checks the arguments and chooses the backend.

#include "../reduction/door.hpp"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/error.hpp>

#include <string>
#include <type_traits>

namespace warpfold::detail {
namespace {

template <class Place, class Span>
void check_arguments(Place const&, Span values, void const* result, bool blocking,
                     reduce_options const& options) {
  check_elements("values", values.data(), values.size());
  if (!result) throw argument_error("result", "null");
  check_method(options.how, {std::is_same_v<Place, gpu>, blocking, false});
}

template <class Place, class Span>
void check_arguments(Place const&, Span x, Span y, void const* result, bool blocking,
                     reduce_options const& options) {
  check_elements("x", x.data(), x.size());
  check_elements("y", y.data(), y.size());
  if (x.size() != y.size())
    throw argument_error("y", "has " + std::to_string(y.size()) + " elements, x has " +
                                  std::to_string(x.size()));
  if (!result) throw argument_error("result", "null");
  check_method(options.how, {std::is_same_v<Place, gpu>, blocking, false});
}

} // namespace

template <class T, class Measure>
void measure_to(gpu& place, device_span<T const> values, typename Measure::result* result,
                bool blocking, reduce_options const& options) {
  using namespace norms;
  check_arguments(place, values, result, blocking, options);
  if (options.how == method::thrust) *result = gpu_impl::thrust<T, Measure>(place, values);
  else if (options.how == method::cub) gpu_impl::cub<T, Measure>(place, values, result, blocking);
  else gpu_impl::fold<T, Measure>(place, values, result);
}

template <class T, class Measure>
void measure_to(host const& place, std::span<T const> values, typename Measure::result* result,
                bool blocking, reduce_options const& options) {
  using namespace norms;
  check_arguments(place, values, result, blocking, options);
  *result = options.how == method::thrust ? host_impl::thrust<T, Measure>(place, values)
                                          : host_impl::fold<T, Measure>(place, values);
}

template <class T, class A>
void dot_to(gpu& place, device_span<T const> x, device_span<T const> y, A* result, bool blocking,
            reduce_options const& options) {
  using namespace norms;
  check_arguments(place, x, y, result, blocking, options);
  if (options.how == method::thrust) *result = gpu_impl::thrust_dot<T, A>(place, x, y);
  else if (options.how == method::cub) gpu_impl::cub_dot<T, A>(place, x, y, result, blocking);
  else gpu_impl::fold_dot<T, A>(place, x, y, result);
}

template <class T, class A>
void dot_to(host const& place, std::span<T const> x, std::span<T const> y, A* result, bool blocking,
            reduce_options const& options) {
  using namespace norms;
  check_arguments(place, x, y, result, blocking, options);
  *result = options.how == method::thrust ? host_impl::thrust_dot<T, A>(place, x, y)
                                          : host_impl::fold_dot<T, A>(place, x, y);
}

#define INSTANTIATE(T, Measure)                                                                    \
  template void measure_to<T, Measure>(gpu&, device_span<T const>, Measure::result*, bool,         \
                                       reduce_options const&);                                     \
  template void measure_to<T, Measure>(host const&, std::span<T const>, Measure::result*, bool,    \
                                       reduce_options const&);
WARPFOLD_FOR_EACH_MEASURE(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, A)                                                                          \
  template void dot_to<T, A>(gpu&, device_span<T const>, device_span<T const>, A*, bool,           \
                             reduce_options const&);                                               \
  template void dot_to<T, A>(host const&, std::span<T const>, std::span<T const>, A*, bool,        \
                             reduce_options const&);
WARPFOLD_FOR_EACH_DOT(INSTANTIATE)

} // namespace warpfold::detail
