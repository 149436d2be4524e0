#include "tables.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace warpfold::inline v0::transforms {
namespace {

using base = poisson::transform;
using detail::text;
using poisson::line_kind;

/// The transform of a kind's name, whose enumerators stand in the same order; of the last two
/// fourier.
base forward_of(kind of) {
  static_assert(static_cast<int>(kind::cosine_1) + 1 == static_cast<int>(base::cosine_1) &&
                static_cast<int>(kind::sine_4) + 1 == static_cast<int>(base::sine_4));
  return of > kind::sine_4 ? base::fourier : static_cast<base>(static_cast<int>(of) + 1);
}

} // namespace

template <class T>
poisson::complex<T> scaled_root(double radius, double k, double n) {
  auto const root = poisson::root_of_unity<double>(k, n);
  return {static_cast<T>(radius * root.re), static_cast<T>(radius * root.im)};
}
template <class T>
void append_root(std::vector<poisson::complex<T>>& table, double radius, double k, double n) {
  table.push_back(scaled_root<T>(radius, k, n));
}
template poisson::complex<float> scaled_root(double, double, double);
template poisson::complex<double> scaled_root(double, double, double);
template void append_root(std::vector<poisson::complex<float>>&, double, double, double);
template void append_root(std::vector<poisson::complex<double>>&, double, double, double);

std::string length_name(problem const& problem) {
  return text("problem.shape[", problem.axis, "]");
}

checked_problem check_problem(problem const& problem, std::size_t element, std::size_t memory) {
  poisson::check_enum(problem.kind, kind::hartley, "problem.kind");
  poisson::check_enum(problem.direction, direction::inverse, "problem.direction");
  poisson::check_enum(problem.scaling, scaling::orthonormal, "problem.scaling");
  if (problem.shape.empty()) detail::refuse("problem.shape", "no axes", "at least 1");
  if (problem.axis >= problem.shape.size())
    detail::refuse("problem.axis", text(problem.axis), text("below ", problem.shape.size()));
  checked_problem made{problem, 1, problem.shape[problem.axis], 1, {}, {}, {}};
  std::size_t left = memory / element;
  for (std::size_t d = 0; d < problem.shape.size(); ++d) {
    std::size_t const count = problem.shape[d];
    bool const has_ends = d == problem.axis && problem.kind == kind::cosine_1;
    std::string const name = text("problem.shape[", d, "]");
    if (count < (has_ends ? 2 : 1))
      detail::refuse(name, text(count),
                     has_ends ? "at least 2: both ends are points" : "at least 1");
    if (count > left)
      detail::refuse(name, text(count), text("at most ", left, ": memory has room for no more"));
    left /= count;
    if (d < problem.axis) made.slower *= count;
    if (d > problem.axis) made.faster *= count;
  }
  bool const goes_back = problem.direction == direction::inverse;
  base const forward = forward_of(problem.kind),
             computed = goes_back ? poisson::inverse_of(forward) : forward;
  bool const is_third = kind_of(computed) == line_kind::third;
  made.base = is_third ? poisson::inverse_of(computed) : computed;
  made.is_inverse = is_third || (problem.kind == kind::halfcomplex && goes_back);
  made.period = period_of(made.base, made.points);
  return made;
}

double checked_problem::scale() const {
  if (is_orthonormal()) return 1 / std::sqrt(period);
  bool const divides =
      problem.scaling == scaling::inverse && problem.direction == direction::inverse;
  return divides ? 1 / period : 1;
}

poisson::axis_plan checked_problem::axis() const {
  std::vector<double> const none(points);
  return {points, 1, base, none, none, period};
}

poisson::plan checked_problem::folded() const {
  poisson::plan made{};
  poisson::axis_plan other{};
  other.forward = base::fourier;
  other.points = faster == 1 ? slower : faster;
  made.axes = faster == 1 ? std::vector{other, axis()} : std::vector{axis(), other};
  made.problem.batch = faster == 1 ? 1 : slower;
  return made;
}

