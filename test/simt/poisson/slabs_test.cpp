// The passes over squares that are spread over ranks in the emulator, against those of one place.

#include "simt/poisson/slab_exchange.hpp"
#include "simt/poisson/unit_checks.hpp"

#include "poisson/slabs/tiled_units.hpp"

namespace {

/// Rows and columns of ranks, by cores of lines.
template <class Rows, class Columns, int Beside, int Cluster>
struct spread {
  using T = typename Rows::T;
  static constexpr int height = Columns::length, width = Rows::length,
                       parts = po::parts_of_column<Columns>;
  static constexpr std::size_t size = std::size_t{height} * width;

  po::plan plan = po::make_plan({.axes = {axis_for<Columns>(0), axis_for<Rows>(0)}}, sizeof(T));
  double share = po::unit_share(plan);
  po::unit_tables<T> rows = po::unit_tables_of<Rows>(plan.axes[1]),
                     columns = po::unit_tables_of<Columns>(plan.axes[0]);
  std::vector<po::complex<T>> across = po::across_of<T>(plan.axes[1], share),
                              along = po::along_of<Columns>(plan.axes[0], share);

  static po::unit_axis<T> placed(po::unit_tables<T> const& of) {
    return of.at(of.factors.data(), of.turns.data(), of.tilts.data());
  }

  /// Calls body(pass, rows before it) for each part of each rank's rows.
  template <class Body>
  void each_part(po::slab_tiles const& tiles, int ranks, pairs_of_ranks<T>& pairs,
                 Body body) const {
    for (int r = 0; r < ranks; ++r)
      for (int k = 0; k < tiles.line_parts(); ++k) {
        auto const own = tiles.groups_of(r, k);
        if (own.count == 0) continue;
        po::tiled_unit_rows<T> pass{};
        pass.axis = placed(rows);
        pass.slots = pairs.by_lines(r) + tiles.lines_at(r, k);
        pass.rows = static_cast<int>(2 * own.count * Beside);
        pass.width = width;
        pass.strides = {width, 0, 0, true};
        pass.slots_of_row = width / 2;
        pass.units = pass.fetchable = static_cast<unsigned>(own.count * Beside);
        pass.ahead = Rows::shape::units;
        pass.pairs = po::divider(pass.units);
        pass.has_clusters = Cluster > 1;
        pass.block_log2 = std::countr_zero(tiles.block_columns());
        pass.apart = static_cast<unsigned>(own.count * tiles.piece());
        body(pass, 2 * own.first * Beside);
      }
  }
  template <bool Leaves>
  static void run_part(po::tiled_unit_rows<T> const& pass) {
    constexpr unsigned units = Rows::shape::units;
    run_blocks<typename Rows::shape, Leaves ? Cluster : 1>(
        pass.units / units, [&](auto const& block, unsigned number, auto* shared) {
          po::transform_rows<Rows, Beside, Cluster, false, Leaves>(block, pass, number * units,
                                                                   false, shared);
        });
    // What the units that lie `ahead` units later read, in pieces of a block of columns: as many as
    // there are threads.
    std::size_t const blocks = static_cast<std::size_t>(width / 2) >> pass.block_log2;
    if constexpr (!Leaves)
      check_prefetched(
          std::as_bytes(std::span(pass.slots, blocks * pass.apart)),
          ((pass.units - pass.ahead) * sizeof(po::complex_pair<T>) << pass.block_log2) *
              std::min(blocks, std::size_t{Rows::shape::threads}));
  }
  /// So many bytes, each once.
  static void check_prefetched(std::span<std::byte const> among, std::size_t bytes) {
    std::set<std::byte const*> found;
    bool are_right = true;
    for (auto const& one : now.prefetched)
      for (std::byte const& byte : one)
        are_right = are_right && found.insert(&byte).second && &byte >= among.data() &&
                    &byte < among.data() + among.size();
    CHECK(are_right);
    CHECK(found.size() == bytes);
  }

  simt::solved<T> over(int ranks, std::vector<T> const& rhs, simt::options const& how) const {
    now.how = how;
    po::slab_tiles const tiles(ranks, parts, height / 2 / parts / Beside, Beside, width / 2);
    pairs_of_ranks<T> pairs(tiles, ranks);
    simt::solved<T> made{std::vector<T>(size, T(NAN)), std::vector<T>(1, T(NAN))};
    each_part(tiles, ranks, pairs, [&](auto pass, std::size_t before) {
      pass.in = rhs.data() + before * width;
      run_part<true>(pass);
    });
    pairs.to_columns();
    for (int r = 0; r < ranks; ++r)
      for (int j = 0; j < tiles.column_parts(); ++j)
        solve(tiles, r, j, pairs.by_columns(r), made.means.data());
    pairs.to_lines();
    each_part(tiles, ranks, pairs, [&](auto pass, std::size_t before) {
      pass.out = made.solutions.data() + before * width;
      run_part<false>(pass);
    });
    return made;
  }

