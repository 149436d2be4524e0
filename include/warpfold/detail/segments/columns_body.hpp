#pragma once
// The body of the kernel that folds the columns of a matrix, each in the tree of an array.
// Neighbouring threads take neighbouring columns, and the tree's lanes one after the other, folding
// them in pairs as they go.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/reduction/fold_body.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::detail {

inline constexpr int column_threads = 256;

/// Which rows of a matrix are folded, and how: lane j, of `lanes`, folds rows j * lane_step +
/// i * row_step, i < steps, as far as they are below `rows`, one after the other; the lanes are
/// folded in pairs.
struct column_walk {
  std::int64_t rows;
  std::int64_t lane_step, row_step;
  int lanes, steps;
};

/// The walk through block `part` of a fold's tree, from the block's first row on.
inline WARPFOLD_HOST_DEVICE column_walk walk_of_part(fold_shape const& shape, int part,
                                                     int row_size) {
  int const rows = shape.rows_of(part);
  int const tail = part == shape.blocks - 1 ? shape.tail : 0;
  return {std::int64_t{rows} * row_size + tail, 1, row_size, rows > 0 ? row_size : tail,
          rows + (tail > 0)};
}

inline WARPFOLD_HOST_DEVICE column_walk walk_of_partials(fold_shape const& shape) {
  return {shape.blocks, shape.run, 1, shape.runs, shape.run};
}

/// How the columns are dealt out. A block's threads stand in `across` columns of packs.
struct column_deal {
  std::int64_t columns, pitch;
  int tiles;  ///< blocks side by side
  int across; ///< a power of two, up to a warp
};

/// Levels of a tree of pairs over values, the values themselves counted.
template <unsigned Count>
inline constexpr int levels_for = std::bit_width(Count);

/// Values that are folded in pairs of neighbours as they come, fewer than 2^Depth.
template <class A, int N, int Depth>
struct pairing {
  A pending[Depth][N];
  int count = 0;

  /// The next value; what is in `value` afterwards is no longer needed.
  template <class Op>
  WARPFOLD_HOST_DEVICE void push(A (&value)[N], Op op) {
    bool carried = true;
    WARPFOLD_UNROLL
    for (int level = 0; level < Depth; ++level) {
      bool const is_full = (count >> level & 1) != 0;
      WARPFOLD_UNROLL
      for (int v = 0; v < N; ++v) {
        if (carried && is_full) value[v] = op(pending[level][v], value[v]);
        if (carried && !is_full) pending[level][v] = value[v];
      }
      carried = carried && is_full;
    }
    ++count;
  }

  /// The fold of all values; there was one at least.
  template <class Op>
  WARPFOLD_HOST_DEVICE void finish(A (&value)[N], Op op) const {
    bool any = false;
    WARPFOLD_UNROLL
    for (int level = 0; level < Depth; ++level) {
      if ((count >> level & 1) == 0) continue;
      WARPFOLD_UNROLL
      for (int v = 0; v < N; ++v)
        value[v] = any ? op(pending[level][v], value[v]) : pending[level][v];
      any = true;
    }
  }
};

/// Most lanes of a walk: of the fold of elements of T, or of its blocks' results.
template <class T>
inline constexpr int max_column_lanes = max_fold_threads* lanes_per_thread<T>;

template <class T, class Transform>
struct single_reader {
  static constexpr int lanes = 1;
  struct pack {
    T element[1];
  };

  T const* elements;
  Transform transform;

  WARPFOLD_HOST_DEVICE void advance(std::int64_t by) { elements += by; }
  WARPFOLD_HOST_DEVICE pack load(int offset) const { return {{elements[offset]}}; }
  WARPFOLD_HOST_DEVICE pack load_first(int offset, int) const { return load(offset); }
  WARPFOLD_HOST_DEVICE auto operator()(pack const& loaded, int v) const {
    return transform(loaded.element[v]);
  }
};

/// Shared memory of a block: a value for each of its threads' columns.
template <class A, int N>
struct column_shared {
  alignas(A) unsigned char bytes[column_threads * N * sizeof(A)];
  WARPFOLD_HOST_DEVICE A* of(int rank) { return reinterpret_cast<A*>(bytes) + rank * N; }
};

