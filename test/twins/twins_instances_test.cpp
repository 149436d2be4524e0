// The lists of the compiled twins of reductions and counts, and the tasks that admit them, are the
// same sets; and calls link.

#include "twins/reduction/instances.hpp"

#include "twins.hpp"

#include <warpfold/twins/statistics.hpp>

namespace twins_instances_test {

namespace wf = warpfold;
using namespace warpfold; // the lists name their types without it
using namespace warpfold::detail;
using test::has_twins, test::is_there, test::twins::vendor, test::twins::reducer;

template <class... Types>
struct types {};
using candidates =
    types<bool, char, std::int16_t, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t,
          std::uint64_t, float, double, long double, __half, __nv_bfloat16>;
using operators =
    types<plus, multiplies, minimum<nan_policy::propagate>, minimum<nan_policy::ignore>,
          maximum<nan_policy::propagate>, maximum<nan_policy::ignore>>;

// How many tasks are admitted.

template <class T, class... Tasks>
constexpr int admitted = (0 + ... + static_cast<int>(Tasks::template is_compared<T>));

template <class T, class A, class... Ops>
constexpr int folds_with(types<Ops...>) {
  return (admitted<T, reduce_task<A, Ops, identity>, reduce_task<A, Ops, square>> + ...) +
         (built_in_accumulator<T, A> ? admitted<T, dot_task<T, A>> : 0);
}
template <class T, class... As>
constexpr int folds_in(types<As...>) {
  return (folds_with<T, As>(operators{}) + ...);
}
template <class T, nan_policy Nan>
constexpr int searches =
    admitted<T, find_task<T, minimum<Nan>>, find_task<T, maximum<Nan>>, min_max_task<T, Nan>>;
template <class T>
constexpr int others_of() {
  int count = admitted<T, count_task<less_than<T>>, count_task<greater_than<T>>,
                       count_task<equal_to<T>>, count_task<is_nan>, count_task<is_finite>> +
              searches<T, nan_policy::propagate> + admitted<T, describe_task<T>, moment_task>;
  if constexpr (std::floating_point<T>) count += searches<T, nan_policy::ignore>;
  if constexpr (floating_element<T>)
    count += admitted<T, measure_task<sum_of_magnitudes<T>>, measure_task<largest_magnitude<T>>,
                      measure_task<root_of_squares<T>>, measure_task<sum_and_bound<T>>>;
  return count;
}
template <class... Ts>
constexpr int count_all(types<Ts...>) {
  return ((folds_in<Ts>(candidates{}) + others_of<Ts>()) + ...);
}

#define FOR_EACH_FOLD(X) WARPFOLD_COMPARED_SUMS_OF_shown(X) WARPFOLD_COMPARED_FOLDS_OF_all(X)

#define COUNT(...) +1
TEST_CASE("what may be asked of twins is what is compiled") {
  constexpr int all = count_all(candidates{});
  CHECK(all == 0 FOR_EACH_FOLD(COUNT) WARPFOLD_COMPARED_SEARCHES_OF_all(COUNT));
}
#undef COUNT

/// True if a task may be asked for, and is there on either place.
template <class T, class Task>
bool is_linked() {
  using output = typename Task::output;
  void (*on_gpu)(reducer, gpu&, device_span<T const>, Task const&, output, bool) =
      &twin_to<T, Task>;
  void (*on_host)(reducer, host const&, std::span<T const>, Task const&, output, bool) =
      &twin_to<T, Task>;
  return Task::template is_compared<T> && is_there(on_gpu) && is_there(on_host);
}

TEST_CASE("every compiled twin of the reductions is there to link") {
#define FIND(T, ...) CHECK(is_linked<T, __VA_ARGS__>());
  FOR_EACH_FOLD(FIND)
  WARPFOLD_COMPARED_SEARCHES_OF_all(FIND)
#undef FIND
}

template <class T, nan_policy Nan>
bool has_searches() {
  return is_linked<T, find_task<T, minimum<Nan>>>() && is_linked<T, find_task<T, maximum<Nan>>>() &&
         is_linked<T, min_max_task<T, Nan>>();
}
TEST_CASE_TEMPLATE("every compiled twin of searches and statistics is there to link", T,
                   std::int32_t, float, double) {
  CHECK(has_twins<T>);
  CHECK(has_searches<T, nan_policy::propagate>());
  if constexpr (std::floating_point<T>) CHECK(has_searches<T, nan_policy::ignore>());
  CHECK(is_linked<T, describe_task<T>>());
  CHECK(is_linked<T, moment_task>());
}

// The compiler refuses, where the caller stands, what no twin computes.
template <class Tag>
concept sums_by = requires(wf::host place, std::vector<float> const& values, Tag tag) {
  wf::sum(place, values, tag);
};
template <class Tag>
concept finds_by = requires(wf::host place, std::vector<float> const& values, Tag tag) {
  wf::min(place, values, tag);
};

TEST_CASE("what is no twin of a verb does not compile") {
  using test::twins::classic, test::twins::formula;
  CHECK(sums_by<vendor>);
  CHECK(sums_by<classic>);
  CHECK(sums_by<reducer>);
  CHECK_FALSE(sums_by<formula>);
  CHECK_FALSE(sums_by<int>);
  CHECK(finds_by<vendor>);
  CHECK_FALSE(finds_by<classic>);
  CHECK_FALSE(finds_by<reducer>);
}

} // namespace twins_instances_test
