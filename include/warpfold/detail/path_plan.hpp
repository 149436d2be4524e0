#pragma once
// A simulation's options, checked and made into what both places work from.

#include <warpfold/detail/path_body.hpp>
#include <warpfold/pricing/simulation.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace warpfold::detail {

struct path_plan {
  path_run run;
  path_ending ending;
  bool antithetic;
  std::vector<double> times;
};

/// Refuses what makes no simulation, naming it.
path_plan plan_paths(pricing::simulation_options const& options);

template <class T>
std::vector<pricing::path_step<T>> steps_of(std::vector<double> const& times) {
  std::vector<pricing::path_step<T>> steps;
  steps.reserve(times.size());
  double before = 0;
  for (double const t : times) {
    double const length = t - before;
    double const inverse = length > 0 ? 1 / length : std::numeric_limits<double>::infinity();
    steps.push_back({static_cast<T>(t), static_cast<T>(length), static_cast<T>(std::sqrt(length)),
                     static_cast<T>(inverse)});
    before = t;
  }
  return steps;
}

/// One payoff, of which the kernel has a copy of its own.
template <class Model, class Payoff>
struct single_path_problem {
  static constexpr std::int64_t first_group = 0;
  Model of_model;
  Payoff of_payoff;

  WARPFOLD_HOST_DEVICE Model model(int) const { return of_model; }
  WARPFOLD_HOST_DEVICE Payoff payoff(int) const { return of_payoff; }
};
template <class Model, class Payoff>
struct single_path_problems {
  static constexpr std::size_t group_bytes = 0;
  single_path_problem<Model, Payoff> one;

  std::size_t groups() const { return 1; }
  void const* data() const { return nullptr; }
  auto at(void const*, std::size_t) const { return one; }
};

/// Groups of options, which lie in the place's memory and give payoffs.
template <class Model, class Group>
struct book_path_problem {
  Model of_model;
  Group const* of_groups; ///< number first_group and the following ones
  std::int64_t first_group;

  WARPFOLD_HOST_DEVICE Model model(int) const { return of_model; }
  WARPFOLD_HOST_DEVICE auto payoff(int group) const { return of_groups[group].payoff(); }
};
template <class Model, class Group>
struct book_path_problems {
  static constexpr std::size_t group_bytes = sizeof(Group);
  Model model;
  std::vector<Group> all;

  std::size_t groups() const { return all.size(); }
  void const* data() const { return all.data(); }
  book_path_problem<Model, Group> at(void const* first, std::size_t first_group) const {
    return {model, static_cast<Group const*>(first), static_cast<std::int64_t>(first_group)};
  }
};

template <class Problems>
using path_problem_of = decltype(std::declval<Problems const&>().at(nullptr, 0));
template <class Problems>
using path_value_type =
    value_of_model<decltype(std::declval<path_problem_of<Problems> const&>().model(0))>;
template <class Problems>
inline constexpr int path_results_of =
    path_results<decltype(std::declval<path_problem_of<Problems> const&>().payoff(0))>;

} // namespace warpfold::detail
