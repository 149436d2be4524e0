#pragma once
// The passes over fields that are longer than units (engine/long/long.hpp) of one rank that has a
// part of the rows, and between them one of the columns. A row's slots lie in blocks of columns:
// two of each rank, one for each part of the columns (slab_tiles.hpp).

#include "poisson/engine/long/long_backend.hpp"
#include "square_slabs.hpp"

#include <bit>
#include <cstddef>

namespace warpfold::inline v0::poisson {

/// Rows whose slots lie in blocks, as many slots in each, which are `apart` numbers from each
/// other. The last block also has those behind the last power of two.
template <class T>
struct tiled_long_rows : long_rows<T> {
  int block_log2, last_block;
  std::size_t apart;
};

template <class T>
struct tiled_row_slots {
  complex<T>* first;
  int block_log2, last_block;
  std::size_t apart;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* at(int slot) const {
    int const number = slot >> block_log2, block = number < last_block ? number : last_block;
    return first + static_cast<unsigned>(block) * apart + (slot - (block << block_log2));
  }
};
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE tiled_row_slots<T>
slots_of(tiled_long_rows<T> const& pass, unsigned row) {
  return {pass.entries + row * pass.slots, pass.block_log2, pass.last_block, pass.apart};
}
/// By a thread for each block.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_slots(Block const& block, tiled_long_rows<T> const& pass, unsigned row, int thread) {
  if (thread <= pass.last_block)
    block.prefetch(slots_of(pass, row).first + static_cast<unsigned>(thread) * pass.apart,
                   unsigned{sizeof(complex<T>)} << pass.block_log2);
}

namespace gpu_impl {

/// True if so many ranks can share a row's slots, two blocks each: 128 slots a block, or more
/// (double: 64).
inline bool can_share_long_rows(int ranks) {
  return std::has_single_bit(static_cast<unsigned>(ranks)) && ranks <= 16;
}

namespace {

template <class T>
class long_slabs final : public square_slabs<T> {
public:
  long_slabs(gpu& place, plan const& of, int rank, int ranks,
             long_row_launcher<T, tiled_long_rows<T>> const& rows,
             long_column_launcher<T> const& columns)
      : place_{place}, rank_{rank}, leave_{rows.leave},
        come_back_{rows.come_back}, rows_{place, rows.tables}, columns_{place, of, columns},
        lambda_{nullptr, static_cast<T>(of.problem.lambda)}, frequencies_{of.axes[1].points / 2},
        tiles_{ranks,
               static_cast<std::size_t>(columns.planes),
               of.axes[0].points / static_cast<std::size_t>(columns.planes),
               1,
               frequencies_ / 2 + static_cast<std::size_t>(ranks) * more,
               cut_of_long_rows()} {
    pass_.axis = rows_.axis();
    pass_.stride = of.axes[1].points;
    pass_.slots = 2 * tiles_.block_columns();
    pass_.rows = static_cast<unsigned>(tiles_.rows_of(rank).count);
    pass_.block_log2 = std::countr_zero(slots_of_block());
    pass_.last_block = static_cast<int>(tiles_.blocks()) - 1;
    pass_.apart = pass_.rows * pass_.slots;
  }

  slab_tiles const& tiles() const override { return tiles_; }

  void forward(int, T const* rhs, complex_pair<T>* by_lines) override {
    auto pass = pass_;
    pass.in = rhs;
    pass.entries = reinterpret_cast<complex<T>*>(by_lines);
    leave_(place_, pass);
  }
  void solve(int part, complex_pair<T>* by_columns, T* mean) override {
    std::size_t const block = tiles_.blocks_of(rank_, part).first, first = block * slots_of_block();
    bool const is_last = block + 1 == tiles_.blocks();
    columns_.solve(reinterpret_cast<complex<T>*>(by_columns + tiles_.columns_at(rank_, part)) -
                       first,
                   pass_.slots, static_cast<int>(first),
                   static_cast<int>(first + slots_of_block() + (is_last ? 2 : 0)), lambda_, mean);
  }
  void back(int, complex_pair<T>* by_lines, T* solution) override {
    auto pass = pass_;
    pass.out = solution;
    pass.entries = reinterpret_cast<complex<T>*>(by_lines);
    come_back_(place_, pass, false);
  }

private:
  /// Slots of a block that the last one alone uses: two, and as many more as align rows.
  static constexpr std::size_t more = 16;

  std::size_t slots_of_block() const { return frequencies_ / tiles_.blocks(); }

  gpu& place_;
  int rank_;
  decltype(long_row_launcher<T, tiled_long_rows<T>>::leave) leave_;
  decltype(long_row_launcher<T, tiled_long_rows<T>>::come_back) come_back_;
  placed_tables<T> rows_;
  long_column_passes<T> columns_;
  entry_lambda<T> lambda_;
  std::size_t frequencies_; ///< of a row, but for the last one
  slab_tiles tiles_;
  tiled_long_rows<T> pass_{};
};

} // namespace
} // namespace gpu_impl
} // namespace warpfold::inline v0::poisson
