// The lists of compiled reductions, dot products, measures and counts and the concepts that admit
// calls are the same sets: a call that compiles links, and nothing is compiled in vain.

#include "counting/instances.hpp"
#include "norms/instances.hpp"
#include "reduction/instances.hpp"

#include "support.hpp"

namespace instances_test {

namespace wf = warpfold;
using namespace warpfold; // the lists name their types without it
using namespace warpfold::detail;

template <class... Types>
struct types {};
using candidates = types<bool, char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                         std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double,
                         long double, __half, __nv_bfloat16>;
using operators =
    types<plus, multiplies, minimum<nan_policy::propagate>, minimum<nan_policy::ignore>,
          maximum<nan_policy::propagate>, maximum<nan_policy::ignore>>;

template <class T, class A, class... Ops>
constexpr int reductions_in(types<Ops...>) {
  return ((built_in_reduction<T, A, Ops, identity> + built_in_reduction<T, A, Ops, square>)+...);
}
template <class T, class... As>
constexpr int reductions_of(types<As...>) {
  return (reductions_in<T, As>(operators{}) + ...);
}
template <class T, class... As>
constexpr int dots_of(types<As...>) {
  return (static_cast<int>(built_in_dot<As, wf::host, std::vector<T>, std::vector<T>>) + ...);
}
template <class T>
constexpr int counts_of() {
  return built_in_predicate<T, less_than<T>> + built_in_predicate<T, greater_than<T>> +
         built_in_predicate<T, equal_to<T>> + built_in_predicate<T, is_nan> +
         built_in_predicate<T, is_finite> + built_in_predicate<T, less_than<short>>;
}

/// Calls that the concepts admit.
struct admitted {
  int reductions, dots, measures, counts;
};
template <class... Ts>
constexpr admitted admitted_of(types<Ts...> all) {
  return {(reductions_of<Ts>(all) + ...), (dots_of<Ts>(all) + ...),
          4 * (static_cast<int>(floating_element<Ts>) + ...), (counts_of<Ts>() + ...)};
}

#define COUNT(...) +1
constexpr int listed_count = 0 WARPFOLD_FOR_EACH_REDUCTION(COUNT);

TEST_CASE("what calls may ask for is what is compiled") {
  constexpr admitted all = admitted_of(candidates{});
  CHECK(all.reductions == listed_count);
  CHECK(all.dots == 0 WARPFOLD_FOR_EACH_DOT(COUNT));
  CHECK(all.measures == 0 WARPFOLD_FOR_EACH_MEASURE(COUNT));
  CHECK(all.counts == 0 WARPFOLD_FOR_EACH_COUNT(COUNT));
}
#undef COUNT

template <class T, class A, class Op, class Transform>
struct listed {
  static_assert(built_in_reduction<T, A, Op, Transform>);
  using on_gpu = void (*)(wf::gpu&, wf::device_span<T const>, A, A*, std::uint64_t const*);
  using on_host = void (*)(wf::host const&, std::span<T const>, A, A*, std::uint64_t const*);
  static std::pair<on_gpu, on_host> definitions() {
    return {&reduce_to<T, A, Op, Transform>, &reduce_to<T, A, Op, Transform>};
  }
};

TEST_CASE("every compiled reduction is there to link") {
  int found = 0;
#define FIND(T, A, Op, Transform)                                                                  \
  {                                                                                                \
    auto const [on_gpu, on_host] = listed<T, A, Op, Transform>::definitions();                     \
    found += test::is_there(on_gpu) && test::is_there(on_host);                                    \
  }
  WARPFOLD_FOR_EACH_REDUCTION(FIND)
#undef FIND
  CHECK(found == listed_count);
}

TEST_CASE("every compiled dot product, norm and count is there to link") {
  wf::host place;
#define CALL(T, A)                                                                                 \
  CHECK(wf::dot<A>(place, std::vector<T>(1), std::vector<T>(1)) == A{});                           \
  CHECK(test::is_there(                                                                            \
      static_cast<void (*)(wf::gpu&, wf::device_span<T const>, wf::device_span<T const>, A*)>(     \
          &dot_to<T, A>)));
  WARPFOLD_FOR_EACH_DOT(CALL)
#undef CALL
#define CALL(T, P) CHECK(wf::count_if(place, std::vector<T>(), P{}) == 0);
  WARPFOLD_FOR_EACH_COUNT(CALL)
#undef CALL
}

// The compiler refuses other calls where the caller stands, not the linker.
template <class Values>
concept sums = requires(wf::host place, Values const& values) {
  wf::sum(place, values);
};
template <class A, class Values>
concept sums_in = requires(wf::host place, Values const& values) {
  wf::sum<A>(place, values);
};
template <class A, class Op>
concept reduces = requires(wf::host place, std::vector<A> const& values) {
  wf::reduce(place, values, A{}, Op{});
};
template <class X, class Y>
concept dots = requires(wf::host place, X const& x, Y const& y) {
  wf::dot(place, x, y);
};
template <class Values>
concept has_norm = requires(wf::host place, Values const& values) {
  wf::norm2(place, values);
};
template <class Values, class Predicate>
concept counts = requires(wf::host place, Values const& values, Predicate predicate) {
  wf::count_if(place, values, predicate);
};

TEST_CASE("what is not built in does not compile") {
  CHECK(sums<std::vector<float>>);
  CHECK_FALSE(sums<std::vector<short>>);
  CHECK_FALSE(sums<std::vector<std::string>>);
  CHECK(sums_in<double, std::vector<float>>);
  CHECK(sums_in<std::int64_t, std::vector<std::int32_t>>);
  CHECK_FALSE(sums_in<float, std::vector<double>>);
  CHECK_FALSE(sums_in<double, std::vector<std::int32_t>>);
  CHECK(reduces<float, minimum<nan_policy::ignore>>);
  CHECK_FALSE(reduces<float, std::plus<>>);
  CHECK_FALSE(reduces<int, minimum<nan_policy::ignore>>);
}

TEST_CASE("what is not built in of dot products, norms and counts does not compile") {
  CHECK(dots<std::vector<float>, std::span<float const>>);
  CHECK_FALSE(dots<std::vector<float>, std::vector<double>>);
  CHECK_FALSE(dots<std::vector<short>, std::vector<short>>);
  CHECK(has_norm<std::vector<double>>);
  CHECK_FALSE(has_norm<std::vector<int>>);
  CHECK(counts<std::vector<float>, wf::is_nan>);
  CHECK_FALSE(counts<std::vector<int>, wf::is_nan>);
  CHECK_FALSE(counts<std::vector<float>, wf::less_than<double>>);
}

} // namespace instances_test
