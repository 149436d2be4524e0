#pragma once
// Books, models and products that the benchmarks of pricing and the profiles share.

#include "monte_carlo_kernels.hpp"
#include "plain_kernels.hpp"
#include "pricing_rows.hpp"
#include "schedule_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace warpfold::bench {

/// Equal books in GPU memory, so many that each call of a replay has one of its own.
template <class T>
class device_books {
public:
  device_books(gpu& place, std::size_t size, int books, int columns)
      : size_{size}, columns_{columns},
        memory_(place, static_cast<std::size_t>(books * columns) * size),
        options(std::min(size, std::size_t{1} << 22)) {
    for (int b = 0; b < books; ++b) {
      fill(place, column(b, 0), options.spot);
      fill(place, column(b, 1), options.strike);
      fill(place, column(b, 2), options.expiry);
    }
    place.synchronize();
  }

  device_span<T> column(int book, int number) {
    return memory_.span().subspan(static_cast<std::size_t>(book * columns_ + number) * size_,
                                  size_);
  }
  pricing::device_book<T> book(int b) {
    return {column(b, 0), column(b, 1), column(b, 2), options.volatility, options.rate};
  }

private:
  static void fill(gpu& place, device_span<T> to, std::vector<T> const& block) {
    copy_async(place, std::span(block), to.subspan(0, block.size()));
    for (std::size_t done = block.size(); done < to.size();) {
      std::size_t const more = std::min(done, to.size() - done);
      check(cudaMemcpyAsync(to.data() + done, to.data(), more * sizeof(T), cudaMemcpyDeviceToDevice,
                            place.stream()));
      done += more;
    }
  }

  std::size_t size_;
  int columns_;
  device_buffer<T> memory_;

public:
  course_options<T> options; ///< the first of them; the others repeat these
};

/// Calls of the course's kind, at 30 % and a rate of 2 %, near enough to the money to pay.
struct calls_book {
  static constexpr float volatility = 0.3F, rate = 0.02F;

  calls_book(gpu& place, std::size_t size) {
    std::vector<float> spots(size), strikes(size), expiries(size);
    std::vector<simulated_call> forms(size);
    for (std::size_t i = 0; i < size; ++i) {
      auto const part = [&](std::size_t step) {
        return static_cast<float>((i * step) % 256) / 256;
      };
      spots[i] = 80 + 40 * part(37);
      strikes[i] = 80 + 40 * part(101);
      expiries[i] = 0.25F + 3 * part(11);
      double const t = expiries[i], v = volatility, log2_e = 1 / std::log(2.);
      forms[i] = {static_cast<float>(log2_e * (std::log(spots[i]) + (rate - v * v / 2) * t)),
                  static_cast<float>(log2_e * v * std::sqrt(t)), strikes[i]};
      prices.push_back(textbook<double>(pricing::option<float>{spots[i], strikes[i], expiries[i],
                                                               volatility, rate, 0})
                           .call);
      discounts.push_back(std::exp(-rate * t));
    }
    spot = device_buffer<float>(place, std::span<float const>(spots));
    strike = device_buffer<float>(place, std::span<float const>(strikes));
    expiry = device_buffer<float>(place, std::span<float const>(expiries));
    calls = device_buffer<simulated_call>(place, std::span<simulated_call const>(forms));
  }

  pricing::device_europeans<float> book() const {
    return {pricing::option_kind::call, spot, strike, expiry, volatility, rate};
  }

  device_buffer<float> spot, strike, expiry;
  device_buffer<simulated_call> calls;
  std::vector<double> prices, discounts;
};

/// Calls of a year, at strikes from 80 on and volatilities from 15 %.
inline std::vector<pricing::asian_option> asians(std::size_t size) {
  std::vector<pricing::asian_option> book;
  for (std::size_t i = 0; i < size; ++i) {
    auto const x = static_cast<double>(i);
    book.push_back({{100, 80 + 2.5 * x, 1, 0.15 + 0.01 * x, 0.05, 0.02}});
  }
  return book;
}

/// A call of a year in Heston's model, and the model.
inline constexpr heston_call a_heston_call{100, 100, 1, 0.03F, 0.04F, 1.5F, 0.05F, 0.6F, -0.7F};
inline pricing::heston heston_model() {
  auto const& of = a_heston_call;
  return {of.spot, of.rate, 0, of.variance, of.reversion, of.mean, of.vol_of_vol, of.correlation};
}

/// A volatility that falls with the price and rises with time.
inline double sloped_volatility(double t, double k) {
  return 0.2 + 0.03 * t - 0.25 * k + 0.2 * k * k;
}
inline constexpr int volatility_times = 33, volatility_logarithms = 129;
inline pricing::local_volatility local_model() {
  std::vector<double> times, logarithms, values;
  for (int i = 0; i < volatility_times; ++i) times.push_back(i / 32.);
  for (int j = 0; j < volatility_logarithms; ++j) logarithms.push_back(-1 + j / 64.);
  for (double const t : times)
    for (double const k : logarithms) values.push_back(sloped_volatility(t, k));
  return {.spot = 100, .rate = 0.03, .grid = pricing::volatility_grid({times, logarithms, values})};
}

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

/// Notes of five years with a date a quarter, callable at falling levels.
struct sixteen_notes {
  static constexpr int count = plain_notes::count, dates = plain_notes::dates;
  static constexpr double spot = 100, rate = 0.03, yield = 0.02, volatility = 0.25, expiry = 5;
  static constexpr double notional = 100;

  std::vector<double> times;
  std::vector<std::vector<double>> levels, payments;
  std::vector<pricing::schedule> book;

  sixteen_notes() {
    for (int d = 1; d <= dates; ++d) times.push_back(expiry * d / dates);
    for (int k = 0; k < count; ++k) {
      levels.emplace_back();
      payments.emplace_back();
      for (int d = 0; d < dates; ++d) {
        levels.back().push_back(1.05 + 0.01 * k - 0.02 * d);
        payments.back().push_back((1.5 + 0.1 * k) * (d + 1));
      }
      book.push_back(pricing::autocallable{.times = times,
                                           .call_levels = levels.back(),
                                           .call_payments = payments.back(),
                                           .knock_in_level = knock_in(k),
                                           .notional = notional});
    }
  }
  static double knock_in(int k) { return 0.5 + 0.02 * k; }
  pricing::black_scholes model() const { return {spot, volatility, rate, yield}; }
  pricing::option<double> terms() const { return {spot, spot, expiry, volatility, rate, yield}; }
  plain_notes plain() const {
    plain_notes of{};
    of.notional = static_cast<float>(notional * std::exp(-rate * expiry));
    for (std::size_t k = 0; k < count; ++k) {
      of.knock_in[k] = static_cast<float>(knock_in(static_cast<int>(k)));
      for (std::size_t d = 0; d < dates; ++d) {
        of.call_level[k][d] = static_cast<float>(levels[k][d]);
        of.call_payment[k][d] =
            static_cast<float>((notional + payments[k][d]) * std::exp(-rate * times[d]));
      }
    }
    return of;
  }
};

/// The first case of Longstaff and Schwartz (2001): a put at 40 for a year. They have 4.478 by
/// finite differences; a fine tree with 50 dates gives more digits.
inline constexpr pricing::option<double> textbook_put{36, 40, 1, 0.2, 0.06, 0};
inline constexpr double textbook_price = 4.47781;

} // namespace warpfold::bench
