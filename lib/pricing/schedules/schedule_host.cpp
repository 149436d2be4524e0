// Products with a schedule, on the host's threads: the same source as on a GPU, for the vector
// instructions of whatever processor is there.

#include "core/host_loops.hpp"
#include "schedule_backend.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace warpfold::inline v0::pricing {
namespace {

// Only functions that are no templates have clones. Programs are functions of their own, which know
// no model: there are few of them.
template <class T, class Index>
using schedule_memory = typename schedule_group<T, Index>::payoff_type::memory;
#define DEFINE_PROGRAMS(T, ...)                                                                    \
  WARPFOLD_TWO_CLONES void run_clones(schedule_group<T, __VA_ARGS__> const& group, int count,      \
                                      schedule_memory<T, __VA_ARGS__>& seen, int number) {         \
    schedule_group<T, __VA_ARGS__>::payoff_type::run_window(group, count, seen, number);           \
  }                                                                                                \
  WARPFOLD_TWO_CLONES void finish_clones(schedule_group<T, __VA_ARGS__> const& group,              \
                                         schedule_memory<T, __VA_ARGS__>& seen, T* worth) {        \
    group.payoff().finish(seen, [&](int k, T of_k) { worth[k] = of_k; });                          \
  }
#define DEFINE_PROGRAMS_OF(T)                                                                      \
  DEFINE_PROGRAMS(T, asset_index)                                                                  \
  DEFINE_PROGRAMS(T, selected_index<T, 2>)                                                         \
  DEFINE_PROGRAMS(T, selected_index<T, 4>)                                                         \
  DEFINE_PROGRAMS(T, selected_index<T, 8>)
DEFINE_PROGRAMS_OF(float)
DEFINE_PROGRAMS_OF(double)

/// A group's payoff, which calls them.
template <class Group>
struct host_payoff : Group::payoff_type {
  using memory = typename Group::payoff_type::memory;

  template <class State, class Step, class Pay>
  void observe(memory& seen, State const& path, Step const& now, Pay) const {
    this->observe_and(seen, path, now,
                      [&](int number) { run_clones(*this->group, this->count, seen, number); });
  }
  template <class Pay>
  void finish(memory& seen, Pay pay) const {
    typename Group::element worth[Group::size];
    finish_clones(*this->group, seen, worth);
    for (int k = 0; k < this->count; ++k) pay(k, worth[k]);
  }
};

#define DEFINE_WALK_OF(CLONES, ...)                                                                \
  CLONES void walk_clones(__VA_ARGS__::model_type const& model,                                    \
                          __VA_ARGS__::group_type const& group, detail::host_source const& source, \
                          detail::prepared_address const& numbers, std::int64_t first, int count,  \
                          __VA_ARGS__::step_type const* steps, int step_count,                     \
                          detail::round_of_problems<__VA_ARGS__>& round) {                         \
    host_payoff<__VA_ARGS__::group_type> const payoff{group.payoff()};                             \
    detail::plain_walk{}(model, payoff, source, numbers, first, count, steps, step_count, round);  \
  }
#define DEFINE_WALK(...) DEFINE_WALK_OF(WARPFOLD_TWO_CLONES, __VA_ARGS__)
#define DEFINE_BASKET_WALK(...) DEFINE_WALK_OF(WARPFOLD_CLONES, __VA_ARGS__)
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
