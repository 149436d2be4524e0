#pragma once
// The kernels of squares in tiles, and what launches them.

#include "poisson/engine/engine.hpp"
#include "poisson/engine/launch.cuh"
#include "poisson/engine/placed_tables.hpp"
#include "poisson/engine/tuning.hpp"
#include "poisson/instances.hpp"
#include "square_slabs.hpp"
#include "tiled_units.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <algorithm>
#include <bit>
#include <span>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Core, int Beside, int Cluster, bool Streams, bool Leaves>
__global__
__launch_bounds__(Core::shape::threads, unit_blocks_wanted<Core, true>) void slab_rows_kernel(
    tiled_unit_rows<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  transform_rows<Core, Beside, Cluster, Streams, Leaves>(
      block, pass, blockIdx.x * unsigned{Core::shape::units}, false,
      reinterpret_cast<complex<typename Core::T>*>(shared));
}
template <class Core>
__global__
__launch_bounds__(Core::shape::threads, unit_blocks_wanted<Core, false>) void slab_columns_kernel(
    tiled_unit_columns<typename Core::T, parts_of_column<Core>> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  solve_units<Core>(block, pass, 0, static_cast<int>(blockIdx.x) * Core::shape::units, pass.count,
                    reinterpret_cast<complex<typename Core::T>*>(shared));
}

template <class T, int Height, int Width>
class compiled_slabs final : public square_slabs<T> {
  using row_layout = unit_row_layout<T, Width, false>;
  using rows = typename row_layout::template core<unit_kind::fourier>;
  using columns = typename unit_column_layout<T, Height>::template core<unit_kind::fourier>;
  using row_tuning = unit_tuning<T, unit_kind::fourier, Width>;
  static constexpr int beside = row_tuning::beside, cluster = row_tuning::cluster;
  template <bool Leaves>
  static constexpr bool streams = row_layout::template streams<unit_kind::fourier, Leaves>;
  static constexpr auto leave = slab_rows_kernel<rows, beside, cluster, streams<true>, true>;
  static constexpr auto come_back = slab_rows_kernel<rows, beside, 1, streams<false>, false>;
  static constexpr auto solve_columns = slab_columns_kernel<columns>;

public:
  /// Each has to be of one rank's part of the rows. As many ranks as there are units have blocks of
  /// at least as many columns as a thread block.
  static constexpr int units = parts_of_column<columns>;
  static_assert(Width / 2 / (8 * units) % columns::shape::units == 0);
  static_assert(beside % rows::shape::units == 0 && beside % cluster == 0);
  // From one number of a thread to the next it is whole tiles.
  static_assert(columns::length / units % (2 * beside) == 0);
  static_assert(rows::stride >= Width / 2 / 8); // the columns of a block of one rank, or fewer

  compiled_slabs(gpu& place, plan const& of, int rank, int ranks)
      : place_{place}, rank_{rank}, tiles_{ranks, std::size_t{units},
                                           std::size_t{Height / 2 / units / beside},
                                           std::size_t{beside}, std::size_t{Width / 2}},
        rows_{place, unit_tables_of<rows>(of.axes[1])}, columns_{place, unit_tables_of<columns>(
                                                                            of.axes[0])},
        across_{place, std::span<complex<T> const>(across_of<T>(of.axes[1], unit_share(of)))},
        along_{place, std::span<complex<T> const>(along_of<columns>(of.axes[0], unit_share(of)))} {
    row_pass_.axis = rows_.axis();
    row_pass_.width = Width;
    row_pass_.strides = {Width, 0, 0, true};
    row_pass_.slots_of_row = Width / 2;
    row_pass_.has_clusters = cluster > 1;
    row_pass_.block_log2 = log2_of(tiles_.block_columns());
    row_pass_.ahead = static_cast<unsigned>(come_back_.at_work() * rows::shape::units / 4);
    double const share = unit_share(of);
    column_pass_.axis = columns_.axis();
    column_pass_.symbol = {.across = across_.data(),
                           .along = along_.data(),
                           .lambda = {nullptr, static_cast<T>(of.problem.lambda)},
                           .lambda_unit = static_cast<T>(1 / share),
                           .mean_scale = static_cast<T>(of.has_constant() ? share : 0),
                           .removed_mean = nullptr};
    column_pass_.tile_log2 = log2_of(2 * beside);
    column_pass_.beside_log2 = std::min(log2_of(beside), log2_of(columns::shape::per_line));
    if constexpr (takes_single_rows<columns>)
      column_pass_ = by_single_rows(column_pass_, columns::shape::per_line);
    column_pass_.rows_are_periodic = true;
    column_pass_.block_log2 = row_pass_.block_log2;
    column_pass_.ahead = solve_.at_work() * columns::shape::units / 4;
  }

