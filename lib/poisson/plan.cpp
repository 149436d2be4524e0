#include "plan.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <unistd.h>

namespace warpfold::inline v0::poisson {
namespace {

void refuse_unless(bool right, std::string const& argument, std::string const& reason) {
  if (!right) throw argument_error(argument, reason);
}

bool is_fixed(axis const& of) {
  return of.lower == boundary::dirichlet || of.upper == boundary::dirichlet;
}

/// `name` is the axis' own.
void check_axis(axis const& of, std::string const& name) {
  refuse_unless(of.lower <= boundary::neumann, name + ".lower", "not a boundary");
  refuse_unless(of.upper <= boundary::neumann, name + ".upper", "not a boundary");
  refuse_unless(of.on <= grid::nodes, name + ".on", "not a grid");
  refuse_unless((of.lower == boundary::periodic) == (of.upper == boundary::periodic),
                name + (of.lower == boundary::periodic ? ".upper" : ".lower"),
                "the other end is periodic, and this one is not");
  refuse_unless(std::isfinite(of.length) && of.length > 0, name + ".length",
                detail::text(of.length) + ", not positive and finite");
  refuse_unless(of.points > 0, name + ".points", "there are none");
  bool const has_both_ends =
      of.on == grid::nodes && of.lower == boundary::neumann && of.upper == boundary::neumann;
  refuse_unless(of.points > 1 || !has_both_ends, name + ".points",
                "1, but both ends of the axis are points");
}

/// Refuses more than `most` of something.
void check_count(std::string const& argument, std::size_t count, std::size_t most,
                 char const* why) {
  refuse_unless(count <= most, argument,
                std::to_string(count) + ", more than the " + std::to_string(most) + " " + why);
}

/// Right-hand sides of more than so many bytes are refused.
void check_sizes(problem const& of, std::size_t element, std::size_t memory) {
  constexpr char const* why = "that memory has room for";
  std::size_t left = memory / element;
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    check_count("of.axes[" + std::to_string(d) + "].points", of.axes[d].points, left, why);
    left /= of.axes[d].points;
  }
  check_count("of.batch", of.batch, left, why);
}

/// How many spacings the axis is long.
double spacings(axis const& of) {
  auto const n = static_cast<double>(of.points);
  if (of.on == grid::cells || of.lower != of.upper || of.lower == boundary::periodic) return n;
  return of.lower == boundary::dirichlet ? n + 1 : n - 1;
}

transform forward_of(axis const& of) {
  bool const cells = of.on == grid::cells;
  if (of.lower == boundary::periodic) return transform::fourier;
  if (of.lower == boundary::dirichlet) {
    if (of.upper == boundary::dirichlet) return cells ? transform::sine_2 : transform::sine_1;
    return cells ? transform::sine_4 : transform::sine_3;
  }
  if (of.upper == boundary::neumann) return cells ? transform::cosine_2 : transform::cosine_1;
  return cells ? transform::cosine_4 : transform::cosine_3;
}

/// The half waves of a mode along the axis.
double half_waves(transform forward, std::size_t mode, std::size_t points) {
  auto const m = static_cast<double>(mode);
  switch (forward) {
  case transform::fourier: return 2 * (mode <= points / 2 ? m : m - static_cast<double>(points));
  case transform::cosine_1:
  case transform::cosine_2: return m;
  case transform::sine_1:
  case transform::sine_2: return m + 1;
  default: return m + 0.5;
  }
}

axis_plan make_axis(axis const& of, symbol stands) {
  double const cells = spacings(of), h = of.length / cells;
  axis_plan made{of.points, h, forward_of(of), {}, {}, 2 * cells};
  bool const is_fourier = made.forward == transform::fourier;
  if (is_fourier) made.period = cells;
  made.eigenvalues.resize(of.points);
  made.wavenumbers.resize(of.points);
  for (std::size_t mode = 0; mode < of.points; ++mode) {
    double const waves = half_waves(made.forward, mode, of.points);
    double const k = std::numbers::pi * waves / of.length;
    // Half of t, for 2 cos t - 2 = -4 sin^2(t / 2), which loses no digits to cancellation.
    double const sine = std::sin(std::numbers::pi / 2 * (waves / cells)) / h;
    double const three_points = 0 - 4 * sine * sine; // 0, never -0
    made.eigenvalues[mode] = stands == symbol::spectral ? 0 - k * k
                             : stands == symbol::second_order
                                 ? three_points
                                 : three_points * (1 + sine * h * sine * h / 3);
    made.wavenumbers[mode] = is_fourier && 2 * mode == of.points ? 0 : k;
  }
  return made;
}

/// Of the sums of one number from each list, the one nearest to the wanted, all lists being
/// sorted, at most three, and of one sign.
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

/// Every number that modes are divided by must be one, and a number of the elements' type.
void check_divisors(plan const& of, std::size_t element) {
  bool const is_float = element == sizeof(float);
  double const largest = is_float ? std::numeric_limits<float>::max()
                                  : std::numeric_limits<double>::max(),
               smallest = is_float ? std::numeric_limits<float>::min()
                                   : std::numeric_limits<double>::min(),
               epsilon = is_float ? std::numeric_limits<float>::epsilon()
                                  : std::numeric_limits<double>::epsilon();
  std::string const digits = is_float ? "float" : "double";
  double sum = 0;
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    std::string const length = "of.axes[" + std::to_string(d) + "].length";
    auto const& values = of.axes[d].eigenvalues;
    for (std::size_t mode = 0; mode < values.size(); ++mode) {
      bool const is_constant = mode == 0 && !is_fixed(of.of.axes[d]);
      refuse_unless(is_constant || (-values[mode] >= smallest && -values[mode] <= largest), length,
                    "its modes' divisors are not within the range of " + digits);
    }
    sum += *std::min_element(values.begin(), values.end());
  }
  double const lambda = of.of.lambda;
  refuse_unless(std::abs(lambda) <= largest && (lambda == 0 || std::abs(lambda) >= smallest),
                "of.lambda", detail::text(lambda) + ", not within the range of " + digits);
  // Modes are multiplied by the transforms' scale over the divisor.
  double const greatest = -sum + std::abs(lambda);
  refuse_unless(greatest <= largest && of.scale() / greatest >= smallest, "of.axes",
                "their divisors are not within the range of " + digits);
  if (lambda >= 0) return; // eigenvalues are not positive
  std::vector<std::vector<double>> sorted;
  for (axis_plan const& along : of.axes) {
    sorted.push_back(along.eigenvalues);
    std::sort(sorted.back().begin(), sorted.back().end());
  }
  sorted.resize(3, {0.});
  // The shortest one outermost.
  std::sort(sorted.begin(), sorted.end(),
            [](auto const& a, auto const& b) { return a.size() < b.size(); });
  double const nearest = nearest_sum(sorted, lambda);
  refuse_unless(std::abs(nearest - lambda) > 4 * epsilon * -lambda, "of.lambda",
                detail::text(lambda) + " is an eigenvalue, to the precision of " + digits);
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

std::size_t plan::size() const {
  std::size_t points = 1;
  for (auto const& along : axes) points *= along.points;
  return points;
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

plan make_plan(problem const& of, std::size_t element, std::size_t memory) {
  refuse_unless(!of.axes.empty() && of.axes.size() <= 3, "of.axes",
                std::to_string(of.axes.size()) + ", not one to three");
  auto const name_of = [](std::size_t d) { return "of.axes[" + std::to_string(d) + "]"; };
  for (std::size_t d = 0; d < of.axes.size(); ++d) check_axis(of.axes[d], name_of(d));
  refuse_unless(of.batch > 0, "of.batch", "0");
  check_sizes(of, element, std::numeric_limits<std::ptrdiff_t>::max()); // names what no machine has
  check_sizes(of, element, memory);
  // Eigenvalues and wavenumbers, and an engine's own eigenvalues.
  std::size_t const most = host_memory() / (2 * sizeof(double) + element);
  for (std::size_t d = 0; d < of.axes.size(); ++d)
    check_count(name_of(d) + ".points", of.axes[d].points, most,
                "whose tables the host's memory has room for");
  refuse_unless(std::isfinite(of.lambda), "of.lambda", detail::text(of.lambda) + " is not finite");
  refuse_unless(of.stands <= symbol::fourth_order, "of.stands", "not a symbol");
  refuse_unless(of.fixed_by <= gauge::first_point, "of.fixed_by", "not a gauge");
  plan made{of, {}, is_singular(of)};
  refuse_unless(of.fixed_by == gauge::zero_mean || made.singular, "of.fixed_by",
                "a first point, but the problem has no constant to fix");
  for (auto const& along : of.axes) made.axes.push_back(make_axis(along, of.stands));
  check_divisors(made, element);
  return made;
}

bool is_singular(problem const& of) {
  return of.lambda == 0 && std::none_of(of.axes.begin(), of.axes.end(), is_fixed);
}

std::vector<double> points_of(axis const& of) {
  check_axis(of, "of");
  check_count("of.points", of.points, host_memory() / sizeof(double),
              "that the host's memory has room for");
  double const h = of.length / spacings(of);
  double const first = of.on == grid::cells ? 0.5 : of.lower == boundary::dirichlet ? 1 : 0;
  std::vector<double> points(of.points);
  for (std::size_t j = 0; j < of.points; ++j) points[j] = (static_cast<double>(j) + first) * h;
  return points;
}

} // namespace warpfold::inline v0::poisson
