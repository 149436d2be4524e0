// <warpfold/reduction.cuh>: own elements, operators, transforms and iterators, with one body for
// both places. References are serial.

#include "gpu.hpp"

#include <warpfold/reduction.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

using namespace test;
namespace wf = warpfold;

constexpr std::uint64_t prime = 1'000'000'007;
constexpr std::size_t custom_sizes[] = {0,     1,     2,      31,     32,     33,      129,
                                        1'025, 4'097, 16'385, 20'011, 65'537, 300'003, 1'048'577};

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

template <class Place>
void check_matrices(Place& place, unsigned seed) {
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::vector<matrix> values(300'003);
  for (matrix& m : values)
    m = {random() % prime, random() % prime, random() % prime, random() % prime};
  memory_of<Place, matrix> there(place, values);
  matrix const init{2, 3, 5, 7};
  std::size_t done = 0;
  matrix expected = init;
  for (std::size_t const size : custom_sizes) {
    if (size > values.size()) break;
    CAPTURE(size);
    for (; done < size; ++done) expected = matrix_product{}(expected, values[done]);
    CHECK(wf::reduce(place, there.view(0, size), init, matrix_product{}) == expected);
  }
}

// ---- and on elements of one byte: the hash of a string, as a composition of affine maps ---------

struct affine {
  std::uint32_t factor = 1, offset = 0;
  bool operator==(affine const&) const = default;
};
struct after {
  __host__ __device__ affine operator()(affine const& first, affine const& second) const {
    return {first.factor * second.factor, first.offset * second.factor + second.offset};
  }
};
struct appended {
  __host__ __device__ affine operator()(unsigned char letter) const { return {31, letter}; }
};

template <class Place>
void check_hash(Place& place, unsigned seed, std::size_t most = 1'048'577) {
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::vector<unsigned char> text(1'048'577 + 5);
  for (auto& letter : text) letter = static_cast<unsigned char>(random());
  memory_of<Place, unsigned char> there(place, text);
  memory_of<Place, affine> result(place, {affine{}});
  for (std::size_t const size : custom_sizes)
    for (std::size_t const first : {0, 1, 5}) {
      if (size > most) break;
      CAPTURE(size);
      CAPTURE(first);
      affine expected{1, 17};
      for (std::size_t i = 0; i < size; ++i)
        expected = {expected.factor * 31, expected.offset * 31 + text[first + i]};
      auto const* const letters = there.view(first, size).data();
      CHECK(wf::transform_reduce(place, letters, size, affine{1, 17}, after{}, appended{}) ==
            expected);
      wf::transform_reduce_async(place, letters, size, affine{1, 17}, after{}, appended{},
                                 result.all());
      CHECK(result.get(0) == expected);
    }
}

// ---- elements of 24 bytes, and the claim that their order does not matter -----------------------

struct summary {
  std::int64_t sum = 0;
  std::int32_t least = 0, greatest = 0;
  std::uint64_t bits = 0;
  bool operator==(summary const&) const = default;
};
static_assert(sizeof(summary) == 24);
struct merge {
  using is_commutative = void;
  __host__ __device__ summary operator()(summary const& x, summary const& y) const {
    return {x.sum + y.sum, x.least < y.least ? x.least : y.least,
            x.greatest < y.greatest ? y.greatest : x.greatest, x.bits ^ y.bits};
  }
};
static_assert(wf::is_commutative<merge> && wf::is_commutative<wf::plus>);

template <class Place>
void check_summaries(Place& place, unsigned seed) {
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::vector<summary> values(300'003);
  for (summary& s : values) {
    auto const x = static_cast<std::int32_t>(random());
    s = {x, x, x, random()};
  }
  memory_of<Place, summary> there(place, values);
  for (std::size_t const size : custom_sizes) {
    if (size > values.size()) break;
    for (std::size_t const first : {std::size_t{0}, size > 1 ? std::size_t{1} : 0}) {
      CAPTURE(size);
      CAPTURE(first);
      summary const init{10, 3, 4, 0xff};
      summary expected = init;
      for (std::size_t i = first; i < size; ++i) expected = merge{}(expected, values[i]);
      CHECK(wf::reduce(place, there.view(first, size - first), init, merge{}) == expected);
    }
  }
}

// ---- iterators ----------------------------------------------------------------------------------

struct cubed {
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const { return i * i * i; }
};

template <class Place>
void check_iterators(Place& place) {
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
  }
}

// ---- a user's transform with warpfold's operator ------------------------------------------------

template <class Place>
void check_own_square(Place& place, unsigned seed) {
  CAPTURE(seed);
  auto const values = rough_values<float>(1'048'577 + 3, seed);
  memory_of<Place, float> there(place, values);
  wf::host host;
  auto const own_square = [] __host__ __device__(float x) { return x * x; };
  for (std::size_t const size : custom_sizes)
    for (std::size_t const first : {0, 3}) {
      CAPTURE(size);
      CAPTURE(first);
      float const expected = wf::transform_reduce(host, std::span(values).subspan(first, size),
                                                  0.0F, wf::plus{}, wf::square{});
      auto const view = there.view(first, size);
      CHECK(same_bits(wf::transform_reduce(place, view, 0.0F, wf::plus{}, own_square), expected));
      CHECK(same_bits(wf::transform_reduce(place, view.data(), size, 0.0F, wf::plus{}, own_square),
                      expected));
    }
}

template <class Place>
void check_refusals(Place& place) {
  memory_of<Place, matrix> values(place, {matrix{}, matrix{}}), result(place, {matrix{9, 9, 9, 9}});
  auto const none = result.view(0, 0);
  auto* const null = static_cast<matrix const*>(nullptr);
  CHECK(refused_by([&] { wf::reduce(place, null, 2, matrix{}, matrix_product{}); }) == "values");
  CHECK(refused_by([&] {
          wf::reduce_async(place, null, 2, matrix{}, matrix_product{}, result.all());
        }) == "values");
  CHECK(refused_by([&] {
          wf::reduce_async(place, values.all(), matrix{}, matrix_product{}, none);
        }) == "result");
  CHECK(result.get(0) == matrix{9, 9, 9, 9});
  CHECK(wf::reduce(place, null, 0, matrix{1, 2, 3, 4}, matrix_product{}) == matrix{1, 2, 3, 4});
}

TEST_CASE("ordered products of matrices on the host") {
  wf::host place;
  check_matrices(place, 71);
}
TEST_CASE("ordered hashes of bytes on the host") {
  wf::host place;
  check_hash(place, 72);
}
TEST_CASE("elements of 24 bytes on the host") {
  wf::host place;
  check_summaries(place, 73);
}
TEST_CASE("iterators on the host") {
  wf::host place;
  check_iterators(place);
}
TEST_CASE("a lambda's squares on the host") {
  wf::host place;
  check_own_square(place, 74);
}
TEST_CASE("what custom reductions refuse on the host") {
  wf::host place;
  check_refusals(place);
}
TEST_CASE("ordered folds do not depend on the number of threads") {
  std::vector<matrix> values(100'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {i, 1, 2, i + 1};
  auto const one = wf::reduce(wf::host(1), values, matrix{}, matrix_product{});
  for (int const threads : {2, 7})
    CHECK(wf::reduce(wf::host(threads), values, matrix{}, matrix_product{}) == one);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: ordered products of matrices on a gpu") {
    wf::gpu place;
    check_matrices(place, 71);
  }
  TEST_CASE("ordered hashes of bytes on a gpu") {
    wf::gpu place;
    check_hash(place, 72);
  }
  TEST_CASE("fast: short ordered hashes of bytes on a gpu") {
    wf::gpu place;
    check_hash(place, 72, 65'537);
  }
  TEST_CASE("elements of 24 bytes on a gpu") {
    wf::gpu place;
    check_summaries(place, 73);
  }
  TEST_CASE("iterators on a gpu") {
    wf::gpu place;
    check_iterators(place);
  }
  TEST_CASE("a lambda's squares on a gpu have the host's bits") {
    wf::gpu place;
    check_own_square(place, 74);
  }
  TEST_CASE("fast: what custom reductions refuse on a gpu") {
    wf::gpu place;
    check_refusals(place);
  }
  TEST_CASE("a captured custom reduction") {
    wf::gpu place;
    std::vector<matrix> values(50'001);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = {i, 1, 2, i + 1};
    wf::device_buffer<matrix> there(place, values), result(place, 1);
    captured graph(place,
                   [&] { wf::reduce_async(place, there, matrix{}, matrix_product{}, result); });
    for (int launch = 0; launch < 3; ++launch) {
      values[7].a += 1;
      wf::copy(place, values, there.span());
      graph.launch();
      CHECK(wf::to_vector(place, result.span())[0] ==
            wf::reduce(wf::host(), values, matrix{}, matrix_product{}));
    }
  }
}

} // namespace
