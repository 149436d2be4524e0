// Periodic fields that are longer than units, in the emulator, against a host's solutions.

#include "simt/poisson/slab_exchange.hpp"
#include "simt/poisson/unit_checks.hpp"

#include "poisson/engine/long/long_backend.hpp"
#include "poisson/engine/tuning.hpp"
#include "poisson/slabs/long_slabs.hpp"

namespace {

/// Rows of 2 * M numbers.
template <class T, int M, int P>
using rows = po::packed_core<po::paired_shape<T, po::unit_kind::fourier, M, P, 1, 1>>;

/// Each row but the last ones prefetches the one that lies `ahead` rows further.
template <class T>
void check_prefetched(po::long_rows<T> const& pass, void const* first, std::size_t apart,
                      std::size_t bytes) {
  std::set<std::size_t> found;
  for (auto const& one : now.prefetched) {
    auto const at =
        static_cast<std::size_t>(one.data() - reinterpret_cast<std::byte const*>(first));
    CHECK(one.size() == bytes);
    CHECK(at % apart == 0);
    CHECK(at / apart >= pass.ahead);
    CHECK(at / apart < pass.rows);
    found.insert(at);
  }
  CHECK(found.size() == now.prefetched.size());
  CHECK(found.size() == (pass.ahead > pass.rows ? 0 : pass.rows - pass.ahead));
}

/// Frequencies too, where rows have them in one piece; else in one of each block.
template <class T>
void check_fetched_slots(po::long_rows<T> const& pass, std::size_t bytes) {
  check_prefetched(pass, pass.entries, pass.slots * sizeof(po::complex<T>), bytes);
}
template <class T>
void check_fetched_slots(po::tiled_long_rows<T> const& pass, std::size_t) {
  std::set<void const*> expected, found;
  for (unsigned row = pass.ahead; row < pass.rows; ++row)
    for (int block = 0; block <= pass.last_block; ++block)
      expected.insert(pass.entries + row * pass.slots +
                      static_cast<std::size_t>(block) * pass.apart);
  for (auto const& one : now.prefetched) {
    CHECK(one.size() == sizeof(po::complex<T>) << pass.block_log2);
    found.insert(one.data());
  }
  CHECK(found == expected);
}

/// Stays: that many blocks come back; 0: a row a block. As in long_rows.cuh.
template <class Core, unsigned Stays, class T = typename Core::T, class Pass = po::long_rows<T>>
po::gpu_impl::long_row_launcher<T, Pass> long_rows_of(po::axis_plan const& of) {
  constexpr std::size_t bytes = 2 * Core::length * sizeof(T);
  constexpr unsigned ahead = 3;
  return {po::packed_tables_of<Core>(of),
          [](warpfold::gpu&, Pass pass) {
            bool const is_aligned = Stays > 0 && po::are_aligned(pass.in, pass.stride);
            pass.ahead = ahead;
            run_blocks<typename Core::shape>(
                pass.rows, [&](auto const& block, unsigned row, auto* shared) {
                  if (is_aligned) po::leave_long_row<Core, true>(block, pass, row, shared);
                  else po::leave_long_row<Core, false>(block, pass, row, shared);
                });
            check_prefetched(pass, pass.in, pass.stride * sizeof(T), bytes);
          },
          [](warpfold::gpu&, Pass pass, bool probes) {
            bool const stays = Stays > 0 && po::are_aligned(pass.out, pass.stride);
            if (probes) pass.rows = 1;
            unsigned const blocks = stays ? std::min(Stays, pass.rows) : pass.rows;
            pass.ahead = stays ? blocks : ahead;
            run_blocks<typename Core::shape>(
                blocks, [&](auto const& block, unsigned first, auto* shared) {
                  auto const come_back = [&](auto to_stay) {
                    po::return_long_rows<Core, to_stay>(block, pass, first, blocks, probes, shared);
                  };
                  if (stays) come_back(std::true_type{});
                  else come_back(std::false_type{});
                });
            check_fetched_slots(pass, bytes);
          }};
}

template <class Planes, class Rows, class T = typename Rows::T>
po::gpu_impl::long_column_launcher<T> long_columns_of(po::axis_plan const& of, double divisor) {
  return {po::depth_axis_of<Planes>().tables,
          po::unit_tables_of<Rows>(of),
          po::long_along_of<Rows>(of, divisor),
          Planes::shape::length,
          2 * Planes::shape::units,
          Rows::shape::units,
          [](warpfold::gpu&, po::long_columns<T> const& pass, std::size_t blocks) {
            run_blocks<typename Planes::shape>(
                blocks, [&](auto const& block, unsigned piece, auto* shared) {
                  po::cross_planes<Planes>(block, pass, piece, shared);
                });
          },
          [](warpfold::gpu&, po::long_columns<T> const& pass, std::size_t blocks) {
            run_blocks<typename Rows::shape>(blocks,
                                             [&](auto const& block, unsigned piece, auto* shared) {
                                               po::solve_planes<Rows>(block, pass, piece, shared);
                                             });
          }};
}

/// Lines are rows' cores, Planes cross the planes of a column, and Within its rows.
template <class Lines, class Planes, class Within, unsigned Stays = 0>
struct long_passes : passes_of<typename Lines::T> {
  using number = typename Lines::T;
  using lines = Lines;
  using planes = Planes;
  using rows_within = Within;
  static constexpr unsigned stays = Stays;
  static constexpr int height = Planes::length * Within::length, width = 2 * Lines::length;

