// Contracts on paths, on the host's threads: the same source as on a GPU, for the vector
// instructions of whatever processor is there.

#include "contract_backend.hpp"
#include "core/host_loops.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace warpfold::inline v0::pricing {
namespace {

template <class Model>
using round_of = detail::round_of_problems<contract_problems<Model>>;

// Only functions that are no templates have clones.
#define DEFINE_WALK(Model)                                                                         \
  WARPFOLD_CLONES void walk_clones(                                                                \
      Model const& model, contract_group<Model::value_type> const& group,                          \
      detail::host_source const& source, detail::prepared_address const& numbers,                  \
      std::int64_t first, int count, Model::own_step const* steps, int step_count,                 \
      round_of<Model>& round) {                                                                    \
    detail::plain_walk{}(model, group.payoff(), source, numbers, first, count, steps, step_count,  \
                         round);                                                                   \
  }
WARPFOLD_CONTRACTS_OF_float(DEFINE_WALK) WARPFOLD_CONTRACTS_OF_double(DEFINE_WALK)
    WARPFOLD_CONTRACTS_OF_local_float(DEFINE_WALK) WARPFOLD_CONTRACTS_OF_local_double(DEFINE_WALK)
        WARPFOLD_CONTRACTS_OF_jump_float(DEFINE_WALK) WARPFOLD_CONTRACTS_OF_jump_double(DEFINE_WALK)

            struct clones_walk {
  template <class Model, class Payoff, class... Others>
  void operator()(Model const& model, Payoff const& payoff, Others&&... others) const {
    walk_clones(model, *payoff.group, static_cast<Others&&>(others)...);
  }
};

} // namespace

template <class Model>
void simulate_contracts(host const& place, detail::path_plan const& plan,
                        contract_problems<Model> const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results, bool,
                        path_sharing* sharing) {
  detail::simulate_host(place.threads(), plan, problems, finish, results, finish.size(),
                        clones_walk{}, sharing);
}

#define INSTANTIATE(Model)                                                                         \
  template void simulate_contracts(                                                                \
      host const&, detail::path_plan const&, contract_problems<Model> const&,                      \
      std::vector<detail::path_finish> const&, estimate*, bool, path_sharing*);
WARPFOLD_CONTRACTS_OF_float(INSTANTIATE) WARPFOLD_CONTRACTS_OF_double(INSTANTIATE)
    WARPFOLD_CONTRACTS_OF_local_float(INSTANTIATE) WARPFOLD_CONTRACTS_OF_local_double(INSTANTIATE)
        WARPFOLD_CONTRACTS_OF_jump_float(INSTANTIATE) WARPFOLD_CONTRACTS_OF_jump_double(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
