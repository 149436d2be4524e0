#pragma once
// Risk figures of losses that are spread over the ranks of a communicator.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/detail/comm/risk.hpp>

namespace warpfold::inline v0::pricing {

/// Risk figures of the losses of all ranks together, on every rank. Blocks.
///
/// Each rank has some of the losses, or none, where its place works. They are read as by
/// order_statistics() of <warpfold/comm/quantiles.hpp>, and once more; 4 kB of each rank
/// travels then. The bits are those of risk() on one place that has all losses, for any number of
/// ranks and any split.
/// @throws argument_error as risk(), if all ranks together have no losses, or for options; then, if
///         ranks call with other options or another type, and if one does not come in time,
///         communication_error on the others. cuda_error; vendor_error from NCCL; std::bad_alloc
template <class Place, detail::losses_of<Place> Range>
[[nodiscard]] risk_figures risk(communicator<Place>& comm, Range const& losses,
                                risk_options const& options = {}) {
  detail::verb const scope("pricing::risk");
  return detail::risk_of_ranks(comm, losses, options);
}

} // namespace warpfold::inline v0::pricing
