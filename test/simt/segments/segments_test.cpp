// The bodies of the segmented kernels in the emulator, against the fold on the host, segment by
// segment.

#include "simt/reduction/folds.hpp"
#include "simt/segments/long_ones.hpp"

#include <warpfold/detail/segments/columns_body.hpp>
#include <warpfold/detail/segments/segments_body.hpp>
#include <warpfold/detail/segments/segments_offsets_body.hpp>
#include <warpfold/detail/segments/segments_tuning.hpp>

#include <algorithm>
#include <numeric>

namespace {

namespace detail = warpfold::detail;
using tuning = detail::segments_tuning;
using warpfold::identity, warpfold::plus;

/// The initial value of all results.
template <class A>
A init{3};
bool are_minus_zeros = false; ///< all values
template <class T>
std::vector<T> some_values(std::size_t size) {
  if (are_minus_zeros) return std::vector<T>(size, static_cast<T>(-0.0));
  return test::rough_values<T>(size, simt::seed());
}
/// While there is one, all values and the initial one are minus zeros, and so must sums be: where
/// addends are missing nothing else is added.
template <class A>
struct minus_zeros {
  minus_zeros() { set(static_cast<A>(-0.0), true); }
  minus_zeros(minus_zeros const&) = delete;
  ~minus_zeros() { set(A{3}, false); }

private:
  static void set(A first, bool are) { init<A> = first, are_minus_zeros = are; }
};

template <class A, class T>
A alone(T const* elements, std::int64_t length) {
  return detail::fold_host(1, elements, static_cast<std::size_t>(length), init<A>, plus{},
                           detail::widened<A, identity>{});
}

template <class A>
void check_results(simt::poisoned<A> found, std::vector<A> const& expected) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) wrong += !simt::same(found[i], expected[i]);
  CHECK(wrong == 0);
}

/// Both kernels for offsets, as segments.cuh launches them.
template <class T, class A>
simt::poisoned<A> segments_simt(simt::options const& how, T const* values, std::size_t size,
                                std::vector<std::int32_t> const& offsets, int span, int together) {
  std::size_t const count = offsets.size() - 1;
  detail::segment_offsets const all{offsets.data(), static_cast<std::int64_t>(count), false};
  simt::poisoned<A> results(count);
  simt::long_ones<T, A> rest(size, together,
                             together == 2 ? detail::warp_elements<T> : detail::block_elements<T>);
  detail::widened<A, identity> const transform{};
  detail::segments_input<T> const input{values, static_cast<std::int64_t>(size)};
  auto const of_block = static_cast<std::size_t>(span * detail::offsets_warps);
  int const blocks = static_cast<int>((size + count + of_block - 1) / of_block);
  simt::launch<detail::segments_shared<T, A>>(
      blocks, detail::offsets_threads, how, [&](simt::block const& block, auto& shared) {
        detail::fold_segments<tuning>(block, input, all, span, transform, init<A>, plus{},
                                      results.data(), rest.found, shared);
      });
  if (detail::most_long_segments<T>(size) == 0) return results;
  rest.fold(how, values, transform, init<A>, plus{}, results.data());
  return results;
}

template <class T, class A>
void check_segments(std::vector<std::size_t> const& lengths, int span) {
  std::vector<std::int32_t> offsets{static_cast<std::int32_t>(simt::seed() % 5)};
  for (std::size_t const length : lengths)
    offsets.push_back(offsets.back() + static_cast<std::int32_t>(length));
  auto const size = static_cast<std::size_t>(offsets.back()) + simt::seed() % 3;
  simt::at_both<T> const both(some_values<T>(size));
  std::vector<A> expected;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    expected.push_back(
        alone<A>(both.values.data() + offsets[i], static_cast<std::int64_t>(lengths[i])));
  simt::in_every_order([&](simt::options const& how) {
    for (int const shift : {0, 1}) {
      T const* const there = shift == 0 ? both.values.data() : both.beside.data() + 1;
      check_results(segments_simt<T, A>(how, there, size, offsets, span, shift == 0 ? 2 : 8),
                    expected);
    }
  });
}

