// The tour's sixth section: Monte Carlo, beside a course of 2008 on a Tesla C870 and published
// tables.

#include "on_place.hpp"
#include "paired_timing.hpp"
#include "pricing/textbook.hpp"
#include "tour.hpp"

#include <warpfold/pricing/monte_carlo.hpp>
#include <warpfold/pricing/path_options.hpp>
#include <warpfold/random.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace warpfold::tour {
namespace {

using bench::is_gpu, bench::memory_on, bench::span_on, bench::make_on, bench::put_on;
using pricing::estimate;
using pricing::option;
using pricing::option_kind;

constexpr float volatility = 0.1F, rate = 0.06F;
/// The two calls whose prices the course printed. Its book has 256 of them, with S 5 ... 50, X 10
/// ... 25, T 1 ... 5.
struct printed_call {
  float spot, strike, expiry;
  double course_formula, course_simulated;
};
constexpr printed_call printed[] = {{20.6853409F, 15.4241409F, 1.53855467F, 6.621852, 6.621926},
                                    {21.9185619F, 13.8898239F, 1.17726505F, 8.976007, 8.976083}};

constexpr int runs = 5; // that are timed
template <class Place>
constexpr std::uint64_t paths = is_gpu<Place> ? 200'000'000 : 4'000'000;

/// Calls of the course's kind in the memory of a place; the first two are the printed ones.
template <class Place>
struct calls {
  memory_on<Place, float> spot, strike, expiry;
  memory_on<Place, estimate> estimates;

  calls(Place& place, std::size_t size) : estimates{make_on<estimate>(place, size)} {
    auto const column = [&](float printed_call::*field) {
      std::vector<float> values(size);
      for (std::size_t i = 0; i < size; ++i) values[i] = printed[i % std::size(printed)].*field;
      return put_on(place, std::move(values));
    };
    spot = column(&printed_call::spot);
    strike = column(&printed_call::strike);
    expiry = column(&printed_call::expiry);
  }

