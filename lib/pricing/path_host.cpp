// Asian and barrier options on the host's threads: the same source as on a GPU, for the vector
// instructions of whatever processor is there.

#include "clones.hpp"
#include "path_backend.hpp"

#include <warpfold/detail/path_host.hpp>

namespace warpfold::pricing::host_impl {
namespace {

template <class Group>
using round_of = detail::path_round<typename Group::element, Group::results>;

// One function for each kind of group, because only functions that are no templates have clones.
#define DEFINE_WALK(...)                                                                           \
  WARPFOLD_CLONES void walk_clones(                                                                \
      __VA_ARGS__ const& group, detail::prepared_address const& numbers, bool antithetic,          \
      std::int64_t first, int count, path_step<__VA_ARGS__::element> const* steps, int step_count, \
      round_of<__VA_ARGS__>& round) {                                                              \
    brownian_motion<__VA_ARGS__::element> const model;                                             \
    if (antithetic)                                                                                \
      detail::walk_round<true>(model, group.payoff(), numbers, first, count, steps, step_count,    \
                               round);                                                             \
    else                                                                                           \
      detail::walk_round<false>(model, group.payoff(), numbers, first, count, steps, step_count,   \
                                round);                                                            \
  }
WARPFOLD_FOR_EACH_ASIAN_GROUP(DEFINE_WALK)
WARPFOLD_FOR_EACH_BARRIER_GROUP(DEFINE_WALK)

struct clones_walk {
  template <bool antithetic, class T, class Model, class Payoff, class Round>
  void walk(Model const&, Payoff const& payoff, detail::prepared_address const& numbers,
            std::int64_t first, int count, path_step<T> const* steps, int step_count,
            Round& round) const {
    walk_clones(*payoff.rest, numbers, antithetic, first, count, steps, step_count, round);
  }
};

} // namespace

template <class Group>
void simulate(host const& place, detail::path_plan const& plan, path_book<Group> const& book,
              estimate* results) {
  detail::simulate_host(place.threads(), plan, book.problems, book.finish, results, book.wanted,
                        clones_walk{});
}

#define INSTANTIATE(...)                                                                           \
  template void simulate<__VA_ARGS__>(host const&, detail::path_plan const&,                       \
                                      path_book<__VA_ARGS__> const&, estimate*);
WARPFOLD_FOR_EACH_ASIAN_GROUP(INSTANTIATE)
WARPFOLD_FOR_EACH_BARRIER_GROUP(INSTANTIATE)

} // namespace warpfold::pricing::host_impl
