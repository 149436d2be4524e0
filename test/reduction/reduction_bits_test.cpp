// The fold's promises about rounding: an error bounded by the depth of its tree, and the same
// bits on every run, for any number of threads, and on the host and the GPU.

#include "parts.hpp"
#include "twins.hpp"

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/reduction/fold_shape.hpp>

#include <algorithm>
#include <initializer_list>
#include <memory>

namespace reduction_bits_test {

using namespace test;
namespace wf = warpfold;

/// The most additions that any element goes through: down the rows of its block and the incomplete
/// row, the pairs of lanes and threads, a run of blocks, their pairs, and the initial value.
template <class T>
int depth_of_fold(std::size_t size, std::size_t accumulator_size) {
  auto const shape = wf::detail::fold_shape_of<T>(size, accumulator_size);
  auto const log2 = [](int x) { return std::bit_width(static_cast<unsigned>(x)) - 1; };
  int const run = (shape.blocks + shape.threads - 1) / shape.threads;
  int const lanes = wf::detail::lanes_per_thread<T>;
  return static_cast<int>(shape.rows_per_block) + log2(lanes) + log2(shape.threads) + run +
         log2(shape.threads) + 1;
}

/// |computed - exact| <= d u / (1 - d u) * sum |x| for additions of depth d and unit roundoff u
/// (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, section 4.2). A square
/// rounds once more.
template <class T, class A, class Place>
void check_error_bound(Place& place, unsigned seed) {
  auto const check_part = [&](std::span<T const> part, auto view) {
    long double sum = 0, magnitude = 0, squares = 0;
    for (T const x : part) {
      long double const exact = wide(x);
      sum += exact;
      magnitude += std::abs(exact);
      squares += exact * exact;
    }
    long double const unit = std::numeric_limits<A>::epsilon() / 2;
    auto const gamma = [&](int depth) { return depth * unit / (1 - depth * unit); };
    int const depth = depth_of_fold<T>(part.size(), sizeof(A));
    A const got = wf::sum<A>(place, view);
    CHECK(std::abs(got - sum) <= gamma(depth) * magnitude);
    A const got_squares = wf::transform_reduce(place, view, A{0}, wf::plus{}, wf::square{});
    CHECK(std::abs(got_squares - squares) <= gamma(depth + 1) * squares);
  };
  for_each_part(place, rough_values<T>(largest + 1, seed), sizes, {0, 1}, check_part);
}

/// The bits of everything that rounds, for one view.
template <class A, class Place, class View, class... Twin>
std::array<A, 3> folds_of(Place& place, View view, Twin... twin) {
  std::array<A, 3> folds{wf::sum<A>(place, view, twin...),
                         wf::transform_reduce(place, view, A{0}, wf::plus{}, wf::square{}, twin...),
                         wf::reduce(place, view, A(0.1), wf::plus{}, twin...)};
  return folds;
}

template <class T, class A>
void check_threads(unsigned seed) {
  auto const values = rough_values<T>(largest, seed);
  for_each_view(sizes, {0}, [&](std::size_t, std::size_t size) {
    auto const view = std::span(values).first(size);
    wf::host one(1);
    for_each_twin<has_twins<T, A>>(one, [&](auto... twin) {
      auto const expected = folds_of<A>(one, view, twin...);
      for (int const threads : {2, 3, 7, 16}) {
        CAPTURE(threads);
        wf::host place(threads);
        CHECK(same_bits(folds_of<A>(place, view, twin...), expected));
      }
    });
  });
}

template <class T, class A>
void check_gpu_equals_host(wf::gpu& place, unsigned seed) {
  wf::host host;
  auto const check_part = [&](auto part, auto view) {
    CHECK(same_bits(folds_of<A>(place, view), folds_of<A>(host, part)));
  };
  for_each_part(place, rough_values<T>(largest + 3, seed), sizes, {}, check_part);
}

/// Around 2^28 and 2^29 floats: more blocks than threads to fold their results, and the most rows
/// and blocks that there are before rows grow. Values are made as fast as memory takes them.
template <class T>
void check_large_gpu_equals_host(std::initializer_list<std::size_t> large_sizes) {
  std::size_t const most = std::max(large_sizes);
  auto const storage = std::make_unique_for_overwrite<T[]>(most);
  std::span<T> const values(storage.get(), most);
  wf::host host;
  constexpr std::size_t chunk = 1 << 20;
  auto const chunks = static_cast<std::int64_t>(most / chunk + 1);
  wf::detail::parallel_for(host.threads(), chunks, [&](std::int64_t c) {
    std::size_t const first = static_cast<std::size_t>(c) * chunk;
    for (std::size_t i = first; i < std::min(first + chunk, most); ++i) {
      auto const scattered = static_cast<std::int64_t>(i * 0x9e3779b97f4a7c15U);
      values[i] = static_cast<T>(scattered) * static_cast<T>(0x1p-63);
    }
  });
  wf::gpu place;
  wf::device_buffer<T> const there(place, values);
  for (std::size_t const size : large_sizes)
    for (std::size_t const first : {0, 1}) {
      CAPTURE(size);
      CAPTURE(first);
      auto const expected = folds_of<T>(host, values.subspan(first, size - first));
      CHECK(same_bits(folds_of<T>(place, there.span().subspan(first, size - first)), expected));
    }
}

/// Products of values around 1, which round at every step and neither overflow nor vanish.
template <class T>
std::vector<T> ratios(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    double const x = 1 + 0.25 * static_cast<double>(random() % 1024) / 1024;
    values[i] = static_cast<T>(static_cast<float>(i % 2 ? 1 / x : x));
  }
  return values;
}