  void simulate(Place& place, pricing::european_simulation_options const& options) {
    pricing::european_book<span_on<Place, option_kind const>, span_on<Place, float const>> const
        book{option_kind::call, spot, strike, expiry, volatility, rate};
    pricing::simulate(place, book, {.value = estimates}, options);
  }
};

/// The course's check: two calls by simulation and by formula.
template <class Place>
bool check_calls(Place& place) {
  calls<Place> book(place, std::size(printed));
  book.simulate(place, {.paths = paths<Place>, .seed = 2008});
  auto const found = bench::contents_of(place, book.estimates);
  std::printf("\n%-36s%14s%14s%14s%14s\n", "Two calls of the course", "simulated", "95 % +-",
              "formula", "difference");
  bool all_agree = true;
  for (std::size_t i = 0; i < std::size(printed); ++i) {
    printed_call const& of = printed[i];
    std::printf("%-36s%14.6f%14s%14.6f%14.1e\n", "C870, 200,000,000 paths", of.course_simulated, "",
                of.course_formula, of.course_simulated - of.course_formula);
    double const exact =
        bench::textbook<double>(option<float>{of.spot, of.strike, of.expiry, volatility, rate, 0})
            .call;
    double const apart = found[i].value - exact;
    bool const agrees = std::abs(apart) < 4.5 * found[i].standard_error;
    std::printf("%-36s%14.6f%14.1e%14.6f%14.1e%s\n",
                (std::to_string(paths<Place> / 1'000'000) + ",000,000 paths").c_str(),
                found[i].value, (found[i].upper - found[i].lower) / 2, exact, apart,
                agrees ? "" : " WRONG");
    all_agree = all_agree && agrees;
  }
  return all_agree;
}

/// Prints an estimate beside a published value. Returns false if they are more than 4.5 standard
/// errors plus `bias` apart.
bool print_published(char const* what, estimate const& found, double published, double bias) {
  bool const agrees = std::abs(found.value - published) < 4.5 * found.standard_error + bias;
  std::printf("%-62s%10.4f +-%7.4f%12.4f%s\n", what, found.value, (found.upper - found.lower) / 2,
              published, agrees ? "" : " WRONG");
  return agrees;
}

/// Options whose whole path counts, beside Haug's tables.
template <class Place>
bool check_paths(Place& place) {
  using namespace pricing;
  std::vector<barrier_option> barriers;
  for (double const strike : {90., 100., 110.})
    barriers.push_back({{100, strike, 0.5, 0.25, 0.08, 0.04},
                        95,
                        barrier_type::down_and_out,
                        option_kind::call,
                        3});
  std::vector<asian_option> const asians{{{90, 87, 11. / 12, 0.13, 0.025, 0.06}, option_kind::put}};
  std::vector<double> fixings;
  for (int i = 0; i < 12; ++i) fixings.push_back(i / 11.);
  std::uint64_t const some = is_gpu<Place> ? 4'000'000 : 200'000;
  std::vector<estimate> found(barriers.size()), average(asians.size());
  simulate<double>(place, barriers, found,
                   {.paths = some, .steps = 64, .seed = 1, .control_variate = true});
  simulate<double>(place, asians, average,
                   {.paths = some, .times = fixings, .seed = 1, .control_variate = true});
  std::printf("\n%-62s%10s   %7s%12s\n", "Options on a path", "simulated", "95 %", "published");
  constexpr double tables[] = {9.0246, 6.7924, 4.8759};
  bool all_agree = true;
  for (std::size_t i = 0; i < std::size(tables); ++i)
    // The table has four digits; the hour of a rebate is known to a step.
    all_agree = print_published(("down-and-out call, strike " +
                                 std::to_string(static_cast<int>(barriers[i].terms.strike)) +
                                 ", barrier 95, rebate 3")
                                    .c_str(),
                                found[i], tables[i], 5e-4) &&
                all_agree;
  // QuantLib's tests have this value from Levy (1997), and allow it a few thousandths.
  return print_published("put on the average of 12 fixings, control variate", average[0],
                         1.6980019214, 2e-3) &&
         all_agree;
}

/// One line; 0 is left blank.
void print_time(char const* what, double course, double now, double items) {
  std::printf("%-62s", what);
  print(12, 2, course);
  std::printf("%12.3f%14.1f\n", now, items / now / 1e6);
  std::fflush(stdout);
}

template <class Place>
void times(Place& place) {
  auto const count = static_cast<double>(paths<Place>);
  std::printf("\n%-62s%12s%12s%14s\n",
              (std::to_string(paths<Place> / 1'000'000) + ",000,000 paths, milliseconds").c_str(),
              "C870 (200 M)", "now", "1e9 a second");
  {
    auto numbers = make_on<float>(place, paths<Place>);
    span_on<Place, float> const to(numbers);
    print_time("uniform random numbers", 80.5,
               bench::warm_median_ms(runs, [&] { random::uniform(place, to, {.seed = 1}); }),
               count);
    print_time("normal random numbers, Box and Muller (course: from uniform)", 122.6,
               bench::warm_median_ms(runs, [&] { random::normal(place, to, {.seed = 1}); }), count);
  }
  calls<Place> one(place, 1);
  print_time(
      "an option, normals and payoffs in one kernel", 0,
      bench::warm_median_ms(runs, [&] { one.simulate(place, {.paths = paths<Place>, .seed = 1}); }),
      count);
  constexpr std::size_t many = 256;
  calls<Place> book(place, many);
  double const ms = bench::warm_median_ms(
      runs, [&] { book.simulate(place, {.paths = paths<Place>, .seed = 1}); });
  print_time("one of 256 options that share their normals", 15.47, ms / many, count);
  calls<Place> small(place, 64);
  constexpr std::uint64_t usual = 1 << 18;
  print_time(
      "64 options of 262,144 paths, all of it", 0,
      bench::warm_median_ms(runs, [&] { small.simulate(place, {.paths = usual, .seed = 1}); }),
      64. * usual);
}

template <class Place>
bool run(Place& place) {
  bool const calls_agree = check_calls(place);
  bool const paths_agree = check_paths(place);
  times(place);
  return calls_agree && paths_agree;
}

} // namespace

bool monte_carlo_section(any_place& place) {
  std::printf(
      "\n6. Monte Carlo\n==============\n\n"
      "Prices as means over random paths. The course made 200,000,000 normal random numbers "
      "once, and every\noption read them; here they are made where they are used.\n");
  return std::visit([](auto& one) { return run(one); }, place);
}

} // namespace warpfold::tour
