#pragma once
// A simulation of European options: its checked arguments, its backends, and the choice between
// them.

#include "european_evaluations.hpp"
#include "monte_carlo_shape.hpp"
#include "pricing/backend.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/random/philox.hpp>
#include <warpfold/pricing/monte_carlo.hpp>

namespace warpfold::inline v0::pricing {

/// The value, four Greeks pathwise and four by the likelihood ratio, in the order of
/// simulation_outputs.
inline constexpr int estimate_columns = 9;

/// An option's sums over several calls, and the number of samples and of paying paths.
inline constexpr int total_doubles = 16;
struct running_total {
  double of[total_doubles];
  std::uint64_t samples, paying;
};

/// A simulation of some of an option's samples.
template <class T>
struct simulation_call {
  column<option_kind> kind;
  book_view<T> book;
  estimate* to[estimate_columns]; ///< null for those that are left out

  std::uint64_t first, samples; ///< of a replicate; the first is a multiple of 4
  std::uint32_t replicates;     ///< 1 of Philox
  double quantile;
  detail::address from;
  bool independent, antithetic, control, importance, sobol;
  bits how; ///< of powers
  /// One an option, to which the samples are added: earlier calls' if `first` is not 0. Null if
  /// there is one call only.
  running_total* totals;

  bool greeks() const {
    for (int k = 1; k < estimate_columns; ++k)
      if (to[k]) return true;
    return false;
  }
  bool is_plain() const { return !antithetic && !control && !importance && !sobol; }
};

/// True if paths are simulated until something says that they are enough.
inline bool is_batched(european_simulation_options const& options) {
  return options.standard_error > 0 || options.progress;
}
/// Refuses what asks for batches.
/// @param where there are none: "on communicators"
inline void refuse_batches(european_simulation_options const& options, char const* where) {
  using detail::refuse, detail::text;
  if (options.standard_error > 0)
    refuse("options.standard_error", options.standard_error, text("0 ", where));
  if (options.progress) refuse("options.progress", "a function", text("none ", where));
}

/// The checked arguments. @throws argument_error
template <class T, class Book, class Span>
simulation_call<T> checked_call(Book const& book, simulation_outputs<Span> const& outputs,
                                european_simulation_options const& options);

/// Simulates what an evaluation adds up. On a gpu it enqueues on the place's stream, and the
/// place's workspace grows if `may_allocate`. `sharing` is null where nobody else takes part; the
/// bits do not depend on it.
template <class T, class Evaluation>
void simulate_evaluation(gpu& place, simulation_call<T> const& call, Evaluation const& evaluation,
                         bool may_allocate, tile_sharing* sharing);
template <class T, class Evaluation>
void simulate_evaluation(host const& place, simulation_call<T> const& call,
                         Evaluation const& evaluation, bool, tile_sharing* sharing);

/// How the call is cut into pieces, and its sums are added: alike on both places.
template <class Evaluation, class T>
simulation_shape shape_of(simulation_call<T> const& call) {
  return simulation_shape_of(static_cast<std::uint32_t>(call.book.size), call.samples,
                             call.replicates, call.independent, Evaluation::most_per_thread);
}

/// The only place where the way of a call is chosen.
template <class T, class Place>
void dispatch(Place& place, simulation_call<T> const& call, bool may_allocate,
              tile_sharing* sharing = nullptr) {
  auto const simulate = [&](auto const& evaluation) {
    simulate_evaluation(place, call, evaluation, may_allocate, sharing);
  };
  path_variation const paths{call.antithetic, call.importance, call.how};
  if (call.greeks()) simulate(greeks_evaluation<T>{paths});
  else if (call.is_plain()) simulate(plain_evaluation<T, kinds::both>{});
  else simulate(reduced_evaluation<T>{paths, call.control});
}

} // namespace warpfold::inline v0::pricing
