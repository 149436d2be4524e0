#pragma once
// Shared by the tests of products with a schedule: books, models, and a product's worth on a path
// by definition.

#include "pricing/paths/local_volatility.hpp"

#include <warpfold/pricing/schedules.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace test::schedules {

namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using contracts::many;
using pricing::autocallable;
using pricing::black_scholes;
using pricing::cliquet;
using pricing::estimate;
using pricing::heston;
using pricing::lookback;
using pricing::option_kind;
using pricing::quantity;
using pricing::redemption;
using pricing::schedule;
using pricing::schedule_date;
using pricing::simulation_options;

template <class T, class Place, class Model>
std::vector<estimate> simulated(Place& place, Model const& model, std::vector<schedule> const& book,
                                simulation_options const& options) {
  std::vector<estimate> results(book.size());
  pricing::simulate<T>(place, model, book, results, options);
  return results;
}
template <class T, class Place, class Model>
estimate simulated(Place& place, Model const& model, schedule const& one,
                   simulation_options const& options) {
  return simulated<T>(place, model, std::vector{one}, options)[0];
}

/// n times, the last of which is `last`.
inline std::vector<double> equal_times(int n, double last) {
  std::vector<double> times;
  for (int i = 1; i <= n; ++i) times.push_back(last * i / n);
  return times;
}

/// An index on correlated assets that owns them.
struct owned_index {
  std::vector<black_scholes> assets;
  std::vector<double> correlation, weights{};
  pricing::selection selection = pricing::selection::worst_of;

  operator pricing::basket_index() const { return {assets, correlation, selection, weights}; }
};

/// The worth of a product, at time 0 and with this rate, of the prices at its dates; written as the
/// contract says, apart from the library.
/// `called` is set if it was.
inline double worth(schedule const& of, std::vector<double> const& prices, double spot, double rate,
                    bool& called) {
  double const reference = of.reference > 0 ? of.reference : spot;
  double paid = 0, missed = 0, sum = 0, before = spot / reference, low = before, high = before;
  bool knocked_in = false;
  double discount = 1;
  for (std::size_t d = 0; d < of.dates.size(); ++d) {
    auto const& date = of.dates[d];
    double const level = prices[d] / reference;
    discount = std::exp(-rate * date.time);
    low = std::min(low, level);
    high = std::max(high, level);
    sum += date.weight * std::clamp(level / before - 1, date.return_floor, date.return_cap);
    before = level;
    if (level < date.knock_in_level) knocked_in = true;
    if (date.coupon != 0 && level >= date.coupon_level) {
      paid += discount * (date.coupon + missed);
      missed = 0;
    } else {
      missed = of.memory ? missed + date.coupon : 0;
    }
    called = level >= date.call_level;
    if (called) return paid + discount * date.call_payment;
  }
  auto const value = [&](quantity which) {
    double const all[] = {1, before, low, high, sum};
    return all[static_cast<int>(which)];
  };
  redemption const& end = knocked_in ? of.knocked_in : of.at_end;
  double const x =
      std::clamp(value(end.measured) - end.strike * value(end.less), end.floor, end.cap);
  return paid + discount * (end.amount + end.participation * x);
}

/// A product of random numbers, on some of `times`.
inline schedule random_schedule(std::vector<double> const& times, std::mt19937_64& random,
                                double spot) {
  std::uniform_real_distribution<double> uniform;
  auto const chance = [&](double p) { return uniform(random) < p; };
  auto const between = [&](double a, double b) { return a + (b - a) * uniform(random); };
  schedule product{.reference = chance(0.5) ? 0 : between(0.8, 1.2) * spot};
  product.memory = chance(0.5);
  double const coupon = chance(0.6) ? between(-1, 3) : 0;
  double const knock_in = chance(0.6) ? between(0.6, 1) : 0;
  bool const returns = chance(0.5), calls = chance(0.7);
  for (std::size_t j = 0; j < times.size(); ++j) {
    if (!chance(0.6) && !(j + 1 == times.size() && product.dates.empty())) continue;
    schedule_date date{.time = times[j]};
    if (calls && chance(0.5)) {
      date.call_level = between(1, 1.3);
      date.call_payment = between(90, 120);
    }
    date.coupon_level = between(0.7, 1.1);
    date.coupon = chance(0.7) ? coupon : 0;
    date.knock_in_level = knock_in;
    if (returns) {
      date.weight = between(-1, 1);
      date.return_floor = between(-0.1, 0);
      date.return_cap = between(0, 0.1);
    }
    product.dates.push_back(date);
  }
  for (redemption* end : {&product.at_end, &product.knocked_in}) {
    end->amount = between(0, 100);
    end->participation = between(-100, 100);
    end->measured = static_cast<quantity>(random() % 5);
    end->strike = between(0.5, 1.2);
    end->less =
        end->measured == quantity::returns ? quantity::one : static_cast<quantity>(random() % 4);
    end->floor = chance(0.5) ? between(-0.5, 0) : -redemption::unbounded;
    end->cap = chance(0.5) ? between(0, 0.5) : redemption::unbounded;
  }
  return product;
}

/// Notes that may be called, and else pay for their last level alone. Up to nine after one another
/// have the same dates: all of `times`, the first, most often a multiple of four, the last few, or
/// any.
inline std::vector<schedule> random_notes(std::vector<double> const& times, std::mt19937_64& random,
                                          std::size_t count) {
  std::uniform_real_distribution<double> uniform;
  auto const between = [&](double a, double b) { return a + (b - a) * uniform(random); };
  std::vector<schedule> book;
  while (book.size() < count) {
    std::vector<double> dates = times;
    std::size_t const few = 1 + random() % 3, fours = 1 + random() % (times.size() / 4 + 1);
    switch (random() % 4) {
    case 0: dates.resize(std::min(4 * fours - random() % 5 / 4, dates.size())); break;
    case 1:
      dates.erase(dates.begin(),
                  dates.end() - static_cast<std::ptrdiff_t>(std::min(few, dates.size())));
      break;
    case 2: std::erase_if(dates, [&](double) { return random() % 3 == 0; }); break;
    default: break;
    }
    if (dates.empty()) dates = times;
    double const reference = random() % 2 == 0 ? 0 : between(50, 120);
    for (std::size_t together = 1 + random() % 9; together > 0 && book.size() < count; --together) {
      schedule note{.reference = reference};
      for (redemption* const end : {&note.at_end, &note.knocked_in}) {
        end->amount = between(0, 110);
        end->participation = between(-50, 150);
        end->measured = random() % 3 == 0 ? quantity::one : quantity::level;
        end->strike = between(0, 1.2);
        if (random() % 2 == 0) end->floor = between(-0.5, 0);
        if (random() % 2 == 0) end->cap = between(0, 0.5);
      }
      double const uncallable = random() % 2 == 0 ? 0.1 : 0.95; // of all dates
      for (double const time : dates) {
        note.dates.push_back({.time = time});
        if (uniform(random) < uncallable) continue;
        note.dates.back().call_level = uniform(random) < 0.01 ? 0 : between(0.9, 1.4);
        note.dates.back().call_payment = between(100, 120);
      }
      note.dates.back().knock_in_level = between(0.7, 1.1);
      book.push_back(note);
    }
  }
  return book;
}

} // namespace test::schedules