  /// With the GPU's clusters, that is, which longer lines need.
  static bool is_compiled(gpu const& place) {
    device_guard const current{place.device()};
    int const capability = place.compute_capability();
    return detail::facts_of(leave, rows::shape::threads, capability).knows_clusters(capability);
  }

  slab_tiles const& tiles() const override { return tiles_; }

  void forward(int part, T const* rhs, complex_pair<T>* by_lines) override {
    auto pass = rows_of(part, by_lines);
    pass.in = rhs + rows_before(part) * Width;
    pass.fetchable = pass.units;
    if (pass.units > 0) leave_.launch_in_clusters(place_, cluster, blocks_of(pass), pass);
  }

  void solve(int part, complex_pair<T>* by_columns, T* mean) override {
    auto const own = tiles_.blocks_of(rank_, part);
    auto pass = column_pass_;
    pass.entries = reinterpret_cast<complex<T>*>(by_columns);
    pass.symbol.removed_mean = mean;
    pass.first_slot = static_cast<int>(own.first * tiles_.block_columns());
    pass.count = static_cast<int>(own.count * tiles_.block_columns());
    for (std::size_t u = 0; u < units; ++u) {
      auto const at = tiles_.place_of(u, rank_, part);
      pass.first[u] = static_cast<unsigned>(at.first);
      pass.apart[u] = static_cast<unsigned>(at.apart);
    }
    solve_.launch(place_, static_cast<std::size_t>(pass.count / columns::shape::units), pass);
  }

  void back(int part, complex_pair<T>* by_lines, T* solution) override {
    auto pass = rows_of(part, by_lines);
    pass.out = solution + rows_before(part) * Width;
    pass.fetchable = pass.units;
    if (pass.units > 0) come_back_.launch(place_, blocks_of(pass), pass);
  }

private:
  static int log2_of(std::size_t power) { return std::countr_zero(power); }
  static std::size_t blocks_of(unit_rows<T> const& pass) {
    return pass.units / unsigned{rows::shape::units};
  }

  /// How many of the rank's rows come before a part of them.
  std::size_t rows_before(int part) const {
    return 2 * beside * (tiles_.groups_of(rank_, part).first - tiles_.groups_of(rank_).first);
  }
  tiled_unit_rows<T> rows_of(int part, complex_pair<T>* by_lines) const {
    auto const own = tiles_.groups_of(rank_, part);
    auto pass = row_pass_;
    pass.slots = by_lines + tiles_.lines_at(rank_, part);
    pass.units = static_cast<unsigned>(own.count * beside);
    pass.rows = static_cast<int>(2 * own.count * beside);
    pass.pairs = divider(std::max(pass.units, 1U)); // none without rows
    pass.apart = static_cast<unsigned>(own.count * tiles_.piece());
    return pass;
  }

  gpu& place_;
  unit_kernel<tiled_unit_rows<T>> leave_{kernel_of_shape<typename rows::shape>(place_, leave)},
      come_back_{kernel_of_shape<typename rows::shape>(place_, come_back)};
  unit_kernel<tiled_unit_columns<T, units>> solve_{
      kernel_of_shape<typename columns::shape>(place_, solve_columns)};
  int rank_;
  slab_tiles tiles_;
  placed_tables<T> rows_, columns_;
  device_buffer<complex<T>> across_, along_;
  /// They fetch a quarter of what is at work ahead. 16384^2 by kernels for squares alone, two
  /// NVIDIA H200s, 2026-11-22: 2494 us with all of it, 2455 with half, 2436 with a quarter.
  tiled_unit_rows<T> row_pass_{};
  tiled_unit_columns<T, units> column_pass_{};
};

/// Fewer points are not worth several GPUs.
constexpr int least_slab_points = 4096;

/// use(points), as with_points.
template <class T, class Use>
auto with_long(std::size_t points, Use use) {
  return with_power<least_slab_points, most_unit_points(sizeof(T))>(points, use);
}

} // namespace

template <class T>
std::unique_ptr<square_slabs<T>> make_square_slabs(gpu& place, plan const& of, int rank,
                                                   int ranks) {
  if (of.axes.size() != 2 || !has_units(place, of, sizeof(T)) ||
      std::min(of.axes[0].points, of.axes[1].points) < least_slab_points ||
      !std::ranges::all_of(
          of.axes, [](axis_plan const& axis) { return axis.forward == transform::fourier; }))
    return nullptr;
  return with_long<T>(of.axes[0].points, [&](auto height) {
    return with_long<T>(of.axes[1].points, [&](auto width) -> std::unique_ptr<square_slabs<T>> {
      using made = compiled_slabs<T, height, width>;
      if (ranks > made::units || !made::is_compiled(place)) return nullptr;
      return std::make_unique<made>(place, of, rank, ranks);
    });
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<square_slabs<T>> make_square_slabs(gpu&, plan const&, int, int);        \
  }
