// Arrays of random numbers: every sample is that of its index, on both places, however the array
// lies and wherever the sequence begins; and cuRAND's as oracles.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/random.hpp>
#include <warpfold/twins/random.hpp>

namespace {

using namespace test;
using warpfold::gpu;
using warpfold::host;
using warpfold::random::transform;
using warpfold::random::vendor_generator;
using random_options = warpfold::random::options;
using warpfold::twins::generator;
namespace detail = warpfold::detail;

enum class kind { bits, uniform, box_muller, inverse };

template <class T>
std::vector<kind> kinds() {
  if constexpr (std::integral<T>) return {kind::bits};
  else return {kind::uniform, kind::box_muller, kind::inverse};
}

/// Sample i, from its words.
template <class T>
T sample(kind what, random_options const& from, std::uint64_t i) {
  constexpr std::uint64_t width = 16 / sizeof(T);
  auto const words = detail::random_words({from.seed, from.stream}, i / width);
  auto const of = [&](std::uint64_t k) {
    if constexpr (sizeof(T) == 4) return words.of[k];
    else return detail::two_words(words.of[2 * k], words.of[2 * k + 1]);
  };
  std::uint64_t const k = i % width;
  if constexpr (std::integral<T>) return of(k);
  else {
    if (what == kind::uniform) return detail::uniform_of_word<T>(of(k));
    if (what == kind::inverse) return detail::inverse_normal_of_word<T>(of(k));
    auto const both = detail::box_muller(of(k & ~std::uint64_t{1}), of(k | 1));
    return k % 2 == 0 ? both.first : both.second;
  }
}

template <class Place, class Span>
void fill(Place& place, kind what, Span out, random_options options) {
  if constexpr (std::integral<typename Span::value_type>)
    warpfold::random::bits(place, out, options);
  else {
    options.by = what == kind::inverse ? transform::inverse : transform::box_muller;
    if (what == kind::uniform) warpfold::random::uniform(place, out, options);
    else warpfold::random::normal(place, out, options);
  }
}

template <class T>
std::size_t differences(std::vector<T> const& a, std::vector<T> const& b) {
  std::size_t count = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += !same_bits(a[i], b[i]);
  return count;
}

template <class T>
constexpr T untouched = T(42);

/// Elements [offset, offset + size) of an array are the samples from `first` on; the others are as
/// they were.
template <class T, class Place>
void check_part(Place& place, kind what, random_options options, std::size_t offset,
                std::size_t size) {
  CAPTURE(offset);
  CAPTURE(size);
  CAPTURE(options.first);
  std::vector<T> expected(offset + size + 5, untouched<T>);
  memory_of<Place, T> memory(place, expected);
  fill(place, what, memory.view(offset, size), options);
  for (std::size_t i = 0; i < size; ++i)
    expected[offset + i] = sample<T>(what, options, options.first + i);
  CHECK(differences(contents(place, memory.all()), expected) == 0);
}

template <class T, class Place>
void check_parts(Place& place) {
  random_options options{.seed = 0x0123456789abcdef, .stream = 0xfedcba9876543210};
  for (kind const what : kinds<T>()) {
    CAPTURE(static_cast<int>(what));
    for (std::size_t const size : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 1023, 1030})
      for (std::size_t const offset : {0, 1, 2, 3})
        for (std::uint64_t const first : {0, 1, 2, 3, 4, 5}) {
          options.first = first;
          check_part<T>(place, what, options, offset, size);
        }
    // Whole tiles, and a part of one.
    for (std::size_t const size : {8191, 8192, 8193, 65'536 + 17})
      for (std::size_t const offset : {0, 1})
        for (std::uint64_t const first : {std::uint64_t{0}, std::uint64_t{1},
                                          (std::uint64_t{1} << 34) - 5, -std::uint64_t{70'000}}) {
          options.first = first;
          check_part<T>(place, what, options, offset, size);
        }
    // To the very end of the sequence.
    options.first = -std::uint64_t{9};
    check_part<T>(place, what, options, 1, 9);
  }
}

template <class Place>
void check_refusals(Place& place) {
  memory_of<Place, float> memory(place, std::vector<float>(16, untouched<float>));
  auto const out = memory.view(0, 16);
  using span = decltype(memory.view(0, 16));
  auto const refused_of = [&](generator twin, random_options const& options) {
    CHECK(refused_by([&] { warpfold::random::uniform(place, out, twin, options); }) ==
          refused_by([&] { warpfold::random::normal(place, out, twin, options); }));
    return refused_by([&] { warpfold::random::normal(place, out, twin, options); });
  };
  auto const refused = [&](random_options const& options) {
    CHECK(refused_by([&] { warpfold::random::uniform(place, out, options); }) ==
          refused_by([&] { warpfold::random::normal(place, out, options); }));
    CHECK(refused_by([&] { warpfold::random::normal(place, out, options); }) ==
          refused_of(generator::philox, options));
    return refused_of(generator::philox, options);
  };
  CHECK(refused({.first = -std::uint64_t{15}}) == "options.first");
  CHECK(refused({.by = static_cast<transform>(9)}) == "options.by");
  CHECK(refused_of(static_cast<generator>(99), {}) == "twin");
  CHECK(refused_of(static_cast<generator>(-1), {}) == "twin");
  CHECK(refused_of(generator::curand_philox, {.first = -std::uint64_t{15}}) == "options.first");
  CHECK(refused_of(generator::curand_philox, {.stream = 1}) == "options.stream");
  CHECK(refused_of(generator::curand_mt19937, {.first = 1}) == "options.first");
  CHECK(refused_of(generator::curand_sobol, {.seed = 1}) == "options.seed");
  CHECK(refused_of(generator::curand_philox, {.by = transform::inverse}) == "options.by");
  CHECK(refused_by([&] {
          warpfold::random::uniform(place, memory.view(0, 0), generator::curand_philox,
                                    {.stream = 1});
        }) == "options.stream");
  for (generator const twin : {generator::philox, generator::curand_philox})
    CHECK(refused_by([&] {
            warpfold::random::uniform(place, span(static_cast<float*>(nullptr), 1), twin);
          }) == "out");
  if constexpr (std::same_as<Place, host>) {
    CHECK(refused_of(generator::curand_mtgp32, {}) == "twin");
  } else {
    CHECK(refused_by([&] { warpfold::random::uniform(place, span(nullptr, 1)); }) == "out");
    CHECK(refused_by([&] {
            warpfold::random::normal_async(place, out, generator::curand_philox);
          }) == "twin");
  }
  CHECK(refused_by([&] { vendor_generator<Place>(place, generator::philox); }) == "twin");
  CHECK(differences(contents(place, memory.all()), std::vector<float>(16, untouched<float>)) == 0);
}

/// Arrays that follow one another are one sequence; in uneven parts of two streams.
template <class T, class Place>
void check_threads_agree(Place& place) {
  std::size_t const size = 100'003;
  for (kind const what : kinds<T>()) {
    memory_of<Place, T> whole(place, std::vector<T>(size)), parts(place, std::vector<T>(size));
    fill(place, what, whole.all(), {.seed = 7, .stream = 8, .first = 9});
    for (std::size_t begin = 0, step = 1; begin < size; begin += step, step = 3 * step + 1) {
      step = std::min(step, size - begin);
      fill(place, what, parts.view(begin, step), {.seed = 7, .stream = 8, .first = 9 + begin});
    }
    CHECK(differences(contents(place, whole.all()), contents(place, parts.all())) == 0);
  }
}

/// Of generators that nobody doubts: whether it was they that wrote.
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

} // namespace

TEST_CASE_TEMPLATE("host: every sample is that of its index", T, std::uint32_t, float, double) {
  for (int const threads : {1, 3}) {
    host place(threads);
    check_parts<T>(place);
  }
}
TEST_CASE_TEMPLATE("host: a sequence may be made in any parts", T, std::uint32_t, float, double) {
  host place;
  check_threads_agree<T>(place);
}
TEST_CASE("host: bad requests for random numbers are refused") {
  host place;
  check_refusals(place);
}

// It deals blocks of words to 65,536 sequences in turn: ours, if they are streams.
TEST_CASE("cuRAND's Philox has our words") {
  host place;
  for (std::uint64_t const seed : {std::uint64_t{0}, std::uint64_t{0x0123456789abcdef}}) {
    std::vector<std::uint32_t> theirs(4 * 65'536 + 400);
    warpfold::random::bits(place, std::span(theirs), generator::curand_philox, {.seed = seed});
    std::vector<std::uint32_t> ours;
    for (std::uint64_t block = 0; block < theirs.size() / 4; ++block)
      for (std::uint32_t const word :
           detail::random_words({seed, block % 65'536}, block / 65'536).of)
        ours.push_back(word);
    CHECK(ours == theirs);
  }
}

/// What cuRAND's MT19937 begins with for the seed 5489. The first is std::mt19937's too; then it
/// deals to 8192 substreams, so that the 10,000th is not the C++ standard's 4123659995.
constexpr std::uint32_t twister_words[] = {3499211612, 2464257528, 1227669233,
                                           1884059696, 1008372035, 1549884962};

// Making it takes four seconds on a host.
TEST_CASE("host: cuRAND's MT19937 begins as MT19937 does") {
  host place;
  vendor_generator<host> twister(place, generator::curand_mt19937, {.seed = 5489});
  std::vector<std::uint32_t> words(10'000);
  twister.bits_async(std::span(words));
  CHECK(words[0] == std::mt19937()());
  CHECK(words[9'999] != 4123659995);
  CHECK(std::equal(std::begin(twister_words), std::end(twister_words), words.begin()));
  std::vector<float> uniform(100'000);
  twister.uniform_async(std::span(uniform));
  check_uniform(describe(place, uniform));
}

TEST_CASE_TEMPLATE("host: cuRAND's generators give what they promise", T, float, double) {
  host place;
  for (generator const twin : {generator::curand_philox, generator::curand_xorwow,
                               generator::curand_mrg32k3a, generator::curand_sobol}) {
    CAPTURE(to_string(twin));
    std::vector<T> uniform(100'000), normal(100'000), again(100'000);
    vendor_generator<host> made(place, twin);
    made.uniform_async(std::span(uniform));
    made.normal_async(std::span(normal));
    check_uniform(describe(place, uniform));
    check_normal(describe(place, normal));
    warpfold::random::uniform(place, std::span(again), twin);
    CHECK(again == uniform);
  }
}

TEST_SUITE("gpu") {

  TEST_CASE_TEMPLATE("every sample is that of its index", T, std::uint32_t, float, double) {
    gpu place;
    check_parts<T>(place);
  }
  TEST_CASE_TEMPLATE("a sequence may be made in any parts", T, std::uint32_t, float, double) {
    gpu place;
    check_threads_agree<T>(place);
  }
  TEST_CASE("bad requests for random numbers are refused") {
    gpu place;
    check_refusals(place);
  }

  TEST_CASE_TEMPLATE("fast: the GPU has the host's random numbers", T, std::uint32_t, float,
                     double) {
    gpu place;
    host processor;
    // Past an aligned part of whole tiles, and with none.
    for (std::size_t const offset : {0, 1})
      for (kind const what : kinds<T>()) {
        std::size_t const size = 300'000;
        memory_of<gpu, T> on_gpu(place, std::vector<T>(size + offset));
        memory_of<host, T> on_host(processor, std::vector<T>(size + offset));
        fill(place, what, on_gpu.view(offset, size), {.seed = 3, .stream = 4});
        fill(processor, what, on_host.view(offset, size), {.seed = 3, .stream = 4});
        CHECK(differences(contents(place, on_gpu.all()), contents(processor, on_host.all())) == 0);
      }
  }

  TEST_CASE("fast: random numbers can be captured in a graph") {
    gpu place;
    memory_of<gpu, float> memory(place, std::vector<float>(5000));
    captured normals(place,
                     [&] { warpfold::random::normal_async(place, memory.all(), {.seed = 5}); });
    CHECK(normals.is_one_kernel());
    normals.launch();
    std::vector<float> expected(5000);
    host processor;
    warpfold::random::normal(processor, std::span(expected), {.seed = 5});
    CHECK(differences(contents(place, memory.all()), expected) == 0);
  }

  TEST_CASE("cuRAND's MT19937 begins as on the host") {
    gpu place;
    memory_of<gpu, std::uint32_t> words(place, std::vector<std::uint32_t>(6));
    warpfold::random::bits(place, words.all(), generator::curand_mt19937, {.seed = 5489});
    auto const got = contents(place, words.all());
    CHECK(std::equal(got.begin(), got.end(), std::begin(twister_words)));
  }

  TEST_CASE_TEMPLATE("cuRAND's generators give what they promise", T, float, double) {
    gpu place;
    for (generator const twin :
         {generator::curand_philox, generator::curand_xorwow, generator::curand_mrg32k3a,
          generator::curand_mtgp32, generator::curand_mt19937, generator::curand_sobol}) {
      CAPTURE(to_string(twin));
      std::size_t const size = 1'000'000;
      warpfold::device_buffer<T> uniform(place, size), normal(place, size), again(place, size);
      vendor_generator<gpu> made(place, twin);
      made.uniform_async(uniform);
      made.normal_async(normal);
      check_uniform(describe(place, uniform));
      check_normal(describe(place, normal));
      warpfold::random::uniform(place, again.span(), twin);
      CHECK(differences(to_vector(place, again.span()), to_vector(place, uniform.span())) == 0);
    }
  }

} // TEST_SUITE
