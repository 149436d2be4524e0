// Grids of volatilities, and Dupire's local volatility.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/pricing/local_volatility.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

// ---- checks -------------------------------------------------------------------------------------

/// Finite numbers that increase; times are not below `least`, or above it if `open`.
void check_nodes(char const* argument, std::span<double const> of, char const* accepted,
                 double least, bool open) {
  detail::check_elements(argument, of.data(), of.size());
  if (of.empty()) refuse(argument, "0 elements", "1 or more");
  for (std::size_t i = 0; i < of.size(); ++i)
    if (!std::isfinite(of[i]) || of[i] < least || (open && of[i] == least) ||
        (i > 0 && !(of[i] > of[i - 1])))
      refuse(argument, text("element ", i, " is ", of[i]), accepted);
}

constexpr double any = -std::numeric_limits<double>::max();
constexpr char const* increasing = "finite numbers, each above the one before";

/// `positive`: without times and values of 0.
void check_nodes(std::string const& argument, volatility_nodes const& of, bool positive) {
  auto const named = [&](char const* member) { return argument + member; };
  check_nodes(named(".times").c_str(), of.times,
              positive ? "finite times above 0, each after the one before"
                       : "finite times from 0 on, each after the one before",
              0, positive);
  check_nodes(named(".log_moneyness").c_str(), of.log_moneyness, increasing, any, false);
  auto const name = named(".values");
  detail::check_elements(name.c_str(), of.values.data(), of.values.size());
  // Divided, as a product of sizes may overflow.
  std::size_t const rows = of.times.size(), columns = of.log_moneyness.size();
  if (of.values.size() % columns != 0 || of.values.size() / columns != rows)
    refuse(name, text(of.values.size(), " elements"),
           text(rows, " x ", columns, ", as there are times and log-moneyness"));
  for (std::size_t i = 0; i < of.values.size(); ++i) {
    double const value = of.values[i];
    if (!std::isfinite(value) || value < 0 || (positive && value == 0))
      refuse(name, text("element ", i, " is ", value),
             positive ? "finite numbers above 0" : "finite numbers from 0 on");
  }
}

void check_options(dupire_options const& options) {
  if (!std::isfinite(options.least) || options.least < 0)
    refuse("options.least", options.least, "finite numbers from 0 on");
  if (!std::isfinite(options.most) || options.most < options.least)
    refuse("options.most", options.most, "finite numbers, not below options.least");
}

// ---- Dupire -------------------------------------------------------------------------------------

/// A total variance and its derivatives at a node.
struct variance_slopes {
  double w, by_time, by_k, by_k_twice;
  bool falls; ///< it is lower than at the time before
};

/// Local volatilities at nodes, of slopes(i, j).
template <class Slopes>
dupire_surface surface_of(std::span<double const> times, std::span<double const> log_moneyness,
                          dupire_options const& options, Slopes slopes) {
  std::vector<double> values;
  std::vector<violation> violations;
  std::size_t calendar = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = 0; j < log_moneyness.size(); ++j) {
      variance_slopes const of = slopes(i, j);
      double const t = times[i], k = log_moneyness[j], w = of.w;
      double const turned = 1 - k * of.by_k / (2 * w);
      double const density =
          turned * turned - of.by_k * of.by_k * (1 / w + 0.25) / 4 + of.by_k_twice / 2;
      // More than rounding of central differences.
      bool const falling = of.falls || of.by_time < -1e-10 * w / t;
      if (falling) {
        violations.push_back({t, k, arbitrage::calendar});
        ++calendar;
      }
      double volatility = options.most;
      if (!(density > 0)) violations.push_back({t, k, arbitrage::butterfly});
      else volatility = std::sqrt(std::max(of.by_time, 0.) / density);
      if (falling) volatility = options.least;
      values.push_back(std::clamp(volatility, options.least, options.most));
    }
  std::size_t const butterfly = violations.size() - calendar;
  return {volatility_grid({times, log_moneyness, values}), calendar, butterfly,
          std::move(violations)};
}

/// The derivatives of a natural cubic spline at its nodes.
struct spline_slopes {
  std::vector<double> first, second;

  spline_slopes(std::span<double const> x, std::span<double const> y)
      : first(x.size()), second(x.size()) {
    std::size_t const n = x.size();
    if (n < 2) return;
    std::vector<double> above(n); // of the eliminated system
    auto const rise = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
    for (std::size_t i = 1; i + 1 < n; ++i) {
      double const before = x[i] - x[i - 1], after = x[i + 1] - x[i];
      double const pivot = 2 * (before + after) - before * above[i - 1];
      above[i] = after / pivot;
      second[i] = (6 * (rise(i) - rise(i - 1)) - before * second[i - 1]) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 1;) second[i] -= above[i] * second[i + 1];
    for (std::size_t i = 0; i + 1 < n; ++i)
      first[i] = rise(i) - (x[i + 1] - x[i]) * (2 * second[i] + second[i + 1]) / 6;
    first[n - 1] = rise(n - 2) + (x[n - 1] - x[n - 2]) * second[n - 2] / 6;
  }
};

