// The door of pricing by simulation: checks the arguments, and simulates in batches where a
// standard error is wanted.

#include <warpfold/pricing/monte_carlo.hpp>

#include "european_paths.hpp"
#include "monte_carlo_backend.hpp"
#include "monte_carlo_door.hpp"
#include "monte_carlo_shape.hpp"
#include "pricing/door.hpp"

#include <warpfold/buffer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

void refuse_unless(bool right, char const* argument, std::string const& reason) {
  if (!right) throw argument_error(argument, reason);
}

void check_options(monte_carlo_options const& options) {
  bool const is_sobol = options.from == sampling::sobol;
  refuse_unless(is_sobol || options.from == sampling::philox, "options.from", "not a sampling");
  refuse_unless(options.paths > 0 && options.paths <= most_samples, "options.paths",
                std::to_string(options.paths) + " paths, not 1 ... 2^42");
  refuse_unless(options.confidence > 0 && options.confidence < 1, "options.confidence",
                std::to_string(options.confidence) + ", not between 0 and 1");
  refuse_unless(options.standard_error >= 0, "options.standard_error",
                std::to_string(options.standard_error));
  refuse_unless(!options.antithetic || options.paths % 2 == 0, "options.paths",
                std::to_string(options.paths) + " is no number of antithetic pairs");
  if (!is_sobol) return;
  refuse_unless(!options.antithetic, "options.antithetic", "not of Sobol sequences");
  refuse_unless(!options.control_variate, "options.control_variate", "not of Sobol sequences");
  refuse_unless(!is_batched(options), "options.standard_error", "not of Sobol sequences");
  refuse_unless(options.replicates >= 8, "options.replicates",
                std::to_string(options.replicates) + ": fewer than 8 tell no error");
  refuse_unless(options.paths % options.replicates == 0, "options.replicates",
                std::to_string(options.replicates) + " do not divide " +
                    std::to_string(options.paths) + " paths");
  refuse_unless(options.paths / options.replicates <= std::uint64_t{1} << 32, "options.paths",
                "more than 2^32 points a sequence");
}

/// What an array may hold and one value for all may not.
template <class T>
void check_value(char const* argument, column<T> const& of, bool may_be_negative) {
  if (of.array) return;
  if (!std::isfinite(of.value) || (of.value < 0 && !may_be_negative))
    throw argument_error(argument, std::to_string(of.value));
}

} // namespace

template <class T, class Book, class Span>
simulation_call<T> checked_call(Book const& book, simulation_outputs<Span> const& outputs,
                                monte_carlo_options const& options) {
  check_options(options);
  checked_arrays arrays;
  simulation_call<T> call{};
  call.kind = arrays.add("book.kind", book.kind);
  auto const add = [&](int k, char const* name, auto const& from, bool may_be_negative) {
    call.book.of[k] = arrays.add(name, from);
    check_value(name, call.book.of[k], may_be_negative);
  };
  add(0, "book.spot", book.spot, false);
  add(1, "book.strike", book.strike, false);
  add(2, "book.expiry", book.expiry, false);
  add(3, "book.volatility", book.volatility, false);
  add(4, "book.rate", book.rate, true);
  add(5, "book.dividend_yield", book.dividend_yield, true);
  if (!call.kind.array)
    refuse_unless(call.kind.value == option_kind::call || call.kind.value == option_kind::put,
                  "book.kind", "neither call nor put");
  Span const spans[estimate_columns] = {outputs.value,      outputs.delta,     outputs.vega,
                                        outputs.rho,        outputs.gamma,     outputs.ratio_delta,
                                        outputs.ratio_vega, outputs.ratio_rho, outputs.ratio_gamma};
  constexpr char const* names[estimate_columns] = {
      "outputs.value",      "outputs.delta",     "outputs.vega",
      "outputs.rho",        "outputs.gamma",     "outputs.ratio_delta",
      "outputs.ratio_vega", "outputs.ratio_rho", "outputs.ratio_gamma"};
  bool any = false;
  for (int k = 0; k < estimate_columns; ++k) {
    if (spans[k].empty()) continue;
    any = true;
    call.to[k] = arrays.add_output(names[k], spans[k]);
  }
  call.book.size = arrays.size();
  refuse_unless(call.book.size <= std::numeric_limits<std::uint32_t>::max() / 2, "book",
                "more than 2^31 - 1 options");
  refuse_unless(any || call.book.size == 0, "outputs", "every one is left out");
  refuse_unless(!call.greeks() || !options.control_variate, "options.control_variate",
                "of values, not of Greeks");

  call.sobol = options.from == sampling::sobol;
  call.replicates = call.sobol ? options.replicates : 1;
  call.samples = options.paths / call.replicates / (options.antithetic ? 2 : 1);
  call.quantile = call.sobol ? detail::student_quantile(options.confidence,
                                                        static_cast<int>(call.replicates) - 1)
                             : detail::two_sided_quantile(options.confidence);
  refuse_unless(call.book.size == 0 || can_be_shaped(call.book.size, call.samples, call.replicates),
                call.sobol ? "options.replicates" : "options.paths",
                "too much in one call: " + std::to_string(call.book.size) + " options with " +
                    std::to_string(options.paths) + " paths");
  call.from = {options.seed, options.stream};
  call.independent = options.independent;
  call.antithetic = options.antithetic;
  call.control = options.control_variate;
  call.importance = options.importance;
  return call;
}

