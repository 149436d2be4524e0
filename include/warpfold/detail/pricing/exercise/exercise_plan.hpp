#pragma once
// Early exercise: what both places work from.

#include <warpfold/detail/pricing/exercise/exercise_payoff.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/early_exercise.hpp>

#include <vector>

namespace warpfold::inline v0::detail {

/// The number of regression paths. Refuses what makes no early exercise, naming it.
std::int64_t regression_paths_of(pricing::simulation_options const& options);

/// Rights to exercise on paths of a model.
template <class Model, class Right, class Step, int together = 0>
struct exercise_problem {
  using model_type = Model;
  using right_type = Right;
  using step_type = Step;
  /// Options that are priced on a path at the same time: a round's values fit into shared memory.
  static constexpr int most = together > 0                         ? together
                              : sizeof(value_of_model<Model>) == 4 ? 64
                                                                   : 32;

  Model model;
  std::vector<Step> steps;
  std::vector<typename Right::date> dates; ///< of the steps that are observed
  std::vector<Right> rights;               ///< at least one
  std::int64_t regression_paths;

  std::vector<Step> const& steps_of(path_plan const&) const { return steps; }
};

/// The pricing simulation of rights, in groups, by known rules.
template <class Model, class Payoff, class Rules>
struct exercised_problem {
  static constexpr std::int64_t first_group = 0;
  Model of_model;
  Rules rules;
  int first, rights; ///< of the first group here; of all groups

  WARPFOLD_HOST_DEVICE Model model(int) const { return of_model; }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Payoff payoff(int group) const {
    int const begin = first + group * Payoff::results, left = rights - begin;
    Rules own = rules;
    if constexpr (requires { Payoff::is_alone; }) {
      return {1, own};
    } else {
      own.rights += begin;
      own.rules.of += begin;
      return {left < Payoff::results ? left : Payoff::results, own};
    }
  }
};
template <class Exercise, template <class, class, int> class Payoff = exercised_payoff>
struct exercised_problems {
  using T = value_of_model<typename Exercise::model_type>;
  using right_type = typename Exercise::right_type;
  using payoff_type = Payoff<T, right_type, Exercise::most>;
  using rules_type = exercise_rules<T, right_type>;
  static constexpr std::size_t group_bytes() { return 0; }

  Exercise const& all;
  rules_type rules; ///< in the place's memory

  std::size_t groups() const { return (all.rights.size() + Exercise::most - 1) / Exercise::most; }
  void const* data() const { return nullptr; }
  exercised_problem<typename Exercise::model_type, payoff_type, rules_type>
  at(void const*, std::size_t first_group) const {
    return {all.model, rules, static_cast<int>(first_group) * Exercise::most,
            static_cast<int>(all.rights.size())};
  }
  auto const& steps_of(path_plan const& plan) const { return all.steps_of(plan); }
};

/// The plan of pricing paths, whose numbers are not those of regressions.
inline path_plan pricing_plan(path_plan plan) {
  plan.numbers = pricing_numbers(plan.numbers);
  plan.run.numbers = prepared(plan.numbers);
  plan.ending.control = false;
  return plan;
}

/// An option's result.
template <class T, class Right>
WARPFOLD_HOST_DEVICE inline pricing::exercise_estimate
exercise_result(pricing::estimate const& price, double in_sample,
                exercise_rules<T, Right> const& known, int option) {
  int regressions = 0, least = Right::basis;
  WARPFOLD_UNROLL_BY(16)
  for (int j = 0; j < known.date_count; ++j) {
    int const rank = known.rules.at(j, option)->rank;
    regressions += rank > 0 ? 1 : 0;
    least = rank > 0 && rank < least ? rank : least;
  }
  return {price, in_sample, regressions, regressions > 0 ? least : 0};
}

} // namespace warpfold::inline v0::detail
