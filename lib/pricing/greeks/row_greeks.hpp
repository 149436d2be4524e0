#pragma once
// The door of Greeks of contracts that are means over the paths of one simulation.

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/pricing/greeks.hpp>

#include <span>

namespace warpfold::inline v0::pricing {

/// simulate() of Greeks by greek_method::pathwise or likelihood_ratio, to results in memory of the
/// place, or in host memory if the call blocks. `among` is null where nobody else takes part. Model
/// is black_scholes or heston.
template <class T, class Place, class Model, class Span>
void simulate_row_greeks(Place& place, Model const& model, std::span<contract const> book,
                         greek_spans<Span> const& results, simulation_options const& options,
                         bumps const& sizes, path_sharing* among);

} // namespace warpfold::inline v0::pricing
