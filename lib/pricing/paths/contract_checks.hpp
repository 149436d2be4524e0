#pragma once
// Checks that the doors of contracts on simulated paths share: models, expiries and results.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/contracts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::inline v0::pricing {

// ---- models: `which` is the member's name, `model` that of what has the member ------------------

inline void check_number(std::string_view which, double value, double least) {
  if (!std::isfinite(value) || value < least)
    detail::refuse(which, value, least == 0 ? "finite numbers from 0 on" : "finite numbers");
}
inline void check_curve(std::string const& which, curve const& of, double least) {
  if (of.values().empty()) detail::refuse(which, "nothing, as it was moved", "a curve");
  for (double const value : of.values()) check_number(which, value, least);
}

inline constexpr double any_sign = -std::numeric_limits<double>::max();

/// Checks spot, rate and dividend yield.
template <class Model>
void check_rates(std::string const& model, Model const& of) {
  if (!(of.spot > 0) || !std::isfinite(of.spot))
    detail::refuse(model + ".spot", of.spot, "finite numbers above 0");
  check_curve(model + ".rate", of.rate, any_sign);
  check_curve(model + ".dividend_yield", of.dividend_yield, any_sign);
}
inline void check_diffusion(std::string const& model, black_scholes const& of) {
  check_rates(model, of);
  check_curve(model + ".volatility", of.volatility, 0);
}
inline void check_diffusion(std::string const& model, heston const& of) {
  check_rates(model, of);
  check_number(model + ".variance", of.variance, 0);
  check_number(model + ".reversion", of.reversion, 0);
  check_number(model + ".mean", of.mean, 0);
  check_number(model + ".vol_of_vol", of.vol_of_vol, 0);
  if (!(std::abs(of.correlation) <= 1))
    detail::refuse(model + ".correlation", of.correlation, "numbers from -1 to 1");
}
inline void check_jumps(std::string const& model, jumps const& of) {
  check_number(model + ".jumps.intensity", of.intensity, 0);
  check_number(model + ".jumps.mean", of.mean, any_sign);
  check_number(model + ".jumps.deviation", of.deviation, 0);
}
/// Refuses jumps where paths have none.
inline void refuse_jumps(std::string const& model, jumps const& of) {
  check_jumps(model, of);
  if (of.intensity > 0)
    detail::refuse(model + ".jumps.intensity", of.intensity,
                   "0: only contracts on one asset have jumps");
}
/// Checks a model of paths without jumps.
inline void check_model(black_scholes const& model) {
  check_diffusion("model", model);
  refuse_jumps("model", model.jumps);
}
inline void check_model(heston const& model) {
  check_diffusion("model", model);
  refuse_jumps("model", model.jumps);
}

// ---- contracts ----------------------------------------------------------------------------------

/// Refuses a member of contract i.
template <class Value>
[[noreturn]] void refuse_contract(std::size_t i, char const* member, Value const& value,
                                  char const* accepted) {
  detail::refuse(std::string(detail::text("book[", i, "].", member)), value, accepted);
}

inline void check_settlement(std::size_t i, settlement of) {
  if (of > settlement::digital_put)
    refuse_contract(i, "settlement", static_cast<int>(of),
                    "call, put, forward, digital_call or digital_put");
}
constexpr bool is_digital(settlement of) {
  return of == settlement::digital_call || of == settlement::digital_put;
}
/// Puts how contract k pays into a group.
template <class Group>
void settle(Group& group, std::size_t k, settlement how) {
  using T = typename Group::element;
  bool const is_put = how == settlement::put || how == settlement::digital_put;
  T const slope = is_digital(how) ? T{2} : T{1};
  group.slope[k] = is_put ? -slope : slope;
  group.least[k] = how == settlement::forward ? -std::numeric_limits<T>::infinity() : T{0};
}

/// The number of a time among those that a simulation's contracts see; -1 if it is none.
inline int number_of_time(double time, std::span<double const> seen) {
  auto const apart = [&](auto one) { return std::abs(*one - time); };
  auto found = std::lower_bound(seen.begin(), seen.end(), time);
  if (found == seen.end() || (found != seen.begin() && apart(found - 1) < apart(found))) --found;
  if (!std::isfinite(time) || !(apart(found) <= 1e-9 * time)) return -1;
  return static_cast<int>(found - seen.begin());
}
inline constexpr char const* a_time = "one of the simulation's times";
/// That of the contract's expiry; refuses one that is none.
inline int checked_time(std::size_t i, double expiry, std::span<double const> seen) {
  int const number = number_of_time(expiry, seen);
  if (number < 0) refuse_contract(i, "expiry", expiry, a_time);
  return number;
}

