#pragma once
// The door of Asian and barrier options, for those who simulate them with others.

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/pricing/path_options.hpp>

namespace warpfold::inline v0::pricing {

/// simulate() with others, to the same bits.
template <class T>
std::vector<estimate> simulate_shared(gpu& place, std::span<asian_option const> book,
                                      simulation_options const& options, path_sharing& sharing);
template <class T>
std::vector<estimate> simulate_shared(host const& place, std::span<asian_option const> book,
                                      simulation_options const& options, path_sharing& sharing);
template <class T>
std::vector<estimate> simulate_shared(gpu& place, std::span<barrier_option const> book,
                                      simulation_options const& options, path_sharing& sharing);
template <class T>
std::vector<estimate> simulate_shared(host const& place, std::span<barrier_option const> book,
                                      simulation_options const& options, path_sharing& sharing);

} // namespace warpfold::inline v0::pricing
