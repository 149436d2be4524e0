// Segmented reductions: every result has the bits of reduce of that segment alone.

#include "contents.hpp"
#include "gpu.hpp"
#include "segments.hpp"

#include <algorithm>
#include <numeric>

namespace segments_test {

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

#define WARPFOLD_TEST_KINDS_OF(Op)                                                                 \
  usual<std::int32_t, Op>, usual<std::int64_t, Op>, usual<float, Op>, usual<double, Op>,           \
      usual<__half, Op>, usual<__nv_bfloat16, Op>
#define WARPFOLD_TEST_SUMS WARPFOLD_TEST_KINDS_OF(wf::plus), kind<float, double, wf::plus>
#define WARPFOLD_TEST_KINDS                                                                        \
  WARPFOLD_TEST_SUMS, WARPFOLD_TEST_KINDS_OF(wf::multiplies),                                      \
      WARPFOLD_TEST_KINDS_OF(wf::minimum<>), WARPFOLD_TEST_KINDS_OF(wf::maximum<>)

/// The results of reduce for every segment alone, on the host.
template <class Kind, class Offset>
auto one_by_one(std::vector<typename Kind::element> const& values,
                std::vector<Offset> const& offsets) {
  std::vector<typename Kind::accumulator> results;
  wf::host const one(1);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    results.push_back(
        wf::reduce(one, segment_of(values, offsets, i), Kind::init(), typename Kind::op{}));
  return results;
}

template <class Place, class Kind>
class segments_on {
public:
  using T = typename Kind::element;
  using A = typename Kind::accumulator;

  segments_on(Place& place, std::vector<T> const& values)
      : place_{place}, host_values_(values), values_(place, shifted(values)), size_{values.size()} {
  }

  /// Segments between offsets.
  template <class Offset>
  void check(std::vector<Offset> const& offsets) {
    memory_of<Place, Offset> there(place_, offsets);
    check_segments(there.all(), size_, one_by_one<Kind>(host_values_, offsets));
  }
  void check_fixed(std::size_t length) {
    CAPTURE(length);
    std::size_t const count = size_ / length;
    auto const offsets = positions(std::vector<std::size_t>(count, length), 0);
    check_segments(wf::fixed_length{length}, count * length,
                   one_by_one<Kind>(host_values_, offsets));
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
      rows.push_back(wf::reduce(
          one, std::span(host_values_).subspan(i * shape.pitch, shape.columns), init, op));
    for (std::size_t j = 0; j < shape.columns; ++j) {
      std::vector<T> column;
      for (std::size_t i = 0; i < shape.rows; ++i)
        column.push_back(host_values_[i * shape.pitch + j]);
      columns.push_back(wf::reduce(one, column, init, op));
    }
    expect(needed, rows, [&](auto input, auto results, bool blocking) {
      if (blocking) wf::reduce_rows(place_, input, shape, init, op, results);
      else wf::reduce_rows_async(place_, input, shape, init, op, results);
    });
    expect(needed, columns, [&](auto input, auto results, bool blocking) {
      if (blocking) wf::reduce_columns(place_, input, shape, init, op, results);
      else wf::reduce_columns_async(place_, input, shape, init, op, results);
    });
  }

private:
  static constexpr typename Kind::op op{};
  A const init = Kind::init();

  /// Results of verb(input, results, blocking), with the values at 16 bytes and past them.
  template <class Verb>
  void expect(std::size_t size, std::vector<A> const& expected, Verb verb) {
    for (std::size_t const shift : {0, 1})
      for (bool const blocking : {true, false}) {
        CAPTURE(shift);
        CAPTURE(blocking);
        memory_of<Place, A> results(place_, std::vector<A>(expected.size(), A{77}));
        verb(view(shift).subspan(0, size), results.all(), blocking);
        CHECK(differences(contents(place_, results.all()), expected) == "");
      }
  }
  template <class Segments>
  void check_segments(Segments const& segments, std::size_t size, std::vector<A> const& expected) {
    expect(size, expected, [&](auto input, auto results, bool blocking) {
      if (blocking) wf::segmented_reduce(place_, input, segments, init, op, results);
      else wf::segmented_reduce_async(place_, input, segments, init, op, results);
    });
  }
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

template <int Bytes>
struct bytes {
  char of[Bytes];
};

TEST_CASE_TEMPLATE("what one block folds has the shape of every fold", T, char, float, double,
                   bytes<24>, bytes<64>, bytes<72>, bytes<128>, bytes<136>, bytes<256>) {
  using namespace wf::detail;
  // Scratch memory is for segments longer than that.
  CHECK(warp_elements<T> <= block_elements<T>);
  for (int size = 0; size <= block_elements<T>; ++size) {
    auto const shape = one_block_shape_of<T>(size);
    auto const expected = fold_shape_of<T>(static_cast<std::size_t>(size), sizeof(float));
    bool const same = shape.threads == expected.threads && shape.blocks == expected.blocks &&
                      shape.last_block_rows == expected.last_block_rows &&
                      shape.tail == expected.tail;
    if (!same) FAIL_CHECK("size " << size << " of " << sizeof(T) << " bytes each");
  }
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

  // A single row is as far from the next one as anybody likes.
  wf::matrix_shape const lonely{1, 3, std::size_t{1} << 62};
  std::vector<int> both{5, 1, 2, 0, 0, 0};
  std::span<int const> const row(both.data(), 3);
  wf::reduce_rows(place, row, lonely, 10, wf::plus{}, std::span(both).subspan(3, 1));
  CHECK(both == std::vector<int>{5, 1, 2, 18, 0, 0});
  wf::reduce_columns(place, row, lonely, 10, wf::plus{}, std::span(both).subspan(3));
  CHECK(both == std::vector<int>{5, 1, 2, 15, 11, 12});
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
}

} // namespace segments_test
