#pragma once
// Tiles of a simulation, divided among ranks.

#include "../pricing/tile_sharing.hpp"
#include "place_copies.hpp"

#include <warpfold/communicator.hpp>

namespace warpfold::comm {

/// Ranges of a rank's tiles are packed, gathered, and put where they belong.
template <class Place>
class shared_tiles final : public pricing::tile_sharing {
public:
  explicit shared_tiles(communicator<Place>& over) : over_{over}, copies_{over.place()} {}

  pricing::tile_range own(std::uint32_t tiles) const override { return of(over_.rank(), tiles); }

  void share(void* sums, std::size_t rows, std::uint32_t tiles, std::size_t bytes) override {
    int const ranks = over_.size();
    std::size_t const widest =
        (tiles + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks) * bytes;
    std::size_t const packed = (rows * widest + 255) / 256 * 256;
    std::byte* const mine = over_.scratch(packed * (static_cast<std::size_t>(ranks) + 1));
    std::byte* const all = mine + packed;
    auto* const matrix = static_cast<std::byte*>(sums);
    auto const columns = [&](int rank) { return matrix + of(rank, tiles).first * bytes; };
    auto const width = [&](int rank) { return of(rank, tiles).count * bytes; };
    copies_.rows(mine, widest, columns(over_.rank()), tiles * bytes, width(over_.rank()), rows);
    over_.through().all_gather(mine, all, packed, copies_.stream());
    for (int r = 0; r < ranks; ++r)
      if (r != over_.rank())
        copies_.rows(columns(r), tiles * bytes, all + static_cast<std::size_t>(r) * packed, widest,
                     width(r), rows);
  }

private:
  pricing::tile_range of(int rank, std::uint32_t tiles) const {
    auto const begin = [&](int r) {
      return static_cast<std::uint32_t>(std::uint64_t{tiles} * static_cast<std::uint64_t>(r) /
                                        static_cast<std::uint64_t>(over_.size()));
    };
    return {begin(rank), begin(rank + 1) - begin(rank)};
  }
  communicator<Place>& over_;
  place_copies<Place> copies_;
};

} // namespace warpfold::comm