template <class T>
real_tables<T> make_tables(checked_problem const& of) {
  real_tables<T> made;
  auto& maps = made.maps;
  std::size_t const n = of.points, m = poisson::transform_length(of.axis());
  bool const is_fourier = of.base == base::fourier, is_hartley = of.problem.kind == kind::hartley,
             is_first = kind_of(of.base) == line_kind::first,
             is_second = kind_of(of.base) == line_kind::second, is_sine = poisson::is_sine(of.base),
             is_orthonormal = of.is_orthonormal();
  maps.points = static_cast<int>(n);
  maps.length = static_cast<int>(m);
  maps.is_inverse = of.is_inverse;
  maps.folds = !is_fourier && !is_first;
  maps.alternates = of.base == base::sine_2 || of.base == base::cosine_4;
  maps.mirrors = is_first;
  maps.tilts_points = maps.folds && !is_second;
  maps.is_odd = of.base == base::sine_1;
  constexpr double root = std::numbers::sqrt2;
  maps.ends = static_cast<T>(of.base == base::cosine_1 && is_orthonormal ? root : 1);

  double const scale = of.scale();
  // Modes of a pair of frequencies k and other, or of one frequency alone.
  auto const add = [&](std::size_t k, std::size_t other, std::size_t first, std::size_t second,
                       poisson::complex<T> factor) {
    bool const is_reversed = is_sine && !is_first;
    auto const place = [&](std::size_t mode) {
      return static_cast<std::int32_t>(is_reversed ? n - 1 - mode : mode);
    };
    made.modes.push_back({factor, place(first), place(second)});
    made.frequencies.emplace_back(k, other);
  };
  auto const number = [&](double x) { return poisson::complex<T>{static_cast<T>(x), T{0}}; };

  if (is_first) {
    for (std::size_t mode = 0; mode < n; ++mode) {
      std::size_t const k = mode + is_sine;
      bool const is_end = !is_sine && (mode == 0 || mode + 1 == n);
      double const c = scale / 2 * (is_end && is_orthonormal ? 1 / root : 1);
      // Rounding errors that have the wrong symmetry are no modes of either line: both frequencies
      // are read.
      add(k, (m - k) % m, mode, mode,
          is_sine ? poisson::complex<T>{T{0}, static_cast<T>(c)} : number(c));
    }
  } else if (maps.tilts_points) {
    for (std::size_t k = 0; 2 * k + 1 < n; ++k)
      add(k, n - 1 - k, k, n - 1 - k,
          scaled_root<T>(scale, 2. * static_cast<double>(k) + 1, 8 * static_cast<double>(n)));
    if (n % 2 != 0) add(n / 2, n / 2, n / 2, n / 2, number(scale / root));
  } else {
    // Factors of frequencies that are their own partners, and of pairs.
    double const alone = is_second ? 1 : is_hartley || !of.is_inverse ? 0.5 : 1;
    double const middle = !is_second ? alone : of.is_inverse ? root : 1 / root;
    double const constant = is_second && is_orthonormal ? (of.is_inverse ? root : 1 / root) : 1;
    double const paired =
        is_orthonormal && is_fourier && !is_hartley ? (of.is_inverse ? 1 / root : root) : 1;
    add(0, 0, 0, 0, number(scale * alone * constant));
    for (std::size_t k = 1; 2 * k < n; ++k) {
      if (is_second)
        add(k, n - k, k, n - k,
            scaled_root<T>(scale, static_cast<double>(k), 4 * static_cast<double>(n)));
      else if (is_hartley)
        add(n - k, k, k, n - k, {static_cast<T>(scale / 2), static_cast<T>(-scale / 2)});
      else add(n - k, k, k, n - k, number(scale * alone * paired));
    }
    if (n % 2 == 0) add(n / 2, n / 2, n / 2, n / 2, number(scale * middle));
  }
  maps.pairs = static_cast<int>(made.modes.size());
  return made;
}

template real_tables<float> make_tables(checked_problem const&);
template real_tables<double> make_tables(checked_problem const&);

} // namespace warpfold::inline v0::transforms
