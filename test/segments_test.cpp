// Segmented reductions: every result has the bits of reduce of that segment alone.

#include "gpu.hpp"

#include <algorithm>
#include <numeric>

namespace {

using namespace test;
namespace wf = warpfold;

/// Elements, accumulator and operator of a segmented reduction.
template <class T, class A, class O>
struct kind {
  using element = T;
  using accumulator = A;
  using op = O;
  static A init() {
    if constexpr (std::same_as<O, wf::multiplies>) return A{1};
    else return static_cast<A>(3);
  }
};
template <class T, class O>
using usual = kind<T, accumulator_t<T>, O>;

#define WARPFOLD_TEST_SUMS                                                                         \
  usual<std::int32_t, wf::plus>, usual<std::int64_t, wf::plus>, usual<float, wf::plus>,            \
      usual<double, wf::plus>, usual<__half, wf::plus>, usual<__nv_bfloat16, wf::plus>,            \
      kind<float, double, wf::plus>
#define WARPFOLD_TEST_KINDS                                                                        \
  WARPFOLD_TEST_SUMS, usual<std::int32_t, wf::multiplies>, usual<std::int64_t, wf::multiplies>,    \
      usual<float, wf::multiplies>, usual<double, wf::multiplies>, usual<__half, wf::multiplies>,  \
      usual<__nv_bfloat16, wf::multiplies>, usual<std::int32_t, wf::minimum<>>,                    \
      usual<std::int64_t, wf::minimum<>>, usual<float, wf::minimum<>>,                             \
      usual<double, wf::minimum<>>, usual<__half, wf::minimum<>>,                                  \
      usual<__nv_bfloat16, wf::minimum<>>, usual<std::int32_t, wf::maximum<>>,                     \
      usual<std::int64_t, wf::maximum<>>, usual<float, wf::maximum<>>,                             \
      usual<double, wf::maximum<>>, usual<__half, wf::maximum<>>,                                  \
      usual<__nv_bfloat16, wf::maximum<>>

/// Positions of segments of the given lengths, from `first` on.
template <class Offset = std::int64_t>
std::vector<Offset> positions(std::vector<std::size_t> const& lengths, std::size_t first) {
  std::vector<Offset> offsets{static_cast<Offset>(first)};
  for (std::size_t const length : lengths)
    offsets.push_back(static_cast<Offset>(static_cast<std::size_t>(offsets.back()) + length));
  return offsets;
}

/// What reduce gives for every segment alone, on the host.
template <class Kind, class Offset>
auto one_by_one(std::vector<typename Kind::element> const& values,
                std::vector<Offset> const& offsets) {
  std::vector<typename Kind::accumulator> results;
  wf::host const one(1);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    results.push_back(
        wf::reduce(one,
                   std::span(values).subspan(static_cast<std::size_t>(offsets[i]),
                                             static_cast<std::size_t>(offsets[i + 1] - offsets[i])),
                   Kind::init(), typename Kind::op{}));
  return results;
}

/// Number of results whose bits differ, and the first of them; a NaN equals every other.
template <class A>
std::string differences(std::vector<A> const& found, std::vector<A> const& expected) {
  std::size_t count = 0, first = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (same_bits(found[i], expected[i])) continue;
    if constexpr (std::is_floating_point_v<A>)
      if (std::isnan(found[i]) && std::isnan(expected[i])) continue;
    if (count++ == 0) first = i;
  }
  if (found.size() != expected.size()) return "sizes";
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(expected.size()) + ", first number " +
         std::to_string(first) + ": " + std::to_string(found[first]) + " for " +
         std::to_string(expected[first]);
}

template <class A>
std::vector<A> fetched(wf::gpu& place, memory_of<wf::gpu, A>& memory) {
  return wf::to_vector(place, memory.all());
}
template <class A>
std::vector<A> fetched(wf::host&, memory_of<wf::host, A>& memory) {
  return {memory.all().begin(), memory.all().end()};
}

template <class Place, class Kind>
class segments_on {
public:
  using T = typename Kind::element;
  using A = typename Kind::accumulator;

