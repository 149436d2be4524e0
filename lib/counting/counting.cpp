// The door of counting: checks the arguments and chooses the backend.

#include "../reduction/door.hpp"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/error.hpp>

namespace warpfold::detail {

template <class T, class Predicate>
void count_to(gpu& place, device_span<T const> values, Predicate predicate,
              count_answer const& answer, bool blocking, reduce_options const& options) {
  using namespace counting;
  check_elements("values", values.data(), values.size());
  check_method(options.how, {.on_gpu = true, .blocking = blocking, .has_ladder = false});
  if (options.how == method::thrust) gpu_impl::thrust(place, values, predicate, answer);
  else if (options.how == method::cub) gpu_impl::cub(place, values, predicate, answer, blocking);
  else gpu_impl::fold(place, values, predicate, answer);
}

template <class T, class Predicate>
void count_to(host const& place, std::span<T const> values, Predicate predicate,
              count_answer const& answer, bool, reduce_options const& options) {
  using namespace counting;
  check_elements("values", values.data(), values.size());
  check_method(options.how, {.on_gpu = false, .blocking = true, .has_ladder = false});
  if (options.how == method::thrust) host_impl::thrust(place, values, predicate, answer);
  else host_impl::fold(place, values, predicate, answer);
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void count_to<T, Predicate>(gpu&, device_span<T const>, Predicate, count_answer const&, \
                                       bool, reduce_options const&);                               \
  template void count_to<T, Predicate>(host const&, std::span<T const>, Predicate,                 \
                                       count_answer const&, bool, reduce_options const&);
WARPFOLD_FOR_EACH_COUNT(INSTANTIATE)

} // namespace warpfold::detail
