// The door of Asian and barrier options: checks the arguments, forms groups of options, and chooses
// the backend.

#include "contract_checks.hpp"
#include "path_backend.hpp"
#include "path_formulas.hpp"
#include "teams.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <type_traits>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

constexpr double log2_e = std::numbers::log2e;

/// The binary logarithm of the spot over the barrier. One that is farther than a factor of 2, the
/// drift and 40 standard deviations together counts as that far: no path gets there, and floats
/// lose the price's digits behind a distance which is larger by far.
double distance_of(barrier_option const& of, binary_motion const& motion) {
  double const quotient = of.terms.spot / of.barrier;
  double const distance = std::isnormal(quotient)
                              ? std::log2(quotient)
                              : std::log2(of.terms.spot) - std::log2(of.barrier);
  double const most = 1 + std::abs(motion.drift) + 40 * motion.deviation;
  return std::clamp(distance, -most, most);
}

template <class T>
T sign_of(option_kind kind) {
  return kind == option_kind::call ? T{1} : T{-1};
}

template <class T, int size>
void put(asian_group<T, size>& group, int k, asian_option const& of,
         std::vector<double> const& times) {
  binary_motion const motion(of.terms);
  auto const n = static_cast<double>(times.size());
  group.deviation[k] = static_cast<T>(motion.deviation);
  group.drift[k] = static_cast<T>(motion.drift);
  group.spot[k] = static_cast<T>(of.terms.spot);
  group.strike[k] = static_cast<T>(of.terms.strike);
  group.sign[k] = sign_of<T>(of.kind);
  group.geometric[k] = of.average == average::geometric ? T{1} : T{0};
  group.per_fixing = static_cast<T>(1 / n);
  group.mean_time = static_cast<T>(std::accumulate(times.begin(), times.end(), 0.) / n);
}
detail::path_finish finish_of(asian_option const& of, std::vector<double> const& times) {
  return {discount_of(of.terms), geometric_payoff(of, times)};
}

template <class T, int size, bool rebates>
void put(barrier_group<T, size, rebates>& group, int k, barrier_option const& of,
         std::vector<double> const&) {
  // Makes the bridge's exponent so large that it meets no barrier which the ends of a step do not.
  constexpr double rigid = 1e15;
  binary_motion const motion(of.terms);
  bool const up = is_up(of.type), out = is_out(of.type);
  bool const continuous = of.monitoring == monitoring::continuous;
  // With binary logarithms d and e, exp(-2 d e ln(2)^2 / (v^2 h)) is 2^-(unit d)(unit e) / h.
  double const bridge = continuous ? std::sqrt(2 * log2_e) / motion.deviation : rigid;
  double const binary = (up ? -1 : 1) * std::min(bridge, rigid);
  group.deviation[k] = static_cast<T>(motion.deviation * binary);
  group.drift[k] = static_cast<T>(motion.drift * binary);
  group.distance[k] = static_cast<T>(distance_of(of, motion) * binary);
  group.unit[k] = static_cast<T>(1 / binary);
  group.spot[k] = static_cast<T>(of.terms.spot);
  group.strike[k] = static_cast<T>(of.terms.strike);
  group.sign[k] = sign_of<T>(of.kind);
  group.knocks_out[k] = out ? T{1} : T{0};
  group.at_expiry[k] = out ? T{0} : static_cast<T>(of.rebate);
  group.at_hit[k] = out ? static_cast<T>(of.rebate) : T{0};
  group.growth[k] = static_cast<T>(of.terms.rate * of.terms.expiry * log2_e);
  group.middle[k] = continuous ? T(0.5) : T{0};
}
detail::path_finish finish_of(barrier_option const& of, std::vector<double> const&) {
  return {discount_of(of.terms), vanilla_payoff(of)};
}

template <class T, class Option, class Results>
detail::path_plan checked_plan(std::span<Option const> book, Results results,
                               simulation_options const& options) {
  auto plan = detail::plan_paths(options, bits::native);
  if (options.times.empty() && options.horizon != 1)
    refuse("options.horizon", options.horizon, "1: times are fractions of the expiry");
  if (options.longest_step != 0)
    refuse("options.longest_step", options.longest_step, "0: steps are exact");
  detail::check_elements("book", book.data(), book.size());
  for (std::size_t i = 0; i < book.size(); ++i) {
    text const which("book[", i, "]");
    check_contract(which, book[i]);
    check_range<T>(which, book[i]);
  }
  check_fractions("options.times", plan.times);
  if (std::is_same_v<Option, barrier_option> && plan.times.back() != 1)
    refuse("options.times", text("the last is ", plan.times.back()),
           "a last time of 1: a barrier option's path ends at expiry");
  if (results.size() != book.size())
    refuse("results", text(results.size(), " elements"), text(book.size(), ", as the book has"));
  detail::check_elements("results", results.data(), results.size());
  return plan;
}

/// Calls run(book of groups, number of the first option, walk) for `count` options, in groups of
/// which a multiple of `together` is there.
template <class Group, class Walk, class Option, class Run>
void run_groups(std::span<Option const> book, std::size_t first, std::size_t count,
                detail::path_plan const& plan, Run run, Walk walk, std::size_t together = 1) {
  if (count == 0) return;
  constexpr std::size_t size = Group::results;
  std::size_t const most = size * together, groups = (count + most - 1) / most * together;
  path_book<Group> part{{{}, std::vector<Group>(groups)}, {}, count};
  for (std::size_t i = 0; i < groups * size; ++i) {
    Option const& one = book[first + std::min(i, count - 1)];
    put(part.problems.all[i / size], static_cast<int>(i % size), one, plan.times);
    part.problems.all[i / size].how = plan.how;
    part.finish.push_back(finish_of(one, plan.times));
  }
  run(part, first, walk);
}

