// The door of the reductions: checks the arguments and chooses the backend.

#include "backend.hpp"
#include "door.hpp"
#include "instances.hpp"

#include <warpfold/error.hpp>

#include <bit>
#include <concepts>
#include <string>

namespace warpfold {

char const* to_string(method how) noexcept {
  switch (how) {
  case method::fold: return "fold";
  case method::cub: return "cub";
  case method::thrust: return "thrust";
  case method::ladder_divergent: return "ladder_divergent";
  case method::ladder_strided: return "ladder_strided";
  case method::ladder_sequential: return "ladder_sequential";
  case method::ladder_first_add: return "ladder_first_add";
  case method::ladder_last_warp: return "ladder_last_warp";
  case method::ladder_unrolled: return "ladder_unrolled";
  case method::ladder_cascaded: return "ladder_cascaded";
  case method::halving: return "halving";
  }
  return "unknown";
}

namespace detail {
namespace {

bool is_known(method how) { return how >= method::fold && how <= method::halving; }
bool is_ladder(method how) { return how >= method::ladder_divergent && is_known(how); }

template <class T, class A, class Op, class Transform>
constexpr bool has_ladder =
    std::same_as<Op, plus>&& std::same_as<Transform, identity> && !wider_accumulator<T, A>;

std::string method_name(method how) {
  return is_known(how) ? "method::" + std::string(to_string(how))
                       : "method " + std::to_string(static_cast<int>(how));
}

} // namespace

void check_method(method how, door through) {
  if (!is_known(how)) throw argument_error("options.how", method_name(how) + " is not a method");
  if (how == method::cub && !through.on_gpu)
    throw argument_error("options.how", "method::cub needs a gpu");
  if (how == method::thrust && through.on_gpu && !through.blocking)
    throw argument_error("options.how", "method::thrust blocks: it has no _async form");
  if (is_ladder(how) && !through.has_ladder)
    throw argument_error("options.how",
                         method_name(how) + " only sums, in the default accumulator");
}

void check_options(void const* result, door through, reduce_options const& options) {
  if (!result) throw argument_error("result", "null");
  check_method(options.how, through);
  if (options.nan != nan_policy::propagate && options.nan != nan_policy::ignore)
    throw argument_error("options.nan",
                         std::to_string(static_cast<int>(options.nan)) + " is not a policy");
  if (!is_ladder(options.how)) return;
  int const threads = options.block_threads;
  if (threads < 32 || threads > 1024 || !std::has_single_bit(static_cast<unsigned>(threads)))
    throw argument_error("options.block_threads",
                         std::to_string(threads) + " is not 32, 64, 128, 256, 512 or 1024");
}

template <class T, class A, class Op, class Transform>
void reduce_to(gpu& place, device_span<T const> values, A init, A* result, bool blocking,
               reduce_options const& options) {
  using namespace reduction;
  check_arguments(
      values, result,
      {.on_gpu = true, .blocking = blocking, .has_ladder = has_ladder<T, A, Op, Transform>},
      options);
  if (options.how == method::thrust) {
    *result = gpu_impl::thrust<T, A, Op, Transform>(place, values, init);
  } else if (options.how == method::cub) {
    gpu_impl::cub<T, A, Op, Transform>(place, values, init, result, blocking);
  } else if (is_ladder(options.how) && !values.empty()) {
    if constexpr (has_ladder<T, A, Op, Transform>)
      gpu_impl::ladder<T, A>(place, values, init, result, blocking, options.how,
                             options.block_threads);
  } else {
    gpu_impl::fold<T, A, Op, Transform>(place, values, init, result);
  }
}

template <class T, class A, class Op, class Transform>
void reduce_to(host const& place, std::span<T const> values, A init, A* result, bool,
               reduce_options const& options) {
  using namespace reduction;
  check_arguments(
      values, result,
      {.on_gpu = false, .blocking = true, .has_ladder = has_ladder<T, A, Op, Transform>}, options);
  if (options.how == method::thrust) {
    *result = host_impl::thrust<T, A, Op, Transform>(place, values, init);
  } else if (is_ladder(options.how) && !values.empty()) {
    if constexpr (has_ladder<T, A, Op, Transform>)
      *result = host_impl::ladder<T, A>(place, values, init, options.how, options.block_threads);
  } else {
    *result = host_impl::fold<T, A, Op, Transform>(place, values, init);
  }
}

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  template void reduce_to<T, A, Op, Transform>(gpu&, device_span<T const>, A, A*, bool,            \
                                               reduce_options const&);                             \
  template void reduce_to<T, A, Op, Transform>(host const&, std::span<T const>, A, A*, bool,       \
                                               reduce_options const&);
WARPFOLD_FOR_EACH_REDUCTION(INSTANTIATE)

} // namespace detail
} // namespace warpfold