namespace {

/// Batches until the errors are small enough, or the paths done, or progress says so. Memory holds
/// totals and, where values are left out, the values; seen(call) are the values so far.
template <class T, class Simulate, class Seen>
void simulate_in_batches(simulation_call<T> call, monte_carlo_options const& options,
                         Simulate simulate, Seen seen) {
  constexpr std::uint64_t first_batch = 1 << 14;
  std::uint64_t const all = call.samples;
  for (call.first = 0; call.first < all; call.first += call.samples) {
    call.samples = std::min(std::max(first_batch, call.first), all - call.first);
    simulate(call);
    double worst = 0;
    bool is_done = options.standard_error > 0;
    std::uint64_t paths = 0;
    for (estimate const& one : seen(call)) {
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
void monte_carlo_async(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                       monte_carlo_options const& options) {
  auto const call = checked_call<T>(book, outputs, options);
  refuse_unless(!is_batched(options), "options.standard_error",
                "an asynchronous call does not wait for batches");
  if (call.book.size == 0) return;
  device_guard const current{place.device()};
  gpu_impl::simulate_fused(place, call, false);
}

template <class T>
void monte_carlo(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                 monte_carlo_options const& options) {
  auto call = checked_call<T>(book, outputs, options);
  if (call.book.size == 0) return;
  device_guard const current{place.device()};
  if (!is_batched(options)) {
    gpu_impl::simulate_fused(place, call, true);
  } else {
    std::size_t const size = call.book.size;
    device_buffer<running_total> totals(place, size);
    device_buffer<estimate> values(place, call.to[0] ? 0 : size);
    if (!call.to[0]) call.to[0] = values.data();
    call.totals = totals.data();
    simulate_in_batches(
        call, options,
        [&](simulation_call<T> const& now) { gpu_impl::simulate_fused(place, now, true); },
        [&](simulation_call<T> const& now) {
          return to_vector(place, device_span<estimate const>(now.to[0], size));
        });
  }
  place.synchronize();
}

template <class T>
void monte_carlo(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
                 monte_carlo_options const& options) {
  auto call = checked_call<T>(book, outputs, options);
  if (call.book.size == 0) return;
  if (!is_batched(options)) return host_impl::simulate_fused(place, call);
  std::vector<running_total> totals(call.book.size);
  std::vector<estimate> values(call.to[0] ? 0 : call.book.size);
  if (!call.to[0]) call.to[0] = values.data();
  call.totals = totals.data();
  simulate_in_batches(
      call, options, [&](simulation_call<T> const& now) { host_impl::simulate_fused(place, now); },
      [&](simulation_call<T> const& now) {
        return std::span<estimate const>(now.to[0], now.book.size);
      });
}

#define INSTANTIATE(T)                                                                             \
  template simulation_call<T> checked_call<T>(device_europeans<T> const&, device_estimates const&, \
                                              monte_carlo_options const&);                         \
  template simulation_call<T> checked_call<T>(host_europeans<T> const&, host_estimates const&,     \
                                              monte_carlo_options const&);                         \
  template void monte_carlo_async<T>(gpu&, device_europeans<T> const&, device_estimates const&,    \
                                     monte_carlo_options const&);                                  \
  template void monte_carlo<T>(gpu&, device_europeans<T> const&, device_estimates const&,          \
                               monte_carlo_options const&);                                        \
  template void monte_carlo<T>(host const&, host_europeans<T> const&, host_estimates const&,       \
                               monte_carlo_options const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
