#pragma once
// The door of Greeks, for communicators.

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/pricing/greeks.hpp>

#include <span>

namespace warpfold::inline v0::pricing {

/// simulate(), to the same bits; `sharing` is null where nobody else takes part.
template <class T, class Place, class Model>
void simulate_model_greeks(Place& place, Model const& model, std::span<contract const> book,
                           greeks const& results, simulation_options const& options,
                           bumps const& sizes, path_sharing* sharing);
template <class T, class Place, class Model>
void simulate_model_greeks(Place& place, Model const& model, std::span<schedule const> book,
                           greeks const& results, simulation_options const& options,
                           bumps const& sizes, path_sharing* sharing);

} // namespace warpfold::inline v0::pricing
