#pragma once
// How simulations of paths get others to take part.

#include <warpfold/communicator.hpp>
#include <warpfold/detail/tile_sharing.hpp>

#include <memory>

namespace warpfold::detail {

/// By all ranks of a communicator, which outlives it.
template <class Place>
std::unique_ptr<pricing::path_sharing> share_paths(communicator<Place>& over);
extern template std::unique_ptr<pricing::path_sharing> share_paths(communicator<gpu>&);
extern template std::unique_ptr<pricing::path_sharing> share_paths(communicator<host>&);

} // namespace warpfold::detail
