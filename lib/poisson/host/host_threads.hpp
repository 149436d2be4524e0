#pragma once
// Threads of a host, each with memory of its own.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::poisson {

/// One for a problem that is done before other threads have woken: results do not depend on it.
inline int threads_for(host const& place, std::size_t elements) {
  return elements < std::size_t{1} << 14 ? 1 : place.threads();
}

class thread_team {
public:
  thread_team(host const& place, std::size_t elements)
      : size_{static_cast<std::size_t>(threads_for(place, elements))} {}

  [[nodiscard]] std::size_t size() const { return size_; }
  /// So many bytes, or more, for every thread. Before threads work.
  void make_room(std::size_t bytes) {
    sectors_ = std::max(sectors_, (bytes + sizeof(sector) - 1) / sizeof(sector));
    room_.resize(sectors_ * size_);
  }
  /// work(first, last, room) on every thread, for its part of `count` pairs of lines.
  template <class Work>
  void share(std::size_t count, Work const& work) {
    // Whole packs, whose lines share sectors.
    std::size_t const unit = count > 64 * size_ ? 16 : 1;
    auto const begin = [&](std::size_t rank) {
      return rank == size_ ? count : count / unit * rank / size_ * unit;
    };
    detail::parallel_for(static_cast<int>(size_), static_cast<std::int64_t>(size_),
                         [&](std::int64_t number) {
                           auto const rank = static_cast<std::size_t>(number);
                           work(begin(rank), begin(rank + 1),
                                reinterpret_cast<std::byte*>(room_.data() + rank * sectors_));
                         });
  }

private:
  struct alignas(64) sector {
    std::byte bytes[64];
  };
  std::size_t size_, sectors_ = 0; ///< of a thread
  std::vector<sector> room_;
};

} // namespace warpfold::inline v0::poisson