  explicit long_passes(po::plan of) : passes_of<number>{std::move(of), make_backend, 3} {}
  static std::unique_ptr<po::backend<number>> make_backend(passes_of<number> const& of,
                                                           warpfold::gpu& place) {
    auto const& axes = of.plan.axes;
    return std::make_unique<po::gpu_impl::long_units<number>>(
        place, of.plan, long_rows_of<Lines, Stays>(axes[1]),
        long_columns_of<Planes, Within>(axes[0], po::long_share(of.plan)));
  }
  /// A problem of this size.
  static po::problem problem() {
    return {.axes = {axis_of(height, p, p, grid::nodes), axis_of(width, p, p, grid::cells)}};
  }
};

template <class T, int N, int P, int Units>
using within = paired<T, po::unit_kind::fourier, N, P, Units, Units>;

using small = long_passes<rows<float, 64, 4>, depths<float, 32, 4, 4>, within<float, 32, 4, 4>>;
using wide =
    long_passes<rows<double, 128, 8>, depths<double, 64, 4, 2>, within<double, 32, 4, 8>, 5>;
using staying =
    long_passes<rows<float, 128, 4>, depths<float, 16, 4, 8>, within<float, 32, 4, 8>, 7>;

/// A field on ranks, one after the other.
template <class Passes, class T = typename Passes::number>
simt::solved<T> solved_on(int ranks, po::plan const& of, std::vector<T> const& rhs) {
  now.how = {};
  nowhere unused;
  std::vector<po::gpu_impl::long_slabs<T>> all;
  all.reserve(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r)
    all.emplace_back(
        unused.place, of, r, ranks,
        long_rows_of<typename Passes::lines, Passes::stays, T, po::tiled_long_rows<T>>(of.axes[1]),
        long_columns_of<typename Passes::planes, typename Passes::rows_within>(of.axes[0],
                                                                               po::long_share(of)));
  po::slab_tiles const& tiles = all[0].tiles();
  CHECK(tiles.are_even());
  simt::solved<T> made{std::vector<T>(rhs.size(), T(NAN)), std::vector<T>(1, T(NAN))};
  pairs_of_ranks<T> pairs(tiles, ranks);
  auto const start = [&](int r) { return tiles.rows_of(r).first * of.axes[1].points; };
  auto const at = [](int r) { return static_cast<std::size_t>(r); };
  for (int r = 0; r < ranks; ++r) all[at(r)].forward(0, rhs.data() + start(r), pairs.by_lines(r));
  pairs.to_columns();
  for (int r = 0; r < ranks; ++r)
    for (int j = 0; j < tiles.column_parts(); ++j)
      all[at(r)].solve(j, pairs.by_columns(r), made.means.data());
  pairs.to_lines();
  for (int r = 0; r < ranks; ++r)
    all[at(r)].back(0, pairs.by_lines(r), made.solutions.data() + start(r));
  return made;
}
/// On as many ranks as rows have threads for their blocks.
template <class Passes>
void check_slabs(std::vector<int> const& groups) {
  using T = typename Passes::number;
  for (double const lambda : {0., 2.5}) {
    po::problem problem = Passes::problem();
    problem.lambda = lambda;
    Passes const alone{po::make_plan(problem, sizeof(T))};
    auto const rhs = test::rough_values<T>(alone.plan.size(), simt::seed());
    auto const expected = alone.solve({}, rhs);
    for (int const ranks : groups) {
      CAPTURE(ranks);
      CHECK(solved_on<Passes>(ranks, alone.plan, rhs) == expected);
    }
  }
}

/// Fields of cores as they are on a GPU, beside short ones.
template <class Planes, class Within, class Lines = rows<typename Within::T, 64, 4>>
void check_cores() {
  using passes = long_passes<Lines, Planes, Within, 3>;
  po::problem problem = passes::problem();
  problem.symbol = po::symbol::second_order;
  check_passes<passes>(problem, 1);
}
template <class T>
void check_tuned() {
  using few_planes = depths<T, 8, 4, 4>;
  using few_rows = within<T, 32, 4, 8>;
  check_cores<few_planes, typename po::long_layout<T, 64>::core>();
  check_cores<few_planes, typename po::long_layout<T, 128>::core>();
  check_cores<few_planes, typename po::long_layout<T, 256>::core>();
  check_cores<typename po::depth_layout<T, 64>::core, few_rows>();
  check_cores<typename po::depth_layout<T, 128>::core, few_rows>();
  check_cores<typename po::depth_layout<T, 256>::core, few_rows>();
  constexpr int least = po::most_unit_points(sizeof(T)) / 4;
  check_cores<few_planes, within<T, 16, 4, 4>,
              typename po::packed_layout<T, least>::template core<po::unit_kind::fourier>>();
}

} // namespace

