#pragma once
// The passes over one to three axes of units in the emulator, as the backend sets them up.

#include "simt/poisson/passes.hpp"
#include "simt/poisson/solved.hpp"
#include "simt/simt.hpp"

#include "poisson/engine/box_passes.hpp"
#include "poisson/engine/depths.hpp"
#include "poisson/engine/lengths.hpp"
#include "poisson/engine/tables.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

// The backend finds these before those that need a GPU.
namespace warpfold::inline v0::poisson::gpu_impl {
namespace {
template <class T>
class device_buffer : public std::vector<T> {
public:
  device_buffer() = default;
  device_buffer(gpu const&, std::size_t size) : std::vector<T>(size, T(NAN)) {}
  device_buffer(gpu const&, std::span<T const> of) : std::vector<T>(of.begin(), of.end()) {}
};
inline std::size_t box_slice = poisson::box_slice;
} // namespace
} // namespace warpfold::inline v0::poisson::gpu_impl

#include "poisson/engine/engine_backend.hpp"
#include "poisson/engine/mixed/mixed.hpp"

namespace {

namespace po = warpfold::poisson;
using po::boundary, po::grid;

/// The points of an axis whose transform has the length n.
inline po::axis axis_of(int n, boundary lower, boundary upper, grid where) {
  bool const is_first = where == grid::nodes && lower == upper && lower != boundary::periodic;
  int const points = !is_first ? n : lower == boundary::neumann ? n + 1 : n - 1;
  return {.points = static_cast<std::size_t>(points),
          .length = 1 + .25 * n,
          .lower = lower,
          .upper = upper,
          .grid = where};
}

/// A core for the kind of axis: of length N, P points, and units of a block.
template <class T, po::unit_kind Kind, int N, int P, int Units, int Beside>
using paired = po::paired_core<po::paired_shape<T, Kind, N, P, Units, Beside>>;
/// The same of a periodic axis, whose factors and quotients are kept.
template <class T, int N, int P, int Units, int Beside>
using keeping =
    po::paired_core<po::paired_shape<T, po::unit_kind::fourier, N, P, Units, Beside, true>>;
/// Across planes, P points of each line.
template <class T, int N, int P, int Units>
using depths = po::depth_core<po::depth_shape<T, N, P, Units>>;
template <class Core>
inline constexpr bool is_depth = false;
template <class Shape>
inline constexpr bool is_depth<po::depth_core<Shape>> = true;
template <class T, int N, int P, int Units, int Beside>
using pruned = po::pruned_core<po::pruned_shape<T, N, P, Units, Beside>>;

/// What the launches of a solve are told, and where they say what they prefetched.
struct emulation {
  simt::options how;
  std::vector<std::span<std::byte const>> prefetched;
};
inline emulation now;

/// A block that keeps a record of what it prefetches.
struct fetching_block : simt::block {
  void prefetch(void const* from) const { prefetch(from, 1); }
  void prefetch(void const* from, unsigned bytes) const {
    now.prefetched.emplace_back(static_cast<std::byte const*>(from), bytes);
  }
};

template <class Shape, int Cluster = 1, class Body>
void run_blocks(std::size_t blocks, Body body) {
  now.prefetched.clear();
  auto const all = static_cast<int>((blocks + Cluster - 1) / Cluster * Cluster);
  simt::run_pass<Shape, Cluster>(all, now.how, [&](simt::block const& of, auto* shared) {
    body(fetching_block{of}, static_cast<unsigned>(of.block_rank()), shared);
  });
}

/// Rows without gaps prefetch all that blocks `ahead` units later read, one block after the other.
template <class Shape, bool Leaves, class T>
void check_prefetched(po::unit_rows<T> const& pass) {
  auto const pairs = static_cast<unsigned>(pass.rows + 1) / 2;
  std::size_t const planes = pass.units / pairs;
  auto const slots = static_cast<std::size_t>(pass.slots_of_row);
  auto const width = static_cast<std::size_t>(pass.width);
  std::span<std::byte const> all = std::as_bytes(std::span(pass.slots, planes * pass.entry));
  std::size_t of_unit = slots * sizeof(po::complex_pair<T>);
  if constexpr (Leaves) {
    all = std::as_bytes(std::span(pass.in, planes * static_cast<unsigned>(pass.rows) * width));
    of_unit = 2 * width * sizeof(T);
    std::size_t const plane = static_cast<unsigned>(pass.rows) * width;
    bool const has_gaps = pass.strides.row != width ||
                          (pass.planes.by > 1 && pass.strides.plane != plane) ||
                          pass.strides.entry != plane * pass.planes.by;
    CHECK((!has_gaps || now.prefetched.empty()));
  }
  std::ranges::sort(now.prefetched, {}, [](auto const& one) { return one.data(); });
  std::size_t at = pass.ahead * of_unit, of_block = Shape::units * of_unit;
  bool are_right = true;
  for (auto const& one : now.prefetched) {
    are_right = are_right && one.data() == all.data() + at && one.size() == of_block / 16 * 16;
    at += of_block;
  }
  CHECK(are_right);
  CHECK((now.prefetched.empty() || at <= all.size()));
  if (pass.ahead != 0 && pass.ahead <= pass.fetchable)
    CHECK(at + of_block > pass.fetchable * of_unit);
  else CHECK(now.prefetched.empty());
}

/// Columns prefetch every number of those `ahead` slots later, or of neighbours every other one.
template <class Core, class T>
void check_prefetched(po::unit_columns<T> const& pass, std::size_t batch) {
  int const rows = Core::length + (!Core::is_pruned ? 0 : pass.axis.is_reversed ? -1 : 1);
  std::set<void const*> expected, found;
  for (std::size_t b = 0; b < batch && pass.ahead != 0; ++b)
    for (int slot = pass.ahead; slot < pass.slots; ++slot)
      for (int y = 0; y < rows; y += Core::takes_two ? 2 : 1) {
        int const tile = 1 << pass.tile_log2;
        expected.insert(pass.entries + b * pass.entry +
                        static_cast<std::size_t>((y / tile * pass.slots + slot) * tile + y % tile));
      }
  for (auto const& one : now.prefetched) found.insert(one.data());
  CHECK(found == expected);
}

template <class Rows, int Beside, int Cluster, bool Leaves, class T>
void run_rows(po::unit_rows<T> const& pass, bool probes) {
  constexpr unsigned units = Rows::shape::units;
  unsigned const apart = probes ? pass.pairs.by * pass.planes.by : units;
  run_blocks<typename Rows::shape, Leaves ? Cluster : 1>(
      (pass.units + apart - 1) / apart, [&](auto const& block, unsigned number, auto* shared) {
        po::transform_rows<Rows, Beside, Cluster, false, Leaves>(block, pass, number * apart,
                                                                 probes, shared);
      });
  if (!probes) check_prefetched<typename Rows::shape, Leaves>(pass);
}

template <class Pass> // as it is launched in few blocks
Pass touched(Pass pass) {
  pass.axis.is_touched = true;
  return pass;
}

// How kernels are launched, as rows.cuh, columns.cuh, boxes.cuh and packed.cuh do.
template <class Rows, int Beside, int Cluster, class T = typename Rows::T>
po::gpu_impl::row_launcher<T> rows_of(po::axis_plan const& of, unsigned ahead) {
  return {po::unit_tables_of<Rows>(of),
          Beside,
          Rows::shape::units,
          ahead,
          [](warpfold::gpu& place, po::unit_rows<T> const& given) {
            if constexpr (Rows::shape::keeps)
              if (!po::is_in_pairs(given.in, given.strides))
                return rows_of<typename Rows::keeping_nothing, Beside, Cluster>({}, 0).leave(place,
                                                                                             given);
            auto pass = touched(given);
            pass.has_clusters = Cluster > 1;
            run_rows<Rows, Beside, Cluster, true>(pass, false);
          },
          [](warpfold::gpu& place, po::unit_rows<T> const& pass, bool probes) {
            if constexpr (Rows::shape::keeps)
              if (!po::is_in_pairs(static_cast<T const*>(pass.out), pass.strides))
                return rows_of<typename Rows::keeping_nothing, Beside, Cluster>({}, 0).come_back(
                    place, pass, probes);
            run_rows<Rows, Beside, Cluster, false>(touched(pass), probes);
          }};
}
template <class Core, class T = typename Core::T>
po::gpu_impl::column_launcher<T> columns_of(po::axis_plan const& of, double divisor, int ahead) {
  return {po::divided_axis_of<Core>(of, divisor), ahead,
          [](warpfold::gpu&, po::unit_columns<T> const& given, std::size_t batch) {
            auto pass = touched(given);
            if constexpr (po::takes_single_rows<Core>)
              pass = po::by_single_rows(pass, Core::shape::per_line);
            constexpr int units = Core::shape::units;
            auto const blocks = static_cast<unsigned>((pass.slots + units - 1) / units);
            run_blocks<typename Core::shape>(batch * blocks, [&](auto const& block, unsigned number,
                                                                 auto* shared) {
              po::solve_units<Core>(block, pass, number / blocks,
                                    static_cast<int>(number % blocks) * units, pass.slots, shared);
            });
            check_prefetched<Core>(pass, batch);
          }};
}
template <class Core, class T = typename Core::T>
po::gpu_impl::box_launcher<T> box_of(po::axis_plan const& of, double divisor) {
  auto const axis = [&] {
    if constexpr (is_depth<Core>) return po::depth_axis_of<Core>();
    else return po::divided_axis_of<Core>(of, divisor);
  };
  return {axis(), is_depth<Core> ? 2 * Core::shape::units : Core::shape::units,
          [](warpfold::gpu&, po::unit_boxes<T> const& given, std::size_t blocks) {
            auto const pass = touched(given);
            run_blocks<typename Core::shape>(blocks,
                                             [&](auto const& block, unsigned number, auto* shared) {
                                               if constexpr (is_depth<Core>)
                                                 po::pass_depths<Core>(block, pass, number, shared);
                                               else po::pass_box<Core>(block, pass, number, shared);
                                             });
          }};
}

template <class Core, class T = typename Core::T>
po::gpu_impl::packed_launcher<T> packed_of(po::axis_plan const& of, double divisor,
                                           unsigned ahead) {
  return {po::packed_tables_of<Core>(of), po::packed_along_of<Core>(of, divisor), ahead,
          [](warpfold::gpu&, po::packed_pass<T> const& pass) {
            constexpr unsigned units = Core::shape::units;
            run_blocks<typename Core::shape>((pass.lines + units - 1) / units,
                                             [&](auto const& block, unsigned number, auto* shared) {
                                               po::solve_lines<Core>(block, pass, number * units,
                                                                     shared);
                                             });
            // Whole blocks of lines, `ahead` lines later.
            std::ranges::sort(now.prefetched, {}, [](auto const& one) { return one.data(); });
            constexpr std::size_t fetched = Core::fetched * units * sizeof(T) / 16 * 16;
            auto const* at = reinterpret_cast<std::byte const*>(pass.in + pass.ahead * pass.from);
            bool are_right = true;
            for (auto const& one : now.prefetched) {
              are_right = are_right && one.data() == at && one.size() == fetched;
              at += pass.from * units * sizeof(T);
            }
            CHECK(are_right);
            unsigned const all =
                pass.ahead == 0 || pass.ahead > pass.lines ? 0 : (pass.lines - pass.ahead) / units;
            CHECK(now.prefetched.size() == all);
          }};
}

/// Launches look at no place.
union nowhere {
  char none;
  warpfold::gpu place;
  nowhere() : none{} {}
  ~nowhere() {}
};

/// Solves by a backend; one type for all cores, so that it is compiled once.
template <class T>
struct passes_of {
  using maker = std::unique_ptr<po::backend<T>> (*)(passes_of const&, warpfold::gpu&);

