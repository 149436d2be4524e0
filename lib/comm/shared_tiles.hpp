#pragma once
// Tiles of a simulation, divided among ranks.

#include "place_copies.hpp"

#include <warpfold/comm/communicator.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace warpfold::inline v0::comm {

/// Every rank's sums lie together, behind what the ranks have to agree on: so they travel as they
/// are, and nobody waits for the agreement alone.
template <class Place, class Agreement, class Base = pricing::tile_sharing>
class shared_tiles : public Base {
public:
  explicit shared_tiles(communicator<Place>& over, Agreement const& mine = {})
      : over_{over}, mine_{mine}, copies_{over.place()} {
    static_assert(sizeof(Agreement) <= head && sizeof(Agreement) % 8 == 0);
  }

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(over_.size()); }
  pricing::piece_range own(std::uint32_t pieces) const override {
    std::uint64_t const width = width_of(pieces);
    auto const first = static_cast<std::uint32_t>(std::min<std::uint64_t>(width * rank(), pieces));
    return {first, std::min(width_of(pieces), pieces - first)};
  }

  pricing::sum_places open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) override {
    bytes_ = head + (rows * width_of(pieces) * bytes + 255) / 256 * 256;
    all_ = over_.scratch(bytes_ * ranks());
    copies_.from_host(all_ + rank() * bytes_, &mine_, words);
    return {all_ + head, bytes_, width_of(pieces)};
  }

  void share() override {
    over_.through().all_gather(all_ + rank() * bytes_, all_, bytes_, copies_.stream());
    theirs_ = copies_.to_host(all_, bytes_, words, ranks());
  }

  /// Where there is nothing to simulate, but still to agree on that.
  void share_nothing() {
    open(0, 0, 0);
    share();
  }

  /// When the sums are there. @throws communication_error unless all ranks agree
  void check_agreement() const {
    for (std::size_t r = 0; r < ranks(); ++r)
      // No padding; numbers are to agree in all bits. NOLINTNEXTLINE(bugprone-suspicious-memory*)
      if (std::memcmp(theirs_ + r * sizeof mine_, &mine_, sizeof mine_) != 0)
        throw communication_error(over_.rank(), "rank " + std::to_string(r) +
                                                    " simulates another book, or otherwise");
  }

protected:
  communicator<Place>& over_;
  Agreement mine_;

private:
  static constexpr std::size_t head = 8 * most_sent, words = sizeof(Agreement) / 8;

  std::size_t rank() const { return static_cast<std::size_t>(over_.rank()); }
  std::uint32_t width_of(std::uint32_t pieces) const { return (pieces + ranks() - 1) / ranks(); }

  place_copies<Place> copies_;
  std::size_t bytes_ = 0; ///< of a rank
  std::byte* all_ = nullptr;
  std::byte const* theirs_ = nullptr;
};

} // namespace warpfold::inline v0::comm
