// The tour's seventh section: products on simulated paths, beside values that are known.

#include "on_place.hpp"
#include "tour.hpp"

#include <warpfold/pricing/schedules.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <variant>
#include <vector>

namespace warpfold::tour {
namespace {

using pricing::estimate;

template <class Place>
constexpr std::uint64_t paths = bench::is_gpu<Place> ? 4'000'000 : 100'000;

/// `count` equally spaced times that end with `last`.
std::vector<double> times_to(double last, int count) {
  std::vector<double> times;
  for (int i = 1; i <= count; ++i) times.push_back(last * i / count);
  return times;
}

struct known {
  char const* name;
  double value;
};

/// Prints estimates beside values. Returns false if any is more than 4.5 standard errors away.
bool print_beside(std::span<known const> values, std::span<estimate const> found) {
  bool all_agree = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double const apart = found[i].value - values[i].value;
    bool const agrees = std::abs(apart) < 4.5 * found[i].standard_error;
    std::printf("%-62s%10.4f%10.4f%12.4f%10.1f%s\n", values[i].name, found[i].value,
                found[i].standard_error, values[i].value, apart / found[i].standard_error,
                agrees ? "" : " WRONG");
    all_agree = all_agree && agrees;
  }
  return all_agree;
}

/// Prices a book on one model; its dates are among the times.
template <class Place, class Model>
bool check(Place& place, Model const& model, std::span<double const> times,
           std::vector<pricing::schedule> const& book, std::span<known const> values) {
  std::vector<estimate> found(book.size());
  simulate(place, model, book, found,
           {.paths = paths<Place>, .times = times, .seed = 1, .antithetic = true});
  return print_beside(values, found);
}

template <class Place>
bool check_notes(Place& place) {
  using namespace pricing;
  auto const years = times_to(5, 5), three_years = times_to(3, 3), quarters = times_to(5, 20),
             months = times_to(1, 12);
  std::vector<double> const levels{1, 0.95, 0.9, 0.85, 0.8}, payments{8, 16, 24, 32, 40};
  auto const first_twelve = std::span(quarters).first(12);
  std::vector<double> calls(12, 1);
  for (int i = 0; i < 3; ++i) calls[static_cast<std::size_t>(i)] = schedule_date::never;
  autocallable phoenix{.times = first_twelve,
                       .call_levels = calls,
                       .knock_in_level = 0.6,
                       .coupon_level = 0.7,
                       .coupon = 2};
  std::vector<schedule> notes{
      autocallable{
          .times = years, .call_levels = levels, .call_payments = payments, .knock_in_level = 0.6},
      phoenix};
  phoenix.memory = true;
  notes.push_back(phoenix);
  constexpr known prices_of_notes[] = {{"autocallable, five years (snowball)", 95.474716197},
                                       {"phoenix note, twelve quarters", 99.799842540},
                                       {"phoenix note whose coupons remember", 100.657580267}};
  black_scholes const model{.spot = 100, .volatility = 0.25, .rate = 0.03, .dividend_yield = 0.02};
  bool agree = check(place, model, quarters, notes, prices_of_notes);

  std::vector<double> const coupons{9, 18, 27};
  std::vector<schedule> const worst{autocallable{.times = three_years,
                                                 .call_levels = std::span(levels).first(3),
                                                 .call_payments = coupons,
                                                 .knock_in_level = 0.65}};
  std::vector<black_scholes> const assets{
      {.spot = 100, .volatility = 0.22, .rate = 0.025, .dividend_yield = 0.02},
      {.spot = 100, .volatility = 0.3, .rate = 0.025, .dividend_yield = 0.01}};
  std::vector<double> const correlation{1, 0.6, 0.6, 1};
  constexpr known price_of_worst[] = {{"autocallable on the worst of two", 88.6251}};
  agree =
      check(place, basket_index{assets, correlation}, three_years, worst, price_of_worst) && agree;

  std::vector<schedule> const looks{lookback{.times = months, .kind = option_kind::put},
                                    lookback{.times = months}};
  constexpr known prices_of_looks[] = {{"lookback put, floating, twelve looks", 17.801937408},
                                       {"lookback call", 20.260521755}};
  return check(place, black_scholes{.spot = 100, .volatility = 0.3, .rate = 0.05}, months, looks,
               prices_of_looks) &&
         agree;
}

/// Calls on the better and on the worse of two assets.
template <class Place>
bool check_selections(Place& place) {
  using namespace pricing;
  std::vector<black_scholes> const assets{
      {.spot = 100, .volatility = 0.11, .rate = 0.05, .dividend_yield = 0.06},
      {.spot = 105, .volatility = 0.16, .rate = 0.05, .dividend_yield = 0.09}};
  std::vector<double> const correlation{1, 0.63, 0.63, 1}, prices{100, 105};
  std::vector<schedule> const call{{.dates = {{.time = 0.5}},
                                    .at_end = {.participation = 1, .strike = 98, .floor = 0},
                                    .reference = 1}};
  constexpr known of_better[] = {{"call on the better of two (Stulz)", 8.070077185}},
                  of_worse[] = {{"call on the worse of two", 2.933940735}};
  auto const half_a_year = times_to(0.5, 1);
  auto const agrees = [&](selection on, std::span<known const> values) {
    return check(place, basket_index{assets, correlation, on, prices}, half_a_year, call, values);
  };
  bool const better = agrees(selection::best_of, of_better);
  return agrees(selection::worst_of, of_worse) && better;
}

template <class Place>
bool run(Place& place) {
  auto const start = std::chrono::steady_clock::now();
  std::printf("\n%-62s%10s%10s%12s%10s\n",
              bench::is_gpu<Place> ? "4,000,000 paths" : "100,000 paths", "simulated", "error",
              "known", "apart");
  bool const notes_agree = check_notes(place);
  bool const selections_agree = check_selections(place);
  std::printf(
      "\nAll of it in %.0f ms\n",
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  return notes_agree && selections_agree;
}

} // namespace

bool products_section(any_place& place) {
  std::printf(
      "\n7. A book of products\n=====================\n\n"
      "Products that desks sell, priced on paths of a model. \"Error\" is the standard error, "
      "\"apart\" the "
      "difference\nfrom the known value in such errors. Values are known by quadrature from date "
      "to "
      "date and by formulas.\n");
  return std::visit([](auto& one) { return run(one); }, place);
}

} // namespace warpfold::tour
