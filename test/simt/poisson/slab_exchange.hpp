#pragma once
// Exchanges between ranks, in one process.

#include "simt/poisson/unit_passes.hpp"

#include "poisson/engine/memory.hpp"
#include "poisson/slabs/slab_tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

/// The pairs of all ranks, before an exchange or after it.
template <class T>
class pairs_of_ranks {
public:
  using pair = po::complex_pair<T>;

  explicit pairs_of_ranks(po::slab_tiles const& tiles, int ranks) : tiles_{tiles}, ranks_{ranks} {
    T const nan = T(NAN);
    pair const unwritten{{nan, nan}, {nan, nan}};
    for (int r = 0; r < ranks; ++r) {
      by_lines_.emplace_back(tiles.size_by_lines(r), unwritten);
      by_columns_.emplace_back(tiles.size_by_columns(r), unwritten);
    }
  }

  pair* by_lines(int rank) { return by_lines_[static_cast<std::size_t>(rank)].data(); }
  pair* by_columns(int rank) { return by_columns_[static_cast<std::size_t>(rank)].data(); }

  void to_columns() {
    each_tile(
        [](pair* lines, pair* columns, std::size_t count) { std::copy_n(lines, count, columns); });
  }
  void to_lines() {
    each_tile(
        [](pair* lines, pair* columns, std::size_t count) { std::copy_n(columns, count, lines); });
  }

private:
  template <class Copy>
  void each_tile(Copy copy) {
    for (int k = 0; k < tiles_.line_parts(); ++k)
      for (int j = 0; j < tiles_.column_parts(); ++j)
        for (int s = 0; s < ranks_; ++s)
          for (int to_rank = 0; to_rank < ranks_; ++to_rank) {
            auto const from = tiles_.sent(s, k, j)[static_cast<std::size_t>(to_rank)],
                       to = tiles_.received(to_rank, k, j)[static_cast<std::size_t>(s)];
            REQUIRE(from.count == to.count);
            copy(by_lines(s) + from.first, by_columns(to_rank) + to.first, from.count);
          }
  }

  po::slab_tiles const& tiles_;
  int ranks_;
  std::vector<std::vector<pair>> by_lines_, by_columns_;
};

} // namespace
