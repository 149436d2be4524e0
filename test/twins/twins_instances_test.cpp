// The lists of the reductions' compiled twins and the concepts that admit them are the same sets,
// and calls link.

#include "twins/norms/instances.hpp"
#include "twins/reduction/instances.hpp"

#include "twins.hpp"

#include <warpfold/twins/statistics.hpp>

namespace {

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

// How many of them the concepts admit.

template <class T, class A, class... Ops>
constexpr int reductions_with(types<Ops...>) {
  return ((compared_reduction<T, A, Ops, identity> + compared_reduction<T, A, Ops, square>)+...);
}
template <class T, class... As>
constexpr int reductions_in(types<As...>) {
  return (reductions_with<T, As>(operators{}) + ...);
}
template <class T, class... As>
constexpr int dots_in(types<As...>) {
  return (static_cast<int>(built_in_accumulator<T, As> && compared_dot<T, As>) + ...);
}
template <class T>
constexpr int measures_of() {
  if constexpr (floating_element<T>)
    return compared_measure<T, sum_of_magnitudes<T>> + compared_measure<T, largest_magnitude<T>> +
           compared_measure<T, root_of_squares<T>> + compared_measure<T, sum_and_bound<T>>;
  else return 0;
}
struct admitted {
  int reductions, dots, measures;
};
template <class... Ts>
constexpr admitted count_all(types<Ts...>) {
  return {(reductions_in<Ts>(candidates{}) + ...), (dots_in<Ts>(candidates{}) + ...),
          (measures_of<Ts>() + ...)};
}

#define FOR_EACH_SUM(X)                                                                            \
  WARPFOLD_COMPARED_SUMS_OF_int32(X) WARPFOLD_COMPARED_SUMS_OF_uint32(X)                           \
      WARPFOLD_COMPARED_SUMS_OF_int64(X) WARPFOLD_COMPARED_SUMS_OF_uint64(X)                       \
          WARPFOLD_COMPARED_SUMS_OF_float(X) WARPFOLD_COMPARED_SUMS_OF_double(X)                   \
              WARPFOLD_COMPARED_SUMS_OF_half(X) WARPFOLD_COMPARED_SUMS_OF_bfloat16(X)
#define FOR_EACH_OTHER(X)                                                                          \
  WARPFOLD_COMPARED_OTHERS_OF_int32(X) WARPFOLD_COMPARED_OTHERS_OF_float(X)                        \
      WARPFOLD_COMPARED_OTHERS_OF_double(X)
#define FOR_EACH_MEASURE(X)                                                                        \
  WARPFOLD_COMPARED_MEASURES_OF_float(X) WARPFOLD_COMPARED_MEASURES_OF_double(X)                   \
      WARPFOLD_COMPARED_MEASURES_OF_half(X)
#define FOR_EACH_DOT(X)                                                                            \
  WARPFOLD_COMPARED_DOTS_OF_int32(X) WARPFOLD_COMPARED_DOTS_OF_float(X)                            \
      WARPFOLD_COMPARED_DOTS_OF_double(X) WARPFOLD_COMPARED_DOTS_OF_half(X)

#define COUNT(...) +1
TEST_CASE("what may be asked of twins is what is compiled") {
  constexpr admitted all = count_all(candidates{});
  CHECK(all.reductions == 0 FOR_EACH_SUM(COUNT) FOR_EACH_OTHER(COUNT));
  CHECK(all.dots == 0 FOR_EACH_DOT(COUNT));
  CHECK(all.measures == 0 FOR_EACH_MEASURE(COUNT));
}
#undef COUNT

/// Whether a function is there on either place.
template <class Tag, class T, class... Rest>
bool reads_one(void (*on_gpu)(Tag, wf::gpu&, device_span<T const>, Rest...),
               void (*on_host)(Tag, wf::host const&, std::span<T const>, Rest...)) {
  return is_there(on_gpu) && is_there(on_host);
}
template <class T, class A>
bool reads_two(void (*on_gpu)(vendor, wf::gpu&, device_span<T const>, device_span<T const>, A*,
                              bool),
               void (*on_host)(vendor, wf::host const&, std::span<T const>, std::span<T const>, A*,
                               bool)) {
  return is_there(on_gpu) && is_there(on_host);
}

TEST_CASE("every compiled twin of the reductions is there to link") {
#define FIND(T, A, Op, Transform)                                                                  \
  CHECK(reads_one<reducer, T, A, A*, bool>(&reduce_by<T, A, Op, Transform>,                        \
                                           &reduce_by<T, A, Op, Transform>));
  FOR_EACH_SUM(FIND)
  FOR_EACH_OTHER(FIND)
#undef FIND
#define FIND(T, Measure)                                                                           \
  CHECK(reads_one<vendor, T, Measure::result*, bool>(&measure_by<T, Measure>,                      \
                                                     &measure_by<T, Measure>));
  FOR_EACH_MEASURE(FIND)
#undef FIND
#define FIND(T, A) CHECK(reads_two<T, A>(&dot_by<T, A>, &dot_by<T, A>));
  FOR_EACH_DOT(FIND)
#undef FIND
}

template <class T, class Policy>
bool has_searches(Policy) {
  using A = test::accumulator_t<T>;
  return reads_one<vendor, T, extremum<A>*, bool>(&find_by<T, minimum<Policy::nan>, A>,
                                                  &find_by<T, minimum<Policy::nan>, A>) &&
         reads_one<vendor, T, extremum<A>*, bool>(&find_by<T, maximum<Policy::nan>, A>,
                                                  &find_by<T, maximum<Policy::nan>, A>) &&
         reads_one<vendor, T, min_max<A>*, bool>(&min_max_by<T, Policy::nan, A>,
                                                 &min_max_by<T, Policy::nan, A>);
}
TEST_CASE_TEMPLATE("every compiled twin of searches and statistics is there to link", T,
                   std::int32_t, float, double) {
  CHECK(has_twins<T>);
  CHECK(has_searches<T>(policy_tag<nan_policy::propagate>{}));
  if constexpr (std::floating_point<T>) CHECK(has_searches<T>(policy_tag<nan_policy::ignore>{}));
  CHECK(reads_one<vendor, T, description<T>*, bool>(&describe_by<T, T>, &describe_by<T, T>));
  CHECK(reads_one<vendor, T, moment, double*, bool>(&moment_by<T>, &moment_by<T>));
}

// What no twin computes is refused by the compiler where the caller stands.
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

} // namespace