  segments_on(Place& place, std::vector<T> const& values)
      : place_{place}, host_values_(values), values_(place, shifted(values)), size_{values.size()} {
  }

  /// Segments between offsets, with the values at 16 bytes and past them, blocking and not.
  template <class Offset>
  void check(std::vector<Offset> const& offsets) {
    auto const expected = one_by_one<Kind>(host_values_, offsets);
    memory_of<Place, Offset> positions(place_, offsets);
    memory_of<Place, A> results(place_, std::vector<A>(expected.size(), A{77}));
    wf::segmented_reduce(place_, view(0), positions.all(), Kind::init(), typename Kind::op{},
                         results.all());
    CHECK(differences(fetched(place_, results), expected) == "");
    memory_of<Place, A> later(place_, std::vector<A>(expected.size(), A{77}));
    wf::segmented_reduce_async(place_, view(1), positions.all(), Kind::init(), typename Kind::op{},
                               later.all());
    CHECK(differences(fetched(place_, later), expected) == "");
  }

  void check_fixed(std::size_t length) {
    CAPTURE(length);
    std::size_t const count = size_ / length;
    auto const expected =
        one_by_one<Kind>(host_values_, positions(std::vector<std::size_t>(count, length), 0));
    for (std::size_t const shift : {0, 1}) {
      memory_of<Place, A> results(place_, std::vector<A>(count, A{77}));
      wf::segmented_reduce(place_, view(shift).subspan(0, count * length), wf::fixed_length{length},
                           Kind::init(), typename Kind::op{}, results.all());
      CHECK(differences(fetched(place_, results), expected) == "");
    }
  }

  void check_matrix(wf::matrix_shape const& shape) {
    CAPTURE(shape.rows);
    CAPTURE(shape.columns);
    CAPTURE(shape.pitch);
    std::size_t const needed = shape.rows == 0 ? 0 : (shape.rows - 1) * shape.pitch + shape.columns;
    REQUIRE(needed <= size_);
    std::vector<A> rows, columns;
    wf::host const one(1);
    for (std::size_t i = 0; i < shape.rows; ++i)
      rows.push_back(wf::reduce(one,
                                std::span(host_values_).subspan(i * shape.pitch, shape.columns),
                                Kind::init(), typename Kind::op{}));
    for (std::size_t j = 0; j < shape.columns; ++j) {
      std::vector<T> column;
      for (std::size_t i = 0; i < shape.rows; ++i)
        column.push_back(host_values_[i * shape.pitch + j]);
      columns.push_back(wf::reduce(one, column, Kind::init(), typename Kind::op{}));
    }
    for (std::size_t const shift : {0, 1}) {
      memory_of<Place, A> of_rows(place_, std::vector<A>(shape.rows, A{77}));
      memory_of<Place, A> of_columns(place_, std::vector<A>(shape.columns, A{77}));
      auto const input = view(shift).subspan(0, needed);
      wf::reduce_rows(place_, input, shape, Kind::init(), typename Kind::op{}, of_rows.all());
      CHECK(differences(fetched(place_, of_rows), rows) == "");
      wf::reduce_columns(place_, input, shape, Kind::init(), typename Kind::op{}, of_columns.all());
      CHECK(differences(fetched(place_, of_columns), columns) == "");
    }
  }

private:
  /// Twice, the second time one element past an aligned address.
  static std::vector<T> shifted(std::vector<T> const& values) {
    std::vector<T> twice(2 * padded(values.size()) + 1);
    std::copy(values.begin(), values.end(), twice.begin());
    std::copy(values.begin(), values.end(),
              twice.begin() + static_cast<std::ptrdiff_t>(padded(values.size()) + 1));
    return twice;
  }
  static std::size_t padded(std::size_t size) { return (size + 15) / 16 * 16; }
  auto view(std::size_t shift) { return values_.view(shift * (padded(size_) + 1), size_); }

  Place& place_;
  std::vector<T> host_values_;
  memory_of<Place, T> values_;
  std::size_t size_;
};

