#pragma once
// What the benchmarks of option pricing share: books of random options, and rows whose ways are
// measured together when the first of them runs.

#include "bench.hpp"
#include "reduction_rows.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <random>

namespace warpfold::bench {

/// Options like those of the courses: a price of 5 to 30, a strike of 1 to 100, a quarter of a year
/// to ten years, at 30 % and a rate of 2 %.
template <class T>
struct course_options {
  static constexpr T volatility = T(0.3), rate = T(0.02);
  std::vector<T> spot, strike, expiry;

  explicit course_options(std::size_t size) {
    std::mt19937_64 random{2008};
    for (auto [array, lower, upper] : {std::tuple{&spot, 5., 30.}, std::tuple{&strike, 1., 100.},
                                       std::tuple{&expiry, 0.25, 10.}}) {
      array->resize(size);
      for (T& x : *array)
        x = static_cast<T>(lower + (upper - lower) * static_cast<double>(random() >> 11) * 0x1p-53);
    }
  }
};

/// "", or what is wrong with prices of the first of these options: more than `bound` of what spot
/// and strike add up to.
template <class T>
std::string price_complaint(course_options<T> const& options, std::span<T const> calls,
                            std::span<T const> puts, double bound) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    double const s = options.spot[i], x = options.strike[i], t = options.expiry[i];
    double const v = options.volatility, r = options.rate;
    double const d1 = (std::log(s / x) + (r + v * v / 2) * t) / (v * std::sqrt(t));
    double const d2 = d1 - v * std::sqrt(t), b = x * std::exp(-r * t);
    auto const normal = [](double d) { return std::erfc(-d / std::sqrt(2.)) / 2; };
    double const call = s * normal(d1) - b * normal(d2), put = b * normal(-d2) - s * normal(-d1);
    double const call_error = std::abs(calls[i] - call), put_error = std::abs(puts[i] - put);
    if (!(call_error <= bound * (s + b)) || !(put_error <= bound * (s + b)))
      return "option " + std::to_string(i) + " is off by " + std::to_string(call_error) + ", " +
             std::to_string(put_error);
  }
  return "";
}

/// Ways to do one thing, measured together when the first of their rows runs. Measure fills in
/// times and complaints of all ways.
class rows_together {
public:
  struct outcome {
    timing times;
    std::string complaint;
  };
  using measure = std::function<void(std::vector<outcome>&)>;

  rows_together(session& run, measure all)
      : state_{std::make_shared<state>(state{&run, all, {}, 0})} {}

  void add(std::string const& name, double bytes, double items, bool blocking = false) {
    std::size_t const w = state_->ways++;
    add_row(name, [all = state_, w, bytes, items, blocking](benchmark::State& to) {
      outcome const& one = all->of(w);
      if (!one.complaint.empty()) return complain(*all->run, to, one.complaint);
      report(to, one.times, bytes, items);
      if (blocking) to.counters["blocking"] = 1;
    });
  }

private:
  struct state {
    session* run;
    measure all;
    std::vector<outcome> outcomes;
    std::size_t ways;

    outcome const& of(std::size_t w) {
      if (outcomes.empty()) {
        outcomes.resize(ways);
        try {
          all(outcomes);
        } catch (std::exception const& failure) {
          for (outcome& one : outcomes) one = {{}, failure.what()};
        }
      }
      return outcomes[w];
    }
  };
  std::shared_ptr<state> state_;
};

} // namespace warpfold::bench
