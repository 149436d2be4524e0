#pragma once
// Ranks that work together, each with a place of its own: GPUs of one process or of many, through
// NCCL; or host threads, for programs that are to run anywhere, and for tests.
//
//   local_group<gpu> group(devices); // a rank a GPU
//   group.run([&](communicator<gpu>& comm) { total = sum(comm, part_in_its_memory); });

#include <warpfold/buffer.hpp>
#include <warpfold/comm/transport.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

struct ncclComm; // NCCL's header is not needed here

namespace warpfold::inline v0 {

namespace detail {
template <class Place>
class collective;
} // namespace detail

/// One rank of a group, and the gpu or the host that it works on. Verbs that take a communicator in
/// place of a place are collective: all ranks call the same ones in the same order, each with its
/// own part of the data.
///
/// Used by one host thread at a time, as its place is. Move-only; the place must outlive it.
///
/// Errors: a rank that throws in a verb aborts the group, so that the others throw
/// communication_error and do not wait for ever. Ranks in other processes notice when their time
/// limit is over. A group that failed stays so.
///
/// Collective verbs and members have no `_async` form: ranks wait for each other, on the host.
template <class Place>
class communicator {
public:
  /// For transports of your own; join_group, adopt_group and local_group make the others. Waits for
  /// nothing.
  /// @throws argument_error for a null transport
  communicator(Place& place, std::unique_ptr<warpfold::transport> transport);

  /// Number of this rank, number of all, and the place of this one.
  [[nodiscard]] int rank() const noexcept { return transport_->rank(); }
  [[nodiscard]] int size() const noexcept { return transport_->size(); }
  [[nodiscard]] Place& place() const noexcept { return *place_; }
  /// Moves bytes between ranks, from and to memory of their places.
  [[nodiscard]] warpfold::transport& transport() const noexcept { return *transport_; }

  /// Every rank's value, in the order of ranks. Blocks. T is trivially copyable, but not bool.
  template <detail::vector_element T>
  [[nodiscard]] std::vector<T> all_gather(T const& value) {
    detail::verb const scope("communicator::all_gather");
    return all_gather(std::span(&value, 1));
  }

  /// Every rank's values, as many on all, one rank's after the other's. Blocks.
  /// @throws argument_error for a null span with a size
  template <detail::vector_element T, std::size_t Extent>
  [[nodiscard]] std::vector<std::remove_const_t<T>> all_gather(std::span<T, Extent> values) {
    detail::verb const scope("communicator::all_gather");
    return guarded([&] {
      std::vector<std::remove_const_t<T>> all(static_cast<std::size_t>(size()) * values.size());
      gather_bytes(values.data(), all.data(), values.size_bytes());
      return all;
    });
  }

  /// Returns when all ranks have called it. Blocks.
  void barrier() {
    detail::verb const scope("communicator::barrier");
    static_cast<void>(all_gather(std::byte{}));
  }

  /// Returns when what was enqueued on the place's stream is done, exchanges included: as
  /// gpu::synchronize, but for ranks that never come. Blocks.
  void wait();

  /// Lets the calls of all ranks fail: for code between verbs that cannot go on. Returns when what
  /// this rank has enqueued is done or called off, after the time limit at the latest.
  void abort() noexcept { transport_->abort(); }

private:
  friend class detail::collective<Place>;

  static constexpr bool on_gpu = std::is_same_v<Place, gpu>;
  using memory = std::conditional_t<on_gpu, device_allocation, std::vector<std::byte>>;

  /// work(); aborts if that throws.
  template <class Work>
  auto guarded(Work work) {
    try {
      return work();
    } catch (...) {
      abort();
      throw;
    }
  }
  void gather_bytes(void const* values, void* all, std::size_t bytes);
  std::byte* scratch(std::size_t bytes);