/// Calls run for parts of a book: whole groups, and single options where there are few. Groups are
/// walked by teams if takes_teams(type of a lane's part, number of groups) says so.
template <class Large, class Single, class Option, class TakesTeams, class Run>
void run_parts(std::span<Option const> book, detail::path_plan const& plan, TakesTeams takes_teams,
               Run run) {
  // A group that is nearly empty takes longer than its options one by one.
  constexpr std::size_t few = Large::results / 8 + 1;
  std::size_t const rest = book.size() % Large::results;
  std::size_t const single = plan.run.independent ? book.size() : rest < few ? rest : 0;
  std::size_t const grouped = book.size() - single;
  using part = part_of_team<Large>;
  std::size_t const groups = (grouped + Large::results - 1) / Large::results;
  if (takes_teams(std::type_identity<part>{}, groups))
    run_groups<part>(book, 0, grouped, plan, run, by_teams{}, detail::path_team);
  else run_groups<Large>(book, 0, grouped, plan, run, by_threads{});
  run_groups<Single>(book, grouped, single, plan, run, by_threads{});
}

template <class T, class TakesTeams, class Run>
void for_each_part(std::span<asian_option const> book, detail::path_plan const& plan,
                   TakesTeams takes_teams, Run run) {
  constexpr int size = sizeof(T) == 4 ? 16 : 8;
  run_parts<asian_group<T, size>, asian_group<T, 1>>(book, plan, takes_teams, run);
}
template <class T, class TakesTeams, class Run>
void for_each_part(std::span<barrier_option const> book, detail::path_plan const& plan,
                   TakesTeams takes_teams, Run run) {
  bool const rebates =
      std::any_of(book.begin(), book.end(), [](auto const& of) { return of.rebate != 0; });
  constexpr int plain = sizeof(T) == 4 ? 16 : 4, with_rebates = sizeof(T) == 4 ? 8 : 4;
  using single = barrier_group<T, 1, true>;
  if (rebates)
    run_parts<barrier_group<T, with_rebates, true>, single>(book, plan, takes_teams, run);
  else run_parts<barrier_group<T, plain, false>, single>(book, plan, takes_teams, run);
}

/// Writes estimates to memory of the place.
template <class T, class Place, class Option>
void simulate_parts(Place& place, std::span<Option const> book, detail::path_plan const& plan,
                    estimate* results, bool blocking, path_sharing* sharing) {
  constexpr bool is_gpu = std::is_same_v<Place, gpu>;
  auto const takes_teams = [&]([[maybe_unused]] auto part, [[maybe_unused]] std::size_t groups) {
    if constexpr (is_gpu)
      return !sharing && teams_fit<typename decltype(part)::type>(place, plan, groups, blocking);
    else return false;
  };
  for_each_part<T>(book, plan, takes_teams, [&](auto const& part, std::size_t first, auto walk) {
    if constexpr (std::is_same_v<decltype(walk), by_threads>)
      simulate_groups(place, plan, part, results + first, blocking, sharing);
    else if constexpr (is_gpu) simulate_in_teams(place, plan, part, results + first, blocking);
  });
}

} // namespace

template <class T, class Option>
void simulate_book(gpu& place, std::span<Option const> book, std::span<estimate> results,
                   simulation_options const& options, path_sharing* sharing) {
  auto const plan = checked_plan<T>(book, results, options);
  device_buffer<estimate> there(place, book.size());
  simulate_parts<T>(place, book, plan, there.data(), true, sharing);
  copy(place, there.span(), results);
}
template <class T, class Option>
void simulate_book(host const& place, std::span<Option const> book, std::span<estimate> results,
                   simulation_options const& options, path_sharing* sharing) {
  auto const plan = checked_plan<T>(book, results, options);
  simulate_parts<T>(place, book, plan, results.data(), true, sharing);
}

#define DEFINE_ON(Place, Option)                                                                   \
  template <class T>                                                                               \
  void simulate(Place& place, std::span<Option const> book, std::span<estimate> results,           \
                simulation_options const& options) {                                               \
    detail::verb const scope("pricing::simulate");                                                 \
    simulate_book<T>(place, book, results, options, nullptr);                                      \
  }                                                                                                \
  INSTANTIATE_ON(Place, Option, float)                                                             \
  INSTANTIATE_ON(Place, Option, double)
#define INSTANTIATE_ON(Place, Option, T)                                                           \
  template void simulate_book<T>(Place&, std::span<Option const>, std::span<estimate>,             \
                                 simulation_options const&, path_sharing*);                        \
  template void simulate<T>(Place&, std::span<Option const>, std::span<estimate>,                  \
                            simulation_options const&);
#define DEFINE(Option)                                                                             \
  DEFINE_ON(gpu, Option)                                                                           \
  DEFINE_ON(host const, Option)                                                                    \
  template <class T>                                                                               \
  void simulate_async(gpu& place, std::span<Option const> book, device_span<estimate> results,     \
                      simulation_options const& options) {                                         \
    detail::verb const scope("pricing::simulate_async");                                           \
    auto const plan = checked_plan<T>(book, results, options);                                     \
    simulate_parts<T>(place, book, plan, results.data(), false, nullptr);                          \
  }                                                                                                \
  INSTANTIATE_ASYNC(Option, float)                                                                 \
  INSTANTIATE_ASYNC(Option, double)
#define INSTANTIATE_ASYNC(Option, T)                                                               \
  template void simulate_async<T>(gpu&, std::span<Option const>, device_span<estimate>,            \
                                  simulation_options const&);
DEFINE(asian_option)
DEFINE(barrier_option)

} // namespace warpfold::inline v0::pricing
