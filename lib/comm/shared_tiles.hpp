#pragma once
// Tiles of a simulation, divided among ranks.

#include "place_copies.hpp"

#include <warpfold/communicator.hpp>
#include <warpfold/detail/tile_sharing.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace warpfold::comm {

/// A rank's columns are packed, gathered, and put where they belong. With them goes what
/// the ranks have to agree on, so that nobody waits for that alone.
template <class Place, class Agreement>
class shared_tiles final : public pricing::tile_sharing {
public:
  shared_tiles(communicator<Place>& over, Agreement const& mine)
      : over_{over}, copies_{over.place()}, mine_{mine} {
    static_assert(sizeof(Agreement) <= head);
  }

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(over_.size()); }
  pricing::piece_range own(std::uint32_t pieces) const override { return of(over_.rank(), pieces); }

  void open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) override {
    rows_ = rows;
    pieces_ = pieces;
    bytes_ = bytes;
    widest_ = (pieces + ranks() - std::size_t{1}) / ranks() * bytes;
    packed_ = head + (rows * widest_ + 255) / 256 * 256;
    mine_packed_ = over_.scratch(packed_ * (ranks() + std::size_t{1}));
    copies_.from_host(mine_packed_, &mine_, sizeof mine_);
  }

  void share(void* sums) override {
    std::byte* const all = mine_packed_ + packed_;
    auto* const matrix = static_cast<std::byte*>(sums);
    auto const columns = [&](int rank) { return matrix + of(rank, pieces_).first * bytes_; };
    auto const width = [&](int rank) { return of(rank, pieces_).count * bytes_; };
    copies_.rows(mine_packed_ + head, widest_, columns(over_.rank()), pieces_ * bytes_,
                 width(over_.rank()), rows_);
    over_.through().all_gather(mine_packed_, all, packed_, copies_.stream());
    for (int r = 0; r < over_.size(); ++r)
      if (r != over_.rank())
        copies_.rows(columns(r), pieces_ * bytes_,
                     all + static_cast<std::size_t>(r) * packed_ + head, widest_, width(r), rows_);
    theirs_ = copies_.to_host(all, packed_, sizeof mine_, static_cast<std::size_t>(over_.size()));
  }

  /// When the sums are there. @throws communication_error unless all ranks agree
  void check_agreement() const {
    for (int r = 0; r < over_.size(); ++r)
      if (std::memcmp(theirs_ + static_cast<std::size_t>(r) * sizeof mine_, &mine_, sizeof mine_) !=
          0)
        throw communication_error(over_.rank(), "rank " + std::to_string(r) +
                                                    " simulates another book, or otherwise");
  }

private:
  static constexpr std::size_t head = 256;

  pricing::piece_range of(int rank, std::uint32_t pieces) const {
    auto const begin = [&](int r) {
      return static_cast<std::uint32_t>(std::uint64_t{pieces} * static_cast<std::uint64_t>(r) /
                                        static_cast<std::uint64_t>(over_.size()));
    };
    return {begin(rank), begin(rank + 1) - begin(rank)};
  }

  communicator<Place>& over_;
  place_copies<Place> copies_;
  Agreement mine_;
  std::size_t rows_ = 0, bytes_ = 0, widest_ = 0, packed_ = 0;
  std::uint32_t pieces_ = 0;
  std::byte* mine_packed_ = nullptr;
  std::byte const* theirs_ = nullptr;
};

} // namespace warpfold::comm
