#pragma once
// Ranks that work together, each with a place of its own: GPUs of one process or of many, through
// NCCL; or host threads, for programs that are to run anywhere, and for tests.

#include <warpfold/buffer.hpp>
#include <warpfold/comm/transport.hpp>
#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

struct ncclComm; // NCCL's header is not needed here

namespace warpfold::inline v0 {

/// A group of ranks cannot go on: a rank failed or left, they disagree about what to do, or time
/// ran out. The message says which rank noticed, and what.
class communication_error : public error {
public:
  /// At once; throws nothing but std::bad_alloc.
  /// @param what what the rank has noticed
  communication_error(int rank, std::string_view what);
};

/// What a group may be told. To be used with designated initialisers.
struct communicator_options {
  /// How long a rank waits for the others before it gives up, and they; on a gpu for its stream, so
  /// that its own work counts too. Above 0; what is longer than a year is a year.
  std::chrono::milliseconds time_limit{60'000};
};

namespace detail {

/// The time limit. @throws argument_error if it is not above 0
[[nodiscard]] std::chrono::milliseconds checked_limit(communicator_options const& options);

enum class collective_verb : std::uint32_t {
  sum,
  product,
  min,
  max,
  dot,
  exact_sum,
  exact_dot,
  exact_norm2,
  describe,
  argmin,
  argmax,
  minmax,
  count_if,
  all_of,
  any_of,
  histogram,
  price,
  implied_volatility
};
/// What a rank says of its result: so that ranks in different verbs notice.
struct record_head {
  collective_verb verb;
  std::uint32_t bytes;                      ///< of the result
  std::uint64_t elements;                   ///< that the rank has
  std::array<std::uint64_t, 3> agreed = {}; ///< what else is the same on all ranks
};
/// Of one size for all verbs: up to 4096 bytes travel in the time of one.
struct record {
  record_head head;
  alignas(16) std::byte result[4048];
};
static_assert(sizeof(record) == 4096);

} // namespace detail

/// Consecutive elements of something.
struct index_range {
  std::size_t first, count; ///< the first one's number, and how many
};

/// Which of `size` elements a rank has where all ranks divide them: parts follow each other in the
/// order of ranks, and their sizes differ by one at most.
[[nodiscard]] constexpr index_range part_of(std::size_t size, int rank, int ranks) noexcept {
  auto const r = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);
  std::size_t const each = size / all, more = size % all;
  return {r * each + (r < more ? r : more), each + (r < more ? 1 : 0)};
}

/// One rank of a group, and the gpu or the host that it works on. Verbs that take a communicator in
/// place of a place are collective: all ranks call the same ones in the same order, each with its
/// own part of the data.
///
/// Used by one host thread at a time, as its place is. Move-only; the place must outlive it.
///
/// Errors: a rank that throws aborts the group, so that the others throw communication_error and do
/// not wait for ever. Ranks in other processes notice when their time limit is over. A group that
/// failed stays so.
template <class Place>
class communicator {
public:
  /// What the functions that make groups do in the end. Waits for nothing.
  /// @throws argument_error for a null transport
  communicator(Place& place, std::unique_ptr<transport> through);

  /// This rank's number, how many ranks there are, and what this one works on.
  [[nodiscard]] int rank() const noexcept { return transport_->rank(); }
  [[nodiscard]] int size() const noexcept { return transport_->size(); }
  [[nodiscard]] Place& place() const noexcept { return *place_; }
  /// What moves bytes between ranks, from and to memory of their places.
  [[nodiscard]] transport& through() const noexcept { return *transport_; }

  /// Every rank's value, in the order of ranks. Blocks. T is trivially copyable, but not bool.
  template <detail::vector_element T>
  [[nodiscard]] std::vector<T> all_gather(T const& mine) {
    return guarded([&] {
      std::vector<T> all(static_cast<std::size_t>(size()));
      gather_bytes(&mine, all.data(), sizeof(T));
      return all;
    });
  }

  /// Every rank's values, as many on all, one rank's after the other's. Blocks.
  /// @throws argument_error for a null span with a size
  template <detail::vector_element T, std::size_t Extent>
  [[nodiscard]] std::vector<std::remove_const_t<T>> all_gather(std::span<T, Extent> mine) {
    return guarded([&] {
      std::vector<std::remove_const_t<T>> all(static_cast<std::size_t>(size()) * mine.size());
      gather_bytes(mine.data(), all.data(), mine.size_bytes());
      return all;
    });
  }

  /// Returns when all ranks have called it. Blocks.
  void barrier() { static_cast<void>(all_gather(std::byte{})); }

  /// Returns when what was enqueued on the place's stream is done, exchanges included: what
  /// gpu::synchronize does, but for ranks that never come.
  void wait();

  /// For implementers: memory of the place, kept, of at least so many bytes, aligned to 256 on a
  /// gpu and for any type on a host. Waits for nothing.
  [[nodiscard]] std::byte* scratch(std::size_t bytes);
  /// For implementers: where this rank's result of a verb goes, in the place's memory. Enqueues.
  [[nodiscard]] void* open_record(detail::record_head const& head);
  /// For implementers: the records of all ranks, on the host. Blocks.
  /// @throws communication_error if they are of different verbs, or not agreed
  [[nodiscard]] std::vector<detail::record> gather_records();
  /// For implementers: returns when all ranks have called it with the same, but for `elements`.
  /// @throws communication_error if they have not
  void agree(detail::record_head const& head) {
    static_cast<void>(open_record(head));
    static_cast<void>(gather_records());
  }
  /// For implementers: work(), and if it throws, abort() first.
  template <class Work>
  auto guarded(Work work) {
    try {
      return work();
    } catch (...) {
      transport_->abort();
      throw;
    }
  }

private:
  void gather_bytes(void const* mine, void* all, std::size_t bytes);

  static constexpr bool on_gpu = std::is_same_v<Place, gpu>;
  using memory = std::conditional_t<on_gpu, device_buffer<std::byte>, std::vector<std::byte>>;

  Place* place_;
  std::unique_ptr<transport> transport_;
  memory scratch_;
};

extern template class communicator<gpu>;
extern template class communicator<host>;

/// What the ranks of a group must know to find each other, made by one of them. Send it to the
/// others by any means: a file, a socket, MPI (communicator_mpi.hpp).
using group_id = std::array<std::byte, 128>;

/// Whether this library was built with NCCL, without which the following three throw
/// argument_error.
[[nodiscard]] bool has_nccl() noexcept;

/// A new group's. Waits for no rank.
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

  /// Calls work on all ranks, each in a thread of its own, and returns when all have. What failed
  /// first is thrown; the group has failed then.
  /// @throws argument_error for empty work
  void run(std::function<void(communicator<Place>&)> const& work);

private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class local_group<gpu>;
extern template class local_group<host>;

} // namespace warpfold::inline v0