/// Folds the columns of tile `tile` and hands each to finish(column, value). `reader` is at the
/// walk's first row; its packs are as many columns as a thread folds. The walk has at most MaxLanes
/// lanes.
template <int MaxLanes, class A, thread_block Block, class Reader, class Op, class Finish>
WARPFOLD_HOST_DEVICE void fold_columns(Block const& block, Reader const& reader, column_walk walk,
                                       column_deal deal, int tile, Op op, Finish finish,
                                       column_shared<A, Reader::lanes>& shared) {
  constexpr int N = Reader::lanes;
  constexpr int in_flight = N >= 8 ? 2 : N == 1 ? 8 : 4;
  constexpr int depth = levels_for<MaxLanes * warp_size / column_threads / in_flight>;
  int const rank = block.thread_rank();
  int const part = rank / deal.across, parts = column_threads / deal.across;
  std::int64_t const column = (std::int64_t{tile} * deal.across + rank % deal.across) * N;
  int const columns = deal.columns - column < N ? static_cast<int>(deal.columns - column) : N;

  // A thread's lanes are a power of two of neighbours, so that they fold among themselves.
  int each = 1;
  while (each * parts < walk.lanes) each *= 2;
  int const begin = part * each;
  int const end = begin + each < walk.lanes ? begin + each : walk.lanes;

  pairing<A, N, depth> pairs;
  A total[N] = {};
  auto const load = [&](std::int64_t row) {
    Reader own = reader;
    own.advance(row * deal.pitch + column);
    return columns == N ? own.load(0) : own.load_first(0, columns);
  };
  if (columns > 0 && begin < end) {
    WARPFOLD_UNROLL_BY(1)
    for (int lane = begin; lane < end; lane += in_flight) {
      A value[N][in_flight];
      WARPFOLD_UNROLL
      for (int v = 0; v < N; ++v) fill_with_padding<Op>(value[v]);
      WARPFOLD_UNROLL_BY(1)
      for (int step = 0; step < walk.steps; ++step) {
        typename Reader::pack packs[in_flight] = {};
        bool is_there[in_flight];
        WARPFOLD_UNROLL
        for (int i = 0; i < in_flight; ++i) {
          std::int64_t const row = (lane + i) * walk.lane_step + step * walk.row_step;
          is_there[i] = lane + i < end && row < walk.rows;
          if (is_there[i]) packs[i] = load(row);
        }
        WARPFOLD_UNROLL
        for (int i = 0; i < in_flight; ++i) {
          WARPFOLD_UNROLL
          for (int v = 0; v < N; ++v)
            if (is_there[i])
              value[v][i] = step == 0 ? static_cast<A>(reader(packs[i], v))
                                      : op(value[v][i], reader(packs[i], v));
        }
      }
      A folded[N];
      WARPFOLD_UNROLL
      for (int v = 0; v < N; ++v) {
        fold_lanes(value[v], end - lane, op);
        folded[v] = value[v][0];
      }
      pairs.push(folded, op);
    }
    pairs.finish(total, op);
  }

  int const live = (walk.lanes + each - 1) / each;
  WARPFOLD_UNROLL_BY(1)
  for (int step = 1; step < live; step *= 2) {
    WARPFOLD_UNROLL
    for (int v = 0; v < N; ++v) shared.of(rank)[v] = total[v];
    block.sync();
    if (part % (2 * step) == 0 && part + step < live) {
      WARPFOLD_UNROLL
      for (int v = 0; v < N; ++v) total[v] = op(total[v], shared.of(rank + step * deal.across)[v]);
    }
    block.sync();
  }
  if (part > 0) return;
  WARPFOLD_UNROLL
  for (int v = 0; v < N; ++v)
    if (v < columns) finish(column + v, total[v]);
}

/// A tile of columns of one block of the fold's tree: into the `results` if there is no other
/// block, else into the `partials`, a matrix with a row for each block.
template <int MaxLanes, class A, thread_block Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_column_part(Block const& block, Reader reader,
                                           fold_shape const& shape, column_deal const& deal, A init,
                                           Op op, A* partials, A* results,
                                           column_shared<A, Reader::lanes>& shared) {
  int const tile = block.block_rank() % deal.tiles, part = block.block_rank() / deal.tiles;
  constexpr int lanes = MaxLanes / max_fold_threads;
  column_walk const walk = walk_of_part(shape, part, shape.threads * lanes);
  reader.advance(part * shape.rows_per_block * walk.row_step * deal.pitch);
  fold_columns<MaxLanes, A>(
      block, reader, walk, deal, tile, op,
      [&](std::int64_t column, A const& value) {
        if (shape.blocks > 1) partials[part * deal.columns + column] = value;
        else results[column] = walk.lanes > 0 ? op(init, value) : init;
      },
      shared);
}

template <class A, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE void fold_column_partials(Block const& block, A const* partials,
                                               fold_shape const& shape, column_deal const& deal,
                                               A init, Op op, A* results,
                                               column_shared<A, 1>& shared) {
  fold_columns<max_fold_threads, A>(
      block, single_reader<A, identity>{partials, {}}, walk_of_partials(shape), deal,
      block.block_rank(), op,
      [&](std::int64_t column, A const& value) { results[column] = op(init, value); }, shared);
}

} // namespace warpfold::inline v0::detail
