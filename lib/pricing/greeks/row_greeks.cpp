// The door of Greeks that are means over the paths of one simulation: forms groups of contracts
// whose results are rows, one for each wanted derivative.

#include "row_greeks.hpp"

#include "greek_plan.hpp"
#include "pricing/paths/contract_run.hpp"
#include "pricing/paths/step_checks.hpp"
#include "row_backend.hpp"
#include "row_checks.hpp"
#include "tangent_steps.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/scratch.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <type_traits>
#include <variant>

namespace warpfold::inline v0::pricing {
namespace {

/// The results by rows.
template <class Model, class Span>
std::array<Span, result_rows::count> rows_of(greek_spans<Span> const& of) {
  return {std::same_as<Model, heston> ? of.variance : of.vega,
          of.reversion,
          of.mean,
          of.vol_of_vol,
          of.correlation,
          of.rho,
          of.dividend_rho,
          of.delta,
          of.value,
          of.gamma};
}

/// A simulation, checked, whose results go to rows one after the other.
template <class T, class Model>
struct row_run {
  contract_run<T, Model> checked;
  Model const& model;
  greek_method method;
  std::array<bool, result_rows::count> wanted;
  // With pathwise Greeks.
  tangent_model<T> tangents;
  std::vector<tangent_step<T>> steps;

  std::size_t rows() const { return static_cast<std::size_t>(std::ranges::count(wanted, true)); }
  /// Most contracts of a group.
  std::size_t part() const { return contract_group<T>::size / std::max<std::size_t>(rows(), 1); }

  /// Contracts first ... first + count - 1.
  template <class Group>
  Group group_of(std::size_t first, std::size_t count) const {
    Group group{};
    group.book = contracts_of<T>(checked.spot, checked.book, checked.plan, first, count);
    group.values = static_cast<int>(rows() * count);
    group.inverse_spot = 1 / group.book.spot;
    int next = 0;
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      group.first[row] = wanted[row] ? next : -1;
      if (wanted[row]) next += static_cast<int>(count);
    }
    auto const seen = detail::observed_times(checked.plan.paths);
    for (std::size_t k = 0; k < count; ++k) {
      double const time = seen[static_cast<std::size_t>(group.book.expiry[k])];
      group.years[k] = static_cast<T>(time);
      if constexpr (std::is_same_v<Group, score_group<T>> && std::is_same_v<Model, black_scholes>)
        group.volatility[k] = static_cast<T>(model.volatility.integral(time));
    }
    return group;
  }
  /// Writes all rows of them.
  template <class Place>
  void simulate(Place& place, detail::path_plan const& paths, std::size_t first, std::size_t count,
                estimate* results, bool blocking, path_sharing* among, std::size_t taken) const {
    auto const by = [&]<class Walked, class Group>(row_problems<Walked, Group> problems) {
      problems.all = {group_of<Group>(first, count)};
      std::vector<detail::path_finish> finish;
      for (std::size_t row = 0; row < rows(); ++row)
        for (auto const& one : finish_of(checked.plan, first, count)) finish.push_back(one);
      simulate_rows(place, paths, problems, finish, results, blocking, among, taken);
    };
    if (method == greek_method::likelihood_ratio) {
      auto const& prices = std::get<0>(checked.problems);
      return by(row_problems<score_model<T>, score_group<T>>{{{prices.model}, {}}, prices.steps});
    }
    if constexpr (std::is_same_v<Place, gpu>) // a host has one form: less to compile
      if (std::ranges::all_of(checked.book.subspan(first, count), on_price))
        return by(row_problems<tangent_model<T>, pathwise_group<T, false>>{{tangents, {}}, steps});
    by(row_problems<tangent_model<T>, pathwise_group<T, true>>{{tangents, {}}, steps});
  }
};

/// Where the rows of contracts first ... first + count - 1 go.
template <class Span, class Copy>
void for_each_row(std::array<Span, result_rows::count> const& rows, std::size_t first,
                  std::size_t count, estimate const* results, Copy copy_row) {
  for (Span const& row : rows) {
    if (row.empty()) continue;
    copy_row(row.data() + first, results);
    results += count;
  }
}

} // namespace

template <class T, class Place, class Model, class Span>
void simulate_row_greeks(Place& place, Model const& model, std::span<contract const> book,
                         greek_spans<Span> const& results, simulation_options const& options,
                         bumps const& sizes, path_sharing* among) {
  row_run<T, Model> run{{model, book, options}, model, sizes.method, {}, {}, {}};
  auto const& plan = run.checked.plan;
  check_greeks<Model>(results, book.size(), sizes);
  check_rows<T>(model, book, results, plan, sizes.method);
  if (sizes.method == greek_method::pathwise) {
    run.tangents = tangents_of<T>(model);
    run.steps = tangent_steps<T>(model, plan.paths);
    check_steps_range(model.spot, run.tangents, run.steps);
  }
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
  template void simulate_row_greeks<T>(Place&, Model const&, std::span<contract const>,            \
                                       greek_spans<Span> const&, simulation_options const&,        \
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
