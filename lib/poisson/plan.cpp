#include "plan.hpp"

#include "host/host_threads.hpp"
#include "lines/lines_maps.hpp"

#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <unistd.h>

namespace warpfold::inline v0::poisson {
namespace {

using detail::text;

bool is_fixed(axis const& axis) {
  return axis.lower == boundary::dirichlet || axis.upper == boundary::dirichlet;
}

/// `name` is the axis' own.
void check_axis(axis const& axis, std::string const& name) {
  check_enum(axis.lower, boundary::neumann, name + ".lower");
  check_enum(axis.upper, boundary::neumann, name + ".upper");
  check_enum(axis.grid, grid::nodes, name + ".grid");
  if ((axis.lower == boundary::periodic) != (axis.upper == boundary::periodic))
    detail::refuse(name + (axis.lower == boundary::periodic ? ".upper" : ".lower"),
                   "not periodic, opposite a periodic end", "boundary::periodic at both ends");
  if (!std::isfinite(axis.length) || axis.length <= 0)
    detail::refuse(name + ".length", text(axis.length), "finite numbers above 0");
  bool const has_both_ends = axis.grid == grid::nodes && axis.lower == boundary::neumann &&
                             axis.upper == boundary::neumann;
  if (axis.points < (has_both_ends ? 2 : 1))
    detail::refuse(name + ".points", text(axis.points),
                   has_both_ends ? "at least 2: both ends are points" : "at least 1");
}

void check_count(std::string const& argument, std::size_t count, std::size_t most,
                 char const* limit) {
  if (count > most) detail::refuse(argument, text(count), text("at most ", most, ": ", limit));
}

std::string name_of(std::size_t axis) { return text("problem.axes[", axis, "]"); }

/// Refuses right-hand sides of more than `memory` bytes.
void check_sizes(problem const& problem, std::size_t element, std::size_t memory) {
  constexpr char const* limit = "memory has room for no more";
  std::size_t left = memory / element;
  for (std::size_t d = 0; d < problem.axes.size(); ++d) {
    check_count(name_of(d) + ".points", problem.axes[d].points, left, limit);
    left /= problem.axes[d].points;
  }
  check_count("problem.batch", problem.batch, left, limit);
}

/// Bytes of a point of a field, with the floats that are transformed in its place.
std::size_t bytes_of_point(problem const& problem, std::size_t element) {
  if (element == sizeof(float) || problem.precision == precision::full) return element;
  bool const has_derivatives = problem.gradient && problem.symbol == symbol::spectral;
  return element + sizeof(float) * (1 + (has_derivatives ? problem.axes.size() : 0));
}

transform forward_of(axis const& axis) {
  bool const cells = axis.grid == grid::cells;
  if (axis.lower == boundary::periodic) return transform::fourier;
  if (axis.lower == boundary::dirichlet) {
    if (axis.upper == boundary::dirichlet) return cells ? transform::sine_2 : transform::sine_1;
    return cells ? transform::sine_4 : transform::sine_3;
  }
  if (axis.upper == boundary::neumann) return cells ? transform::cosine_2 : transform::cosine_1;
  return cells ? transform::cosine_4 : transform::cosine_3;
}

/// The half waves of a mode along the axis.
double half_waves(transform forward, std::size_t mode, std::size_t points) {
  auto const m = static_cast<double>(mode);
  switch (kind_of(forward)) {
  case line_kind::fourier: return 2 * (mode <= points / 2 ? m : m - static_cast<double>(points));
  case line_kind::first:
  case line_kind::second: return is_sine(forward) ? m + 1 : m;
  default: return m + 0.5;
  }
}

axis_plan make_axis(axis const& axis, poisson::symbol symbol) {
  transform const forward = forward_of(axis);
  auto const cells = static_cast<double>(spacings_of(forward, axis.points));
  double const h = axis.length / cells;
  axis_plan made{axis.points, h, forward, {}, {}, period_of(forward, axis.points)};
  made.eigenvalues.resize(axis.points);
  made.wavenumbers.resize(axis.points);
  for (std::size_t mode = 0; mode < axis.points; ++mode) {
    double const waves = half_waves(forward, mode, axis.points);
    double const k = std::numbers::pi * waves / axis.length;
    // Half of t, for 2 cos t - 2 = -4 sin^2(t / 2), which loses no digits to cancellation.
    double const sine = std::sin(std::numbers::pi / 2 * (waves / cells)) / h;
    double const three_points = 0 - 4 * sine * sine; // 0, never -0
    made.eigenvalues[mode] = symbol == poisson::symbol::spectral ? 0 - k * k
                             : symbol == poisson::symbol::second_order
                                 ? three_points
                                 : three_points * (1 + sine * h * sine * h / 3);
    made.wavenumbers[mode] = forward == transform::fourier && 2 * mode == axis.points ? 0 : k;
  }
  return made;
}

/// Refuses axes whose tables the host's memory has no room for. `place` transforms, unless null.
void check_tables(problem const& problem, std::size_t element, host const* place) {
  std::size_t const memory = host_memory();
  std::size_t points = problem.batch;
  for (auto const& axis : problem.axes) points *= axis.points;
  for (std::size_t d = 0; d < problem.axes.size(); ++d) {
    std::size_t const n = problem.axes[d].points;
    std::string const name = name_of(d) + ".points";
    // Eigenvalues and wavenumbers, and an engine's own eigenvalues.
    check_count(name, n, memory / (2 * sizeof(double) + element),
                "the host's memory has no room for longer tables");
    if (place == nullptr) continue;
    check_host_line(name, forward_of(problem.axes[d]), n, points, *place);
  }
}

/// The sum of one number from each list that is nearest to the wanted one. Lists are sorted, three,
/// and of one sign.
double nearest_sum(std::vector<std::vector<double>> const& lists, double wanted) {
  double nearest = std::numeric_limits<double>::infinity();
  auto const see = [&](double sum) {
    if (std::abs(sum - wanted) < std::abs(nearest - wanted)) nearest = sum;
  };
  auto const &a = lists[0], &b = lists[1], &c = lists[2];
  for (double const x : a) {
    // Along b upwards, the best of c moves downwards.
    std::size_t k = c.size();
    for (double const y : b) {
      while (k > 0 && x + y + c[k - 1] > wanted) see(x + y + c[--k]);
      if (k > 0) see(x + y + c[k - 1]);
    }
  }
  return nearest;
}

/// What the transforms' elements hold.
struct element_range {
  double least, most, epsilon;
};

template <class T>
constexpr element_range range_of_type{std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                                      std::numeric_limits<T>::epsilon()};

element_range range_of(problem const& problem, std::size_t element) {
  bool const is_float = element == sizeof(float) || problem.precision == precision::single;
  return is_float ? range_of_type<float> : range_of_type<double>;
}

/// Refuses an argument that makes a divisor which is out of range.
[[noreturn]] void refuse_divisor(element_range range, std::string const& argument,
                                 text const& found) {
  detail::refuse(
      argument, found,
      text("what keeps the modes' divisors, and the transforms' scale over them, within ",
           range.least, " to ", range.most));
}

/// True if elements hold the modes' divisors and what modes are multiplied by: the transforms'
/// scale over them.
bool holds_divisors(plan const& plan, element_range range, double lambda) {
  double const greatest = plan.largest + std::abs(lambda);
  return greatest <= range.most && plan.scale() / greatest >= range.least;
}

/// `name` is the argument's.
void check_shift(plan const& plan, element_range range, double lambda, char const* name) {
  if (!holds_divisors(plan, range, lambda) || (lambda != 0 && std::abs(lambda) < range.least))
    refuse_divisor(range, name, lambda);
  if (lambda >= 0) return; // eigenvalues are not positive
  std::vector<std::vector<double>> sorted;
  for (axis_plan const& along : plan.axes) {
    sorted.push_back(along.eigenvalues);
    std::sort(sorted.back().begin(), sorted.back().end());
  }
  sorted.resize(3, {0.});
  // The shortest one outermost.
  std::sort(sorted.begin(), sorted.end(),
            [](auto const& a, auto const& b) { return a.size() < b.size(); });
  if (std::abs(nearest_sum(sorted, lambda) - lambda) <= 4 * range.epsilon * -lambda)
    detail::refuse(name, text(lambda, ", an eigenvalue to the precision of the elements"),
                   "numbers at which the problem has one solution");
}

void check_divisors(plan& plan, element_range range) {
  for (std::size_t d = 0; d < plan.axes.size(); ++d) {
    auto const& values = plan.axes[d].eigenvalues;
    for (std::size_t mode = 0; mode < values.size(); ++mode) {
      bool const is_constant = mode == 0 && !is_fixed(plan.problem.axes[d]);
      if (!is_constant && !(-values[mode] >= range.least && -values[mode] <= range.most))
        refuse_divisor(range, name_of(d) + ".length", plan.problem.axes[d].length);
    }
    plan.largest -= *std::min_element(values.begin(), values.end());
  }
  double const lambda = plan.problem.lambda;
  if (!holds_divisors(plan, range, 0))
    refuse_divisor(range, "problem.axes", text("a divisor of ", plan.largest));
  check_shift(plan, range, lambda, "problem.lambda");
}

} // namespace

transform inverse_of(transform forward) {
  switch (forward) {
  case transform::cosine_2: return transform::cosine_3;
  case transform::cosine_3: return transform::cosine_2;
  case transform::sine_2: return transform::sine_3;
  case transform::sine_3: return transform::sine_2;
  default: return forward;
  }
}

line_kind kind_of(transform forward) {
  switch (forward) {
  case transform::fourier: return line_kind::fourier;
  case transform::cosine_1:
  case transform::sine_1: return line_kind::first;
  case transform::cosine_2:
  case transform::sine_2: return line_kind::second;
  case transform::cosine_3:
  case transform::sine_3: return line_kind::third;
  default: return line_kind::fourth;
  }
}

std::size_t spacings_of(transform forward, std::size_t points) {
  if (forward == transform::cosine_1) return points - 1;
  return forward == transform::sine_1 ? points + 1 : points;
}
double period_of(transform forward, std::size_t points) {
  auto const spacings = static_cast<double>(spacings_of(forward, points));
  return forward == transform::fourier ? spacings : 2 * spacings;
}

std::size_t plan::size() const {
  std::size_t points = 1;
  for (auto const& along : axes) points *= along.points;
  return points;
}

bool plan::has_constant() const {
  return std::all_of(axes.begin(), axes.end(), [](axis_plan const& along) {
    return along.forward == transform::fourier || along.forward == transform::cosine_1 ||
           along.forward == transform::cosine_2;
  });
}

double plan::scale() const {
  double periods = 1;
  for (auto const& along : axes) periods *= along.period;
  return 1 / periods;
}

std::size_t host_memory() {
  long const pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  constexpr std::size_t unknown = std::numeric_limits<std::ptrdiff_t>::max();
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                               : unknown;
}

bool has_host_stages(std::size_t length) {
  for (std::size_t const prime : {2, 3, 5, 7, 11, 13})
    while (length > 1 && length % prime == 0) length /= prime;
  return length == 1;
}

std::size_t host_line_bytes(transform forward, std::size_t points, int threads, bool has_packs) {
  std::size_t const length = transform_length({points, 1, forward, {}, {}, 0});
  bool const has_stages = has_host_stages(length);
  // Tables in double, in vectors that grow. 2026-12-01, all kinds of 4090 to 8400 points, solvers
  // and real transforms, one pair of lines and one thread: 136 to 303 bytes a point with stages,
  // 392 to 769 without.
  std::size_t const tables = 160 * points + (has_stages ? 56 : 224) * length;
  // A line's complex numbers, its staged points, and what it is convolved in: four lanes a pack.
  std::size_t const convolved = has_stages ? 0 : std::bit_ceil(2 * length - 1);
  std::size_t const room = (has_packs ? 64 : 16) * (length + points + convolved);
  return tables + static_cast<std::size_t>(threads) * room;
}

void check_host_line(std::string const& name, transform forward, std::size_t points,
                     std::size_t all, host const& place) {
  std::size_t const memory = host_memory(),
                    bytes =
                        host_line_bytes(forward, points, threads_for(place, all), all / points > 1);
  if (bytes > memory)
    detail::refuse(name, text(points, ", with tables of ", bytes, " bytes"),
                   text("tables that the host's memory, ", memory, " bytes, has room for"));
}

plan make_plan(problem const& problem, std::size_t element, plan_bounds const& bounds) {
  if (problem.axes.empty() || problem.axes.size() > 3)
    detail::refuse("problem.axes", text(problem.axes.size(), " axes"), "1 to 3");
  for (std::size_t d = 0; d < problem.axes.size(); ++d) check_axis(problem.axes[d], name_of(d));
  if (problem.batch == 0) detail::refuse("problem.batch", "0", "at least 1");
  // Names what no machine has.
  std::size_t const point = bytes_of_point(problem, element);
  check_sizes(problem, point, std::numeric_limits<std::ptrdiff_t>::max());
  check_sizes(problem, point, bounds.memory);
  for (std::size_t d = 0; d < problem.axes.size(); ++d)
    check_count(name_of(d) + ".points", problem.axes[d].points, bounds.points,
                "what is made of a host's axis is counted by int");
  check_tables(problem, element, bounds.transforms);
  if (!std::isfinite(problem.lambda))
    detail::refuse("problem.lambda", text(problem.lambda), "finite numbers");
  check_enum(problem.symbol, symbol::fourth_order, "problem.symbol");
  check_enum(problem.gauge, gauge::first_point, "problem.gauge");
  check_enum(problem.precision, precision::single, "problem.precision");
  plan made{problem, {}, is_singular(problem), 0};
  if (problem.gauge == gauge::first_point && !made.singular)
    detail::refuse("problem.gauge", "first_point, for a problem with one solution", "zero_mean");
  for (auto const& axis : problem.axes) made.axes.push_back(make_axis(axis, problem.symbol));
  check_divisors(made, range_of(problem, element));
  return made;
}

void check_lambda(plan const& plan, double lambda, std::size_t element) {
  if (!std::isfinite(lambda)) detail::refuse("lambda", text(lambda), "finite numbers");
  if (lambda == 0) return;
  if (plan.problem.gauge == gauge::first_point)
    detail::refuse("lambda", text(lambda, ", with gauge::first_point"), "0");
  // Engines divide in units of the scale, which floats hold; the largest eigenvalue bounds it too.
  constexpr double proportion = 1e30;
  double const size = std::abs(lambda), scale = plan.scale();
  double const largest = plan.largest > 0 ? plan.largest : scale;
  element_range const range = range_of(plan.problem, element);
  if (!holds_divisors(plan, range, lambda) || size > proportion * std::min(largest, scale) ||
      size < std::max(largest, scale) / proportion)
    detail::refuse("lambda", text(lambda),
                   text("0, or sizes of ", std::max(largest, scale) / proportion, " to ",
                        proportion * std::min(largest, scale)));
  check_shift(plan, range, lambda, "lambda");
}

bool is_singular(problem const& problem) {
  return problem.lambda == 0 && std::none_of(problem.axes.begin(), problem.axes.end(), is_fixed);
}

std::vector<double> coordinates(axis const& axis) {
  detail::verb const scope("poisson::coordinates");
  check_axis(axis, "axis");
  check_count("axis.points", axis.points, host_memory() / sizeof(double),
              "the host's memory has room for no more");
  double const h = axis.length / static_cast<double>(spacings_of(forward_of(axis), axis.points));
  double const first = axis.grid == grid::cells ? 0.5 : axis.lower == boundary::dirichlet ? 1 : 0;
  std::vector<double> points(axis.points);
  for (std::size_t j = 0; j < axis.points; ++j) points[j] = (static_cast<double>(j) + first) * h;
  return points;
}

} // namespace warpfold::inline v0::poisson
