// The passes over squares that are spread over ranks in the emulator, against those of one place.

#include "simt/poisson/passes.hpp"

#include "poisson/slabs/slab_tiles.hpp"
#include "poisson/squares/fused_tables.hpp"

namespace {

namespace po = warpfold::poisson;

po::plan plan_of(std::size_t height, std::size_t width) {
  return po::make_plan({.axes = {{.points = height}, {.points = width, .length = 1.5}}});
}

/// Calls body(block, shared memory, number of the block) in as many blocks.
template <class Shape, int Cluster = 1, class Body>
void run(std::size_t blocks, simt::options const& how, Body body) {
  simt::run_pass<Shape, Cluster>(
      static_cast<int>(blocks), how, [&](auto const& block, auto* shared) {
        body(block, shared, static_cast<std::size_t>(block.block_rank()));
      });
}

/// Rows and columns of one place and of ranks, of the same layout but for the tiles.
template <class T, int Height, int Width, po::row_layout Layout, int Points, int Columns>
struct grid {
  using rows = po::row_shape<T, Width, Layout>;
  using tiled_rows = po::row_shape<T, Width, Layout.in_tiles()>;
  using columns = po::column_shape<T, Height, Points, Columns>;
  using tiled_columns = po::column_shape<T, Height, Points, Columns, false, true>;
  using pairs = std::vector<po::complex_pair<T>>;
  static constexpr std::size_t lines = Height / 2, size = std::size_t{Height} * Width;

  po::plan plan = plan_of(Height, Width);
  double divisor = po::largest_eigenvalue(plan);
  std::vector<po::complex<T>> row_factors = po::factors_of<T, typename rows::digits>(),
                              factors = po::factors_of<T, typename columns::digits>();
  po::column_tables<columns> tables{plan, divisor};
  std::vector<T> eigenvalues = po::row_eigenvalues_of<T>(plan, divisor);

  po::row_arrays<T> row_arrays(T const* rhs, po::complex_pair<T>* spectra, T* solution,
                               std::size_t count) const {
    return {.rhs = rhs,
            .spectra = spectra,
            .solution = solution,
            .factors = row_factors.data(),
            .first_point = nullptr,
            .lines_log2 = 0,
            .lines = count,
            .ahead = rows::lines};
  }
  po::column_arrays<T> column_arrays(po::complex_pair<T>* spectra, T* mean) const {
    T const share = static_cast<T>(.5 / size);
    return {.spectra = spectra,
            .removed_mean = mean,
            .factors = factors.data(),
            .roots = tables.roots.data(),
            .modes = tables.modes.data(),
            .eigenvalues = eigenvalues.data(),
            .lambda = {},
            .lambda_unit = static_cast<T>(1 / divisor),
            .scale = static_cast<T>(.5 / size / divisor),
            .mean_scale = share,
            .width = Width,
            .interleaved_log2 = std::countr_zero(static_cast<unsigned>(rows::interleaved)),
            .ahead = Columns};
  }

  /// The solution, and the mean last.
  std::vector<T> alone(std::vector<T> const& rhs) const {
    pairs spectra(size / 4);
    std::vector<T> u(size + 1, T(NAN));
    auto const of_rows = row_arrays(rhs.data(), spectra.data(), u.data(), lines);
    run<rows, rows::cluster>(lines / rows::lines, {}, [&](auto const& block, auto* shared, auto i) {
      po::rows_forward<rows>(block, of_rows, i * rows::lines, shared);
    });
    run<columns>(Width / 2 / Columns + 1, {}, [&](auto const& block, auto* shared, auto i) {
      po::solve_columns<columns>(block, column_arrays(spectra.data(), &u[size]), 0,
                                 static_cast<int>(i) * Columns, shared);
    });
    run<rows>(lines / rows::lines, {}, [&](auto const& block, auto* shared, auto i) {
      po::rows_back<rows>(block, of_rows, i * rows::lines, false, shared);
    });
    return u;
  }

