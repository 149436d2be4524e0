// Contracts on correlated assets, on the host's threads: the same source as on a GPU, for the
// vector instructions of whatever processor is there.

#include "basket_backend.hpp"
#include "core/host_loops.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace warpfold::inline v0::pricing {
namespace {

template <class T, int capacity>
using round_of = detail::round_of_problems<basket_problems<T, capacity>>;

// Only functions that are no templates have clones.
#define DEFINE_WALK(T, capacity)                                                                   \
  WARPFOLD_CLONES void walk_clones(                                                                \
      basket_model<T, capacity> const& model, basket_group<T, capacity> const& group,              \
      detail::host_source const& source, detail::prepared_address const& numbers,                  \
      std::int64_t first, int count, basket_step<T, capacity> const* steps, int step_count,        \
      round_of<T, capacity>& round) {                                                              \
    detail::plain_walk{}(model, group.payoff(), source, numbers, first, count, steps, step_count,  \
                         round);                                                                   \
  }
WARPFOLD_BASKETS_OF_float(DEFINE_WALK) WARPFOLD_BASKETS_OF_double(DEFINE_WALK)

    struct clones_walk {
  template <class Model, class Payoff, class... Others>
  void operator()(Model const& model, Payoff const& payoff, Others&&... others) const {
    walk_clones(model, *payoff.group, static_cast<Others&&>(others)...);
  }
};

} // namespace

template <class T, int capacity>
void simulate_baskets(host const& place, detail::path_plan const& plan,
                      basket_problems<T, capacity> const& problems,
                      std::vector<detail::path_finish> const& finish, estimate* results, bool,
                      path_sharing* sharing) {
  detail::simulate_host(place.threads(), plan, problems, finish, results, finish.size(),
                        clones_walk{}, sharing);
}

#define INSTANTIATE(T, capacity)                                                                   \
  template void simulate_baskets(                                                                  \
      host const&, detail::path_plan const&, basket_problems<T, capacity> const&,                  \
      std::vector<detail::path_finish> const&, estimate*, bool, path_sharing*);
WARPFOLD_BASKETS_OF_float(INSTANTIATE) WARPFOLD_BASKETS_OF_double(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