TEST_CASE("long: fields") {
  check_passes<small>(small::problem());
  check_passes<staying>(staying::problem());
  check_passes<wide>(wide::problem(), 1);
}

TEST_CASE("long: stages as they are on a GPU") {
  check_tuned<float>();
  check_tuned<double>();
}

TEST_CASE("long: a lambda for each right-hand side") {
  check_lambdas<small>(small::problem(), true);
}

TEST_CASE("long: fields with gaps have the bits of dense ones") {
  auto problem = staying::problem();
  problem.batch = 2;
  check_gaps(staying{po::make_plan(problem, sizeof(float))});
}

TEST_CASE("long: fields on slabs have the bits of one place") {
  check_slabs<small>({1, 2, 4});
  check_slabs<wide>({2, 4});
  check_slabs<staying>({2, 4});
}

TEST_CASE("long: the same in every order of threads and blocks, and every barrier is needed") {
  // Few rows a block, since each one's barriers are dropped in turn.
  using tiny =
      long_passes<rows<float, 64, 4>, depths<float, 8, 4, 16>, within<float, 32, 4, 16>, 100>;
  tiny const passes{po::make_plan(tiny::problem(), sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  auto const expected = passes.solve({}, rhs);
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(passes.solve(how, rhs) == expected); });
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return passes.solve(how, rhs); }) == "");
}
