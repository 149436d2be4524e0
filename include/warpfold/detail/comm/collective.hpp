#pragma once
// Access of collective verbs to a communicator, beyond its public members.

#include <warpfold/comm/communicator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::detail {

/// Goes before a rank's result, so that ranks in different verbs notice.
struct record_head {
  std::uint64_t bytes;                      ///< of the result
  std::uint64_t elements;                   ///< that the rank has
  std::array<std::uint64_t, 3> agreed = {}; ///< what else is the same on all ranks
  std::uint64_t verb = 0;                   ///< written by open_record: a digest of current_verb()
};
/// One size for all verbs: up to 4096 bytes travel in the time of one.
struct record {
  record_head head;
  alignas(16) std::byte result[4048];
};
static_assert(sizeof(record) == 4096);

/// A view of a communicator, for verbs.
template <class Place>
class collective {
public:
  explicit collective(communicator<Place>& comm) noexcept : comm_{comm} {}

  /// work(); if it throws, the group is aborted first.
  template <class Work>
  auto guarded(Work work) const {
    return comm_.guarded(work);
  }
  /// Memory of the place, at least `bytes` bytes, kept for later calls. Aligned to 256 on a gpu,
  /// and for any type on a host. Waits for nothing.
  [[nodiscard]] std::byte* scratch(std::size_t bytes) const { return comm_.scratch(bytes); }
  /// Returns memory of the place for this rank's result of a verb. Enqueues.
  [[nodiscard]] void* open_record(record_head head) const;
  /// The records of all ranks, on the host. Blocks.
  /// @throws communication_error if they are of different verbs, or not agreed
  [[nodiscard]] std::vector<record> gather_records() const;
  /// Returns when all ranks have called it with the same, but for `elements`.
  /// @throws communication_error if they have not
  void agree(record_head const& head) const {
    static_cast<void>(open_record(head));
    static_cast<void>(gather_records());
  }

private:
  communicator<Place>& comm_;
};

extern template class collective<gpu>;
extern template class collective<host>;

} // namespace warpfold::inline v0::detail