/// The numbers of contracts in the order of their expiries.
inline std::vector<int> order_of_expiries(std::span<int const> expiries) {
  std::vector<int> order(expiries.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
    return expiries[static_cast<std::size_t>(i)] < expiries[static_cast<std::size_t>(j)];
  });
  return order;
}

// ---- simulations --------------------------------------------------------------------------------

/// A checked simulation.
struct contract_plan {
  detail::path_plan paths;
  std::vector<int> expiries; ///< their numbers among the times that contracts see
  std::vector<detail::path_finish> finish;
};

/// Checks the results of a book of this size.
template <class Results>
void check_results(std::size_t book, Results results) {
  if (results.size() != book)
    detail::refuse("results", detail::text(results.size(), " elements"),
                   detail::text(book, ", as the book has"));
  detail::check_elements("results", results.data(), results.size());
}

/// Checks a book. check(i, seen) returns the number of contract i's expiry, or refuses what makes
/// no contract. `rate`, of this name, discounts.
template <class Contract, class Check>
void check_book(contract_plan& plan, std::string_view rate_name, curve const& rate,
                std::span<Contract const> book, Check check) {
  using detail::refuse;
  plan.paths.ending.control = false;
  detail::check_elements("book", book.data(), book.size());
  auto const seen = detail::observed_times(plan.paths);
  for (std::size_t i = 0; i < book.size(); ++i) {
    plan.expiries.push_back(check(i, seen));
    double const time = seen[static_cast<std::size_t>(plan.expiries[i])];
    double const discount = std::exp(-rate.integral(time));
    if (!std::isfinite(discount)) refuse(rate_name, "an infinite discount", "higher rates");
    plan.finish.push_back({discount, 0});
  }
}
/// Checks a book and its results.
template <class Contract, class Results, class Check>
void check_book(contract_plan& plan, std::string_view rate_name, curve const& rate,
                std::span<Contract const> book, Results results, Check check) {
  check_book(plan, rate_name, rate, book, check);
  check_results(book.size(), results);
}

/// Calls simulate(first, count, paths) for contracts that are simulated together: `most` of them,
/// or one by one where each has numbers of its own.
template <class Simulate>
void for_each_part(contract_plan const& plan, std::size_t most, Simulate simulate) {
  std::size_t const size = plan.finish.size();
  if (!plan.paths.run.independent) {
    for (std::size_t i = 0; i < size; i += most) simulate(i, std::min(most, size - i), plan.paths);
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    detail::path_plan own = plan.paths;
    own.run.independent = false;
    own.numbers.stream += i;
    own.run.numbers = detail::prepared(own.numbers);
    simulate(i, std::size_t{1}, own);
  }
}

/// The elements of contracts first ... first + count - 1.
inline std::vector<detail::path_finish> finish_of(contract_plan const& plan, std::size_t first,
                                                  std::size_t count) {
  auto const part = std::span(plan.finish).subspan(first, count);
  return {part.begin(), part.end()};
}

/// Calls simulate(first, count, paths, finish) for the fewest parts of a book.
template <class Simulate>
void for_each_simulation(contract_plan const& plan, Simulate simulate) {
  for_each_part(plan, plan.finish.size(),
                [&](std::size_t first, std::size_t count, auto const& paths) {
                  simulate(first, count, paths, finish_of(plan, first, count));
                });
}

/// Writes the estimates of a book to memory of the place. A run is a contract_run, or of its shape.
template <class Place, class Run>
void simulate_all(Place& place, Run& run, estimate* results, bool blocking, path_sharing* sharing) {
  for_each_part(run.plan, run.book.size(),
                [&](std::size_t first, std::size_t count, auto const& paths) {
                  run.simulate(place, paths, first, count, results + first, blocking, sharing);
                });
}

/// The largest finite number of T, and how it is called.
template <class T>
inline constexpr auto most_of = static_cast<double>(std::numeric_limits<T>::max());
template <class T>
inline constexpr char const* numbers_of = sizeof(T) == 4 ? "numbers of float" : "numbers of double";

/// Refuses a spot that is finite in double but not in T, or 0 there.
template <class T>
void check_spot_range(std::string const& model, double spot) {
  if (!(spot <= most_of<T>) || !(static_cast<T>(spot) > 0))
    detail::refuse(model + ".spot", spot, numbers_of<T>);
}
/// Paths count in units, such as the spot, where they are not 1.
template <class T>
void check_strike_range(std::size_t i, double strike, double unit = 1) {
  if (!(std::abs(strike) <= most_of<T>)) refuse_contract(i, "strike", strike, numbers_of<T>);
  if (!(std::abs(strike / unit) <= most_of<T>))
    refuse_contract(i, "strike", detail::text(strike / unit, " units of ", unit), numbers_of<T>);
}

} // namespace warpfold::inline v0::pricing
