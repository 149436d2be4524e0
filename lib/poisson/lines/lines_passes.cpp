#include "lines_passes.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warpfold::inline v0::poisson {
namespace {

/// Fewer leave much of a GPU without work: with 600 rather than 256, 1215^2 floats take 56 and not
/// 60 us (H200, November 2026).
constexpr std::size_t few_blocks = 600;

/// Pairs of lines of a block. Contiguous lines that are not convolved get several threads each, so
/// that neighbouring threads access neighbouring points. NVIDIA H200, 2026-12-01, us of cosines II
/// of 2^24 floats with these targets and with those of strided lines: 16 points 94 and 293, 40
/// points 82 and 217, 120 points 71 and 139, 1000 points 79 and 92.
template <class T>
std::size_t units_of(plan const& of, std::size_t axis) {
  line_geometry const shape = geometry_of(of, axis);
  std::size_t const points = of.axes[axis].points, complex_length = transform_length(of.axes[axis]);
  std::size_t const length = staged_length(complex_length, sizeof(T));
  std::size_t const all = (shape.lines + 1) / 2 * shape.groups;
  bool const are_shared = !shape.is_strided && length == complex_length;
  std::size_t const target = !are_shared ? 4096 * sizeof(float) / sizeof(T) / length
                                         : (points <= 16 ? 160 : 512) / points,
                    most = are_shared && points > 4 ? 16 : 32;
  // Strided lines are taken 32 bytes wide at least.
  std::size_t const least = shape.is_strided ? 16 / sizeof(T) : 1;
  std::size_t units = 1;
  while (units < all && 2 * units * most_room(length) * sizeof(complex<T>) <= most_line_shared &&
         (units < least || (2 * units <= target && units < most && all >= 2 * units * few_blocks)))
    units *= 2;
  return units;
}

/// Threads that the stages' butterflies divide among evenly: many where blocks are few, else few,
/// with much to do each: if 16 elements and not 8, 3000^2 floats take 198 and not 207 us; if 4 and
/// not 16 where blocks are few, 375^2 take 20 and not 39 us (H200, November 2026).
template <class T>
int threads_for(line_axis<T> const& axis, int units, double blocks) {
  constexpr double at_once = 132 * 768.;
  int const elements = units * axis.staged;
  int best = 32;
  double least = std::numeric_limits<double>::infinity();
  for (int threads = 32; threads <= most_line_threads<T>; threads += 32) {
    // Each quarter of a multiprocessor has registers of its own, so warps should divide evenly by
    // four: doubles, 3000^2, take 341 us and not 377 (H200, 2026-11-26). Floats take longer by it.
    if (sizeof(T) == 8 && threads > 96 && threads % (threads < 256 ? 64 : 128) != 0) continue;
    int const each = blocks * threads > at_once ? 16 : 4;
    if (threads > 64 && elements < each * threads) break;
    double cost = 0;
    for (int s = 0; s < axis.stages; ++s) {
      int const radix = axis.stage[s].radix, count = axis.staged / radix, by = threads / units;
      cost += (count + by - 1) / by * (radix + 2.); // NOLINT(bugprone-integer-division): is meant
    }
    cost *= std::max(at_once, blocks * (threads + 64));
    if (cost <= least) {
      least = cost;
      best = threads;
    }
  }
  return best;
}

} // namespace

bool fits_lines(plan const& of, std::size_t element) {
  if (of.problem.gradient && of.problem.symbol == symbol::spectral) return false;
  for (auto const& axis : of.axes) {
    // Lines and blocks are counted by int.
    if (of.size() / axis.points * of.problem.batch > std::numeric_limits<int>::max()) return false;
    if (staged_length(transform_length(axis), element) == 0) return false;
  }
  return true;
}

template <class T>
int line_shift(plan const& of, std::size_t axis) {
  if (axis + 1 == of.axes.size()) return 0;
  return std::countr_zero(units_of<T>(of, axis));
}

