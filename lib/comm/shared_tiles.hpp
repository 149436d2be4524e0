#pragma once
// Tiles of a simulation, divided among ranks.

#include "../pricing/tile_sharing.hpp"

#include <warpfold/communicator.hpp>

#include <cstring>
#include <type_traits>

namespace warpfold::comm {

/// Ranges of a rank's tiles are packed, gathered, and put where they belong.
template <class Place>
class shared_tiles final : public pricing::tile_sharing {
public:
  explicit shared_tiles(communicator<Place>& over) : over_{over} {}

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
    copy(mine, widest, columns(over_.rank()), tiles * bytes, width(over_.rank()), rows);
    over_.through().all_gather(mine, all, packed, stream());
    for (int r = 0; r < ranks; ++r)
      if (r != over_.rank())
        copy(columns(r), tiles * bytes, all + static_cast<std::size_t>(r) * packed, widest,
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
  cudaStream_t stream() const {
    if constexpr (std::is_same_v<Place, gpu>) return over_.place().stream();
    else return nullptr;
  }
  void copy(std::byte* to, std::size_t to_pitch, std::byte const* from, std::size_t from_pitch,
            std::size_t width, std::size_t rows) const {
    if (width == 0) return;
    if constexpr (std::is_same_v<Place, gpu>)
      check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDeviceToDevice,
                              stream()));
    else
      for (std::size_t y = 0; y < rows; ++y)
        std::memcpy(to + y * to_pitch, from + y * from_pitch, width);
  }

  communicator<Place>& over_;
};

} // namespace warpfold::comm