  po::plan plan;
  maker make;
  unsigned ahead;                     ///< units of rows by which they prefetch
  std::vector<T> lambdas{};           ///< by right-hand side, or none
  po::field_layout rhs{}, solution{}; ///< dense ones by themselves
  bool in_place = false;              ///< the solution is the right-hand side
  std::size_t offset = 0;             ///< of fields from aligned addresses
  std::size_t slice = po::box_slice;  ///< bytes that passes over boxes take at a time
  int columns_ahead = 1;

  /// For one right-hand side.
  std::size_t bytes() const { return plan.size() * sizeof(T); }

  simt::solved<T> solve(simt::options const& how, std::vector<T> const& values) const {
    po::problem const& of = plan.problem;
    auto const from = completed(of, rhs), to = completed(of, in_place ? rhs : solution);
    std::vector<T> in(offset + extent_of(of, from), T(NAN)),
        apart(offset + extent_of(of, to), T(NAN));
    auto const in_places = simt::places(of, from), out_places = simt::places(of, to);
    for (std::size_t i = 0; i < values.size(); ++i) in[offset + in_places[i]] = values[i];
    std::vector<T> const given = in, gaps(apart.size(), T(NAN));
    std::vector<T>& out = in_place ? in : apart;
    simt::solved<T> made{{}, std::vector<T>(of.batch, T(NAN))};

    now.how = how;
    po::gpu_impl::box_slice = slice;
    nowhere unused;
    auto const backend = make(*this, unused.place);
    std::vector<T> modes(backend->workspace_size() / sizeof(T), T(NAN));
    backend->solve({.rhs = in.data() + offset,
                    .solution = out.data() + offset,
                    .gradient = {},
                    .removed_mean = made.means.data(),
                    .lambdas = lambdas.empty() ? nullptr : lambdas.data(),
                    .rhs_layout = from,
                    .solution_layout = to},
                   reinterpret_cast<std::byte*>(modes.data()));
    if (!in_place) CHECK(std::ranges::equal(in, given, simt::same<T>));
    for (std::size_t const at : out_places)
      made.solutions.push_back(std::exchange(out[offset + at], T(NAN)));
    // Nothing was written between rows.
    CHECK(std::ranges::equal(out, gaps, simt::same<T>));
    return made;
  }
};

/// Solves over boxes of three axes, if Planes is a core, of two, or of one if Columns is none.
template <class T, class Rows, class Columns, int Beside, class Planes = void, int Cluster = 1>
struct unit_passes : passes_of<T> {
  using number = T;

  explicit unit_passes(po::plan of)
      : passes_of<T>{std::move(of), make_backend, Rows::shape::units} {}

private:
  static std::unique_ptr<po::backend<T>> make_backend(passes_of<T> const& of,
                                                      warpfold::gpu& place) {
    using namespace po::gpu_impl;
    if constexpr (!std::is_void_v<Planes>)
      static_assert(is_depth<Planes> || !po::crosses_by_pairs<Planes>);
    double const share = po::unit_share(of.plan);
    auto const& axes = of.plan.axes;
    if constexpr (std::is_void_v<Columns>)
      return std::make_unique<packed<T>>(place, of.plan, packed_of<Rows>(axes[0], share, of.ahead));
    else if constexpr (std::is_void_v<Planes>)
      return std::make_unique<units<T>>(place, of.plan,
                                        rows_of<Rows, Beside, Cluster>(axes[1], of.ahead),
                                        columns_of<Columns>(axes[0], share, of.columns_ahead));
    else
      return std::make_unique<units<T>>(
          place, of.plan, rows_of<Rows, Beside, Cluster>(axes[2], of.ahead),
          box_axes<T>{box_of<Columns>(axes[1], share), box_of<Planes>(axes[0], share)});
  }
};

} // namespace
