// <warpfold/reduction.cuh>: own elements, operators, transforms and iterators, with one body for
// both places. References are serial.

#include "affine.hpp"
#include "reduction/parts.hpp"

#include <warpfold/counting.cuh>
#include <warpfold/counting/compaction.cuh>
#include <warpfold/counting/histogram.cuh>
#include <warpfold/reduction.cuh>
#include <warpfold/scan.cuh>
#include <warpfold/scan/segmented.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <functional>

namespace {

using namespace test;
namespace wf = warpfold;

constexpr std::uint64_t prime = 1'000'000'007;
constexpr std::size_t custom_sizes[] = {0,     1,     2,      31,     32,     33,      129,
                                        1'025, 4'097, 16'385, 20'011, 65'537, 300'003, 1'048'577};

size_list custom_sizes_up_to(std::size_t most) {
  return {custom_sizes, std::upper_bound(std::begin(custom_sizes), std::end(custom_sizes), most)};
}

// ---- an operator that keeps order: products of 2 x 2 matrices modulo a prime --------------------

struct matrix {
  std::uint64_t a = 1, b = 0, c = 0, d = 1;
  bool operator==(matrix const&) const = default;
};
struct matrix_product {
  __host__ __device__ matrix operator()(matrix const& x, matrix const& y) const {
    return {(x.a * y.a + x.b * y.c) % prime, (x.a * y.b + x.b * y.d) % prime,
            (x.c * y.a + x.d * y.c) % prime, (x.c * y.b + x.d * y.d) % prime};
  }
};
static_assert(!wf::is_commutative<matrix_product>);

FAST_EVERY_PLACE("ordered products of matrices") {
  std::mt19937_64 random{71};
  std::vector<matrix> values(300'003);
  for (matrix& m : values)
    m = {random() % prime, random() % prime, random() % prime, random() % prime};
  memory_of<Place, matrix> there(place, values);
  matrix const init{2, 3, 5, 7};
  std::size_t done = 0;
  matrix expected = init;
  for (std::size_t const size : custom_sizes_up_to(values.size())) {
    CAPTURE(size);
    for (; done < size; ++done) expected = matrix_product{}(expected, values[done]);
    CHECK(wf::reduce(place, there.view(0, size), init, matrix_product{}) == expected);
  }
}

// ---- and on elements of one byte: the hash of a string, as a composition of affine maps ---------

struct appended {
  __host__ __device__ affine operator()(unsigned char letter) const { return {31, letter}; }
};

template <class Place>
void check_hash(Place& place, std::size_t most) {
  std::mt19937_64 random{72};
  std::vector<unsigned char> text(1'048'577 + 5);
  for (auto& letter : text) letter = static_cast<unsigned char>(random());
  memory_of<Place, affine> result(place, {affine{}});
  for_each_part(place, text, custom_sizes_up_to(most), {0, 1, 5}, [&](auto part, auto view) {
    affine expected{1, 17};
    for (unsigned char const letter : part)
      expected = {expected.factor * 31, expected.offset * 31 + letter};
    auto const* const letters = view.data();
    CHECK(wf::transform_reduce(place, letters, part.size(), affine{1, 17}, then{}, appended{}) ==
          expected);
    wf::transform_reduce_async(place, letters, part.size(), affine{1, 17}, then{}, appended{},
                               result.all());
    CHECK(result.get(0) == expected);
  });
}

// ---- elements of 3, 12 and 24 bytes, and the claim that their order does not matter -------------

template <class Part>
struct triple {
  Part sum = 0, greatest = 0, bits = 0;
  bool operator==(triple const&) const = default;
};
using small = triple<std::uint8_t>;
using middle = triple<std::uint32_t>;
using big = triple<std::uint64_t>;
static_assert(sizeof(small) == 3 && sizeof(middle) == 12 && sizeof(big) == 24);
struct merge {
  using is_commutative = void;
  template <class Part>
  __host__ __device__ triple<Part> operator()(triple<Part> const& x, triple<Part> const& y) const {
    return {static_cast<Part>(x.sum + y.sum), x.greatest < y.greatest ? y.greatest : x.greatest,
            static_cast<Part>(x.bits ^ y.bits)};
  }
};
static_assert(wf::is_commutative<merge> && wf::is_commutative<wf::plus>);

template <class Triple, class Place>
void check_triples(Place& place) {
  using part = decltype(Triple::sum);
  std::mt19937_64 random{73};
  std::vector<Triple> values(300'004);
  for (Triple& x : values) {
    auto const bits = static_cast<part>(random());
    x = {bits, bits, static_cast<part>(random())};
  }
  Triple const init{10, 4, 0xff};
  for_each_part(place, values, custom_sizes_up_to(300'003), {0, 1}, [&](auto part, auto view) {
    Triple expected = init;
    for (Triple const& x : part) expected = merge{}(expected, x);
    CHECK(wf::reduce(place, view, init, merge{}) == expected);
  });
}

FAST_EVERY_PLACE("elements of 3, 12 and 24 bytes") {
  check_triples<small>(place);
  check_triples<middle>(place);
  check_triples<big>(place);
}

// ---- iterators ----------------------------------------------------------------------------------

struct cubed {
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const { return i * i * i; }
};

/// The numbers in [first, last). Two that are not adjacent join to one that is adjacent to none.
struct interval {
  std::uint64_t first = 0, last = 0;
  bool operator==(interval const&) const = default;
};
struct join {
  __host__ __device__ interval operator()(interval const& x, interval const& y) const {
    return x.last == y.first ? interval{x.first, y.last} : interval{~0ull, ~0ull - 1};
  }
};
struct alone {
  __host__ __device__ interval operator()(std::uint64_t i) const { return {i, i + 1}; }
};

/// A float in (-1, 1), whose sums round.
struct scattered {
  __host__ __device__ float operator()(std::uint64_t i) const {
    return static_cast<float>(static_cast<std::int64_t>(i * 0x9e3779b97f4a7c15U)) * 0x1p-63F;
  }
};

FAST_EVERY_PLACE("iterators") {
  memory_of<Place, std::uint64_t> result(place, {0});
  for (std::size_t const size : custom_sizes) {
    CAPTURE(size);
    std::uint64_t sum = 0, cubes = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      sum += 5 + i;
      cubes += i * i * i;
    }
    auto const counting = thrust::counting_iterator<std::uint64_t>(5);
    CHECK(wf::reduce(place, counting, size, std::uint64_t{0}, wf::plus{}) == sum);
    wf::reduce_async(place, counting, size, std::uint64_t{3}, wf::plus{}, result.all());
    CHECK(result.get(0) == sum + 3);
    auto const transformed =
        thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), cubed{});
    CHECK(wf::reduce(place, transformed, size, std::uint64_t{0}, wf::plus{}) == cubes);
    auto const numbers = thrust::counting_iterator<std::uint64_t>(0);
    CHECK(wf::transform_reduce(place, numbers, size, interval{}, join{}, alone{}) ==
          interval{0, size});
  }
}