std::vector<std::size_t> mixed_lengths(std::size_t longest) {
  std::mt19937 random(simt::seed());
  std::vector<std::size_t> lengths{longest, 0, 1, 3, 1025, 513, 512, 33, 31, 130, 257, 5000};
  for (int i = 0; i < 300; ++i) lengths.push_back(random() % 40);
  for (int i = 0; i < 40; ++i) lengths.push_back(random() % 200);
  std::shuffle(lengths.begin(), lengths.end(), random);
  for (int i = 0; i < 700; ++i) lengths.push_back(i % 50 == 0 ? 2 : 0);
  return lengths;
}

/// Rows whose tree has several blocks.
template <class A, class Reader>
simt::poisoned<A> long_rows_simt(simt::options const& how, Reader const& reader,
                                 detail::segment_rows rows, detail::fold_shape const& shape,
                                 int together) {
  auto const count = static_cast<std::size_t>(rows.count);
  simt::poisoned<A> results(count);
  simt::poisoned<A> partials(count * static_cast<std::size_t>(shape.blocks));
  std::vector<unsigned> arrived(count);
  int const items = (shape.blocks + together - 1) / together;
  simt::launch<detail::long_shared<A>>(
      static_cast<int>(rows.count) * items, detail::max_fold_threads, how,
      [&](simt::block const& block, auto& shared) {
        detail::fold_long_rows<tuning>(block, reader, rows, shape, together, init<A>, plus{},
                                       partials.data(), arrived.data(), results.data(), shared);
      });
  CHECK(arrived == std::vector<unsigned>(count));
  return results;
}

/// Rows whose tree has one block, with `warps` warps each.
template <class A, class Reader>
simt::poisoned<A> one_block_rows_simt(simt::options const& how, Reader const& reader,
                                      detail::segment_rows rows, detail::fold_shape const& shape,
                                      int warps) {
  simt::poisoned<A> results(static_cast<std::size_t>(rows.count));
  int const of_block = detail::segment_warps / warps;
  simt::launch<detail::warp_totals<A, detail::segment_warps * detail::max_warps>>(
      (static_cast<int>(rows.count) + of_block - 1) / of_block, detail::segment_threads, how,
      [&](simt::block const& block, auto& shared) {
        detail::fold_one_block_rows<tuning>(block, reader, rows, shape, warps, init<A>, plus{},
                                            results.data(), shared);
      });
  return results;
}

template <class T, class A>
void check_rows(detail::segment_rows rows) {
  INFO(rows.count, " rows of ", rows.length, ", ", rows.pitch, " apart");
  auto const size = static_cast<std::size_t>((rows.count - 1) * rows.pitch + rows.length);
  simt::at_both<T> const both(some_values<T>(size));
  auto const& values = both.values;
  std::vector<A> expected;
  for (std::int64_t i = 0; i < rows.count; ++i)
    expected.push_back(alone<A>(values.data() + i * rows.pitch, rows.length));
  detail::widened<A, identity> const transform{};
  auto const shape = detail::fold_shape_of<T>(static_cast<std::size_t>(rows.length), sizeof(A));
  auto const check = [&](simt::options const& how, auto reader) {
    constexpr int lanes = decltype(reader)::lanes;
    if (rows.length <= 64 * lanes) {
      simt::poisoned<A> results(expected.size());
      int const count = static_cast<int>(rows.count);
      int group = 1;
      while (group < 32 && group * lanes < rows.length) group *= 2;
      int const of_block = detail::segment_threads / group * tuning::segments_in_flight;
      simt::launch<char>((count + of_block - 1) / of_block, detail::segment_threads, how,
                         [&](simt::block const& block, char&) {
                           constexpr int in_flight = tuning::segments_in_flight;
                           if (rows.length <= 32 * lanes)
                             detail::fold_short_rows<in_flight, 1>(block, reader, rows, group,
                                                                   init<A>, plus{}, results.data());
                           else
                             detail::fold_short_rows<in_flight, 2>(block, reader, rows, group,
                                                                   init<A>, plus{}, results.data());
                         });
      check_results(results, expected);
    } else if (shape.blocks == 1) {
      for (int const warps : {1, 2, 4, 8})
        check_results(one_block_rows_simt<A>(how, reader, rows, shape, warps), expected);
    } else {
      for (int const together : {1, 2, 4})
        check_results(long_rows_simt<A>(how, reader, rows, shape, together), expected);
    }
  };
  simt::in_every_order([&](simt::options const& how) {
    check(how,
          detail::element_reader<T const*, decltype(transform)>{both.beside.data() + 1, transform});
    if (rows.pitch % detail::lanes_per_thread<T> == 0)
      check(how, detail::packed_reader<T, decltype(transform)>{values.data(), transform});
  });
}