  Place* place_;
  std::unique_ptr<warpfold::transport> transport_;
  memory scratch_;
  cudaStream_t home_ = nullptr; ///< a gpu's when this was made, which scratch_ is of
};

extern template class communicator<gpu>;
extern template class communicator<host>;

/// A group of ranks cannot go on: a rank failed or left, they disagree about what to do, or time
/// ran out. The message says which rank noticed, and what.
class communication_error : public error {
public:
  /// At once; throws nothing but std::bad_alloc.
  /// @param rank   the one that has noticed
  /// @param reason what it has noticed
  communication_error(int rank, std::string_view reason);
};

/// Options of a group.
struct communicator_options {
  /// Longest wait of a rank for the others before it gives up, and they; on a gpu for its stream,
  /// so that its own work counts too. Above 0; what is longer than a year is a year.
  std::chrono::milliseconds time_limit{60'000};
};

/// Consecutive elements of something.
struct index_range {
  std::size_t first, count; ///< number of the first one, and how many
};

/// The part of `size` elements that a rank has where all ranks divide them: parts follow each other
/// in the order of ranks, and their sizes differ by one at most.
[[nodiscard]] constexpr index_range rank_part(std::size_t size, int rank, int ranks) noexcept {
  auto const r = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);
  std::size_t const each = size / all, more = size % all;
  return {r * each + (r < more ? r : more), each + (r < more ? 1 : 0)};
}

/// By which the ranks of a group find each other. One of them makes it; send it to the others by
/// any means: a file, a socket, MPI (comm/mpi.hpp).
using group_id = std::array<std::byte, 128>;

/// True if the library was built with NCCL; if not, the following three throw argument_error.
[[nodiscard]] bool has_nccl() noexcept;

/// Makes a new group's id. Waits for no rank.
/// @throws argument_error without NCCL; vendor_error
[[nodiscard]] group_id make_group_id();

/// Becomes rank `rank` of `size`, each with a GPU of its own; returns when all have. Leaving takes
/// all, too: a rank's communicator is gone when the others' go, or time is over.
/// @throws argument_error for a rank outside the group or a time limit that is not above 0;
///         communication_error if the others do not come in time; vendor_error; cuda_error
[[nodiscard]] communicator<gpu> join_group(gpu& place, group_id const& id, int rank, int size,
                                           communicator_options const& options = {});

/// The ranks of an ncclComm_t, which stays the caller's. Collective: it is split, and what is made
/// of it is used from then on; returns when all have. If that fails it is aborted, which frees it.
/// @throws argument_error if it is null, or of another device than the place, or for a time limit
///         that is not above 0; communication_error; vendor_error; cuda_error
[[nodiscard]] communicator<gpu> adopt_group(gpu& place, ::ncclComm* group,
                                            communicator_options const& options = {});

/// A group in one process: a rank a gpu, or a rank a host thread.
template <class Place>
class local_group {
public:
  /// One rank for each device; all of the machine's, if there are none here. Blocks.
  /// @throws argument_error for a device twice, for none at all, without NCCL for more than one,
  ///         and for a time limit that is not above 0; vendor_error; cuda_error
  explicit local_group(
      std::span<int const> devices,
      communicator_options const& options = {}) requires std::is_same_v<Place, gpu>;
  /// Waits for nothing.
  /// @param ranks   that work at the same time
  /// @param threads of each, as of host
  /// @throws argument_error unless 1 <= ranks <= 1024, for threads that host refuses, and for
  ///         a time limit that is not above 0
  explicit local_group(
      int ranks, int threads = 1,
      communicator_options const& options = {}) requires std::is_same_v<Place, host>;
  ~local_group();
  local_group(local_group&&) noexcept;
  local_group& operator=(local_group&&) noexcept;

  /// How many ranks there are.
  [[nodiscard]] int size() const noexcept;

  /// Calls work on all ranks, each in a thread of its own, and returns when all have. The first
  /// failure is thrown; the group has failed then.
  /// @throws argument_error for empty work
  void run(std::function<void(communicator<Place>&)> const& work);

private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class local_group<gpu>;
extern template class local_group<host>;

} // namespace warpfold::inline v0