template <class T>
line_launch<T> make_pass(plan const& of, std::vector<placed_line<T>> const& lines, std::size_t axis,
                         line_role role) {
  line_launch<T> made{};
  auto& pass = made.pass;
  pass.axis = lines[axis].axis;
  pass.role = role;
  line_geometry const shape = geometry_of(of, axis);
  pass.groups = divider(static_cast<unsigned>(shape.planes));
  pass.lines = static_cast<int>(shape.lines);
  made.dense = shape;
  made.is_strided = shape.is_strided;

  std::size_t const pairs = (shape.lines + 1) / 2, all = pairs * shape.groups,
                    units = units_of<T>(of, axis);
  pass.pairs = divider(static_cast<unsigned>(pairs));
  pass.all = static_cast<unsigned>(all);
  pass.units = static_cast<int>(units);
  pass.shift = line_shift<T>(of, axis);
  if (role == line_role::solve) {
    double scale = 1;
    for (auto const& line : lines) scale /= line.period;
    set_division(pass, of, scale, [&](std::size_t other) { return lines[other].axis.eigenvalues; });
    pass.fixes_first_point = lines.size() == 1 && of.problem.gauge == gauge::first_point;
  }
  made.blocks = static_cast<int>((all + units - 1) / units);
  made.threads = threads_for(pass.axis, pass.units, made.blocks);
  made.shared = units * static_cast<std::size_t>(pass.axis.room) * sizeof(complex<T>);
  return made;
}

template <class T>
std::vector<line_launch<T>> make_passes(plan const& of, std::vector<placed_line<T>> const& lines) {
  std::vector<line_launch<T>> passes;
  for (std::size_t d = lines.size(); d-- > 1;)
    passes.push_back(make_pass(of, lines, d, line_role::forward));
  passes.push_back(make_pass(of, lines, 0, line_role::solve));
  for (std::size_t d = 1; d < lines.size(); ++d)
    passes.push_back(make_pass(of, lines, d, line_role::backward));
  return passes;
}

template <class T>
line_pass<T> with_arrays(line_launch<T> const& launch, line_geometry const& shape, T const* in,
                         T* out) {
  line_pass<T> pass = launch.pass;
  pass.beside = static_cast<int>(shape.beside);
  bool const has_pairs = (launch.is_strided ? pass.beside : pass.axis.points) % 2 == 0;
  bool const pairs_modes = pass.axis.kind != line_kind::third && pass.axis.kind != line_kind::first;
  auto const memory = [&]<class U>(U* data, line_strides const& by) -> line_memory<U> {
    std::size_t const distances = (pass.beside < pass.lines ? by.row : 0) | by.group | by.entry |
                                  (launch.is_strided ? by.step : by.next);
    bool const wide = has_pairs && distances % 2 == 0 &&
                      reinterpret_cast<std::uintptr_t>(data) % (2 * sizeof(T)) == 0;
    return {data,     wide,    wide && !launch.is_strided && pairs_modes, by.step, by.next, by.row,
            by.group, by.entry};
  };
  pass.in = memory(in, shape.in);
  pass.out = memory(out, shape.out);
  return pass;
}

template <class T>
first_points<T> first_points_of(plan const& of, std::vector<placed_line<T>> const& lines) {
  first_points<T> made{};
  made.entry = of.size();
  made.row = of.axes.back().points;
  made.count = static_cast<int>(of.size() / of.axes[0].points);
  made.faster = lines.back().first_point;
  made.fastest = lines.back().axis.points;
  if (lines.size() > 2) made.slower = lines[1].first_point;
  return made;
}

#define INSTANTIATE(T)                                                                             \
  template line_launch<T> make_pass(plan const&, std::vector<placed_line<T>> const&, std::size_t,  \
                                    line_role);                                                    \
  template std::vector<line_launch<T>> make_passes(plan const&,                                    \
                                                   std::vector<placed_line<T>> const&);            \
  template int line_shift<T>(plan const&, std::size_t);                                            \
  template line_pass<T> with_arrays(line_launch<T> const&, line_geometry const&, T const*, T*);    \
  template first_points<T> first_points_of(plan const&, std::vector<placed_line<T>> const&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

} // namespace warpfold::inline v0::poisson