// ---- a user's transform with warpfold's operator ------------------------------------------------

template <class Place>
void check_own_square(Place& place) {
  wf::host host;
  auto const own_square = [] __host__ __device__(float x) { return x * x; };
  auto const check_part = [&](auto part, auto view) {
    float const expected = wf::transform_reduce(host, part, 0.0F, wf::plus{}, wf::square{});
    CHECK(same_bits(wf::transform_reduce(place, view, 0.0F, wf::plus{}, own_square), expected));
    float const* const first = view.data();
    CHECK(same_bits(wf::transform_reduce(place, first, view.size(), 0.0F, wf::plus{}, own_square),
                    expected));
  };
  for_each_part(place, rough_values<float>(1'048'577 + 3, 74), custom_sizes, {0, 3}, check_part);
}
FAST_EVERY_PLACE("squares by a lambda have the host's bits") { check_own_square(place); }

FAST_EVERY_PLACE("what custom reductions refuse") {
  memory_of<Place, matrix> values(place, {matrix{}, matrix{}}), result(place, {matrix{9, 9, 9, 9}});
  auto const none = result.view(0, 0);
  auto* const null = static_cast<matrix const*>(nullptr);
  CHECK(refused_by([&] { wf::reduce(place, null, 2, matrix{}, matrix_product{}); }) == "first");
  CHECK(refused_by([&] {
          wf::reduce_async(place, null, 2, matrix{}, matrix_product{}, result.all());
        }) == "first");
  CHECK(refused_by([&] {
          wf::reduce_async(place, values.all(), matrix{}, matrix_product{}, none);
        }) == "result");
  CHECK(result.get(0) == matrix{9, 9, 9, 9});
  CHECK(wf::reduce(place, null, 0, matrix{1, 2, 3, 4}, matrix_product{}) == matrix{1, 2, 3, 4});
}

std::vector<matrix> some_matrices(std::size_t size, unsigned seed) {
  std::vector<matrix> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = {i + seed, 1, 2, i + 1};
  return values;
}