EVERY_PLACE_OF("error of the fold", T, WARPFOLD_TEST_FLOATS) {
  check_error_bound<T, accumulator_t<T>>(place, 31);
  if (!is_gpu<Place>) check_error_bound<T, double>(place, 32);
}

TEST_CASE_TEMPLATE("bits do not depend on the number of threads", T, WARPFOLD_TEST_FLOATS) {
  check_threads<T, accumulator_t<T>>(33);
  if constexpr (!std::same_as<T, double>) check_threads<T, double>(34);
}

TEST_CASE("bits of the fold are the same on every run of the host") {
  auto const values = rough_values<float>(524'295, 35);
  wf::host place;
  auto const first = folds_of<float>(place, std::span(values));
  for (int run = 0; run < 20; ++run)
    CHECK(same_bits(folds_of<float>(place, std::span(values)), first));
}

// Written down once, so that a change of the tree does not pass unnoticed. First sums of the
// multiples of 1/7 in a fixed cycle, in float; then shapes on both sides of every bend that a
// number of fold_tree makes, and so all of these numbers.
TEST_CASE("the tree is what it was") {
  std::vector<float> values(1'048'577);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 2'654'435'761U) % 1009) / 7.0F;
  struct row {
    std::size_t size;
    float sum;
  };
  for (row const& one :
       {row{1'000, 0x1.1a06p+16F}, row{20'011, 0x1.5fc906p+20F}, row{1'048'577, 0x1.20004p+26F}}) {
    CAPTURE(one.size);
    CHECK(wf::sum(wf::host(), std::span(values).first(one.size)) == one.sum);
  }

  struct shape_row {
    std::size_t size, accumulator;
    char const* shape; ///< threads, blocks, rows_per_block, last_block_rows, tail, run, runs
  };
  for (shape_row const& one :
       {shape_row{0, 4, "32 1 1 0 0 1 1 "}, shape_row{127, 4, "32 1 1 0 127 1 1 "},
        shape_row{1'024, 4, "64 1 4 4 0 1 1 "}, shape_row{4'096, 4, "256 1 4 4 0 1 1 "},
        shape_row{16'384, 4, "512 1 8 8 0 1 1 "}, shape_row{16'385, 4, "256 4 4 4 1 1 4 "},
        shape_row{131'072, 4, "256 32 4 4 0 1 32 "}, shape_row{131'073, 4, "512 16 4 4 1 1 16 "},
        shape_row{524'287, 4, "512 64 4 3 2047 2 32 "},
        shape_row{1'048'576, 4, "512 128 4 4 0 4 32 "},
        shape_row{1'050'624, 4, "512 129 4 1 0 1 129 "},
        shape_row{5'242'880, 4, "512 256 10 10 0 1 256 "},
        shape_row{5'765'120, 4, "512 282 10 5 0 1 282 "},
        shape_row{20'971'520, 4, "512 320 32 32 0 1 320 "},
        shape_row{std::size_t{1} << 29, 4, "512 8192 32 32 0 16 512 "},
        shape_row{(std::size_t{1} << 29) + 2'048, 4, "512 7944 33 26 0 16 497 "},
        shape_row{std::size_t{1} << 27, 32, "512 2048 32 32 0 4 512 "},
        shape_row{(std::size_t{1} << 27) + 2'048, 32, "512 1986 33 32 0 4 497 "},
        shape_row{std::size_t{1} << 32, 4, "512 8192 256 256 0 16 512 "}}) {
    CAPTURE(one.size);
    CAPTURE(one.accumulator);
    CHECK(text_of(wf::detail::fold_shape_of<float>(one.size, one.accumulator)) == one.shape);
  }
  CHECK(wf::detail::lanes_per_thread<__half> == 8);
  CHECK(wf::detail::lanes_per_thread<float> == 4);
  CHECK(wf::detail::lanes_per_thread<double> == 2);
  CHECK(wf::detail::lanes_per_thread<std::array<char, 12>> == 1);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("gpu and host have the same bits", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_gpu_equals_host<T, accumulator_t<T>>(place, 36);
    if constexpr (!std::same_as<T, double>) check_gpu_equals_host<T, double>(place, 37);
  }

  TEST_CASE_TEMPLATE("gpu and host have the same bits of products", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    auto const check_part = [&](auto part, auto view) {
      CHECK(same_bits(wf::product(place, view), wf::product(wf::host(), part)));
    };
    for_each_part(place, ratios<T>(largest, 38), sizes, {0}, check_part);
  }

  // More than 128 blocks, so that a whole block folds their results.
  TEST_CASE("fast: gpu and host have the same bits where a block finishes") {
    wf::gpu place;
    wf::host host;
    constexpr std::size_t some[] = {1'100'002};
    auto const check_part = [&](auto part, auto view) {
      CHECK(same_bits(wf::sum(place, view), wf::sum(host, part)));
      CHECK(same_bits(wf::min(place, view), wf::min(host, part)));
      CHECK(same_bits(wf::product(place, view), wf::product(host, part)));
      CHECK(same_bits(wf::sum<double>(place, view), wf::sum<double>(host, part)));
    };
    for_each_part(place, ratios<float>(1'100'003, 43), some, {0, 1}, check_part);
  }

  TEST_CASE("gpu and host have the same bits of hundreds of millions") {
    check_large_gpu_equals_host<float>(
        {20'000'003, (std::size_t{1} << 28) + 3, (std::size_t{1} << 29) + 5});
    check_large_gpu_equals_host<double>({20'000'003, (std::size_t{1} << 28) + 3});
  }

  TEST_CASE_TEMPLATE("64-bit integers in a double round alike", T, std::int64_t, std::uint64_t) {
    wf::gpu place;
    check_gpu_equals_host<T, double>(place, 39);
  }

  TEST_CASE_TEMPLATE("bits of every twin are the same on every run", T, WARPFOLD_TEST_FLOATS) {
    auto const values = rough_values<T>(1'048'577, 40);
    wf::gpu place;
    memory_of<wf::gpu, T> there(place, values);
    for_each_sum_twin<T, accumulator_t<T>>(place, [&](auto... twin) {
      auto const first = wf::sum(place, there.all(), twin...);
      for (int run = 0; run < 20; ++run)
        CHECK(same_bits(wf::sum(place, there.all(), twin...), first));
    });
  }

  TEST_CASE("every device has the same bits, and the current device stays") {
    auto const values = rough_values<float>(1'048'577, 42);
    float const expected = wf::sum(wf::host(), values);
    for (int device = 0; device < wf::gpu_count(); ++device) {
      CAPTURE(device);
      wf::gpu place(device);
      wf::device_buffer<float> const there(place, values);
      CHECK(same_bits(wf::sum(place, there), expected));
      int current = -1;
      wf::check(cudaGetDevice(&current));
      CHECK(current == 0);
    }
  }

  TEST_CASE("places on one device do not disturb each other") {
    auto const values = rough_values<float>(1'048'577, 41);
    float const expected = wf::sum(wf::host(), values);
    wf::gpu one, other;
    wf::device_buffer<float> const there(one, values);
    wf::device_buffer<float> results(one, 200);
    one.synchronize();
    for (std::size_t i = 0; i < 100; ++i) {
      wf::sum_async(one, there, results.span().subspan(2 * i, 1));
      wf::sum_async(other, there, results.span().subspan(2 * i + 1, 1));
    }
    other.synchronize();
    for (float const got : wf::to_vector(one, results.span())) CHECK(same_bits(got, expected));
  }
}

} // namespace reduction_bits_test
