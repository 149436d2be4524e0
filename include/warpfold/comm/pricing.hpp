#pragma once
// Option books priced by all ranks of a communicator.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/pricing/basket_exercise.hpp>
#include <warpfold/pricing/baskets.hpp>
#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/early_exercise.hpp>
#include <warpfold/pricing/greeks.hpp>
#include <warpfold/pricing/implied_volatility.hpp>
#include <warpfold/pricing/local_volatility.hpp>
#include <warpfold/pricing/monte_carlo.hpp>
#include <warpfold/pricing/path_options.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <concepts>
#include <span>
#include <type_traits>

namespace warpfold::inline v0::pricing {

/// The models of options with early exercise on one asset.
template <class Model>
concept exercise_model = std::same_as<Model, black_scholes> || std::same_as<Model, heston>;

/// price() of a book in host memory by all ranks.
template <class T, class Place>
void price(communicator<Place>& comm, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options = {});

/// implied_volatility() of quotes in host memory by all ranks.
template <class T, class Place>
void implied_volatility(communicator<Place>& comm, host_quotes<T> const& quotes,
                        std::type_identity_t<host_implied_outputs<T>> const& outputs);

/// simulate() by all ranks: each has the whole book and all outputs, in the memory of its place,
/// and simulates some of the paths; all get all estimates. Combining: as there, but with neither a
/// wanted standard error nor progress.
template <class T>
void simulate(communicator<gpu>& comm, device_europeans<T> const& book,
              device_estimates const& outputs, european_simulation_options const& options = {});
template <class T>
void simulate(communicator<host>& comm, host_europeans<T> const& book,
              host_estimates const& outputs, european_simulation_options const& options = {});

/// simulate() of options on paths by all ranks: each has the whole book and simulates some of the
/// paths; all ranks write all estimates to `results`, an array in host memory that each rank has
/// for itself, in one process too.
template <class T = float, class Place>
void simulate(communicator<Place>& comm, std::span<asian_option const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float, class Place>
void simulate(communicator<Place>& comm, std::span<barrier_option const> book,
              std::span<estimate> results, simulation_options const& options);

/// simulate() of contracts, or products with a schedule, on a model's paths by all ranks, as of
/// options on paths.
template <class T = float, class Place, contract_model Model>
void simulate(communicator<Place>& comm, Model const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float, class Place>
void simulate(communicator<Place>& comm, basket const& model, std::span<basket_contract const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float, class Place, schedule_model Model>
void simulate(communicator<Place>& comm, Model const& model, std::span<schedule const> book,
              std::span<estimate> results, simulation_options const& options);

/// simulate() of options with early exercise by all ranks. They share the pricing paths alone: each
/// rank learns the rules by itself from all regression paths, with the same bits, and nothing of
/// them travels. So more ranks shorten a call only by the time that pricing paths take. Ask for
/// many `paths` beside `regression_paths`.
template <class T = float, class Place, exercise_model Model>
void simulate(communicator<Place>& comm, Model const& model, std::span<bermudan_option const> book,
              std::span<exercise_estimate> results, simulation_options const& options);
template <class T = float, class Place>
void simulate(communicator<Place>& comm, basket const& model,
              std::span<bermudan_basket_option const> book, std::span<exercise_estimate> results,
              simulation_options const& options);

/// simulate() of Greeks by all ranks, in the same way.
template <class T = float, class Place, contract_model Model>
void simulate(communicator<Place>& comm, Model const& model, std::span<contract const> book,
              greeks const& results, simulation_options const& options, bumps const& sizes = {});
template <class T = float, class Place, contract_model Model>
void simulate(communicator<Place>& comm, Model const& model, std::span<schedule const> book,
              greeks const& results, simulation_options const& options, bumps const& sizes = {});

// Contract of all of them.
//
// comm        For price() and implied_volatility(), every rank names the whole book and all
//             outputs, and does the options rank_part(options, rank, ranks): on its host, or
//             through its GPU as price() does for one gpu, piece by piece. A rank neither reads nor
//             writes the others' options: ranks in several processes have their own parts of the
//             outputs, and must have theirs of the book, in arrays of the whole size; ranks of one
//             process name the same arrays, and have all.
// Waiting     They block until all ranks are done, and have no `_async` form: ranks wait for each
//             other, on the host.
// Determinism The bits of the same verb on one place of this kind, for any number of ranks.
// Throws      what that verb throws, and argument_error for options that do not combine. Then the
//             other ranks throw communication_error. All do if they have books of different sizes
//             (for simulate() with simulation_options: different books or models), another T or
//             other options that matter. For price() and implied_volatility() so do other outputs,
//             and for simulate() Greeks that only some ask for.

} // namespace warpfold::inline v0::pricing