template <class T, class A>
void check_columns(std::int64_t rows, std::int64_t columns, std::int64_t pitch) {
  INFO(rows, " x ", columns, ", ", pitch, " apart");
  auto const size = static_cast<std::size_t>((rows - 1) * pitch + columns);
  simt::at_both<T> const both(some_values<T>(size));
  auto const& values = both.values;
  std::vector<A> expected;
  for (std::int64_t j = 0; j < columns; ++j) {
    std::vector<T> column;
    for (std::int64_t i = 0; i < rows; ++i)
      column.push_back(values[static_cast<std::size_t>(i * pitch + j)]);
    expected.push_back(alone<A>(column.data(), rows));
  }
  detail::widened<A, identity> const transform{};
  auto const shape = detail::fold_shape_of<T>(static_cast<std::size_t>(rows), sizeof(A));
  auto const check = [&](simt::options const& how, auto reader) {
    using reader_type = decltype(reader);
    simt::poisoned<A> results(expected.size());
    simt::poisoned<A> partials(expected.size() * static_cast<std::size_t>(shape.blocks));
    auto const dealt = [&](std::int64_t row_pitch, std::int64_t lanes) {
      int across = 1;
      while (across < 32 && across * lanes < columns) across *= 2;
      return detail::column_deal{
          columns, row_pitch, static_cast<int>((columns + across * lanes - 1) / (across * lanes)),
          across};
    };
    auto const deal = dealt(pitch, reader_type::lanes);
    simt::launch<detail::column_shared<A, reader_type::lanes>>(
        deal.tiles * shape.blocks, detail::column_threads, how,
        [&](simt::block const& block, auto& shared) {
          detail::fold_column_part<detail::max_column_lanes<T>>(
              block, reader, shape, deal, init<A>, plus{}, partials.data(), results.data(), shared);
        });
    if (shape.blocks > 1) {
      auto const last = dealt(columns, 1);
      simt::launch<detail::column_shared<A, 1>>(
          last.tiles, detail::column_threads, how, [&](simt::block const& block, auto& shared) {
            detail::fold_column_partials(block, partials.data(), shape, last, init<A>, plus{},
                                         results.data(), shared);
          });
    }
    check_results(results, expected);
  };
  simt::in_every_order([&](simt::options const& how) {
    check(how, detail::single_reader<T, decltype(transform)>{both.beside.data() + 1, transform});
    if (pitch % detail::lanes_per_thread<T> == 0)
      check(how, detail::packed_reader<T, decltype(transform)>{values.data(), transform});
  });
}

} // namespace

