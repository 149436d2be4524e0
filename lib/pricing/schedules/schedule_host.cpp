// Products with a schedule, on the host's threads: the same source as on a GPU, for the vector
// instructions of whatever processor is there.

#include "core/host_loops.hpp"
#include "schedule_backend.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace warpfold::inline v0::pricing {
namespace {

// Only functions that are no templates have clones.
#define DEFINE_WALK_OF(CLONES, pairs, ...)                                                         \
  CLONES void walk_clones(                                                                         \
      __VA_ARGS__::model_type const& model, __VA_ARGS__::group_type const& group,                  \
      detail::random_source<pairs> const& source, detail::prepared_address const& numbers,         \
      std::int64_t first, int count, __VA_ARGS__::step_type const* steps, int step_count,          \
      detail::round_of_problems<__VA_ARGS__>& round) {                                             \
    detail::plain_walk{}(model, group.payoff(), source, numbers, first, count, steps, step_count,  \
                         round);                                                                   \
  }
#define DEFINE_WALK(...)                                                                           \
  DEFINE_WALK_OF(WARPFOLD_TWO_CLONES, false, __VA_ARGS__)                                          \
  DEFINE_WALK_OF(WARPFOLD_TWO_CLONES, true, __VA_ARGS__)
#define DEFINE_BASKET_WALK(...)                                                                    \
  DEFINE_WALK_OF(WARPFOLD_CLONES, false, __VA_ARGS__)                                              \
  DEFINE_WALK_OF(WARPFOLD_CLONES, true, __VA_ARGS__)
WARPFOLD_SCHEDULES_OF_float(DEFINE_WALK) WARPFOLD_SCHEDULES_OF_double(DEFINE_WALK)
    WARPFOLD_SCHEDULES_OF_float_basket(DEFINE_BASKET_WALK)
        WARPFOLD_SCHEDULES_OF_double_basket(DEFINE_BASKET_WALK)

            struct clones_walk {
  template <class Model, class Payoff, class... Others>
  void operator()(Model const& model, Payoff const& payoff, Others&&... others) const {
    walk_clones(model, *payoff.group, static_cast<Others&&>(others)...);
  }
};

} // namespace

template <class Problems>
void simulate_schedules(host const& place, detail::path_plan const& plan, Problems const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results, bool,
                        path_sharing* sharing) {
  detail::simulate_host(place.threads(), plan, problems, finish, results, finish.size(),
                        clones_walk{}, sharing);
}

#define INSTANTIATE(...)                                                                           \
  template void simulate_schedules(host const&, detail::path_plan const&, __VA_ARGS__ const&,      \
                                   std::vector<detail::path_finish> const&, estimate*, bool,       \
                                   path_sharing*);
WARPFOLD_SCHEDULES_OF_float(INSTANTIATE) WARPFOLD_SCHEDULES_OF_double(INSTANTIATE)
    WARPFOLD_SCHEDULES_OF_float_basket(INSTANTIATE) WARPFOLD_SCHEDULES_OF_double_basket(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
