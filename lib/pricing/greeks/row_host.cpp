// Contracts that pay several results each, on the host's threads: the same source as on a GPU, for
// the vector instructions of whatever processor is there.

#include "core/host_loops.hpp"
#include "row_backend.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace warpfold::inline v0::pricing {
namespace {

template <class Model, class Group>
using round_of = detail::round_of_problems<row_problems<Model, Group>>;

// Only functions that are no templates have clones.
#define DEFINE_WALK(Model, ...)                                                                    \
  WARPFOLD_TWO_CLONES void walk_clones(                                                            \
      Model const& model, __VA_ARGS__ const& group, detail::host_source const& source,             \
      detail::prepared_address const& numbers, std::int64_t first, int count,                      \
      Model::own_step const* steps, int step_count, round_of<Model, __VA_ARGS__>& round) {         \
    detail::plain_walk{}(model, group.payoff(), source, numbers, first, count, steps, step_count,  \
                         round);                                                                   \
  }
// A host has one form of pathwise groups: less to compile.
#define FOR_EACH(use)                                                                              \
  use(tangent_model<float>, pathwise_group<float, true>)                                           \
      use(tangent_model<double>, pathwise_group<double, true>) WARPFOLD_ROWS_OF_score_float(use)   \
          WARPFOLD_ROWS_OF_score_double(use)
FOR_EACH(DEFINE_WALK)

struct clones_walk {
  template <class Model, class Payoff, class... Others>
  void operator()(Model const& model, Payoff const& payoff, Others&&... others) const {
    walk_clones(model, *payoff.group, static_cast<Others&&>(others)...);
  }
};

} // namespace

template <class Model, class Group>
void simulate_rows(host const& place, detail::path_plan const& plan,
                   row_problems<Model, Group> const& problems,
                   std::vector<detail::path_finish> const& finish, estimate* results, bool,
                   path_sharing* sharing, std::size_t) {
  detail::simulate_host(place.threads(), plan, problems, finish, results, finish.size(),
                        clones_walk{}, sharing);
}

#define INSTANTIATE(Model, ...)                                                                    \
  template void simulate_rows(                                                                     \
      host const&, detail::path_plan const&, row_problems<Model, __VA_ARGS__> const&,              \
      std::vector<detail::path_finish> const&, estimate*, bool, path_sharing*, std::size_t);
FOR_EACH(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
