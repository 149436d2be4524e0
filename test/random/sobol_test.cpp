// Sobol's sequence: direction numbers and points as published and as cuRAND's, and what scrambling
// must keep and make random.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/detail/random/sobol.hpp>
#include <warpfold/random/sobol.hpp>
#include <warpfold/twins/random.hpp>

#include <curand.h>

#include <algorithm>

namespace sobol_test {

using namespace test;
using warpfold::gpu;
using warpfold::host;
using warpfold::random::scrambling;
using warpfold::random::sobol_options;
using warpfold::random::sobol_sequence;
namespace detail = warpfold::detail;

constexpr scrambling scramblings[] = {scrambling::none, scrambling::digital_shift,
                                      scrambling::owen};

std::vector<std::uint32_t> words_of(int dimensions, std::size_t points,
                                    sobol_options const& options) {
  host place(1);
  std::vector<std::uint32_t> out(static_cast<std::size_t>(dimensions) * points);
  warpfold::random::bits(place, sobol_sequence<host>(place, dimensions), out, options);
  return out;
}

/// A coordinate, from its index.
template <class T>
T coordinate(std::span<std::uint32_t const> directions, std::size_t dimension, std::uint64_t index,
             bool normal, sobol_options const& options) {
  std::uint32_t word =
      detail::sobol_word(directions.data() + 32 * dimension, static_cast<std::uint32_t>(index));
  auto const key =
      detail::sobol_key_of(options.seed, options.replicate, static_cast<std::uint32_t>(dimension));
  if (options.scrambling == scrambling::digital_shift) word ^= key.shift;
  if (options.scrambling == scrambling::owen) word = detail::owen_scrambled(word, key.owen);
  if constexpr (std::integral<T>) return word;
  else if constexpr (sizeof(T) == 4)
    return normal ? detail::inverse_normal_of_word<T>(word) : detail::coordinate_of(word);
  else {
    double const u = std::ldexp(word + 0.5, -32);
    return normal ? detail::inverse_normal(u) : u;
  }
}

/// How many of 2^m points each elementary interval of 2^-a by 2^-(m - a) holds.
std::vector<int> interval_counts(std::vector<std::uint32_t> const& words, int m, int a) {
  std::size_t const points = std::size_t{1} << m;
  std::vector<int> counts(points);
  for (std::size_t i = 0; i < points; ++i) {
    std::uint64_t const x = words[i], y = words[points + i];
    ++counts[(x << a >> 32 << (m - a)) | (y << (m - a) >> 32)];
  }
  return counts;
}

// cuRAND's table is in host memory.
TEST_CASE("direction numbers of all dimensions are cuRAND's") {
  curandDirectionVectors32_t* theirs = nullptr;
  REQUIRE(curandGetDirectionVectors32(&theirs, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  constexpr int dimensions = sobol_sequence<host>::max_dimensions;
  sobol_sequence<host> const sequence(host(1), dimensions);
  auto const ours = sequence.directions();
  REQUIRE(ours.size() == std::size_t{32} * dimensions);
  int same = 0;
  for (std::size_t d = 0; d < dimensions; ++d)
    same += std::equal(theirs[d], theirs[d] + 32, ours.data() + 32 * d) ? 1 : 0;
  CHECK(same == dimensions);
}

TEST_CASE("fewer dimensions are the first ones") {
  sobol_sequence<host> const all(host(1), sobol_sequence<host>::max_dimensions);
  for (int const dimensions : {1, 2, 3, 37, 1112, 19'999}) {
    sobol_sequence<host> const some(host(1), dimensions);
    auto const words = some.directions();
    CHECK(words.size() == 32 * static_cast<std::size_t>(dimensions));
    CHECK(std::equal(words.begin(), words.end(), all.directions().begin()));
  }
}

// The first ten points in three dimensions, as the program of S. Joe and F. Y. Kuo,
// https://web.maths.unsw.edu.au/~fkuo/sobol, prints them.
TEST_CASE("published points of Sobol's sequence") {
  double const published[10][3] = {{0, 0, 0},
                                   {0.5, 0.5, 0.5},
                                   {0.75, 0.25, 0.25},
                                   {0.25, 0.75, 0.75},
                                   {0.375, 0.375, 0.625},
                                   {0.875, 0.875, 0.125},
                                   {0.625, 0.125, 0.875},
                                   {0.125, 0.625, 0.375},
                                   {0.1875, 0.3125, 0.9375},
                                   {0.6875, 0.8125, 0.4375}};
  auto const words = words_of(3, 10, {.scrambling = scrambling::none});
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t i = 0; i < 10; ++i)
      CHECK(std::ldexp(words[10 * d + i], -32) == published[i][d]);
}

TEST_CASE("cuRAND's Sobol sequence is ours") {
  host place;
  std::vector<std::uint32_t> theirs(100'000);
  warpfold::random::bits(place, std::span(theirs), warpfold::twins::generator::curand_sobol);
  CHECK(words_of(1, theirs.size(), {.scrambling = scrambling::none}) == theirs);
}

TEST_CASE("scrambling keeps the points in their elementary intervals") {
  unsigned const seed = 11;
  CAPTURE(seed);
  for (scrambling const method : scramblings)
    for (std::uint64_t replicate = 0; replicate < 20; ++replicate)
      for (int const m : {1, 4, 10}) {
        CAPTURE(static_cast<int>(method));
        CAPTURE(replicate);
        std::size_t const points = std::size_t{1} << m;
        // A block of 2^m points of the first two dimensions is a (0, m, 2)-net.
        for (std::uint64_t const offset : {std::uint64_t{0}, std::uint64_t{3} << 20}) {
          auto const words = words_of(
              2, points,
              {.scrambling = method, .seed = seed, .replicate = replicate, .offset = offset});
          for (int a = 0; a <= m; ++a)
            CHECK(interval_counts(words, m, a) == std::vector<int>(points, 1));
        }
      }
  // Every dimension alone is a (0, m, 1)-net.
  auto const words = words_of(500, 256, {.seed = seed});
  for (std::size_t d = 0; d < 500; ++d) {
    std::vector<int> counts(256);
    for (std::size_t i = 0; i < 256; ++i) ++counts[words[256 * d + i] >> 24];
    REQUIRE(counts == std::vector<int>(256, 1));
  }
}

// The first bit that differs stays the first, those above it stay equal, and those below are
// random.
TEST_CASE("Owen's scrambling is random at every level, and a digital shift is not") {
  std::uint64_t const replicates = 20'000;
  std::uint32_t const a = 0x12345678, b = 0x12345678 ^ 0x00400000;
  int same[32] = {}, ones[32] = {};
  for (std::uint64_t r = 0; r < replicates; ++r) {
    std::uint32_t const key = detail::sobol_key_of(12, r, 3).owen;
    std::uint32_t const x = detail::owen_scrambled(a, key), y = detail::owen_scrambled(b, key);
    for (int bit = 0; bit < 32; ++bit) {
      same[bit] += (x ^ y) >> bit & 1 ? 0 : 1;
      ones[bit] += x >> bit & 1 ? 1 : 0;
    }
  }
  double const mean = replicates / 2., spread = 5 * std::sqrt(replicates / 4.);
  for (int bit = 0; bit < 32; ++bit) {
    CAPTURE(bit);
    CHECK(std::abs(ones[bit] - mean) < spread);
    if (bit > 22) CHECK(same[bit] == static_cast<int>(replicates));
    else if (bit == 22) CHECK(same[bit] == 0);
    else CHECK(std::abs(same[bit] - mean) < spread);
  }
}

// The mean of a smooth function: unbiased, with far less variance than that of random points, and
// of Owen's scrambling with less than that of a digital shift.
TEST_CASE("replicates of scrambled points tell their own error") {
  std::size_t const points = 1024, replicates = 64;
  for (std::size_t const dimensions : {2, 4}) {
    // Independent points: a variance of (1 + 0.3389)^dimensions - 1 a point.
    double const of_random = std::sqrt((std::pow(1.3389, static_cast<double>(dimensions)) - 1) /
                                       static_cast<double>(points * replicates));
    double errors[2] = {};
    for (scrambling const method : {scrambling::digital_shift, scrambling::owen}) {
      CAPTURE(static_cast<int>(method));
      double sum = 0, squares = 0;
      for (std::uint64_t r = 0; r < replicates; ++r) {
        auto const words = words_of(static_cast<int>(dimensions), points,
                                    {.scrambling = method, .seed = 13, .replicate = r});
        double mean = 0;
        for (std::size_t i = 0; i < points; ++i) {
          double product = 1;
          for (std::size_t d = 0; d < dimensions; ++d) {
            double const u = std::ldexp(words[points * d + i] + 0.5, -32);
            product *= 1 + (u - 0.5) + (u * u - 1. / 3);
          }
          mean += (product - 1) / points;
        }
        sum += mean;
        squares += mean * mean;
      }
      double const mean = sum / replicates;
      double const error = std::sqrt((squares / replicates - mean * mean) / (replicates - 1));
      CAPTURE(mean);
      CAPTURE(error);
      CHECK(std::abs(mean) < 4.5 * error);
      CHECK(error < of_random / 10);
      CHECK(error > of_random / 10'000);
      errors[method == scrambling::owen ? 1 : 0] = error;
    }
    CHECK(errors[1] < errors[0] / (dimensions == 2 ? 4 : 1));
  }
}

/// With and without a wait.
template <class T, class Place>
void fill(Place& place, sobol_sequence<Place> const& sequence, view_t<Place, T> out, bool is_normal,
          bool later, sobol_options const& options) {
  using namespace warpfold::random;
  if constexpr (std::integral<T>)
    later ? bits_async(place, sequence, out, options) : bits(place, sequence, out, options);
  else if (is_normal)
    later ? normal_async(place, sequence, out, options) : normal(place, sequence, out, options);
  else
    later ? uniform_async(place, sequence, out, options) : uniform(place, sequence, out, options);
}

EVERY_PLACE_OF("every point is that of its index", T, std::uint32_t, float, double) {
  host const processor(2);
  for (std::size_t const dimensions : {1, 3}) {
    sobol_sequence<Place> const sequence(place, static_cast<int>(dimensions));
    sobol_sequence<host> const known(processor, static_cast<int>(dimensions));
    for (std::size_t const points : {0, 1, 2, 3, 4, 5, 31, 32, 33, 1025, 16'384, 20'011})
      for (std::uint64_t const offset : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{16'383},
                                         (std::uint64_t{1} << 32) - 20'011})
        for (std::size_t const shift : {0, 1})
          for (scrambling const method : scramblings)
            for (bool const is_normal : {false, true}) {
              if (is_normal && std::integral<T>) continue;
              INFO(dimensions << " x " << points << " from " << offset << ", shift " << shift
                              << ", scrambling " << static_cast<int>(method));
              sobol_options const options{
                  .scrambling = method, .seed = 5, .replicate = 6, .offset = offset};
              std::vector<T> expected(shift + points * dimensions + 3, T(42));
              memory_of<Place, T> memory(place, expected);
              fill<T>(place, sequence, memory.view(shift, points * dimensions), is_normal,
                      points % 2 == 0, options);
              for (std::size_t i = 0; i < points * dimensions; ++i)
                expected[shift + i] = coordinate<T>(known.directions(), i / points,
                                                    offset + i % points, is_normal, options);
              CHECK(same_elements(contents(place, memory.all()), expected));
            }
  }
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: points can be captured in a graph") {
    gpu place;
    sobol_sequence<gpu> const sequence(place, 3);
    memory_of<gpu, double> memory(place, std::vector<double>(15'000));
    captured points(
        place, [&] { warpfold::random::normal_async(place, sequence, memory.all(), {.seed = 5}); });
    CHECK(points.is_one_kernel());
    points.launch();
    host const processor;
    std::vector<double> expected(15'000);
    warpfold::random::normal(processor, sobol_sequence<host>(processor, 3), expected, {.seed = 5});
    CHECK(contents(place, memory.all()) == expected);
  }
}

} // namespace sobol_test