  /// Part j of the columns of rank r.
  void solve(po::slab_tiles const& tiles, int r, int j, po::complex_pair<T>* by_columns,
             T* mean) const {
    auto const own = tiles.blocks_of(r, j);
    po::tiled_unit_columns<T, parts> pass{};
    pass.axis = placed(columns);
    pass.symbol = {.across = across.data(),
                   .along = along.data(),
                   .lambda = {},
                   .lambda_unit = static_cast<T>(1 / share),
                   .mean_scale = static_cast<T>(share),
                   .removed_mean = mean};
    pass.entries = reinterpret_cast<po::complex<T>*>(by_columns);
    pass.tile_log2 = std::countr_zero(2U * Beside);
    pass.beside_log2 = std::min(std::countr_zero(unsigned{Beside}),
                                std::countr_zero(unsigned{Columns::shape::per_line}));
    constexpr bool is_single = po::takes_single_rows<Columns>;
    if (is_single) pass = po::by_single_rows(pass, Columns::shape::per_line);
    pass.ahead = Columns::shape::units;
    pass.rows_are_periodic = true;
    pass.first_slot = static_cast<int>(own.first * tiles.block_columns());
    pass.count = static_cast<int>(own.count * tiles.block_columns());
    pass.block_log2 = std::countr_zero(tiles.block_columns());
    for (std::size_t i = 0; i < parts; ++i) {
      auto const at = tiles.place_of(i, r, j);
      pass.first[i] = static_cast<unsigned>(at.first);
      pass.apart[i] = static_cast<unsigned>(at.apart);
    }
    constexpr int units = Columns::shape::units;
    run_blocks<typename Columns::shape>(static_cast<std::size_t>((pass.count + units - 1) / units),
                                        [&](auto const& block, unsigned number, auto* shared) {
                                          po::solve_units<Columns>(block, pass, 0,
                                                                   static_cast<int>(number) * units,
                                                                   pass.count, shared);
                                        });
    // A byte of each number of a thread, of the columns that lie `ahead` columns later.
    std::set<void const*> expected, found;
    for (int unit = pass.ahead; unit < pass.count; ++unit)
      for (int pair = 0; pair < height / 2; ++pair) {
        int const of_part = height / 2 / parts, within = pair % of_part, i = pair / of_part;
        std::size_t const block = static_cast<std::size_t>(unit >> pass.block_log2),
                          column = static_cast<std::size_t>(unit) % tiles.block_columns(),
                          group = static_cast<std::size_t>(within / Beside);
        auto const* const at = by_columns + pass.first[i] + block * pass.apart[i] +
                               (group * tiles.block_columns() + column) * Beside +
                               static_cast<std::size_t>(within % Beside);
        expected.insert(&at->first);
        if (is_single) expected.insert(&at->second);
      }
    for (auto const& one : now.prefetched) found.insert(one.data());
    CHECK(found == expected);
  }
};

template <class Rows, class Columns, int Beside, int Cluster = 1>
void check() {
  using squares = spread<Rows, Columns, Beside, Cluster>;
  using T = typename squares::T;
  INFO(squares::height, " x ", squares::width, ", ", squares::parts, " parts");
  squares const own;
  auto const rhs = test::rough_values<T>(own.size, simt::seed());
  auto const expected =
      unit_passes<T, Rows, Columns, Beside, void, Cluster>{own.plan}.solve({}, rhs);
  for (int const ranks : {1, 2, 3, squares::parts - 1, squares::parts}) {
    CAPTURE(ranks);
    CHECK(own.over(ranks, rhs, {}) == expected);
  }
  simt::in_every_order([&](simt::options const& how) { CHECK(own.over(2, rhs, how) == expected); });
}

} // namespace

TEST_CASE("slabs: squares in tiles have the bits of those of one place") {
  check<paired<float, fourier, 512, 8, 2, 2>, paired<float, fourier, 64, 4, 2, 2>, 2>();
  check<paired<float, fourier, 256, 8, 2, 2>, paired<float, fourier, 128, 8, 2, 2>, 4>();
  check<paired<double, fourier, 256, 4, 1, 1>, paired<double, fourier, 128, 4, 1, 1>, 4, 2>();
  check<paired<float, fourier, 256, 4, 1, 1>, paired<float, fourier, 128, 4, 1, 1>, 8, 2>();
  // Columns that take rows one by one.
  using po::mixed_core, po::mixed_shape, po::mixed_stages;
  check<paired<float, fourier, 256, 8, 2, 2>,
        mixed_core<mixed_shape<float, fourier, mixed_stages<8, 8>, 2, 2, 1, 8>>, 2>();
  check<paired<double, fourier, 256, 4, 1, 1>,
        mixed_core<mixed_shape<double, fourier, mixed_stages<4, 4, 8>, 1, 1, 1, 16>>, 4, 2>();
}
