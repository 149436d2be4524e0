// Asian and barrier options on the host's threads: the same source as on a GPU, for the vector
// instructions of whatever processor is there.

#include "core/host_loops.hpp"
#include "path_backend.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace warpfold::inline v0::pricing {
namespace {

template <class Group>
using round_of = detail::path_round<typename Group::element, Group::results>;

template <class>
using random_source_of = detail::host_source;
template <class Group>
using stored_source_of = detail::stored_source<typename Group::element>;

// One function for each kind of group and source, because only functions that are no templates have
// clones.
#define DEFINE_WALK_OF(source_of, ...)                                                             \
  WARPFOLD_CLONES void walk_clones(__VA_ARGS__ const& group, source_of<__VA_ARGS__> const& source, \
                                   detail::prepared_address const& numbers, std::int64_t first,    \
                                   int count, path_step<__VA_ARGS__::element> const* steps,        \
                                   int step_count, round_of<__VA_ARGS__>& round) {                 \
    detail::plain_walk{}(brownian_motion<__VA_ARGS__::element>{}, group.payoff(), source, numbers, \
                         first, count, steps, step_count, round);                                  \
  }
#define DEFINE_WALK(...)                                                                           \
  DEFINE_WALK_OF(random_source_of, __VA_ARGS__)                                                    \
  DEFINE_WALK_OF(stored_source_of, __VA_ARGS__)
WARPFOLD_GROUPS_OF_asian(DEFINE_WALK) WARPFOLD_GROUPS_OF_barrier(DEFINE_WALK)

    struct clones_walk {
  template <class Model, class Payoff, class... Others>
  void operator()(Model const&, Payoff const& payoff, Others&&... others) const {
    walk_clones(*payoff.rest, static_cast<Others&&>(others)...);
  }
};

} // namespace

template <class Group>
void simulate_groups(host const& place, detail::path_plan const& plan, path_book<Group> const& book,
                     estimate* results, bool, path_sharing* sharing) {
  detail::simulate_host(place.threads(), plan, book.problems, book.finish, results, book.wanted,
                        clones_walk{}, sharing);
}

#define INSTANTIATE(...)                                                                           \
  template void simulate_groups<__VA_ARGS__>(host const&, detail::path_plan const&,                \
                                             path_book<__VA_ARGS__> const&, estimate*, bool,       \
                                             path_sharing*);
WARPFOLD_GROUPS_OF_asian(INSTANTIATE) WARPFOLD_GROUPS_OF_barrier(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
