// Books of options in GPU memory: prices by warpfold's formula, by Hull's polynomial, by the
// vendor's functions one option at a time, prices with eight Greeks, and implied volatilities.

#include "pricing_kernels.hpp"
#include "problems.hpp"

#include <warpfold/twins/pricing.hpp>

namespace warpfold::bench {
namespace {

using twins::formula;

template <class T>
struct way {
  char const* name;
  double bound; ///< on the prices' errors
  std::function<void(gpu&, device_books<T>&, int)> price;
};

template <class T>
way<T> priced_by(formula twin, double bound) {
  return {to_string(twin), bound, [twin](gpu& place, device_books<T>& books, int b) {
            pricing::price_async(place, books.book(b),
                                 {.call = books.column(b, 3), .put = books.column(b, 4)}, twin);
          }};
}

template <class T>
void add(session& run, std::string const& name, std::size_t size, int columns,
         std::vector<way<T>> const& ways) {
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan =
        plan_for(static_cast<std::size_t>(columns) * size * sizeof(T), run.quick);
    device_books<T> books(place, size, plan.calls, columns);
    std::size_t const some = std::min(size, std::size_t{10'000});
    std::vector<contender> contenders;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      check(cudaMemsetAsync(books.column(0, 3).data(), 0xff, 2 * size * sizeof(T), place.stream()));
      ways[w].price(place, books, 0);
      auto const calls = to_vector(place, books.column(0, 3).subspan(0, some));
      auto const puts = to_vector(place, books.column(0, 4).subspan(0, some));
      outcomes[w].complaint = price_complaint<T>(books.options, calls, puts, ways[w].bound);
      contenders.push_back({[&, w](int i) { ways[w].price(place, books, i); }});
    }
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < ways.size(); ++w) outcomes[w].times = times[w];
  });
  auto const items = static_cast<double>(size);
  for (auto const& one : ways)
    rows.add(name + "/" + type_name<T>() + "/" + one.name + "/n:" + std::to_string(size),
             items * columns * sizeof(T), items);
}

template <class T>
void add_prices(session& run, std::size_t size) {
  double const bound = sizeof(T) == 4 ? 3e-7 : 1e-15;
  std::vector<way<T>> ways{
      priced_by<T>(formula::mills, bound),
      priced_by<T>(formula::polynomial, 1e-5),
      priced_by<T>(formula::vendor, 4 * bound),
      {"zip_by_parity", 4 * bound, [](gpu& place, device_books<T>& books, int b) {
         zip_by_parity_async<T>(place, books.book(b), books.column(b, 3), books.column(b, 4));
       }}};
  if (sizeof(T) == 4)
    ways.push_back({"native", bound, [](gpu& place, device_books<T>& books, int b) {
                      pricing::price_async(place, books.book(b),
                                           {.call = books.column(b, 3), .put = books.column(b, 4)},
                                           {.bits = pricing::bits::native});
                    }});
  add<T>(run, "black_scholes", size, 5, ways);
}

/// Prices, and of the calls delta, gamma, vega, theta, rho, vanna, volga and charm.
template <class T>
void add_greeks(session& run, std::size_t size) {
  add<T>(run, "black_scholes_greeks", size, 13,
         {{"mills", sizeof(T) == 4 ? 3e-7 : 1e-15, [](gpu& place, device_books<T>& books, int b) {
             pricing::price_async(place, books.book(b),
                                  {.call = books.column(b, 3),
                                   .put = books.column(b, 4),
                                   .call_delta = books.column(b, 5),
                                   .gamma = books.column(b, 6),
                                   .vega = books.column(b, 7),
                                   .call_theta = books.column(b, 8),
                                   .call_rho = books.column(b, 9),
                                   .vanna = books.column(b, 10),
                                   .volga = books.column(b, 11),
                                   .call_charm = books.column(b, 12)});
           }}});
}

/// Rows of the volatilities that the calls' prices imply. Column 5 is for the results.
template <class T>
void add_implied(session& run, std::size_t size) {
  rows_together rows(run, [&run, size](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan = plan_for(6 * size * sizeof(T), run.quick);
    device_books<T> books(place, size, plan.calls, 6);
    device_buffer<pricing::implied_status> status(place, size);
    for (int b = 0; b < plan.calls; ++b)
      pricing::price(place, books.book(b), {.call = books.column(b, 3)});
    auto const imply = [&](int b) {
      pricing::device_quotes<T> const quotes{pricing::option_kind::call, books.column(b, 3),
                                             books.column(b, 0),         books.column(b, 1),
                                             books.column(b, 2),         books.options.rate};
      pricing::implied_volatility_async(place, quotes,
                                        {.volatility = books.column(b, 5), .status = status});
    };
    imply(0);
    auto const found = to_vector(place, books.column(0, 5).subspan(0, 10'000));
    std::size_t wrong = 0; // prices that determine it have an error; the others have no digits
    for (T const x : found) wrong += !(std::abs(x - books.options.volatility) < T(0.01));
    if (wrong > found.size() / 50)
      outcomes[0].complaint = std::to_string(wrong) + " volatilities are wrong";
    outcomes[0].times = time_paired(place, *run.flush, {{imply}}, plan)[0];
  });
  auto const items = static_cast<double>(size);
  rows.add("implied_volatility/" + type_name<T>() + "/warpfold/n:" + std::to_string(size),
           items * (5 * sizeof(T) + 1), items);
}

} // namespace

void add_pricing(session& run) {
  if (!run.place) return;
  std::vector<int> exponents{20, 26};
  if (!run.quick) exponents = {20, 24, 26, 28};
  for (int const e : exponents) add_prices<float>(run, std::size_t{1} << e);
  for (int const e : run.quick ? std::vector{24} : std::vector{24, 26})
    add_prices<double>(run, std::size_t{1} << e);
  add_greeks<float>(run, std::size_t{1} << 24);
  add_greeks<double>(run, std::size_t{1} << 24);
  add_implied<float>(run, std::size_t{1} << 24);
  add_implied<double>(run, std::size_t{1} << 24);
}

} // namespace warpfold::bench
