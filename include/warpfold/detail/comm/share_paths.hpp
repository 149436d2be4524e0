#pragma once
// How simulations of paths get others to take part.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>

#include <memory>

namespace warpfold::inline v0::detail {

/// By all ranks of a communicator, which outlives it.
template <class Place>
std::unique_ptr<pricing::path_sharing> share_paths(communicator<Place>& comm);
extern template std::unique_ptr<pricing::path_sharing> share_paths(communicator<gpu>&);
extern template std::unique_ptr<pricing::path_sharing> share_paths(communicator<host>&);

} // namespace warpfold::inline v0::detail
