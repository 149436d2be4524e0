#pragma once
// Fields that solvers of one place and of slabs refuse.

#include "refusals.hpp"

#include <warpfold/poisson.hpp>

namespace test {

/// Calls refuses(argument, change) for changes of fields of 48 points that are refused.
template <class Place, class T, class Refuses>
void check_refused_fields(Refuses refuses) {
  using span = warpfold::poisson::span_on<T, Place>;
  for (auto const bad : refusals<Place>::template nowhere<T>(48)) {
    refuses("fields.rhs", [=](auto& all) { all.rhs = bad; });
    refuses("fields.solution", [=](auto& all) { all.solution = bad; });
    refuses("fields.removed_mean", [=](auto& all) { all.removed_mean = bad; });
    refuses("fields.removed_mean", [=](auto& all) { all.removed_mean = bad.subspan(0, 1); });
  }
  refuses("fields.rhs", [=](auto& all) { all.rhs = all.rhs.subspan(1); });
  refuses("fields.solution", [=](auto& all) { all.solution = span(all.solution.data(), 47); });
  refuses("fields.solution", [=](auto& all) { all.rhs = span(all.solution.data() + 5, 48); });
  refuses("fields.removed_mean",
          [=](auto& all) { all.removed_mean = all.solution.subspan(47, 1); });
  for (std::size_t const size : impossible) {
    refuses("fields.rhs", [=](auto& all) { all.rhs = {all.rhs.data(), size}; });
    refuses("fields.solution", [=](auto& all) { all.solution = {all.solution.data(), size}; });
  }
}

} // namespace test
