// Calls on five correlated assets, and a plain kernel beside them. An item is a path's step.

#include "path_rows.hpp"
#include "plain_kernels.hpp"

namespace warpfold::bench {
namespace {

/// Calls at 100 on a fifth of each of five assets at 100, for a year.
struct five_assets {
  static constexpr std::size_t size = plain_basket::assets;
  static constexpr double spot = 100, rate = 0.03, correlation = 0.5, strike = 100, expiry = 1;

  std::vector<pricing::black_scholes> assets;
  std::vector<double> correlations = std::vector<double>(size * size, correlation);
  std::vector<double> weights = std::vector<double>(size, 1. / size);

  five_assets() {
    for (std::size_t a = 0; a < size; ++a) {
      assets.push_back({spot, volatility(a), rate});
      correlations[a * size + a] = 1;
    }
  }
  static double volatility(std::size_t a) { return 0.2 + 0.05 * static_cast<double>(a); }
  pricing::basket model() const { return {assets, correlations}; }
  pricing::basket_contract call(bool average) const {
    return {.weights = weights,
            .strike = strike,
            .expiry = expiry,
            .measure = average ? pricing::measure::arithmetic_average : pricing::measure::price};
  }

  plain_basket plain(int steps, bool average) const {
    plain_basket to{};
    to.strike = strike;
    to.steps = steps;
    to.average = average;
    double const dt = expiry / steps;
    double l[size][size]{}; // of the correlations
    for (std::size_t a = 0; a < size; ++a) {
      double const v = volatility(a);
      to.holdings[a] = static_cast<float>(weights[a] * spot);
      to.drift[a] = static_cast<float>((rate - v * v / 2) * dt);
      for (std::size_t b = 0; b <= a; ++b) {
        double left = correlations[a * size + b];
        for (std::size_t k = 0; k < b; ++k) left -= l[a][k] * l[b][k];
        l[a][b] = a == b ? std::sqrt(left) : left / l[b][b];
        to.factor[a * (a + 1) / 2 + b] = static_cast<float>(v * std::sqrt(dt) * l[a][b]);
      }
    }
    return to;
  }
};

/// Rows in T, and of the plain kernel.
template <class T>
void add(session& run, bool average, int steps, std::uint64_t paths, bool with_plain) {
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan{2, run.quick ? 9 : 41};
    five_assets const five;
    pricing::basket_contract const book[] = {five.call(average)};
    pricing::simulation_options const how{.paths = paths, .steps = steps};
    std::vector<pricing::estimate> found(1);
    pricing::simulate<T>(place, five.model(), book, found, how); // the blocking form makes room
    device_buffer<pricing::estimate> results(place, 1);
    device_buffer<payoff_totals> total(place, 1);
    std::vector<contender> contenders{
        {[&](int) { pricing::simulate_async<T>(place, five.model(), book, results.span(), how); }}};
    contenders[0].call(0);
    std::string complaint;
    if (with_plain) {
      contenders.push_back({[&, of = five.plain(steps, average)](int) {
        plain_basket_async(place, of, paths, total.span());
      }});
      contenders[1].call(0);
      complaint = complaint_of({std::exp(-five.rate * five.expiry)}, found,
                               to_vector(place, total.span()), static_cast<double>(paths));
    }
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < times.size(); ++w) outcomes[w] = {times[w], complaint};
  });
  std::string const what = average ? "five-assets_average" : "five-assets";
  double const items = static_cast<double>(paths) * steps;
  rows.add(path_row<T>(what, 1, steps, "warpfold", paths), 0, items);
  if (with_plain) rows.add(path_row<T>(what, 1, steps, "plain", paths), 0, items);
}

} // namespace

void add_baskets(session& run) {
  if (!run.place) return;
  constexpr std::uint64_t million = 1 << 20;
  add<float>(run, false, 12, million, true);
  add<float>(run, true, 12, million, true);
  if (run.quick) return;
  add<float>(run, true, 252, million, true);
  add<double>(run, false, 12, million / 8, false);
}

} // namespace warpfold::bench
