// The door of pricing by simulation: checks the arguments, and simulates in batches where a
// standard error is wanted.

#include <warpfold/pricing/monte_carlo.hpp>

#include "monte_carlo_backend.hpp"
#include "monte_carlo_shape.hpp"
#include "pricing/door.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

void check_options(european_simulation_options const& options) {
  check_shared_options(options, most_samples);
  if (!(options.standard_error >= 0))
    refuse("options.standard_error", options.standard_error, "at least 0");
  if (options.sampling != sampling::sobol) return;
  if (options.control_variate)
    refuse("options.control_variate", "true", "false with Sobol's sequence");
  refuse_batches(options, "with Sobol's sequence");
  if (options.replicates < 8)
    refuse("options.replicates", options.replicates, "8 or more: fewer tell no error");
  auto const replicates = static_cast<std::uint64_t>(options.replicates);
  if (options.paths % replicates != 0)
    refuse("options.replicates", replicates, text("divisors of ", options.paths, " paths"));
  if (options.paths / replicates > std::uint64_t{1} << 32)
    refuse("options.paths", options.paths, "up to 2^32 a replicate");
}

/// Refuses values for all that an array may hold.
template <class T>
void check_value(char const* argument, column<T> const& of, bool may_be_negative) {
  if (of.array) return;
  if (!std::isfinite(of.value) || (of.value < 0 && !may_be_negative))
    refuse(argument, of.value, may_be_negative ? "finite numbers" : "finite numbers from 0 on");
}

} // namespace

template <class T, class Book, class Span>
simulation_call<T> checked_call(Book const& book, simulation_outputs<Span> const& outputs,
                                european_simulation_options const& options) {
  check_options(options);
  checked_arrays arrays;
  simulation_call<T> call{};
  call.kind = arrays.add("book.kind", book.kind);
  int k = 0;
  for_each_quantity(book, [&](char const* argument, auto const& values) {
    call.book.of[k] = arrays.add(argument, values);
    check_value(argument, call.book.of[k], k >= 4);
    ++k;
  });
  option_kind const kind = call.kind.value;
  if (!call.kind.array && kind != option_kind::call && kind != option_kind::put)
    refuse("book.kind", static_cast<int>(kind), "call or put");
  constexpr char const* names[estimate_columns] = {
      "outputs.value",      "outputs.delta",     "outputs.vega",
      "outputs.rho",        "outputs.gamma",     "outputs.ratio_delta",
      "outputs.ratio_vega", "outputs.ratio_rho", "outputs.ratio_gamma"};
  Span const all[estimate_columns] = {outputs.value,      outputs.delta,     outputs.vega,
                                      outputs.rho,        outputs.gamma,     outputs.ratio_delta,
                                      outputs.ratio_vega, outputs.ratio_rho, outputs.ratio_gamma};
  for (k = 0; k < estimate_columns; ++k) call.to[k] = arrays.add_if_wanted(names[k], all[k]);
  call.book.size = arrays.size();
  constexpr std::size_t most_options = std::numeric_limits<std::uint32_t>::max() / 2;
  if (call.book.size > most_options)
    refuse("book", text(call.book.size, " options"), text("up to ", most_options));
  if (call.book.size > 0 && !call.to[0] && !call.greeks()) refuse("outputs", "none", "one or more");
  if (call.greeks() && options.control_variate)
    refuse("options.control_variate", "true", "false with Greeks");

  call.sobol = options.sampling == sampling::sobol;
  call.replicates = call.sobol ? static_cast<std::uint32_t>(options.replicates) : 1;
  call.samples = options.paths / call.replicates / (options.antithetic ? 2 : 1);
  call.quantile = call.sobol ? detail::student_quantile(options.confidence, options.replicates - 1)
                             : detail::two_sided_quantile(options.confidence);
  if (call.book.size > 0 && !can_be_shaped(call.book.size, call.samples, call.replicates))
    refuse(call.sobol ? "options.replicates" : "options.paths",
           text(call.sobol ? call.replicates : options.paths, " for ", call.book.size, " options"),
           "fewer in one call, or fewer options");
  call.from = {options.seed, options.stream};
  call.independent = options.independent;
  call.antithetic = options.antithetic;
  call.control = options.control_variate;
  call.importance = options.importance;
  call.how = options.bits;
  return call;
}

namespace {

template <class T>
device_buffer<T> memory_of(gpu const& place, std::size_t size) {
  return device_buffer<T>(place, size);
}
template <class T>
std::vector<T> memory_of(host const&, std::size_t size) {
  return std::vector<T>(size);
}
auto on_host(gpu& place, estimate const* values, std::size_t size) {
  return to_vector(place, device_span<estimate const>(values, size));
}
auto on_host(host const&, estimate const* values, std::size_t size) {
  return std::span<estimate const>(values, size);
}

/// In batches, if that is asked for, until the errors are small enough, or the paths done, or
/// progress says so.
template <class T, class Place>
void simulate_call(Place& place, simulation_call<T> call,
                   european_simulation_options const& options) {
  if (!is_batched(options)) return dispatch(place, call, true);
  std::size_t const size = call.book.size;
  auto totals = memory_of<running_total>(place, size);
  auto values = memory_of<estimate>(place, call.to[0] ? 0 : size);
  if (!call.to[0]) call.to[0] = values.data();
  call.totals = totals.data();
  constexpr std::uint64_t first_batch = 1 << 14;
  std::uint64_t const all = call.samples;
  for (call.first = 0; call.first < all; call.first += call.samples) {
    call.samples = std::min(std::max(first_batch, call.first), all - call.first);
    dispatch(place, call, true);
    double worst = 0;
    bool is_done = options.standard_error > 0;
    std::uint64_t paths = 0;
    for (estimate const& one : on_host(place, call.to[0], size)) {
      worst = std::max(worst, std::isnan(one.standard_error) ? 0 : one.standard_error);
      is_done = is_done && (std::isnan(one.standard_error) || !one.too_few_paid);
      paths = one.paths;
    }
    is_done = is_done && worst <= options.standard_error;
    bool const goes_on = !options.progress || options.progress({paths, options.paths, worst});
    if (is_done || !goes_on) return;
  }
}

} // namespace

template <class T>
void simulate_async(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                    european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  auto const call = checked_call<T>(book, outputs, options);
  refuse_batches(options, "in simulate_async(), which does not wait for batches");
  if (call.book.size == 0) return;
  device_guard const current{place.device()};
  dispatch(place, call, false);
}

template <class T>
void simulate(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
              european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  auto const call = checked_call<T>(book, outputs, options);
  if (call.book.size == 0) return;
  device_guard const current{place.device()};
  simulate_call(place, call, options);
  place.synchronize();
}

template <class T>
void simulate(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
              european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  auto const call = checked_call<T>(book, outputs, options);
  if (call.book.size > 0) simulate_call(place, call, options);
}

#define INSTANTIATE(T)                                                                             \
  template simulation_call<T> checked_call<T>(device_europeans<T> const&, device_estimates const&, \
                                              european_simulation_options const&);                 \
  template simulation_call<T> checked_call<T>(host_europeans<T> const&, host_estimates const&,     \
                                              european_simulation_options const&);                 \
  template void simulate_async<T>(gpu&, device_europeans<T> const&, device_estimates const&,       \
                                  european_simulation_options const&);                             \
  template void simulate<T>(gpu&, device_europeans<T> const&, device_estimates const&,             \
                            european_simulation_options const&);                                   \
  template void simulate<T>(host const&, host_europeans<T> const&, host_estimates const&,          \
                            european_simulation_options const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
