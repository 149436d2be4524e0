#pragma once
// The door of Greeks, for any simulation of a book that can be run part by part, as contract_run:
//   Run(model, book, options)            checks them
//   Run::part                            most contracts of a part
//   run.plan                             its contract_plan
//   run.simulate(place, paths, first, count, results, blocking, sharing)
//                                        with no estimates if `results` is null

#include "greek_plan.hpp"
#include "pricing/paths/contract_checks.hpp"
#include "run_recorder.hpp"

#include <warpfold/buffer.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::pricing {

/// The quantile of Student's distribution; above 128 degrees of freedom three terms of its
/// expansion (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.7.5), off by 2e-5 of
/// it at a level of 0.9999 and by less at others below.
inline double quantile_of_parts(double confidence, std::int64_t parts) {
  double const z = detail::two_sided_quantile(confidence), square = z * z;
  if (parts < 2) return z;
  if (parts <= 129) return detail::student_quantile(confidence, static_cast<int>(parts - 1));
  double const inverse = 1 / static_cast<double>(parts - 1);
  double const first = (square + 1) / 4, second = ((5 * square + 16) * square + 3) / 96;
  return z * (1 + inverse * (first + inverse * second));
}

/// Writes estimates to memory of the place: the values unless `value` is null, and those of
/// difference d to to[d].
template <class Place, class Run>
void simulate_runs(Place& place, std::vector<Run>& runs, std::vector<difference> const& all,
                   estimate* value, std::vector<estimate*> const& to, double confidence,
                   bool blocking, path_sharing* among) {
  auto const& plan = runs.back().plan;
  auto const tiles = plan.paths.run.shape.tiles();
  difference_ending ending{plan.paths.run.shape, 0, plan.paths.ending.paths_per_sample};
  ending.quantile = quantile_of_parts(confidence, ending.parts());
  for_each_part(plan, Run::part, [&](std::size_t first, std::size_t count, auto const& paths) {
    run_recorder<Place> recorder(place, runs.size(), count, static_cast<std::uint32_t>(tiles),
                                 among);
    for (Run& run : runs) {
      bool const has_value = value != nullptr && &run == &runs.back();
      run.simulate(place, paths, first, count, has_value ? value + first : nullptr, blocking,
                   &recorder);
    }
    std::vector<estimate*> of_part;
    for (estimate* const results : to) of_part.push_back(results + first);
    finish_differences(place, recorder, all, of_part, ending);
  });
}

/// The runs of a plan, checked.
template <class Run, class Model, class Contract>
std::vector<Run> runs_of(greek_plan<Model> const& plan, Run const& of_model,
                         std::span<Contract const> book, simulation_options const& options) {
  std::vector<Run> runs;
  for (Model const& moved : plan.models) runs.emplace_back(moved, book, options);
  if (plan.with_model) runs.push_back(of_model);
  return runs;
}

/// simulate() of Greeks, to results in memory of the place, or in host memory if the call blocks.
/// Moved spots are rounded to T.
/// `among` is null where nobody else takes part.
template <class T, class Run, class Place, class Model, class Contract, class Span>
void simulate_greeks(Place& place, Model const& model, std::span<Contract const> book,
                     greek_spans<Span> const& results, simulation_options const& options,
                     bumps const& sizes, path_sharing* among) {
  Run const of_model(model, book, options);
  check_greeks<Model>(results, book.size(), sizes);
  auto const plan = plan_greeks<T>(model, results, sizes);
  auto runs = runs_of<Run>(plan, of_model, book, options);
  if (runs.empty()) return; // as the book is
  constexpr bool blocks = std::is_same_v<Span, std::span<estimate>>;
  std::vector<Span> wanted;
  if (!results.value.empty()) wanted.push_back(results.value);
  for_each_greek(results, [&](char const*, Span to, parameter, int) {
    if (!to.empty()) wanted.push_back(to);
  });
  std::vector<estimate*> to;
  auto const simulate = [&] {
    estimate* const value = results.value.empty() ? nullptr : to[0];
    if (value) to.erase(to.begin());
    simulate_runs(place, runs, plan.differences, value, to, options.confidence, blocks, among);
  };
  if constexpr (blocks && std::is_same_v<Place, gpu>) {
    device_buffer<estimate> there(place, wanted.size() * book.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) to.push_back(there.data() + i * book.size());
    simulate();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      copy(place, there.span().subspan(i * book.size(), book.size()), wanted[i]);
  } else {
    for (Span const& one : wanted) to.push_back(one.data());
    simulate();
  }
}

} // namespace warpfold::inline v0::pricing
