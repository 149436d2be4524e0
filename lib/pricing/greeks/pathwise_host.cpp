// Contracts with pathwise derivatives, on the host's threads: the same source as on a GPU, for the
// vector instructions of whatever processor is there.

#include "core/host_loops.hpp"
#include "pathwise_backend.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace warpfold::inline v0::pricing {
namespace {

template <class T, bool averages>
using round_of = detail::round_of_problems<pathwise_problems<T, averages>>;

// Only functions that are no templates have clones.
#define DEFINE_WALK_OF(pairs, T, averages)                                                         \
  WARPFOLD_TWO_CLONES void walk_clones(                                                            \
      tangent_model<T> const& model, pathwise_group<T, averages> const& group,                     \
      detail::random_source<pairs> const& source, detail::prepared_address const& numbers,         \
      std::int64_t first, int count, tangent_step<T> const* steps, int step_count,                 \
      round_of<T, averages>& round) {                                                              \
    detail::plain_walk{}(model, group.payoff(), source, numbers, first, count, steps, step_count,  \
                         round);                                                                   \
  }
#define DEFINE_WALK(T, averages)                                                                   \
  DEFINE_WALK_OF(false, T, averages) DEFINE_WALK_OF(true, T, averages)
DEFINE_WALK(float, true)
DEFINE_WALK(double, true)

struct clones_walk {
  template <class Model, class Payoff, class... Others>
  void operator()(Model const& model, Payoff const& payoff, Others&&... others) const {
    walk_clones(model, *payoff.group, static_cast<Others&&>(others)...);
  }
};

} // namespace

template <class T>
void simulate_pathwise(host const& place, detail::path_plan const& plan,
                       pathwise_problems<T, true> const& problems,
                       std::vector<detail::path_finish> const& finish, estimate* results, bool,
                       path_sharing* sharing, std::size_t) {
  detail::simulate_host(place.threads(), plan, problems, finish, results, finish.size(),
                        clones_walk{}, sharing);
}

#define INSTANTIATE(T)                                                                             \
  template void simulate_pathwise(                                                                 \
      host const&, detail::path_plan const&, pathwise_problems<T, true> const&,                    \
      std::vector<detail::path_finish> const&, estimate*, bool, path_sharing*, std::size_t);
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::pricing
