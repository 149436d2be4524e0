// Early exercise on the host's threads: the same source as on a GPU, for the vector instructions of
// whatever processor is there.

#include "basket_rights.hpp"
#include "core/host_loops.hpp"

#include <warpfold/detail/pricing/exercise/exercise_host.hpp>

namespace warpfold::inline v0::pricing {

namespace {

template <class Exercise>
using value_of = detail::value_of_model<typename Exercise::model_type>;
template <class Exercise>
using right_of = typename Exercise::right_type;
template <class Exercise>
using problems_of = detail::exercised_problems<Exercise>;

// Only functions that are no templates have clones.
#define DEFINE_LOOPS(...)                                                                          \
  WARPFOLD_CLONES void walk_clones(                                                                \
      __VA_ARGS__::model_type const& model, problems_of<__VA_ARGS__>::payoff_type const& payoff,   \
      detail::host_source const& source, detail::prepared_address const& numbers,                  \
      std::int64_t first, int count, __VA_ARGS__::step_type const* steps, int step_count,          \
      detail::round_of_problems<problems_of<__VA_ARGS__>>& round) {                                \
    detail::plain_walk{}(model, payoff, source, numbers, first, count, steps, step_count, round);  \
  }                                                                                                \
  WARPFOLD_CLONES void keep_clones(                                                                \
      __VA_ARGS__::model_type const& model, right_of<__VA_ARGS__> const& right,                    \
      detail::prepared_address const& numbers, __VA_ARGS__::step_type const* steps, int count,     \
      detail::kept_paths<right_of<__VA_ARGS__>::kept> to, std::int64_t first, std::int64_t last) { \
    detail::exercise_loops{}.keep(model, right, numbers, steps, count, to, first, last);           \
  }                                                                                                \
  WARPFOLD_CLONES void regress_clones(                                                             \
      detail::exercise_shape const& shape,                                                         \
      detail::exercise_memory<value_of<__VA_ARGS__>, right_of<__VA_ARGS__>> const& memory,         \
      int date, int tile) {                                                                        \
    detail::exercise_loops{}.regress(shape, memory, date, tile);                                   \
  }
WARPFOLD_EXERCISE_OF_float_price(DEFINE_LOOPS) WARPFOLD_EXERCISE_OF_double_price(DEFINE_LOOPS)
    WARPFOLD_EXERCISE_OF_float_variance(DEFINE_LOOPS)
        WARPFOLD_EXERCISE_OF_double_variance(DEFINE_LOOPS)
            WARPFOLD_EXERCISE_OF_float_basket(DEFINE_LOOPS)
                WARPFOLD_EXERCISE_OF_double_basket(DEFINE_LOOPS)

                    struct clones_walk {
  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    walk_clones(static_cast<Arguments&&>(arguments)...);
  }
};
struct clones_loops {
  clones_walk walk;

  template <class... Arguments>
  void keep(Arguments&&... arguments) const {
    keep_clones(static_cast<Arguments&&>(arguments)...);
  }
  template <class... Arguments>
  void regress(Arguments&&... arguments) const {
    regress_clones(static_cast<Arguments&&>(arguments)...);
  }
};

} // namespace

template <class Exercise>
void simulate_exercise(host const& place, detail::path_plan const& plan, Exercise const& all,
                       exercise_estimate* results, bool, path_sharing* sharing) {
  detail::exercise_host(place.threads(), plan, all, results, clones_loops{}, sharing);
}

#define INSTANTIATE(Exercise)                                                                      \
  template void simulate_exercise(host const&, detail::path_plan const&, Exercise const&,          \
                                  exercise_estimate*, bool, path_sharing*);
WARPFOLD_EXERCISE_OF_float_price(INSTANTIATE) WARPFOLD_EXERCISE_OF_double_price(INSTANTIATE)
    WARPFOLD_EXERCISE_OF_float_variance(INSTANTIATE)
        WARPFOLD_EXERCISE_OF_double_variance(INSTANTIATE)
            WARPFOLD_EXERCISE_OF_float_basket(INSTANTIATE)
                WARPFOLD_EXERCISE_OF_double_basket(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
