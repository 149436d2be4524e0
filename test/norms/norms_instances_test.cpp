// The lists of compiled dot products, measures and counts and the concepts that admit calls are the
// same sets: a call that compiles links, and nothing is compiled in vain.

#include "counting/instances.hpp"
#include "norms/instances.hpp"

#include "support.hpp"

namespace {

namespace wf = warpfold;
using namespace warpfold; // the lists name their types without it
using namespace warpfold::detail;

template <class... Types>
struct types {};
using candidates = types<bool, char, std::int16_t, std::int32_t, std::uint32_t, std::int64_t,
                         std::uint64_t, float, double, long double, __half, __nv_bfloat16>;

template <class T, class... As>
constexpr int dots_in(types<As...>) {
  return (static_cast<int>(built_in_dot<As, wf::host, std::vector<T>, std::vector<T>>) + ...);
}
template <class T>
constexpr int counts_of() {
  return built_in_predicate<T, less_than<T>> + built_in_predicate<T, greater_than<T>> +
         built_in_predicate<T, equal_to<T>> + built_in_predicate<T, is_nan> +
         built_in_predicate<T, is_finite> + built_in_predicate<T, less_than<short>>;
}
template <class... Ts>
constexpr int all_dots(types<Ts...>) {
  return (dots_in<Ts>(candidates{}) + ...);
}
template <class... Ts>
constexpr int all_counts(types<Ts...>) {
  return (counts_of<Ts>() + ...);
}
template <class... Ts>
constexpr int all_measures(types<Ts...>) {
  return 4 * (static_cast<int>(floating_element<Ts>) + ...);
}

#define COUNT(T, Other) +1
TEST_CASE("what dot products, norms and counts may ask for is what is compiled") {
  CHECK(all_dots(candidates{}) == 0 WARPFOLD_FOR_EACH_DOT(COUNT));
  CHECK(all_measures(candidates{}) == 0 WARPFOLD_FOR_EACH_MEASURE(COUNT));
  CHECK(all_counts(candidates{}) == 0 WARPFOLD_FOR_EACH_COUNT(COUNT));
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

// What is not built in is refused by the compiler where the caller stands.
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

} // namespace
