#pragma once
// How squares are spread over ranks, and what ranks send each other, in tiles, so that some travel
// while others are computed.
//
// A rank has some of all lines (a line is two rows, memory.hpp, or a long one), in parts, and some
// of all columns, again in parts, each of consecutive columns that are shared by all ranks. What
// rank s has of the columns of rank d is a tile for each pair of parts, and tiles of one pair of
// parts are exchanged at once. All sizes here are in pairs: the slot of a line, two modes of two
// rows, or two of a long row's slots. "Columns" are pairs of a line. A tile is [block of
// columns][line / n][column of the block][line % n], of n lines beside each other.

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace warpfold::inline v0::poisson {

/// Consecutive ones of something.
struct slab_range {
  std::size_t first, count;
};

/// How lines and columns are cut: where their parts begin and end, in shares of all. The first
/// columns are to be solved while the last ones still come, and the last ones while the first ones
/// return. (More parts cost more: some 25 us each.)
struct slab_cut {
  std::size_t rows_of_line;
  std::vector<std::size_t> lines, columns;
};
inline slab_cut cut_of_units() { return {2, {0, 4, 8}, {0, 3, 8}}; }
/// A part's columns are a block of each rank, and so all of its rows lie together.
inline slab_cut cut_of_long_rows() { return {1, {0, 1}, {0, 1, 2}}; }

/// For a grid whose lines are in `units` of `groups` groups of `interleaved` lines beside each
/// other, each with `columns` pairs of columns.
class slab_tiles {
public:
  slab_tiles(int ranks, std::size_t units, std::size_t groups, std::size_t interleaved,
             std::size_t columns, slab_cut cut = cut_of_units())
      : ranks_{ranks}, units_{units}, groups_{groups},
        interleaved_{interleaved}, columns_{columns}, cut_{std::move(cut)} {}

  [[nodiscard]] int line_parts() const { return static_cast<int>(cut_.lines.size()) - 1; }
  [[nodiscard]] int column_parts() const { return static_cast<int>(cut_.columns.size()) - 1; }
  /// For columns, dealt to ranks: as few as give all as many, since what a line has of them lies
  /// far apart.
  [[nodiscard]] std::size_t blocks() const {
    return cut_.columns.back() * std::bit_ceil(static_cast<std::size_t>(ranks_));
  }
  [[nodiscard]] std::size_t block_columns() const { return columns_ / blocks(); }
  /// For a group and a block.
  [[nodiscard]] std::size_t piece() const { return block_columns() * interleaved_; }

  /// True if all ranks have as much, part by part: then all tiles of a pair of parts are of one
  /// size, and at the same places on all ranks.
  [[nodiscard]] bool are_even() const {
    for (int r = 1; r < ranks_; ++r) {
      for (int p = 0; p < line_parts(); ++p)
        if (groups_of(r, p).count != groups_of(0, p).count) return false;
      for (int p = 0; p < column_parts(); ++p)
        if (blocks_of(r, p).count != blocks_of(0, p).count) return false;
    }
    return true;
  }

  /// A rank's rows.
  [[nodiscard]] slab_range rows_of(int rank) const {
    auto const own = groups_of(rank);
    std::size_t const rows = cut_.rows_of_line * interleaved_;
    return {rows * own.first, rows * own.count};
  }
  /// Groups of a rank, and of a part of them.
  [[nodiscard]] slab_range groups_of(int rank) const {
    slab_range const own = share(rank, units_);
    return {own.first * groups_, own.count * groups_};
  }
  [[nodiscard]] slab_range groups_of(int rank, int part) const {
    slab_range const own = share(rank, units_);
    std::size_t const all = cut_.lines.back();
    auto const begin = [&](int p) { return (own.count * cut_.lines[at(p)] + all / 2) / all; };
    return {(own.first + begin(part)) * groups_, (begin(part + 1) - begin(part)) * groups_};
  }
  /// Blocks of columns.
  [[nodiscard]] slab_range blocks_of(int rank, int part) const {
    std::size_t const each = blocks() / cut_.columns.back(), first = each * cut_.columns[at(part)];
    slab_range const own = share(rank, each * cut_.columns[at(part) + 1] - first);
    return {first + own.first, own.count};
  }

  // Before the exchange: a rank's parts of lines one after the other, in each all blocks of
  // columns.

  [[nodiscard]] std::size_t size_by_lines(int rank) const {
    return groups_of(rank).count * blocks() * piece();
  }
  /// Where a part of lines begins.
  [[nodiscard]] std::size_t lines_at(int rank, int part) const {
    return (groups_of(rank, part).first - groups_of(rank).first) * blocks() * piece();
  }
  /// The tile for each rank.
  [[nodiscard]] std::vector<slab_range> sent(int rank, int lines, int columns) const {
    std::vector<slab_range> tiles;
    std::size_t const block = groups_of(rank, lines).count * piece();
    for (int d = 0; d < ranks_; ++d) {
      slab_range const own = blocks_of(d, columns);
      tiles.push_back({lines_at(rank, lines) + own.first * block, own.count * block});
    }
    return tiles;
  }

  // After it: a rank's parts of columns one after the other, in each first what comes of all ranks'
  // first parts of lines, then of their next ones.

  [[nodiscard]] std::size_t size_by_columns(int rank) const {
    return columns_at(rank, column_parts());
  }
  /// Where a part of columns begins.
  [[nodiscard]] std::size_t columns_at(int rank, int part) const {
    std::size_t before = 0;
    for (int p = 0; p < part; ++p) before += blocks_of(rank, p).count;
    return before * units_ * groups_ * piece();
  }
  /// The tile of each rank.
  [[nodiscard]] std::vector<slab_range> received(int rank, int lines, int columns) const {
    std::vector<slab_range> tiles;
    std::size_t const group = blocks_of(rank, columns).count * piece();
    std::size_t begin = columns_at(rank, columns);
    for (int p = 0; p <= lines; ++p)
      for (int s = 0; s < ranks_; ++s) {
        std::size_t const size = groups_of(s, p).count * group;
        if (p == lines) tiles.push_back({begin, size});
        begin += size;
      }
    return tiles;
  }
  /// Where unit `unit` of all lines is there, in the first block of the part, and how far from a
  /// block to the next.
  struct unit_place {
    std::size_t first, apart;
  };
  [[nodiscard]] unit_place place_of(std::size_t unit, int rank, int columns) const {
    std::size_t const group = unit * groups_;
    int rank_of_it = 0, part = 0;
    while (group >= groups_of(rank_of_it + 1).first && rank_of_it + 1 < ranks_) ++rank_of_it;
    while (group >= groups_of(rank_of_it, part).first + groups_of(rank_of_it, part).count) ++part;
    slab_range const theirs = groups_of(rank_of_it, part);
    return {received(rank, part, columns)[at(rank_of_it)].first + (group - theirs.first) * piece(),
            theirs.count * piece()};
  }

private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] slab_range share(int rank, std::size_t all) const {
    std::size_t const begin = all * at(rank) / at(ranks_);
    return {begin, all * at(rank + 1) / at(ranks_) - begin};
  }

  int ranks_;
  std::size_t units_, groups_, interleaved_, columns_;
  slab_cut cut_;
};

} // namespace warpfold::inline v0::poisson
