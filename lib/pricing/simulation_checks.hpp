#pragma once
// Checks of the options that all simulations share.

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/pricing/simulation.hpp>

namespace warpfold::inline v0::pricing {

/// @throws argument_error
template <class Options>
void check_shared_options(Options const& options, std::uint64_t most_paths) {
  using detail::refuse, detail::text;
  bool const is_sobol = options.sampling == sampling::sobol;
  if (!is_sobol && options.sampling != sampling::philox)
    refuse("options.sampling", static_cast<int>(options.sampling), "philox or sobol");
  if (options.paths == 0 || options.paths > most_paths)
    refuse("options.paths", options.paths, text("1 to ", most_paths));
  if (!(options.confidence > 0 && options.confidence < 1))
    refuse("options.confidence", options.confidence, "levels between 0 and 1");
  if (options.antithetic && is_sobol)
    refuse("options.antithetic", "true", "false with Sobol's sequence");
  if (options.antithetic && options.paths % 2 != 0)
    refuse("options.paths", options.paths, "even numbers where paths are antithetic");
}

} // namespace warpfold::inline v0::pricing
