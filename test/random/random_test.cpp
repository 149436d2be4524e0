// Arrays of random numbers: every sample is that of its index, on both places, however the array
// lies and wherever the sequence begins; and cuRAND's as oracles.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/random.hpp>
#include <warpfold/twins/random.hpp>

namespace random_test {

using namespace test;
namespace detail = warpfold::detail;
namespace rnd = warpfold::random;
using detail::variate;
using warpfold::gpu;
using warpfold::host;
using warpfold::twins::generator;

template <class T>
std::vector<variate> variates() {
  if constexpr (std::integral<T>) return {variate::bits};
  else return {variate::uniform, variate::box_muller, variate::inverse};
}

/// Sample i, from its words.
template <class T>
T sample(variate what, rnd::options const& sequence, std::uint64_t i) {
  constexpr std::uint64_t width = 16 / sizeof(T);
  auto const words = detail::random_words({sequence.seed, sequence.stream}, i / width);
  auto const of = [&](std::uint64_t k) {
    if constexpr (sizeof(T) == 4) return words.of[k];
    else return detail::two_words(words.of[2 * k], words.of[2 * k + 1]);
  };
  std::uint64_t const k = i % width;
  if constexpr (std::integral<T>) return of(k);
  else {
    if (what == variate::uniform) return detail::uniform_of_word<T>(of(k));
    if (what == variate::inverse) return detail::inverse_normal_of_word<T>(of(k));
    auto const both = detail::box_muller(of(k & ~std::uint64_t{1}), of(k | 1));
    return k % 2 == 0 ? both.first : both.second;
  }
}

/// With and without a wait.
template <class Place, class Output>
void fill(Place& place, variate what, Output&& output, rnd::options const& options,
          bool later = false) {
  if constexpr (std::integral<typename std::remove_cvref_t<Output>::value_type>)
    later ? rnd::bits_async(place, output, options) : rnd::bits(place, output, options);
  else if (what == variate::uniform)
    later ? rnd::uniform_async(place, output, options) : rnd::uniform(place, output, options);
  else {
    using enum rnd::normal_method;
    rnd::normal_options const normals{options.seed, options.stream, options.offset,
                                      what == variate::inverse ? inverse : box_muller};
    later ? rnd::normal_async(place, output, normals) : rnd::normal(place, output, normals);
  }
}

/// Elements [shift, shift + size) of an array are the samples from the offset on; the others are as
/// they were.
template <class T, class Place>
void check_part(Place& place, variate what, rnd::options const& options, std::size_t shift,
                std::size_t size) {
  CAPTURE(shift);
  CAPTURE(size);
  CAPTURE(options.offset);
  std::vector<T> expected(shift + size + 5, T(42));
  memory_of<Place, T> memory(place, expected);
  fill(place, what, memory.view(shift, size), options, size % 2 == 0);
  for (std::size_t i = 0; i < size; ++i)
    expected[shift + i] = sample<T>(what, options, options.offset + i);
  CHECK(same_elements(contents(place, memory.all()), expected));
}

template <class T, class Place>
void check_parts(Place& place) {
  rnd::options options{.seed = 0x0123456789abcdef, .stream = 0xfedcba9876543210};
  for (variate const what : variates<T>()) {
    CAPTURE(static_cast<int>(what));
    for (std::size_t const size : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 1023, 1030})
      for (std::size_t const shift : {0, 1, 2, 3})
        for (options.offset = 0; options.offset < 6; ++options.offset)
          check_part<T>(place, what, options, shift, size);
    // Whole tiles, and a part of one.
    for (std::size_t const size : {8191, 8192, 8193, 65'536 + 17})
      for (std::size_t const shift : {0, 1})
        for (std::uint64_t const offset : {std::uint64_t{0}, std::uint64_t{1},
                                           (std::uint64_t{1} << 34) - 5, -std::uint64_t{70'000}}) {
          options.offset = offset;
          check_part<T>(place, what, options, shift, size);
        }
    // To the very end of the sequence.
    options.offset = -std::uint64_t{9};
    check_part<T>(place, what, options, 1, 9);
  }
}

/// Checks of generators that nobody doubts: that they wrote the array.
template <class T>
void check_uniform(warpfold::description<T> const& u) {
  auto const size = static_cast<double>(u.count);
  CHECK(u.min >= 0);
  CHECK(u.max <= 1);
  CHECK(std::abs(u.mean - 0.5) < 5 * std::sqrt(1 / 12. / size));
  CHECK(std::abs(u.variance() * 12 - 1) < 5 * std::sqrt(0.8 / size));
}
template <class T>
void check_normal(warpfold::description<T> const& z) {
  auto const size = static_cast<double>(z.count);
  CHECK(std::abs(z.mean) < 5 * std::sqrt(1 / size));
  CHECK(std::abs(z.variance() - 1) < 5 * std::sqrt(2 / size));
}

EVERY_PLACE_OF("every sample is that of its index", T, std::uint32_t, float, double) {
  if constexpr (std::same_as<Place, gpu>) check_parts<T>(place);
  else
    for (int const threads : {1, 3}) {
      host some(threads);
      check_parts<T>(some);
    }
}

// Arrays that follow one another are one sequence.
EVERY_PLACE_OF("a sequence may be made in any parts", T, std::uint32_t, float, double) {
  std::size_t const size = 100'003;
  for (variate const what : variates<T>()) {
    memory_of<Place, T> whole(place, std::vector<T>(size)), parts(place, std::vector<T>(size));
    fill(place, what, whole.all(), {.seed = 7, .stream = 8, .offset = 9});
    for (std::size_t begin = 0, step = 1; begin < size; begin += step, step = 3 * step + 1) {
      step = std::min(step, size - begin);
      fill(place, what, parts.view(begin, step), {.seed = 7, .stream = 8, .offset = 9 + begin});
    }
    CHECK(same_elements(contents(place, whole.all()), contents(place, parts.all())));
  }
}

TEST_CASE("random numbers go into whatever holds numbers on a host") {
  host const place;
  std::vector<float> vector(8);
  std::array<float, 8> array{};
  float plain[8];
  rnd::uniform(place, vector, {.seed = 1});
  rnd::uniform_async(host(1), array, {.seed = 1});
  rnd::uniform(place, plain, {.seed = 1});
  CHECK(std::equal(vector.begin(), vector.end(), array.begin()));
  CHECK(std::equal(vector.begin(), vector.end(), plain));
}

// It deals blocks of words to 65,536 sequences in turn: ours, if they are streams.
TEST_CASE("cuRAND's Philox has our words") {
  host place;
  for (std::uint64_t const seed : {std::uint64_t{0}, std::uint64_t{0x0123456789abcdef}}) {
    std::vector<std::uint32_t> theirs(4 * 65'536 + 400);
    rnd::bits(place, std::span(theirs), generator::curand_philox, {.seed = seed});
    std::vector<std::uint32_t> ours;
    for (std::uint64_t block = 0; block < theirs.size() / 4; ++block)
      for (std::uint32_t const word :
           detail::random_words({seed, block % 65'536}, block / 65'536).of)
        ours.push_back(word);
    CHECK(ours == theirs);
  }
}

/// The first words of cuRAND's MT19937 for the seed 5489. The first one is std::mt19937's too; then
/// cuRAND deals to 8192 substreams, so that the 10,000th is not the C++ standard's 4123659995.
constexpr std::uint32_t twister_words[] = {3499211612, 2464257528, 1227669233,
                                           1884059696, 1008372035, 1549884962};

// Making it takes four seconds on a host.
TEST_CASE("host: cuRAND's MT19937 begins as MT19937 does") {
  host place;
  rnd::vendor_generator<host> twister(place, generator::curand_mt19937, {.seed = 5489});
  std::vector<std::uint32_t> words(10'000);
  twister.bits_async(std::span(words));
  CHECK(words[0] == std::mt19937()());
  CHECK(words[9'999] != 4123659995);
  CHECK(std::equal(std::begin(twister_words), std::end(twister_words), words.begin()));
  std::vector<float> uniform(100'000);
  twister.uniform_async(std::span(uniform));
  check_uniform(describe(place, uniform));
}

EVERY_PLACE_OF("cuRAND's generators give what they promise", T, float, double) {
  constexpr bool there = std::same_as<Place, gpu>;
  std::size_t const size = there ? 1'000'000 : 100'000;
  for (generator const twin :
       {generator::curand_philox, generator::curand_xorwow, generator::curand_mrg32k3a,
        generator::curand_sobol, generator::curand_mtgp32, generator::curand_mt19937}) {
    if (!there && twin == generator::curand_mtgp32) break; // the next one takes seconds on a host
    CAPTURE(to_string(twin));
    memory_of<Place, T> uniform(place, std::vector<T>(size)), normal(place, std::vector<T>(size)),
        again(place, std::vector<T>(size));
    rnd::vendor_generator<Place> made(place, twin);
    made.uniform_async(uniform.all());
    made.normal_async(normal.all());
    check_uniform(describe(place, uniform.all()));
    check_normal(describe(place, normal.all()));
    rnd::uniform(place, again.all(), twin);
    CHECK(same_elements(contents(place, again.all()), contents(place, uniform.all())));
  }
}

TEST_SUITE("gpu") {

  TEST_CASE_TEMPLATE("fast: the GPU has the host's random numbers", T, std::uint32_t, float,
                     double) {
    gpu place;
    host processor;
    // Past an aligned part of whole tiles, and with none.
    for (std::size_t const shift : {0, 1})
      for (variate const what : variates<T>()) {
        std::size_t const size = 300'000;
        memory_of<gpu, T> on_gpu(place, std::vector<T>(size + shift));
        std::vector<T> on_host(size + shift);
        fill(place, what, on_gpu.view(shift, size), {.seed = 3, .stream = 4});
        fill(processor, what, std::span(on_host).subspan(shift), {.seed = 3, .stream = 4});
        CHECK(same_elements(contents(place, on_gpu.all()), on_host));
      }
  }

  TEST_CASE("fast: random numbers can be captured in a graph") {
    gpu place;
    memory_of<gpu, float> memory(place, std::vector<float>(5000));
    captured normals(place, [&] { rnd::normal_async(place, memory.all(), {.seed = 5}); });
    CHECK(normals.is_one_kernel());
    normals.launch();
    std::vector<float> expected(5000);
    rnd::normal(host(), expected, {.seed = 5});
    CHECK(same_elements(contents(place, memory.all()), expected));
  }

  TEST_CASE("cuRAND's MT19937 begins as on the host") {
    gpu place;
    memory_of<gpu, std::uint32_t> words(place, std::vector<std::uint32_t>(6));
    rnd::bits(place, words.all(), generator::curand_mt19937, {.seed = 5489});
    auto const got = contents(place, words.all());
    CHECK(std::equal(got.begin(), got.end(), std::begin(twister_words)));
  }

} // TEST_SUITE

} // namespace random_test
