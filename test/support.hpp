#pragma once
// Common to the tests: values whose reductions are known exactly, references, and memory on either
// place, so that one body tests both.

#ifdef __CUDACC__ // which reads headers three times
#include <warpfold/buffer.hpp>
#include <warpfold/error.hpp>
#include <warpfold/reduction/exact.hpp>
#else
#include <warpfold/warpfold.hpp>
#endif

#include "context.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// What doctest prints of names, which it takes for pointers.
template <>
struct doctest::StringMaker<char const*> {
  static String convert(char const* name) { return name; }
};

#define WARPFOLD_TEST_ELEMENTS                                                                     \
  std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double, __half, __nv_bfloat16
#define WARPFOLD_TEST_FLOATS float, double, __half, __nv_bfloat16

// One body for every place: a case on the host, of three threads so that parts are uneven, and one
// in the suite gpu. `place` is a new one.
//
//   EVERY_PLACE("name") { CHECK(warpfold::sum(place, ...) == 1); }
//   EVERY_PLACE_OF("name", T, float, double) { ... T ... }
//
// FAST_EVERY_PLACE(_OF): the sanitizers run it, too, on a GPU.
#define WARPFOLD_EVERY_PLACE(name, fast, body)                                                     \
  template <class Place>                                                                           \
  static void body(Place& place);                                                                  \
  TEST_CASE(name ", on the host") {                                                                \
    warpfold::host place(3);                                                                       \
    body(place);                                                                                   \
  }                                                                                                \
  TEST_CASE(fast name ", on a gpu" * doctest::test_suite("gpu")) {                                 \
    warpfold::gpu place;                                                                           \
    body(place);                                                                                   \
  }                                                                                                \
  template <class Place>                                                                           \
  static void body([[maybe_unused]] Place& place)
#define WARPFOLD_EVERY_PLACE_OF(name, fast, body, T, ...)                                          \
  template <class T, class Place>                                                                  \
  static void body(Place& place);                                                                  \
  TEST_CASE_TEMPLATE(name ", on the host", T, __VA_ARGS__) {                                       \
    warpfold::host place(3);                                                                       \
    body<T>(place);                                                                                \
  }                                                                                                \
  TEST_CASE_TEMPLATE(fast name ", on a gpu" * doctest::test_suite("gpu"), T, __VA_ARGS__) {        \
    warpfold::gpu place;                                                                           \
    body<T>(place);                                                                                \
  }                                                                                                \
  template <class T, class Place>                                                                  \
  static void body([[maybe_unused]] Place& place)
#define EVERY_PLACE(name) WARPFOLD_EVERY_PLACE(name, "", DOCTEST_ANONYMOUS(every_place_))
#define FAST_EVERY_PLACE(name) WARPFOLD_EVERY_PLACE(name, "fast: ", DOCTEST_ANONYMOUS(every_place_))
#define EVERY_PLACE_OF(name, T, ...)                                                               \
  WARPFOLD_EVERY_PLACE_OF(name, "", DOCTEST_ANONYMOUS(every_place_), T, __VA_ARGS__)
#define FAST_EVERY_PLACE_OF(name, T, ...)                                                          \
  WARPFOLD_EVERY_PLACE_OF(name, "fast: ", DOCTEST_ANONYMOUS(every_place_), T, __VA_ARGS__)

