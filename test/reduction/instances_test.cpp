// The list of compiled reductions and the concept that admits calls are the same set: a call that
// compiles links, and nothing is compiled in vain.

#include "reduction/instances.hpp"

#include "support.hpp"

namespace {

namespace wf = warpfold;
using namespace warpfold; // the list names its operators without it

template <class... Types>
struct types {};
using candidates = types<bool, char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                         std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double,
                         long double, __half, __nv_bfloat16>;
using operators = types<wf::plus, wf::multiplies, wf::minimum<wf::nan_policy::propagate>,
                        wf::minimum<wf::nan_policy::ignore>, wf::maximum<wf::nan_policy::propagate>,
                        wf::maximum<wf::nan_policy::ignore>>;

template <class T, class A, class... Ops>
constexpr int admitted(types<Ops...>) {
  return ((wf::detail::built_in_reduction<T, A, Ops, wf::identity> +
           wf::detail::built_in_reduction<T, A, Ops, wf::square>)+...);
}
template <class T, class... As>
constexpr int admitted_accumulators(types<As...>) {
  return (admitted<T, As>(operators{}) + ...);
}
template <class... Ts>
constexpr int admitted_elements(types<Ts...>) {
  return (admitted_accumulators<Ts>(candidates{}) + ...);
}

template <class T, class A, class Op, class Transform>
struct listed {
  static_assert(wf::detail::built_in_reduction<T, A, Op, Transform>);
  using on_gpu = void (*)(wf::gpu&, wf::device_span<T const>, A, A*);
  using on_host = void (*)(wf::host const&, std::span<T const>, A, A*);
  static std::pair<on_gpu, on_host> definitions() {
    return {&wf::detail::reduce_to<T, A, Op, Transform>,
            &wf::detail::reduce_to<T, A, Op, Transform>};
  }
};

#define COUNT(T, A, Op, Transform) +1
constexpr int listed_count = 0 WARPFOLD_FOR_EACH_REDUCTION(COUNT);
#undef COUNT

TEST_CASE("what calls may ask for is what is compiled") {
  CHECK(admitted_elements(candidates{}) == listed_count);
}

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

// What is not built in is refused by the compiler where the caller stands, not by the linker.
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

TEST_CASE("what is not built in does not compile") {
  CHECK(sums<std::vector<float>>);
  CHECK_FALSE(sums<std::vector<short>>);
  CHECK_FALSE(sums<std::vector<std::string>>);
  CHECK(sums_in<double, std::vector<float>>);
  CHECK(sums_in<std::int64_t, std::vector<std::int32_t>>);
  CHECK_FALSE(sums_in<float, std::vector<double>>);
  CHECK_FALSE(sums_in<double, std::vector<std::int32_t>>);
  CHECK(reduces<float, wf::minimum<wf::nan_policy::ignore>>);
  CHECK_FALSE(reduces<float, std::plus<>>);
  CHECK_FALSE(reduces<int, wf::minimum<wf::nan_policy::ignore>>);
}

} // namespace
