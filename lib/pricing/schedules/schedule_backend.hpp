#pragma once
// Simulations of products with a schedule, on either place.

#include "pricing/baskets/basket_paths.hpp"
#include "pricing/paths/local_paths.hpp"
#include "pricing/paths/lognormal_paths.hpp"
#include "pricing/paths/variance_paths.hpp"
#include "schedule_program.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::pricing {

/// Groups of programs, `bytes` bytes from one to the next.
template <class Model, class Index>
struct schedule_problem {
  using group_type = schedule_group<typename Model::value_type, Index>;
  Model of_model;
  std::byte const* of_groups; ///< number first_group and the following ones
  std::size_t bytes;
  std::int64_t first_group;

  WARPFOLD_HOST_DEVICE Model model(int) const { return of_model; }
  WARPFOLD_HOST_DEVICE auto payoff(int group) const {
    return reinterpret_cast<group_type const*>(of_groups + static_cast<std::size_t>(group) * bytes)
        ->payoff();
  }
};

/// A model's steps and groups of programs on its paths.
template <class Model, class Step, class Index>
struct schedule_problems {
  using model_type = Model;
  using index_type = Index;
  using step_type = Step;
  using group_type = schedule_group<typename Model::value_type, Index>;
  /// Memory of groups.
  struct alignas(32) chunk {
    std::byte of[32];
  };
  static_assert(alignof(group_type) <= alignof(chunk));

  Model model{};
  Index index{};
  std::vector<Step> steps{};
  std::vector<chunk> all{};
  std::size_t chunks = 0; ///< of a group

  std::size_t groups() const { return chunks > 0 ? all.size() / chunks : 0; }
  std::size_t group_bytes() const { return chunks * sizeof(chunk); }
  void const* data() const { return all.data(); }
  schedule_problem<Model, Index> at(void const* first, std::size_t first_group) const {
    return {model, static_cast<std::byte const*>(first), group_bytes(),
            static_cast<std::int64_t>(first_group)};
  }
  std::vector<Step> const& steps_of(detail::path_plan const&) const { return steps; }
};

template <class T>
using lognormal_schedules = schedule_problems<lognormal_model<T>, lognormal_step<T>, asset_index>;
template <class T>
using variance_schedules = schedule_problems<variance_model<T>, variance_step<T>, asset_index>;
template <class T>
using local_schedules = schedule_problems<local_model<T>, local_step<T>, asset_index>;
template <class T, int capacity>
using basket_schedules = schedule_problems<basket_model<T, capacity>, basket_step<T, capacity>,
                                           selected_index<T, capacity>>;

#define WARPFOLD_SCHEDULES_OF_ASSET(use, T)                                                        \
  use(lognormal_schedules<T>) use(variance_schedules<T>) use(local_schedules<T>)
#define WARPFOLD_SCHEDULES_OF_BASKET(use, T)                                                       \
  use(basket_schedules<T, 2>) use(basket_schedules<T, 4>) use(basket_schedules<T, 8>)
#define WARPFOLD_SCHEDULES_OF_float(use) WARPFOLD_SCHEDULES_OF_ASSET(use, float)
#define WARPFOLD_SCHEDULES_OF_double(use) WARPFOLD_SCHEDULES_OF_ASSET(use, double)
#define WARPFOLD_SCHEDULES_OF_float_basket(use) WARPFOLD_SCHEDULES_OF_BASKET(use, float)
#define WARPFOLD_SCHEDULES_OF_double_basket(use) WARPFOLD_SCHEDULES_OF_BASKET(use, double)

/// Writes estimates to memory of the place; there is an element of `finish` for each. A gpu
/// enqueues, and its workspace grows if `blocking`. `sharing` is null where nobody else takes part.
template <class Problems>
void simulate_schedules(gpu& place, detail::path_plan const& plan, Problems const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results,
                        bool blocking, path_sharing* sharing);
template <class Problems>
void simulate_schedules(host const& place, detail::path_plan const& plan, Problems const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results, bool,
                        path_sharing* sharing);

} // namespace warpfold::inline v0::pricing
