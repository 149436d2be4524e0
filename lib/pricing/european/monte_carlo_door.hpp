#pragma once
// The door of pricing by simulation, for those who do it with others or otherwise.

#include "monte_carlo_backend.hpp"

namespace warpfold::inline v0::pricing {

/// Whether paths are simulated until something says that they are enough.
inline bool is_batched(monte_carlo_options const& options) {
  return options.standard_error > 0 || options.progress;
}

/// The checked arguments. @throws argument_error
template <class T, class Book, class Span>
simulation_call<T> checked_call(Book const& book, simulation_outputs<Span> const& outputs,
                                monte_carlo_options const& options);

} // namespace warpfold::inline v0::pricing