/// The derivative at time i of total variances w(1), w(2), ..., which are 0 at 0.
template <class Variance>
double time_slope(std::span<double const> times, std::size_t i, Variance w) {
  auto const time = [&](std::size_t n) { return n == 0 ? 0 : times[n - 1]; };
  auto const rise = [&](std::size_t n) { // before time n
    return (w(n) - (n == 1 ? 0 : w(n - 1))) / (time(n) - time(n - 1));
  };
  std::size_t const n = i + 1, last = times.size();
  double const before = time(n) - time(n - 1);
  if (n < last) {
    double const after = time(n + 1) - time(n);
    return (after * rise(n) + before * rise(n + 1)) / (before + after);
  }
  if (n == 1) return rise(1);
  double const earlier = time(n - 1) - time(n - 2);
  double const bent = (rise(n) - rise(n - 1)) * before / (earlier + before);
  // A parabola may turn where the variance does not.
  return (rise(n) + bent) * rise(n) > 0 ? rise(n) + bent : rise(n);
}

} // namespace

volatility_grid::volatility_grid(volatility_nodes const& nodes) {
  detail::verb const scope("pricing::volatility_grid");
  check_nodes("nodes", nodes, false);
  times_.assign(nodes.times.begin(), nodes.times.end());
  log_moneyness_.assign(nodes.log_moneyness.begin(), nodes.log_moneyness.end());
  values_.assign(nodes.values.begin(), nodes.values.end());
}

double volatility_grid::at(double time, double log_moneyness) const noexcept {
  struct bracket {
    std::size_t first, second;
    double share; ///< of the second
  };
  auto const found = [](std::vector<double> const& nodes, double x) -> bracket {
    auto const above =
        static_cast<std::size_t>(std::upper_bound(nodes.begin(), nodes.end(), x) - nodes.begin());
    if (above == 0) return {0, 0, 0};
    if (above == nodes.size()) return {above - 1, above - 1, 0};
    return {above - 1, above, (x - nodes[above - 1]) / (nodes[above] - nodes[above - 1])};
  };
  bracket const i = found(times_, time), j = found(log_moneyness_, log_moneyness);
  auto const of_row = [&](std::size_t row) {
    double const* const values = values_.data() + row * log_moneyness_.size();
    return values[j.first] + j.share * (values[j.second] - values[j.first]);
  };
  return of_row(i.first) + i.share * (of_row(i.second) - of_row(i.first));
}

dupire_surface dupire(volatility_nodes const& implied, dupire_options const& options) {
  detail::verb const scope("pricing::dupire");
  check_nodes("implied", implied, true);
  check_options(options);
  auto const times = implied.times, ks = implied.log_moneyness, volatilities = implied.values;
  std::size_t const columns = ks.size();
  std::vector<double> w;
  for (std::size_t i = 0; i < volatilities.size(); ++i) {
    w.push_back(volatilities[i] * volatilities[i] * times[i / columns]);
    if (!(w.back() > 0) || !std::isfinite(w.back()))
      refuse("implied.values", text("element ", i, " is ", volatilities[i]),
             "volatilities with a total variance above 0 and finite");
  }
  std::vector<spline_slopes> rows;
  for (std::size_t i = 0; i < times.size(); ++i)
    rows.emplace_back(ks, std::span(w).subspan(i * columns, columns));
  return surface_of(times, ks, options, [&](std::size_t i, std::size_t j) -> variance_slopes {
    auto const at = [&](std::size_t n) { return w[(n - 1) * columns + j]; };
    double const here = at(i + 1);
    return {here, time_slope(times, i, at), rows[i].first[j], rows[i].second[j],
            i > 0 && here < at(i) * (1 - 1e-12)};
  });
}

dupire_surface dupire(std::function<double(double, double)> const& total_variance,
                      std::span<double const> times, std::span<double const> log_moneyness,
                      dupire_options const& options) {
  detail::verb const scope("pricing::dupire");
  if (!total_variance) refuse("total_variance", "no function", "a function");
  check_nodes("times", times, "finite times above 0, each after the one before", 0, true);
  check_nodes("log_moneyness", log_moneyness, increasing, any, false);
  check_options(options);
  auto const w = [&](double t, double k) {
    double const value = total_variance(t, k);
    if (!(value > 0) || !std::isfinite(value))
      refuse("total_variance", text(value, " at time ", t, ", log-moneyness ", k),
             "finite numbers above 0");
    return value;
  };
  return surface_of(
      times, log_moneyness, options, [&](std::size_t i, std::size_t j) -> variance_slopes {
        double const t = times[i], k = log_moneyness[j], here = w(t, k);
        double const dt = 1e-4 * t, dk = 1e-3 * std::sqrt(here);
        double const up = w(t, k + dk), down = w(t, k - dk);
        return {here, (w(t + dt, k) - w(t - dt, k)) / (2 * dt), (up - down) / (2 * dk),
                ((up - here) - (here - down)) / (dk * dk), false};
      });
}

} // namespace warpfold::inline v0::pricing
