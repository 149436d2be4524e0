// Simulations of payoffs that are not the library's, by all ranks.

#include "shared_tiles.hpp"

#include <warpfold/detail/comm/share_paths.hpp>

namespace warpfold::inline v0::detail {

template <class Place>
std::unique_ptr<pricing::path_sharing> share_paths(communicator<Place>& comm,
                                                   std::uint64_t agreement) {
  return std::make_unique<pricing::shared_tiles<Place>>(comm, comm::digest(agreement));
}
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<gpu>&, std::uint64_t);
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<host>&, std::uint64_t);

} // namespace warpfold::inline v0::detail
