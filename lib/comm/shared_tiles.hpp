#pragma once
// Tiles of a simulation, divided among ranks.

#include "../pricing/tile_sharing.hpp"
#include "place_copies.hpp"

#include <warpfold/communicator.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace warpfold::comm {

/// Ranges of a rank's tiles are packed, gathered, and put where they belong. With them goes what
/// the ranks have to agree on, so that nobody waits for that alone.
template <class Place, class Agreement>
class shared_tiles final : public pricing::tile_sharing {
public:
  shared_tiles(communicator<Place>& over, Agreement const& mine)
      : over_{over}, copies_{over.place()}, mine_{mine} {
    static_assert(sizeof(Agreement) <= head);
  }

  pricing::tile_range own(std::uint32_t tiles) const override { return of(over_.rank(), tiles); }

  void share(void* sums, std::size_t rows, std::uint32_t tiles, std::size_t bytes) override {
    int const ranks = over_.size();
    std::size_t const widest =
        (tiles + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks) * bytes;
    packed_ = head + (rows * widest + 255) / 256 * 256;
    std::byte* const mine = over_.scratch(packed_ * (static_cast<std::size_t>(ranks) + 1));
    std::byte* const all = mine + packed_;
    auto* const matrix = static_cast<std::byte*>(sums);
    auto const columns = [&](int rank) { return matrix + of(rank, tiles).first * bytes; };
    auto const width = [&](int rank) { return of(rank, tiles).count * bytes; };
    copies_.from_host(mine, &mine_, sizeof mine_);
    copies_.rows(mine + head, widest, columns(over_.rank()), tiles * bytes, width(over_.rank()),
                 rows);
    over_.through().all_gather(mine, all, packed_, copies_.stream());
    for (int r = 0; r < ranks; ++r)
      if (r != over_.rank())
        copies_.rows(columns(r), tiles * bytes, all + static_cast<std::size_t>(r) * packed_ + head,
                     widest, width(r), rows);
    theirs_ = copies_.to_host(all, packed_, sizeof mine_, static_cast<std::size_t>(ranks));
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

  pricing::tile_range of(int rank, std::uint32_t tiles) const {
    auto const begin = [&](int r) {
      return static_cast<std::uint32_t>(std::uint64_t{tiles} * static_cast<std::uint64_t>(r) /
                                        static_cast<std::uint64_t>(over_.size()));
    };
    return {begin(rank), begin(rank + 1) - begin(rank)};
  }

  communicator<Place>& over_;
  place_copies<Place> copies_;
  Agreement mine_;
  std::size_t packed_ = 0;
  std::byte const* theirs_ = nullptr;
};

} // namespace warpfold::comm