  std::vector<T> over(int ranks, std::vector<T> const& rhs, simt::options const& how) const {
    po::slab_tiles const tiles(ranks, Points, columns::per_line / rows::interleaved,
                               rows::interleaved, Width / 2);
    auto const log2 = std::countr_zero(tiles.block_columns());
    std::vector<pairs> by_lines, by_columns;
    for (int r = 0; r < ranks; ++r) {
      by_lines.emplace_back(tiles.size_by_lines(r));
      by_columns.emplace_back(tiles.size_by_columns(r));
    }
    std::vector<T> u(size + 1, T(NAN));
    auto const each_tile = [&](auto copy) {
      for (int k = 0; k < po::slab_tiles::line_parts; ++k)
        for (int j = 0; j < po::slab_tiles::column_parts; ++j)
          for (int s = 0; s < ranks; ++s)
            for (int d = 0; d < ranks; ++d) {
              auto const from = tiles.sent(s, k, j)[static_cast<std::size_t>(d)],
                         to = tiles.received(d, k, j)[static_cast<std::size_t>(s)];
              REQUIRE(from.count == to.count);
              copy(by_lines[static_cast<std::size_t>(s)].begin() +
                       static_cast<std::ptrdiff_t>(from.first),
                   by_columns[static_cast<std::size_t>(d)].begin() +
                       static_cast<std::ptrdiff_t>(to.first),
                   from.count);
            }
    };
    auto const each_part_of_rows = [&](auto body) {
      for (int r = 0; r < ranks; ++r)
        for (int k = 0; k < po::slab_tiles::line_parts; ++k) {
          auto const own = tiles.groups_of(r, k);
          if (own.count == 0) continue;
          std::size_t const before = 2 * own.first * rows::interleaved * Width;
          po::tiled_row_arrays<T> const arrays{
              row_arrays(rhs.data() + before,
                         by_lines[static_cast<std::size_t>(r)].data() + tiles.lines_at(r, k),
                         u.data() + before, own.count * rows::interleaved),
              {log2, static_cast<unsigned>(own.count * tiles.piece())}};
          body(arrays);
        }
    };
    each_part_of_rows([&](auto const& arrays) {
      run<rows, rows::cluster>(
          arrays.lines / rows::lines, how, [&](auto const& block, auto* shared, auto i) {
            po::rows_forward<tiled_rows>(block, arrays, i * rows::lines, shared);
          });
    });
    each_tile([](auto from, auto to, std::size_t n) { std::copy_n(from, n, to); });
    for (int r = 0; r < ranks; ++r)
      for (int j = 0; j < po::slab_tiles::column_parts; ++j) {
        auto const own = tiles.blocks_of(r, j);
        po::tiled_column_arrays<T, Points> arrays{
            column_arrays(by_columns[static_cast<std::size_t>(r)].data(), &u[size]),
            static_cast<int>(own.first * tiles.block_columns()),
            static_cast<int>(own.count * tiles.block_columns()),
            log2,
            {},
            {}};
        for (std::size_t i = 0; i < Points; ++i) {
          auto const at = tiles.place_of(i, r, j);
          arrays.first[i] = static_cast<unsigned>(at.first);
          arrays.apart[i] = static_cast<unsigned>(at.apart);
        }
        int const count = (arrays.columns + (own.first == 0) + Columns - 1) / Columns;
        run<columns>(static_cast<std::size_t>(own.count > 0 ? count : 0), how,
                     [&](auto const& block, auto* shared, auto i) {
                       po::solve_columns<tiled_columns>(block, arrays, 0,
                                                        static_cast<int>(i) * Columns, shared);
                     });
      }
    each_tile([](auto to, auto from, std::size_t n) { std::copy_n(from, n, to); });
    each_part_of_rows([&](auto const& arrays) {
      run<rows>(arrays.lines / rows::lines, how, [&](auto const& block, auto* shared, auto i) {
        po::rows_back<tiled_rows>(block, arrays, i * rows::lines, false, shared);
      });
    });
    return u;
  }
};

template <class T, int Height, int Width, po::row_layout Layout, int Points, int Columns>
void check() {
  INFO(Height, " x ", Width, ", ", Points, " points a thread");
  grid<T, Height, Width, Layout, Points, Columns> const own;
  auto const rhs = test::rough_values<T>(own.size, simt::seed());
  auto const expected = own.alone(rhs);
  for (int const ranks : {1, 2, 3, Points - 1, Points}) {
    CAPTURE(ranks);
    CHECK(own.over(ranks, rhs, {}) == expected);
  }
  simt::in_every_order([&](simt::options const& how) { CHECK(own.over(2, rhs, how) == expected); });
}

} // namespace

TEST_CASE("slabs: squares in tiles have the bits of those of one place") {
  check<float, 64, 512, po::row_layout{.points = 8, .lines = 2, .interleaved = 2}, 4, 2>();
  check<float, 128, 256, po::row_layout{.points = 8, .lines = 2, .interleaved = 4}, 8, 2>();
  check<double, 128, 256, po::row_layout{.points = 4, .lines = 1, .interleaved = 4, .cluster = 2},
        4, 1>();
  check<float, 128, 256,
        po::row_layout{.points = 4, .lines = 1, .interleaved = 8, .wide = 3, .cluster = 2}, 4, 1>();
}
