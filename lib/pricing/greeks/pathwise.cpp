// The door of pathwise Greeks of contracts: refuses what has none, and forms groups whose results
// are rows, one for each contract and wanted derivative.

#include "pathwise.hpp"

#include "greek_plan.hpp"
#include "pathwise_backend.hpp"
#include "pricing/paths/contract_run.hpp"
#include "pricing/paths/step_checks.hpp"
#include "tangent_steps.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/scratch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <type_traits>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

// ---- checks -------------------------------------------------------------------------------------

void check_pathwise(black_scholes const&, auto const&, detail::path_plan const&) {}
/// Refuses where paths' derivatives have tails too heavy for their errors to be known, or none.
template <class Span>
void check_pathwise(heston const& model, greek_spans<Span> const& wanted,
                    detail::path_plan const& plan) {
  bool const by_variance = !wanted.variance.empty() || !wanted.reversion.empty() ||
                           !wanted.mean.empty() || !wanted.vol_of_vol.empty();
  if (!by_variance && wanted.correlation.empty()) return;
  double const vol = model.vol_of_vol;
  if (vol < least_vol_of_vol)
    refuse("model.vol_of_vol", vol, "1e-5 or more with pathwise Greeks: take bumps");
  // Paths that leave 0 do so with a slope of half of 1 + 1 / that.
  if (by_variance && !(4 * model.reversion * model.mean >= vol * vol / 2))
    refuse("model.vol_of_vol", vol,
           text("up to ", std::sqrt(8 * model.reversion * model.mean),
                ", the root of 8 reversion mean, with pathwise Greeks: take bumps"));
  if (!wanted.variance.empty() && model.variance == 0)
    refuse("model.variance", model.variance,
           "numbers above 0 with this Greek pathwise: take bumps");
  // The price's derivative has a normal number over the root of 1 - correlation^2.
  constexpr double most_correlation = 0.99;
  if (!wanted.correlation.empty() && !(std::abs(model.correlation) <= most_correlation))
    refuse("model.correlation", model.correlation,
           "-0.99 to 0.99 with this Greek pathwise: take bumps");
  // The martingale correction exists for every variance if A s2 / m is below 1.
  double before = 0;
  for (double const time : plan.times) {
    tangent_step<double> step{};
    put<double>(step, model, before, time);
    before = time;
    if (step.a > 0 && !(step.a * step.spread < 0.99 * step.decay))
      refuse("model.correlation", model.correlation,
             "lower ones, or shorter steps, with pathwise Greeks");
  }
}

template <class T, class Model, class Span>
void check_pathwise_greeks(Model const& model, greek_spans<Span> const& wanted,
                           detail::path_plan const& plan) {
  if (!wanted.gamma.empty())
    refuse("results.gamma", text(wanted.gamma.size(), " elements"),
           "none pathwise, where payoffs have a kink: take bumps");
  if (model.jumps.intensity > 0)
    refuse("model.jumps.intensity", model.jumps.intensity, "0 with pathwise Greeks: take bumps");
  if (!std::isfinite(1 / static_cast<T>(model.spot)))
    refuse("model.spot", model.spot, "spots whose reciprocal is finite, with pathwise Greeks");
  check_pathwise(model, wanted, plan);
}

// ---- groups -------------------------------------------------------------------------------------

/// The results by rows.
template <class Model, class Span>
std::array<Span, pathwise_rows::count> rows_of(greek_spans<Span> const& of) {
  return {std::same_as<Model, heston> ? of.variance : of.vega,
          of.reversion,
          of.mean,
          of.vol_of_vol,
          of.correlation,
          of.rho,
          of.dividend_rho,
          of.delta,
          of.value};
}

/// A simulation, checked, whose results go to rows one after the other.
template <class T, class Model>
struct pathwise_run {
  contract_run<T, Model> checked;
  tangent_model<T> model;
  std::vector<tangent_step<T>> steps;
  std::array<bool, pathwise_rows::count> wanted;

  std::size_t rows() const { return static_cast<std::size_t>(std::ranges::count(wanted, true)); }
  /// Most contracts of a group.
  std::size_t part() const { return contract_group<T>::size / std::max<std::size_t>(rows(), 1); }

