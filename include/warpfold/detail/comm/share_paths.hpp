#pragma once
// How simulations of paths get others to take part.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>

#include <cstdint>
#include <memory>

namespace warpfold::inline v0::detail {

/// By all ranks of a communicator, which outlives it.
/// @param agreement a number that is the same on all ranks
template <class Place>
std::unique_ptr<pricing::path_sharing> share_paths(communicator<Place>& comm,
                                                   std::uint64_t agreement = 0);
extern template std::unique_ptr<pricing::path_sharing> share_paths(communicator<gpu>&,
                                                                   std::uint64_t);
extern template std::unique_ptr<pricing::path_sharing> share_paths(communicator<host>&,
                                                                   std::uint64_t);

} // namespace warpfold::inline v0::detail
