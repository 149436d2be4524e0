// Functions of hosts that a gpu is to call, and the like: each has to be an error.

#include <warpfold/counting.cuh>
#include <warpfold/counting/compaction.cuh>
#include <warpfold/counting/histogram.cuh>
#include <warpfold/pricing/simulate.cuh>
#include <warpfold/reduction.cuh>
#include <warpfold/scan.cuh>
#include <warpfold/scan/segmented.hpp>
#include <warpfold/segments/by_key.cuh>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>

namespace wf = warpfold;

namespace {

template <int>
struct larger_of {
  using is_commutative = void;
  int operator()(int a, int b) const { return a < b ? b : a; }
};
struct negative {
  int operator()(int x) const { return -x; }
};
template <int>
struct is_odd {
  bool operator()(int x) const { return x % 2 != 0; }
};
struct modulo_ten {
  int operator()(int x) const { return x % 10; }
};
struct fraction {
  int over, under;
  fraction operator+(fraction const& b) const {
    return {over * b.under + b.over * under, under * b.under};
  }
};
struct ordinal {
  int of;
  bool operator<(ordinal const& b) const { return of < b.of; }
};
struct meters {
  float of = 0;
  meters() = default;
  meters(int x) : of(static_cast<float>(x)) {}
  __host__ __device__ meters operator+(meters const& b) const {
    meters sum = b;
    sum.of += of;
    return sum;
  }
};
struct name {
  int of;
  bool operator==(name const& b) const { return of == b.of; }
};
struct evens {
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = int;
  using iterator_category = std::random_access_iterator_tag;
  int first;
  int operator*() const { return first; }
  int operator[](std::ptrdiff_t i) const { return first + 2 * static_cast<int>(i); }
  evens& operator+=(std::ptrdiff_t i) {
    first += 2 * static_cast<int>(i);
    return *this;
  }
};

struct frozen {
  using value_type = float;
  struct state {};
  WARPFOLD_HOST_DEVICE state start() const { return {}; }
  void step(state&, float, wf::pricing::path_step<float> const&) const {}
};
struct walking {
  using value_type = float;
  WARPFOLD_HOST_DEVICE float start() const { return 0; }
  WARPFOLD_HOST_DEVICE void step(float& x, float z, wf::pricing::path_step<float> const&) const {
    x += z;
  }
};
struct its_end {
  WARPFOLD_HOST_DEVICE int start(float) const { return 0; }
  WARPFOLD_HOST_DEVICE void observe(int&, float, wf::pricing::path_step<float> const&) const {}
  float value(int, float x) const { return x; }
};
struct worth {
  operator float() const { return 1; }
};
struct its_worth {
  WARPFOLD_HOST_DEVICE int start(float) const { return 0; }
  WARPFOLD_HOST_DEVICE void observe(int&, float, wf::pricing::path_step<float> const&) const {}
  WARPFOLD_HOST_DEVICE worth value(int, float) const { return {}; }
};
struct american {
  static constexpr int basis = 1;
  WARPFOLD_HOST_DEVICE int start(float) const { return 0; }
  WARPFOLD_HOST_DEVICE void observe(int&, float, wf::pricing::path_step<float> const&) const {}
  float exercise(int, float x) const { return x; }
  WARPFOLD_HOST_DEVICE void regressors(int, float, float (&to)[1]) const { to[0] = 1; }
};
struct nothing {
  template <class State>
  WARPFOLD_HOST_DEVICE int start(State const&) const {
    return 0;
  }
  template <class State>
  WARPFOLD_HOST_DEVICE void observe(int&, State const&,
                                    wf::pricing::path_step<float> const&) const {}
  template <class State>
  WARPFOLD_HOST_DEVICE float value(int, State const&) const {
    return 0;
  }
};

} // namespace

void calls(wf::gpu& place, wf::device_span<int const> values, wf::device_span<float const> floats,
           wf::device_span<int> results, wf::device_span<fraction const> fractions,
           wf::device_span<name const> keys, wf::device_span<ordinal const> places,
           wf::device_span<name> unique) {
#ifndef WARPFOLD_TEST_SECOND
  // clang-format off
  wf::reduce(place, values, 0, std::plus<int>{});   // refused: calling a constexpr __host__ function
  wf::reduce(place, floats, 0, wf::plus{});         // refused: cuts off digits, high bits or signs
#else
  wf::reduce(place, values, 0, larger_of<1>{});                   // refused: larger_of<(int)1>
  wf::reduce(place, fractions, fraction{0, 1}, wf::plus{});       // refused: fraction::operator +
  wf::reduce(place, places, ordinal{}, wf::minimum<>{});          // refused: ordinal::operator <
  wf::reduce(place, values, meters{}, wf::plus{});                // refused: meters::meters(int)
  wf::count_if(place, keys, wf::equal_to<name>{});                // refused: gpu_function< ::warpfold::v0::equal_to
  wf::pricing::simulate(place, walking{}, its_worth{}, {});       // refused: worth::operator float
  wf::transform_reduce(place, values, 0, wf::plus{}, negative{}); // refused: negative::operator ()
  wf::reduce(place, evens{0}, std::size_t{9}, 0, wf::plus{});     // refused: evens::operator []
  wf::inclusive_scan(place, values, larger_of<2>{}, results);     // refused: larger_of<(int)2>
  wf::inclusive_scan_by_key(place, values, values, larger_of<3>{}, results); // refused: larger_of<(int)3>
  wf::reduce_rows(place, values, {.rows = 1, .columns = 1}, 0, larger_of<4>{}, results); // refused: larger_of<(int)4>
  wf::reduce_by_key(place, keys, values, 0, wf::plus{}, unique, results); // refused: name::operator ==
  wf::count_if(place, values, is_odd<1>{});                       // refused: is_odd<(int)1>
  wf::compact_if(place, values, is_odd<2>{}, results);            // refused: is_odd<(int)2>
  wf::transform_histogram(place, values, modulo_ten{}, 10);       // refused: modulo_ten::operator ()
  wf::pricing::simulate(place, frozen{}, nothing{}, {});          // refused: frozen::step
  wf::pricing::simulate(place, walking{}, its_end{}, {});         // refused: its_end::value
  wf::pricing::simulate(place, walking{}, american{}, {});        // refused: american::exercise
  // clang-format on
#endif
}