namespace test {

template <class T>
using accumulator_t = typename warpfold::detail::default_accumulator<T>::type;

/// x, exactly: as itself, or as float for the half types.
template <class T>
accumulator_t<T> wide(T x) {
  return static_cast<accumulator_t<T>>(x);
}

/// Around the edges of warps, blocks and rows, and several blocks with an incomplete row.
inline constexpr std::size_t sizes[] = {
    0,    1,    2,    31,     32,     33,     127,    128,    129,     1023,      1024,     1025,
    4095, 4096, 4097, 16'383, 16'384, 16'385, 20'011, 65'537, 524'295, 1'048'577, 3'000'017};
inline constexpr std::size_t largest = 3'000'017;

/// One warp, and several blocks with an incomplete row: where the sanitizers wait.
inline constexpr std::size_t few_sizes[] = {33, 20'011};

/// Some of them, in rising order.
using size_list = std::span<std::size_t const>;

/// The sizes up to `most`, so that slow references do not process millions of elements every time.
inline std::vector<std::size_t> sizes_up_to(std::size_t most) {
  std::vector<std::size_t> some;
  for (std::size_t const size : sizes)
    if (size <= most) some.push_back(size);
  return some;
}

/// The starts, in elements from an aligned address, at which to test `size` elements.
inline std::vector<std::size_t> offsets_for(std::size_t size) {
  if (size <= 20'011) return {0, 1, 2, 3};
  return size < 1'000'000 ? std::vector<std::size_t>{0, 3} : std::vector<std::size_t>{0};
}

// ---- values -------------------------------------------------------------------------------------

/// Values whose sums and sums of squares are exact in whatever order they are added: integers of
/// any bits, which wrap around, and floating-point values +-1 and +-2, fewer than 2^22 of them.
template <class T>
std::vector<T> exact_values(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  std::vector<T> values(size);
  for (T& x : values)
    if constexpr (std::integral<T>) x = static_cast<T>(random());
    else x = static_cast<T>(static_cast<float>((random() & 1) + 1) * (random() & 1 ? 1.F : -1.F));
  return values;
}

/// Integers small enough to add up in a double without rounding; else exact_values.
template <class T>
std::vector<T> small_values(std::size_t size, unsigned seed) {
  auto values = exact_values<T>(size, seed);
  if constexpr (std::integral<T>)
    for (T& x : values) x = static_cast<T>(x % 1000);
  return values;
}

/// Values whose product in A is exact in whatever order: odd integers; ones with a few threes, to
/// be multiplied in a double; +-1 with a few powers of two.
template <class T, class A = accumulator_t<T>>
std::vector<T> factors(std::size_t size, unsigned seed) {
  auto values = exact_values<T>(size, seed);
  std::size_t const step = size / 20 + 1;
  if constexpr (std::integral<A>)
    for (T& x : values) x = static_cast<T>(x | 1);
  else if constexpr (std::integral<T>)
    for (std::size_t i = 0; i < size; ++i) values[i] = i % step == step / 2 ? 3 : 1;
  else {
    for (std::size_t i = 0; i < size; ++i) {
      float const sign = static_cast<float>(wide(values[i])) < 0 ? -1.F : 1.F;
      values[i] = static_cast<T>(i % step != step / 2 ? sign
                                 : (i / step) % 3     ? 2 * sign
                                                      : sign / 2);
    }
  }
  return values;
}

/// Values of many magnitudes and both signs, whose sums round at every step.
template <class T>
std::vector<T> rough_values(std::size_t size, unsigned seed) {
  if constexpr (std::integral<T>) return exact_values<T>(size, seed);
  else {
    std::mt19937_64 random{seed};
    std::uniform_real_distribution<double> mantissa{-1, 1};
    std::uniform_int_distribution<int> exponent{-10, 10};
    std::vector<T> values(size);
    for (T& x : values) {
      double const value = std::ldexp(mantissa(random), exponent(random));
      if constexpr (std::same_as<T, double>) x = value;
      else x = static_cast<T>(static_cast<float>(value));
    }
    return values;
  }
}

// ---- references ---------------------------------------------------------------------------------

/// Integers modulo 2^64, which wraps to every narrower type; others with 64 bits of mantissa.
template <class A>
using reference_t = std::conditional_t<std::integral<A>, std::uint64_t, long double>;

template <class A, class T>
A exact_sum(std::span<T const> values, A init = A{0}, bool squared = false) {
  using R = reference_t<A>;
  R total = static_cast<R>(init);
  for (T const x : values) {
    R const term = static_cast<R>(wide(x));
    total += squared ? term * term : term;
  }
  return static_cast<A>(total);
}

template <class A, class T>
A exact_product(std::span<T const> values, A init = A{1}) {
  using R = reference_t<A>;
  R total = static_cast<R>(init);
  for (T const x : values) total *= static_cast<R>(wide(x));
  return static_cast<A>(total);
}

template <class A>
bool same_bits(A const& a, A const& b) {
  return std::memcmp(&a, &b, sizeof(A)) == 0;
}

/// Equal to the bit, or both NaN.
template <class T>
bool same_number(T a, T b) {
  return (a != a && b != b) || same_bits(a, b);
}

// ---- places -------------------------------------------------------------------------------------

/// `T`s in the memory of a place. gpu.hpp has the other one.
template <class Place, class T>
class memory_of;

template <class T>
class memory_of<warpfold::host, T> {
public:
  memory_of(warpfold::host&, std::vector<T> values) : values_(std::move(values)) {}

  std::span<T> view(std::size_t first, std::size_t size) {
    return std::span<T>(values_).subspan(first, size);
  }
  std::span<T> all() { return values_; }
  void set(std::size_t i, T x) { values_[i] = x; }
  T get(std::size_t i) { return values_[i]; }
  std::vector<T> contents() { return values_; }

private:
  std::vector<T> values_;
};

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// True if a function has been compiled: the linker must look for it, whatever the optimiser knows.
template <class Function>
bool is_there(Function* function) {
  Function* volatile const found = function;
  return found != nullptr;
}

/// The argument that `call` refused.
template <class Call>
std::string refused_by(Call call) {
  try {
    call();
  } catch (warpfold::argument_error const& error) {
    CHECK(contains(error.what(), "'" + error.argument() + "'"));
    return error.argument();
  }
  return "(nothing)";
}

} // namespace test