/// Lengths around the edges of what threads, groups, warps, stages and blocks take, in random
/// order.
std::vector<std::size_t> mixed_lengths(unsigned seed, std::size_t most) {
  std::mt19937 random{seed};
  std::vector<std::size_t> lengths;
  for (std::size_t const edge :
       {1,     2,     3,     4,     7,      8,       15,      16,       31,   32,
        33,    63,    64,    65,    127,    128,     255,     256,      511,  512,
        513,   1023,  1024,  1025,  2048,   4090,    4096,    4097,     8192, 16383,
        16384, 16385, 32768, 32769, 70'000, 140'001, 300'007, 1'000'000})
    if (edge <= most)
      for (std::size_t const length : {edge - 1, edge, edge + 1}) lengths.push_back(length);
  for (int i = 0; i < 400; ++i) lengths.push_back(random() % 40);
  for (int i = 0; i < 200; ++i) lengths.push_back(0);
  for (int i = 0; i < 30; ++i) lengths.push_back(random() % std::min<std::size_t>(most, 3000));
  std::shuffle(lengths.begin(), lengths.end(), random);
  for (int i = 0; i < 1500; ++i) lengths.push_back(0);
  for (int i = 0; i < 1500; ++i) lengths.push_back(random() % 6);
  return lengths;
}

template <class Kind, class Place>
void check_mix(Place& place, std::size_t most) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  auto const lengths = mixed_lengths(seed, most);
  std::size_t const first = seed % 7;
  std::size_t const size = std::accumulate(lengths.begin(), lengths.end(), first) + seed % 5;
  auto const values = std::same_as<typename Kind::op, wf::plus>
                          ? rough_values<typename Kind::element>(size, seed)
                          : factors<typename Kind::element>(size, seed);
  segments_on<Place, Kind> tested(place, values);
  tested.check(positions<std::int64_t>(lengths, first));
  tested.check(positions<std::int32_t>(lengths, first));
}

template <class Kind, class Place>
void check_lengths(Place& place) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  segments_on<Place, Kind> tested(place, rough_values<typename Kind::element>(150'007, seed));
  for (std::size_t const length :
       {1,   2,   3,   4,   5,   8,    12,   16,   31,   32,     33,     64,     100,    128,
        129, 256, 500, 512, 513, 1000, 2048, 4096, 4097, 16'384, 16'385, 40'960, 150'007})
    tested.check_fixed(length);
}

template <class Kind, class Place>
void check_matrices(Place& place) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  segments_on<Place, Kind> tested(place, rough_values<typename Kind::element>(700'000, seed));
  for (wf::matrix_shape const shape : {wf::matrix_shape{1, 1},
                                       {1, 1000},
                                       {1000, 1},
                                       {3, 5, 8},
                                       {31, 33, 40},
                                       {128, 64},
                                       {129, 4, 16},
                                       {513, 100, 112},
                                       {2048, 130, 136},
                                       {2049, 7, 9},
                                       {5000, 33},
                                       {16'384, 16},
                                       {16'385, 17, 24},
                                       {70'001, 2, 3},
                                       {70'000, 1, 8},
                                       {4, 0, 8},
                                       {0, 5, 8},
                                       {8, 20'000, 20'008}})
    tested.check_matrix(shape);
}

TEST_CASE_TEMPLATE("segments of the host have the bits of reduce", Kind, WARPFOLD_TEST_KINDS) {
  for (int const threads : {1, 3}) {
    wf::host place(threads);
    check_mix<Kind>(place, 40'000);
  }
}

TEST_CASE_TEMPLATE("rows, columns and segments of one length of the host", Kind,
                   WARPFOLD_TEST_SUMS) {
  wf::host place(3);
  check_lengths<Kind>(place);
  check_matrices<Kind>(place);
}

TEST_CASE("a segment longer than all others is shared by the host's threads") {
  wf::host place(4);
  segments_on<wf::host, usual<float, wf::plus>> tested(place, rough_values<float>(1'200'000, 3));
  tested.check<std::int32_t>({0, 5, 1'100'000, 1'100'001, 1'200'000});
}

TEST_CASE("segments known without warpfold") {
  std::vector<int> const values{5, 1, 2, 3, 4, 7};
  std::vector<int> results(4);
  wf::host place;
  wf::segmented_reduce(place, values, std::vector<std::int32_t>{1, 3, 3, 6, 6}, 100, wf::plus{},
                       results);
  CHECK(results == std::vector<int>{103, 100, 114, 100});
  wf::reduce_columns(place, values, {2, 2, 4}, 0, wf::plus{}, std::span(results).first(2));
  CHECK(results == std::vector<int>{9, 8, 114, 100});
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("segments of a gpu have the bits of reduce", Kind, WARPFOLD_TEST_KINDS) {
    wf::gpu place;
    place.reserve(
        wf::segmented_workspace<typename Kind::element, typename Kind::accumulator>(8'000'000));
    for (int round = 0; round < 3; ++round) check_mix<Kind>(place, 1'000'000);
  }

  TEST_CASE("fast: segments, rows and columns of a gpu") {
    wf::gpu place;
    check_mix<usual<float, wf::plus>>(place, 17'000);
    check_mix<usual<__half, wf::maximum<>>>(place, 70'000);
    unsigned const seed = 99;
    segments_on<wf::gpu, usual<double, wf::plus>> tested(place, rough_values<double>(60'000, seed));
    for (std::size_t const length : {1, 3, 16, 64, 65, 600, 8193, 60'000})
      tested.check_fixed(length);
    for (wf::matrix_shape const shape : {wf::matrix_shape{3, 5, 8}, {130, 33, 40}, {9001, 6}})
      tested.check_matrix(shape);
  }

  TEST_CASE_TEMPLATE("rows, columns and segments of one length of a gpu", Kind,
                     WARPFOLD_TEST_KINDS) {
    wf::gpu place;
    check_lengths<Kind>(place);
    check_matrices<Kind>(place);
  }

  TEST_CASE("many segments of one length on a gpu") {
    wf::gpu place;
    segments_on<wf::gpu, usual<float, wf::plus>> tested(place, rough_values<float>(12'000'000, 5));
    for (std::size_t const length : {1, 6, 200, 1000, 2000, 30'000, 6'000'000})
      tested.check_fixed(length);
  }

  TEST_CASE("millions of empty segments, and one that is huge") {
    wf::gpu place;
    segments_on<wf::gpu, usual<float, wf::plus>> tested(place, rough_values<float>(20'000'000, 7));
    std::vector<std::size_t> lengths(3'000'001, 0);
    lengths[2'000'000] = 19'000'000;
    lengths[2'999'999] = 3;
    tested.check(positions<std::int32_t>(lengths, 11));
    tested.check(positions<std::int32_t>({19'999'999}, 1));
    tested.check(positions<std::int64_t>(std::vector<std::size_t>(5'000'000, 0), 20'000'000));
  }

  TEST_CASE_TEMPLATE("CUB and the fold agree where sums are exact", T, std::int32_t, std::int64_t,
                     float, double, __half, __nv_bfloat16) {
    wf::gpu place;
    using A = accumulator_t<T>;
    unsigned const seed = 17;
    CAPTURE(seed);
    auto const lengths = mixed_lengths(seed, 300'000);
    auto const offsets = positions<std::int32_t>(lengths, 0);
    auto const size = static_cast<std::size_t>(offsets.back());
    memory_of<wf::gpu, T> values(place,
                                 exact_values<T>(std::max<std::size_t>(size, 1'700'000), seed));
    memory_of<wf::gpu, std::int32_t> positions(place, offsets);
    auto const both = [&](std::size_t count, auto reduce) {
      memory_of<wf::gpu, A> first(place, std::vector<A>(count, A{5})),
          second(place, std::vector<A>(count, A{6}));
      reduce(first.all(), method::fold);
      reduce(second.all(), method::cub);
      CHECK(differences(fetched(place, first), fetched(place, second)) == "");
    };
    both(lengths.size(), [&](auto results, method how) {
      wf::segmented_reduce(place, values.all(), positions.all(), A{1}, wf::plus{}, results,
                           {.how = how});
    });
    both(1000, [&](auto results, method how) {
      wf::segmented_reduce(place, values.view(0, 1'600'000), wf::fixed_length{1600}, A{1},
                           wf::plus{}, results, {.how = how});
    });
    wf::matrix_shape const shape{900, 1100, 1104};
    both(900, [&](auto results, method how) {
      wf::reduce_rows(place, values.all(), shape, A{1}, wf::plus{}, results, {.how = how});
    });
    both(1100, [&](auto results, method how) {
      wf::reduce_columns(place, values.all(), shape, A{1}, wf::plus{}, results, {.how = how});
    });
  }

  TEST_CASE("segments are captured in a graph and folded again over other data") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    std::vector<std::int32_t> const offsets{0, 3, 3, 40, 5'000, 100'000, 400'000};
    wf::device_buffer<float> values(place, 400'000), results(place, 6), rows(place, 40),
        columns(place, 10'000);
    wf::device_buffer<std::int32_t> const there(place, std::span<std::int32_t const>(offsets));
    int const allocations = memory.allocations;
    captured graph(place, [&] {
      wf::segmented_reduce_async(place, values, there, 0.F, wf::plus{}, results);
      wf::segmented_reduce_async(place, values, wf::fixed_length{10'000}, 0.F, wf::plus{}, rows);
      wf::reduce_columns_async(place, values, {40, 10'000}, 0.F, wf::plus{}, columns);
      wf::segmented_reduce_async(place, values, wf::fixed_length{40'000}, 0.F, wf::plus{},
                                 rows.span().subspan(0, 10));
    });
    for (auto const node : graph.nodes())
      CHECK((node == cudaGraphNodeTypeKernel || node == cudaGraphNodeTypeMemset));
    CHECK(memory.allocations == allocations);
    for (unsigned seed = 1; seed < 4; ++seed) {
      CAPTURE(seed);
      auto const other = rough_values<float>(400'000, seed);
      wf::copy(place, other, values.span());
      graph.launch();
      std::vector<float> expected(6);
      wf::host const one(1);
      for (std::size_t i = 0; i < 6; ++i)
        expected[i] = wf::sum(
            one, std::span(other).subspan(static_cast<std::size_t>(offsets[i]),
                                          static_cast<std::size_t>(offsets[i + 1] - offsets[i])));
      CHECK(differences(wf::to_vector(place, results.span()), expected) == "");
      auto const of_rows = wf::to_vector(place, rows.span());
      CHECK(of_rows[9] == wf::sum(one, std::span(other).subspan(360'000)));
      CHECK(of_rows[39] == wf::sum(one, std::span(other).subspan(390'000)));
    }
  }
}

TEST_SUITE("large") {
  TEST_CASE("segments beyond 2^32 elements") {
    wf::gpu place;
    std::size_t const size = (std::size_t{1} << 32) + 1'000'000;
    wf::device_buffer<float> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(float), place.stream()));
    std::vector<float> const ones(1'000'000, 1.F);
    wf::copy(place, ones, values.span().subspan(size - 1'000'000));
    auto const all = static_cast<std::int64_t>(size);
    std::vector<std::int64_t> const offsets{0, 1, all - 1'000'001, all - 700'000, all - 7, all};
    wf::device_buffer<std::int64_t> const there(place, std::span<std::int64_t const>(offsets));
    wf::device_buffer<float> results(place, 5);
    wf::segmented_reduce(place, values, there, 0.F, wf::plus{}, results);
    CHECK(wf::to_vector(place, results.span()) == std::vector<float>{0, 0, 300'000, 699'993, 7});
    wf::device_buffer<float> rows(place, 4);
    std::size_t const quarter = size / 4;
    wf::reduce_rows(place, values, {4, quarter}, 0.F, wf::plus{}, rows);
    CHECK(wf::to_vector(place, rows.span()) == std::vector<float>{0, 0, 0, 1'000'000});
    std::size_t const height = size / 8;
    wf::device_buffer<float> columns(place, 8);
    wf::reduce_columns(place, values, {height, 8}, 0.F, wf::plus{}, columns);
    CHECK(wf::to_vector(place, columns.span()) == std::vector<float>(8, 125'000));
  }
}

} // namespace