  /// Contracts first ... first + count - 1.
  template <bool averages>
  pathwise_group<T, averages> group_of(std::size_t first, std::size_t count) const {
    pathwise_group<T, averages> group{};
    group.book = contracts_of<T>(checked.spot, checked.book, checked.plan, first, count);
    group.values = static_cast<int>(rows() * count);
    group.inverse_spot = 1 / group.book.spot;
    int next = 0;
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      group.first[row] = wanted[row] ? next : -1;
      if (wanted[row]) next += static_cast<int>(count);
    }
    auto const seen = detail::observed_times(checked.plan.paths);
    for (std::size_t k = 0; k < count; ++k)
      group.years[k] = static_cast<T>(seen[static_cast<std::size_t>(group.book.expiry[k])]);
    return group;
  }
  /// Writes all rows of them.
  template <bool averages, class Place>
  void simulate_group(Place& place, detail::path_plan const& paths, std::size_t first,
                      std::size_t count, estimate* results, bool blocking, path_sharing* among,
                      std::size_t taken) const {
    pathwise_problems<T, averages> problems{{model, {group_of<averages>(first, count)}}, steps};
    std::vector<detail::path_finish> finish;
    for (std::size_t row = 0; row < rows(); ++row)
      for (auto const& one : finish_of(checked.plan, first, count)) finish.push_back(one);
    simulate_pathwise(place, paths, problems, finish, results, blocking, among, taken);
  }
  template <class Place>
  void simulate(Place& place, detail::path_plan const& paths, std::size_t first, std::size_t count,
                estimate* results, bool blocking, path_sharing* among, std::size_t taken) const {
    auto const some = checked.book.subspan(first, count);
    if constexpr (std::is_same_v<Place, gpu>) // a host has one form: less to compile
      if (std::ranges::all_of(some,
                              [](contract const& one) { return one.measure == measure::price; }))
        return simulate_group<false>(place, paths, first, count, results, blocking, among, taken);
    simulate_group<true>(place, paths, first, count, results, blocking, among, taken);
  }
};

/// Where the rows of contracts first ... first + count - 1 go.
template <class Span, class Copy>
void for_each_row(std::array<Span, pathwise_rows::count> const& rows, std::size_t first,
                  std::size_t count, estimate const* results, Copy copy_row) {
  for (Span const& row : rows) {
    if (row.empty()) continue;
    copy_row(row.data() + first, results);
    results += count;
  }
}

} // namespace

template <class T, class Place, class Model, class Span>
void simulate_pathwise_greeks(Place& place, Model const& model, std::span<contract const> book,
                              greek_spans<Span> const& results, simulation_options const& options,
                              bumps const& by, path_sharing* among) {
  pathwise_run<T, Model> run{{model, book, options}, tangents_of<T>(model), {}, {}};
  auto const& plan = run.checked.plan;
  check_greeks<Model>(results, book.size(), by);
  check_pathwise_greeks<T>(model, results, plan.paths);
  run.steps = tangent_steps<T>(model, plan.paths);
  check_steps_range(model.spot, run.model, run.steps);
  if (book.empty()) return;
  auto const rows = rows_of<Model>(results);
  for (std::size_t row = 0; row < rows.size(); ++row) run.wanted[row] = !rows[row].empty();
  // A part has its results one after the other.
  auto const for_each = [&](auto use) { for_each_part(plan, run.part(), use); };
  auto const put = [&](std::size_t first, std::size_t count, estimate const* from) {
    for_each_row(rows, first, count, from,
                 [&](estimate* to, estimate const* row) { std::copy_n(row, count, to); });
  };
  if constexpr (!std::is_same_v<Place, gpu>) {
    std::vector<estimate> all(run.rows() * std::min(run.part(), book.size()));
    for_each([&](std::size_t first, std::size_t count, auto const& paths) {
      run.simulate(place, paths, first, count, all.data(), true, among, 0);
      put(first, count, all.data());
    });
  } else if constexpr (std::is_same_v<Span, std::span<estimate>>) {
    device_buffer<estimate> there(place, run.rows() * book.size());
    for_each([&](std::size_t first, std::size_t count, auto const& paths) {
      run.simulate(place, paths, first, count, there.data() + run.rows() * first, true, among, 0);
    });
    auto const all = to_vector(place, there.span());
    for_each([&](std::size_t first, std::size_t count, auto const&) {
      put(first, count, all.data() + run.rows() * first);
    });
  } else {
    constexpr std::size_t taken = contract_group<T>::size * sizeof(estimate);
    static_assert(taken % 256 == 0);
    for_each([&](std::size_t first, std::size_t count, auto const& paths) {
      // There, if it is large enough, which simulate() checks.
      auto* const all = static_cast<estimate*>(detail::gpu_scratch(place).workspace(0));
      run.simulate(place, paths, first, count, all, false, among, taken);
      for_each_row(rows, first, count, all, [&](estimate* to, estimate const* row) {
        detail::copy_bytes(place, to, row, count, count, sizeof(estimate),
                           cudaMemcpyDeviceToDevice);
      });
    });
  }
}

#define INSTANTIATE_ON(Place, T, Model, Span)                                                      \
  template void simulate_pathwise_greeks<T>(Place&, Model const&, std::span<contract const>,       \
                                            greek_spans<Span> const&, simulation_options const&,   \
                                            bumps const&, path_sharing*);
#define INSTANTIATE(T, Model)                                                                      \
  INSTANTIATE_ON(gpu, T, Model, std::span<estimate>)                                               \
  INSTANTIATE_ON(gpu, T, Model, device_span<estimate>)                                             \
  INSTANTIATE_ON(host const, T, Model, std::span<estimate>)
INSTANTIATE(float, black_scholes)
INSTANTIATE(double, black_scholes)
INSTANTIATE(float, heston)
INSTANTIATE(double, heston)

} // namespace warpfold::inline v0::pricing