EVERY_PLACE("ordered hashes of bytes") { check_hash(place, 1'048'577); }
TEST_CASE("ordered folds do not depend on the number of threads") {
  auto const values = some_matrices(100'001, 0);
  auto const one = wf::reduce(wf::host(1), values, matrix{}, matrix_product{});
  for (int const threads : {2, 7})
    CHECK(wf::reduce(wf::host(threads), values, matrix{}, matrix_product{}) == one);
}

// nvcc says nothing about it: see WARPFOLD_CALLS_USER.
TEST_CASE("functions of hosts, on a host") {
  wf::host const place;
  std::vector<int> const values{3, 1, 4, 1, 5, 9, 2, 6};
  auto const twice = [](int x) { return 2 * x; };
  auto const is_odd = [](int x) { return x % 2 != 0; };
  CHECK(wf::reduce(place, values, 1, std::plus<int>{}) == 32);
  CHECK(wf::reduce(place, values.begin(), values.size(), 1, std::plus<>{}) == 32);
  CHECK(wf::transform_reduce(place, values, 0L, wf::plus{}, twice) == 62);
  CHECK(wf::count_if(place, values, is_odd) == 5);
  std::vector<int> results(values.size());
  CHECK(wf::compact_if(place, values, is_odd, results) == 5);
  CHECK(wf::transform_histogram(place, values, is_odd, 2) == std::vector<std::uint64_t>{3, 5});
  wf::transform_inclusive_scan(place, values.data(), values.size(), std::plus<int>{}, twice,
                               results);
  CHECK(results == std::vector<int>{6, 8, 16, 18, 28, 46, 50, 62});
  wf::inclusive_scan_by_key(place, std::vector<std::int32_t>{1, 1, 2, 2, 2, 3, 4, 4}, values,
                            std::multiplies<int>{}, results);
  CHECK(results == std::vector<int>{3, 3, 4, 4, 20, 9, 2, 12});
}

// A range's iterator that notices when it is moved out of it. Its namespace has functions of names
// that the library uses.
namespace bounded {

struct iterator {
  using value_type = double;
  using difference_type = std::ptrdiff_t;
  using reference = double;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  std::ptrdiff_t at, size;
  bool* left;

  double operator*() const { return static_cast<double>(at % 7); }
  double operator[](std::ptrdiff_t n) const { return *(*this + n); }
  iterator& operator+=(std::ptrdiff_t n) {
    at += n;
    if (at < 0 || at > size) *left = true;
    return *this;
  }
  iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
  iterator& operator++() { return *this += 1; }
  iterator& operator--() { return *this -= 1; }
  iterator operator++(int) {
    iterator const before = *this;
    ++*this;
    return before;
  }
  iterator operator--(int) {
    iterator const before = *this;
    --*this;
    return before;
  }
  friend iterator operator+(iterator a, std::ptrdiff_t n) { return a += n; }
  friend iterator operator+(std::ptrdiff_t n, iterator a) { return a += n; }
  friend iterator operator-(iterator a, std::ptrdiff_t n) { return a -= n; }
  friend std::ptrdiff_t operator-(iterator a, iterator b) { return a.at - b.at; }
  friend bool operator==(iterator a, iterator b) { return a.at == b.at; }
  friend auto operator<=>(iterator a, iterator b) { return a.at <=> b.at; }
};

template <class... Any>
void address_of(Any const&...) {}
template <class... Any>
void check_first(Any const&...) {}
template <class... Any>
void fold_to(Any const&...) {}
template <class... Any>
void prefetch_after(Any const&...) {}

} // namespace bounded

TEST_CASE("on a host an iterator stays in its range") {
  for (std::size_t const size : {0, 1, 100, 3'000, 100'001, 1'048'577}) {
    CAPTURE(size);
    bool left = false;
    bounded::iterator const first{0, static_cast<std::ptrdiff_t>(size), &left};
    double expected = 0;
    for (std::size_t i = 0; i < size; ++i) expected += static_cast<double>(i % 7);
    for (int const threads : {1, 3}) {
      wf::host const place(threads);
      CHECK(wf::reduce(place, first, size, 0.0, wf::plus{}) == expected);
      CHECK(wf::count_if(place, first, size, [](double x) { return x > 5; }) == size / 7);
      std::vector<double> sums(size);
      wf::inclusive_scan(place, first, size, wf::plus{}, sums);
      if (size > 0) CHECK(sums.back() == expected);
    }
    CHECK(!left);
  }
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: short ordered hashes of bytes on a gpu") {
    wf::gpu place;
    check_hash(place, 65'537);
  }
  TEST_CASE("more than 2^33 numbers that an iterator makes up") {
    wf::gpu place;
    std::uint64_t const size = (1ull << 33) + 5;
    auto const numbers = thrust::counting_iterator<std::uint64_t>(0);
    CHECK(wf::reduce(place, numbers, size, std::uint64_t{0}, wf::plus{}) == (size - 1) / 2 * size);
    CHECK(wf::transform_reduce(place, numbers, size, interval{}, join{}, alone{}) ==
          interval{0, size});
  }
  TEST_CASE("gpu and host have the same bits where rows had to grow") {
    wf::gpu place;
    std::size_t const size = (std::size_t{1} << 30) + 7;
    auto const floats =
        thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), scattered{});
    CHECK(same_bits(wf::reduce(place, floats, size, 0.1F, wf::plus{}),
                    wf::reduce(wf::host(), floats, size, 0.1F, wf::plus{})));
  }
  TEST_CASE("a captured custom reduction") {
    wf::gpu place;
    wf::device_buffer<matrix> result(place, 1);
    auto const enqueue = [&](auto view) {
      wf::reduce_async(place, view, matrix{}, matrix_product{}, result);
    };
    auto const check = [&](auto const& other) {
      CHECK(wf::to_vector(place, result.span())[0] ==
            wf::reduce(wf::host(), other, matrix{}, matrix_product{}));
    };
    check_replayed<matrix>(place, 50'001, 1, {1, 2, 3}, enqueue, check, some_matrices);
  }
}

} // namespace