TEST_CASE_TEMPLATE("simt segments: sums of minus zeros stay minus zero", T, float, double) {
  minus_zeros<T> const these;
  std::vector<std::size_t> lengths(200);
  std::iota(lengths.begin(), lengths.end(), 1);
  for (std::size_t const length : {400, 650, 1'279, 1'285, 2'048, 2'600, 5'000, 17'000})
    lengths.push_back(length);
  check_segments<T, T>(lengths, 1'000);
  for (std::int64_t const length : {3, 13, 100, 150, 700, 2'049, 16'385, 40'961})
    check_rows<T, T>({5, length, length});
  check_columns<T, T>(33, 150, 152);
  check_columns<T, T>(8'193, 1, 2);
}
TEST_CASE("simt segments: between offsets") {
  SUBCASE("float") { check_segments<float, float>(mixed_lengths(40'000), 400); }
  SUBCASE("half in float") { check_segments<__half, float>(mixed_lengths(20'000), 1200); }
  SUBCASE("double") { check_segments<double, double>(mixed_lengths(2045), 500); }
  SUBCASE("too few for long ones") { check_segments<float, float>({3, 0, 100, 7}, 300); }
  SUBCASE("one") { check_segments<double, double>({70'001}, 2048); }
  SUBCASE("one whose tree has more blocks than the kernel's threads") {
    static_assert(detail::fold_shape_of<double>(1'130'001, 8).runs > detail::long_threads);
    check_segments<double, double>({1'130'001}, 2048);
  }
}

TEST_CASE("simt segments: of one length") {
  for (std::int64_t const length : {1, 2, 4, 5, 8, 12, 33, 64, 100, 128})
    check_rows<float, float>({300, length, length + (length % 3 == 2)});
  check_rows<float, float>({5, 0, 3});
  check_rows<__half, float>({70, 200, 200});
  for (std::int64_t const length : {129, 513, 700, 2048, 2049, 4096})
    check_rows<float, float>({5, length, length});
  check_rows<double, double>({3, 8192, 8192});
  check_rows<float, float>({2, 16'385, 16'388});
  check_rows<float, float>({2, 40'960, 40'960});
  check_rows<double, double>({1, 150'001, 150'001});
}

TEST_CASE("simt segments: columns") {
  check_columns<float, float>(1, 3, 3);
  check_columns<float, float>(33, 150, 152);
  check_columns<float, float>(200, 5, 8);
  check_columns<float, float>(1100, 2, 2);
  check_columns<__half, float>(700, 17, 24);
  check_columns<double, double>(8193, 1, 2);
  check_columns<float, float>(17'000, 3, 4);
}

TEST_CASE("simt segments: the shape of one block is fold_shape_of's") {
  for (int size = 0; size <= 16'384; ++size) {
    auto const a = detail::one_block_shape_of<float>(size);
    auto const b = detail::fold_shape_of<float>(static_cast<std::size_t>(size), 4);
    REQUIRE((a.threads == b.threads && a.last_block_rows == b.last_block_rows && a.tail == b.tail &&
             b.blocks == 1));
  }
}

// Only of kernels that take no index from shared memory: a wrong one would end the test.
TEST_CASE("simt segments: a barrier left out is noticed") {
  auto const check = [](detail::segment_rows rows, auto run) {
    auto const size = static_cast<std::size_t>(rows.count * rows.length);
    auto const values = test::rough_values<std::int32_t>(size, simt::seed());
    detail::packed_reader<std::int32_t, identity> const reader{values.data(), {}};
    auto const shape = detail::fold_shape_of<std::int32_t>(static_cast<std::size_t>(rows.length),
                                                           sizeof(std::int32_t));
    return simt::unneeded_barriers([&](simt::options const& how) {
      auto found = run(how, reader, rows, shape);
      for (std::int64_t i = 0; i < rows.count; ++i)
        if (found[static_cast<std::size_t>(i)] !=
            alone<std::int32_t>(values.data() + i * rows.length, rows.length))
          return false;
      return true;
    });
  };
  // 1: the results of the blocks' warps are there before the block arrives; the emulator's blocks
  // run one after the other. 3: the runs are one warp's. 4: shared memory is used again only by
  // fold_long_segments.
  CHECK(check({2, 40'000, 40'000}, [](auto const&... of) {
          return long_rows_simt<std::int32_t>(of..., 2);
        }) == "1 fold_parts, 3 fold_block, 4 fold_parts, ");
  CHECK(check({3, 4096, 4096},
              [](auto const&... of) { return one_block_rows_simt<std::int32_t>(of..., 8); }) == "");
}
