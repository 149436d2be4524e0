#pragma once
// Groups that MPI has started. Not part of <warpfold/warpfold.hpp>: it needs MPI's header and
// library, which warpfold itself is not linked with. Between GPUs NCCL moves the data, and MPI only
// says who is there; between hosts MPI moves them itself.

#include <warpfold/detail/comm/mpi_transport.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <mpi.h>

#include <exception>
#include <memory>
#include <optional>

namespace warpfold::inline v0 {

/// The ranks of an MPI communicator, each with its host. Collective; MPI is initialised, and
/// finalised after the result is gone. Returns when all have joined: MPI waits without a limit.
/// @throws argument_error for a time limit that is not above 0; communication_error for errors of
///         MPI
[[nodiscard]] inline communicator<host> join_group(host& place, MPI_Comm mpi,
                                                   communicator_options const& options = {}) {
  detail::verb const scope("join_group");
  return {place, std::make_unique<detail::mpi_transport>(mpi, options)};
}

/// The ranks of an MPI communicator, each with a GPU of its own, through NCCL. Collective;
/// returns when all have joined: MPI waits without a limit.
/// @throws what join_group of a group_id throws, and communication_error for errors of MPI
[[nodiscard]] inline communicator<gpu> join_group(gpu& place, MPI_Comm mpi,
                                                  communicator_options const& options = {}) {
  detail::verb const scope("join_group");
  int rank = 0, size = 0;
  detail::check_mpi(0, MPI_Comm_rank(mpi, &rank));
  detail::check_mpi(rank, MPI_Comm_size(mpi, &size));
  std::optional<group_id> id;
  std::exception_ptr failure;
  if (rank == 0) try {
      id = make_group_id();
    } catch (...) {
      failure = std::current_exception();
    }
  int const sent = MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, mpi);
  if (failure) std::rethrow_exception(failure);
  detail::check_mpi(rank, sent);
  if (!id) throw communication_error(rank, "rank 0 could not make the group's id");
  return join_group(place, *id, rank, size, options);
}

} // namespace warpfold::inline v0
