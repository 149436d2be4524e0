// Transforms of lines in the emulator, of every kind and along every axis, against the host's.

#include "simt/simt.hpp"

#include <transforms/shared_transform.hpp>
#include <transforms/unit_layout.hpp>
#include <transforms/unit_tables.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace warpfold::transforms;
namespace po = warpfold::poisson;

simt::options in_any_order() {
  return {.lanes = simt::order::random, .blocks = simt::order::random, .seed = simt::seed()};
}

/// An array from and to which a kernel's blocks transform.
template <class T>
struct arrays {
  simt::poisoned<T> in, out;
  T const* from;
  T* to;
  std::size_t size;

  arrays(std::vector<T> const& x, std::size_t offset, bool in_place)
      : in(x.size() + offset), out(x.size() + offset), from{in.data() + offset},
        to{(in_place ? in : out).data() + offset}, size{x.size()} {
    std::copy(x.begin(), x.end(), in.data() + offset);
  }
  std::vector<T> result() const { return {to, to + size}; }
};

/// By units, whose lines are a power of two or one more or less.
template <class T>
std::vector<T> in_units(checked_problem const& of, std::vector<T> const& x, std::size_t offset,
                        bool in_place) {
  arrays<T> const data(x, offset, in_place);
  with_unit_core<T>(of, [&](auto chosen, auto inverse) {
    using core = typename decltype(chosen)::type;
    using shape = typename core::shape;
    constexpr unsigned lines = shape::units * lines_of_unit<core>;
    auto const tables = unit_tables_of<core>(of);
    unit_pass<T> const pass{
        .axis = tables.at(tables.factors.data(), tables.turns.data(), tables.tilts.data()),
        .in = data.from,
        .out = data.to,
        .lines = static_cast<unsigned>(of.slower),
        .points = static_cast<int>(of.points),
        .ahead = lines,
        .maps = unit_maps_of<T>(of)};
    int const blocks = static_cast<int>((pass.lines - 1) / lines + 1);
    simt::launch({blocks, shape::threads, shape::shared}, in_any_order(),
                 [&](simt::block const& block, void* memory) {
                   transform_units<core, inverse>(block, pass,
                                                  static_cast<unsigned>(block.block_rank()) * lines,
                                                  static_cast<po::complex<T>*>(memory));
                 });
  });
  return data.result();
}

template <class T>
std::vector<T> in_blocks(checked_problem const& checked, std::vector<T> const& x,
                         std::size_t offset, bool in_place) {
  po::plan const folded = checked.folded();
  std::size_t const axis = checked.folded_axis();
  auto const line = po::make_line<T>(folded.axes[axis], po::line_shift<T>(folded, axis));
  auto const tables = make_tables<T>(checked);
  auto const places = places_of(line.axis, tables.frequencies);
  std::vector<po::placed_line<T>> lines(2);
  lines[axis].axis = line.at(line.complexes.data(), line.eigenvalues.data(), places.data());
  auto const launch = make_pass(folded, lines, axis, po::line_role::forward);
  real_maps<T> maps = tables.maps;
  maps.modes = tables.modes.data();
  maps.tilts = launch.pass.axis.tilts;

  arrays<T> const data(x, offset, in_place);
  auto const pass = with_arrays(launch, data.from, data.to);
  simt::launch({launch.blocks, launch.threads, launch.shared}, in_any_order(),
               [&](simt::block const& block, void* memory) {
                 auto* const shared = static_cast<po::complex<T>*>(memory);
                 if (launch.is_strided) transform_lines<T, true>(block, pass, maps, shared);
                 else transform_lines<T, false>(block, pass, maps, shared);
               });
  return data.result();
}

template <class T>
void check(std::mt19937& random, problem const& of, bool by_units = false) {
  std::size_t size = 1;
  for (std::size_t const count : of.shape) size *= count;
  std::uniform_real_distribution<float> uniform{-1, 1};
  std::vector<T> x(size), expected(size);
  for (T& value : x) value = static_cast<T>(uniform(random));
  warpfold::host place(1);
  plan<T, warpfold::host>(place, of).run(x, expected);
  checked_problem const checked = check_problem(of, sizeof(T));
  auto const found =
      (by_units ? in_units<T> : in_blocks<T>)(checked, x, random() % 5, random() % 2 == 0);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < size; ++i) {
    double const off = static_cast<double>(found[i]) - static_cast<double>(expected[i]);
    error += off * off;
    norm += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
  }
  CAPTURE(static_cast<int>(of.kind));
  CAPTURE(static_cast<int>(of.direction));
  CAPTURE(static_cast<int>(of.scaling));
  CAPTURE(of.shape[of.axis]);
  CAPTURE(of.axis);
  CHECK(std::sqrt(error / norm) < (sizeof(T) == 4 ? 4e-7 : 1e-15));
}

TEST_CASE_TEMPLATE("blocks transform lines as a host does", T, float, double) {
  std::mt19937 random{simt::seed()};
  for (int number = 0; number <= static_cast<int>(kind::hartley); ++number) {
    auto const of = static_cast<kind>(number);
    for (std::size_t const fits : {2, 3, 4, 6, 9, 11, 15, 28, 64, 67, 100, 122, 211, 243}) {
      // Lengths of which the complex transform has small factors, and others.
      std::size_t const n = of == kind::cosine_1 ? fits + 1 : of == kind::sine_1 ? fits - 1 : fits;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        problem problem{of,
                        static_cast<direction>(random() % 2),
                        {2, 3, 3},
                        axis,
                        static_cast<scaling>(random() % 3)};
        problem.shape[(axis + 1) % 3] = 1 + random() % 9;
        problem.shape[axis] = n;
        check<T>(random, problem);
      }
    }
  }
  check<T>(random, {kind::cosine_2, {}, {1}, 0, {}});
  check<T>(random, {kind::halfcomplex, {}, {4096}, 0, scaling::orthonormal});
  check<T>(random, {kind::sine_4, {}, {512, 70}, 0, {}});
}

TEST_CASE_TEMPLATE("units transform lines as a host does", T, float, double) {
  std::mt19937 random{simt::seed()};
  for (int number = 0; number <= static_cast<int>(kind::hartley); ++number) {
    auto const of = static_cast<kind>(number);
    std::size_t const more = of == kind::cosine_1 ? 1 : 0, less = of == kind::sine_1 ? 1 : 0;
    for (std::size_t unit = 64; unit <= po::most_unit_points(sizeof(T)); unit *= 2) {
      std::size_t const n = (more + less > 0 ? unit : 2 * unit) + more - less;
      for (direction const to : {direction::forward, direction::inverse})
        for (scaling const by : {scaling::none, scaling::inverse, scaling::orthonormal}) {
          if (n > 1100 && random() % 3 != 0) continue;
          problem const problem{of, to, {1 + random() % (n < 4000 ? 12 : 3), n}, 1, by};
          REQUIRE(is_unit(check_problem(problem, sizeof(T)), sizeof(T)));
          check<T>(random, problem, true);
        }
    }
  }
}

} // namespace
