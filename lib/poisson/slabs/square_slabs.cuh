#pragma once
// The kernels of squares in tiles, and what launches them.

#include "poisson/instances.hpp"
#include "poisson/squares/fused_launch.cuh"
#include "square_slabs.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <bit>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class T, int Width>
using slab_rows = row_shape<T, Width, row_tuning<T, Width>::layout().in_tiles()>;
template <class T, int Height>
using slab_columns = column_shape<T, Height, column_tuning<T, Height>::points,
                                  column_tuning<T, Height>::columns, false, true>;

template <class Shape>
__global__ __launch_bounds__(Shape::threads, blocks_wanted<Shape>) void slab_rows_forward_kernel(
    tiled_row_arrays<typename Shape::number> arrays) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  rows_forward<Shape>(block, arrays, std::size_t{blockIdx.x} * Shape::lines,
                      reinterpret_cast<complex<typename Shape::number>*>(shared));
}
template <class Shape>
__global__ __launch_bounds__(Shape::threads, blocks_wanted<Shape>) void slab_rows_back_kernel(
    tiled_row_arrays<typename Shape::number> arrays) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  rows_back<Shape>(block, arrays, std::size_t{blockIdx.x} * Shape::lines, false,
                   reinterpret_cast<complex<typename Shape::number>*>(shared));
}
template <class Shape>
__global__ __launch_bounds__(Shape::threads, blocks_wanted<Shape>) void slab_columns_kernel(
    tiled_column_arrays<typename Shape::number, Shape::points> arrays) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  solve_columns<Shape>(block, arrays, 0, static_cast<int>(blockIdx.x) * Shape::columns,
                       reinterpret_cast<complex<typename Shape::number>*>(shared));
}

template <class T, int Height, int Width>
class compiled_slabs final : public square_slabs<T> {
  using rows = slab_rows<T, Width>;
  using columns = slab_columns<T, Height>;
  static constexpr int interleaved = rows::interleaved;

public:
  /// Numbers of a thread, each of which has to be of one rank's part of the lines. As many ranks as
  /// there are units have blocks of at least as many columns as a thread block.
  static constexpr int units = columns::points;
  static_assert(Width / 2 / (8 * units) % columns::columns == 0);

  compiled_slabs(gpu& place, plan const& of, int rank, int ranks)
      : place_{place}, rank_{rank}, tiles_{ranks, std::size_t{units},
                                           std::size_t{columns::per_line / interleaved},
                                           std::size_t{interleaved}, std::size_t{Width / 2}},
        row_factors_{place, factors_of<T, typename rows::digits>()}, columns_{
                                                                         place_columns<columns>(
                                                                             place, of)} {
    device_guard const current{place.device()};
    detail::allow_shared(slab_rows_forward_kernel<rows>, rows::shared);
    detail::allow_shared(slab_rows_back_kernel<rows>, rows::shared);
    detail::allow_shared(slab_columns_kernel<columns>, columns::shared);
    lines_ahead_ = static_cast<std::size_t>(
        blocks_at_work<rows, slab_rows_back_kernel<rows>>(place) * rows::lines / 4);
    auto& pass = columns_.pass;
    pass.lambda.one = static_cast<T>(of.problem.lambda);
    pass.interleaved_log2 = log2_of(interleaved);
    pass.ahead =
        blocks_at_work<columns, slab_columns_kernel<columns>>(place) * columns::columns / 4;
  }

  /// With the GPU's clusters, that is, which longer lines need.
  static bool is_compiled(gpu const& place) {
    device_guard const current{place.device()};
    int const capability = place.compute_capability();
    return detail::facts_of(slab_rows_forward_kernel<rows>, rows::threads, capability)
        .knows_clusters(capability);
  }

  slab_tiles const& tiles() const override { return tiles_; }

  void forward(int part, T const* rhs, complex_pair<T>* by_lines) override {
    auto const arrays = lines_of(part, rhs, by_lines, nullptr);
    if (arrays.lines > 0)
      launch_pass<rows, slab_rows_forward_kernel<rows>, rows::cluster>(
          place_, arrays.lines / rows::lines, arrays);
  }

  void solve(int part, complex_pair<T>* by_columns, T* mean) override {
    auto const own = tiles_.blocks_of(rank_, part);
    tiled_column_arrays<T, units> arrays{columns_.pass,
                                         static_cast<int>(own.first * tiles_.block_columns()),
                                         static_cast<int>(own.count * tiles_.block_columns()),
                                         log2_of(tiles_.block_columns()),
                                         {},
                                         {}};
    arrays.spectra = by_columns;
    arrays.removed_mean = mean;
    for (std::size_t u = 0; u < units; ++u) {
      auto const at = tiles_.place_of(u, rank_, part);
      arrays.first[u] = static_cast<unsigned>(at.first);
      arrays.apart[u] = static_cast<unsigned>(at.apart);
    }
    // With the first columns go the middle ones, which are stored there.
    launch_pass<columns, slab_columns_kernel<columns>>(
        place_,
        static_cast<std::size_t>(arrays.columns / columns::columns + (arrays.first_column == 0)),
        arrays);
  }

  void back(int part, complex_pair<T>* by_lines, T* solution) override {
    auto const arrays = lines_of(part, nullptr, by_lines, solution);
    if (arrays.lines > 0)
      launch_pass<rows, slab_rows_back_kernel<rows>>(place_, arrays.lines / rows::lines, arrays);
  }

private:
  static int log2_of(std::size_t power) { return std::countr_zero(power); }

  tiled_row_arrays<T> lines_of(int part, T const* rhs, complex_pair<T>* by_lines,
                               T* solution) const {
    auto const own = tiles_.groups_of(rank_, part);
    std::size_t const rows_before =
        2 * interleaved * (own.first - tiles_.groups_of(rank_).first) * Width;
    return {{.rhs = rhs ? rhs + rows_before : nullptr,
             .spectra = by_lines + tiles_.lines_at(rank_, part),
             .solution = solution ? solution + rows_before : nullptr,
             .factors = row_factors_.data(),
             .first_point = nullptr,
             .lines_log2 = 0,
             .lines = own.count * interleaved,
             .ahead = lines_ahead_},
            {log2_of(tiles_.block_columns()), static_cast<unsigned>(own.count * tiles_.piece())}};
  }

  gpu& place_;
  int rank_;
  /// A quarter of those at work. 16384^2 on two NVIDIA H200s, 2026-11-22: 2494 us with as many
  /// lines as one GPU fetches ahead, 2455 with half of them, 2436 with a quarter; with that half
  /// and half of the columns 2453, a quarter of them 2431.
  std::size_t lines_ahead_;
  slab_tiles tiles_;
  device_buffer<complex<T>> row_factors_;
  placed_columns<T> columns_;
};

/// Fewer points are not worth several GPUs.
constexpr int least_slab_points = 4096;

/// use(points), as with_points.
template <class T, class Use>
auto with_long(std::size_t points, Use use) {
  return with_power<least_slab_points, most_square_points(sizeof(T))>(points, use);
}

} // namespace

template <class T>
std::unique_ptr<square_slabs<T>> make_square_slabs(gpu& place, plan const& of, int rank,
                                                   int ranks) {
  if (!has_squares(place, of, sizeof(T)) ||
      std::min(of.axes[0].points, of.axes[1].points) < least_slab_points)
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
