// The bodies of compaction and of histograms, in every order of lanes and blocks.

#include "simt/simt.hpp"

#include <warpfold/detail/counting/compaction_body.hpp>
#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/counting/even_bins.hpp>
#include <warpfold/detail/counting/histogram_body.hpp>

namespace {

namespace detail = warpfold::detail;

template <int Threads, int Bytes>
struct few : detail::compaction_tuning {
  static constexpr int threads = Threads, bytes_per_thread = Bytes;
};

/// Keeps a number in `of` of them.
struct one_in {
  int of;
  bool operator()(int x) const { return x % of == 0; }
  bool operator()(double x) const { return static_cast<int>(x) % of == 0; }
};

template <class T>
struct compacted {
  std::uint64_t count = 77;
  std::vector<T> output;
  bool clean = false; ///< nothing behind the output was touched, and the counters are 0 again
};

template <class Tuning, class T>
compacted<T> compact_simt(simt::options const& how, int grid, std::vector<T> const& values,
                          one_in predicate, std::uint64_t capacity) {
  constexpr std::size_t tile = detail::compaction_tile<Tuning, T>;
  simt::poisoned<std::uint64_t> words(values.size() / tile + 1);
  std::uint64_t ticket = 0, cleared = 0;
  unsigned arrived = 0;
  compacted<T> result;
  std::vector<T> output(capacity + 2, T{-7});
  simt::launch<detail::compaction_shared<Tuning, T>>(
      grid, Tuning::threads, how, [&](simt::block const& block, auto& shared) {
        detail::compact<Tuning>(block, values.data(), values.size(), predicate, output.data(),
                                capacity, &result.count,
                                {words.data(), &ticket, &cleared, &arrived}, shared);
      });
  result.clean = output[capacity] == T{-7} && output[capacity + 1] == T{-7} && ticket == 0 &&
                 cleared == 0 && arrived == 0;
  output.resize(std::min<std::size_t>(capacity, result.count));
  result.output = std::move(output);
  return result;
}

template <class T>
std::vector<T> numbers(std::size_t size) {
  std::mt19937 random(simt::seed());
  std::vector<T> values(size);
  for (T& x : values) x = static_cast<T>(random() % 1'000'003);
  return values;
}

template <class Tuning, class T>
void check_compaction(std::size_t size, one_in predicate, int grid, std::uint64_t capacity) {
  INFO(size, " elements, one in ", predicate.of, ", ", grid, " blocks, room for ", capacity);
  auto const values = numbers<T>(size);
  std::vector<T> expected(capacity);
  std::uint64_t const count =
      detail::compact_host(1, values.data(), size, predicate, expected.data(), capacity);
  expected.resize(std::min<std::size_t>(capacity, count));
  simt::in_every_order([&](simt::options const& how) {
    auto const got = compact_simt<Tuning>(how, grid, values, predicate, capacity);
    CHECK(got.count == count);
    CHECK(got.output == expected);
    CHECK(got.clean);
  });
}

TEST_CASE("compaction in every order") {
  using tuning = few<64, 16>; // tiles of 256 ints
  for (std::size_t const size : {0, 1, 31, 33, 255, 256, 257, 511, 512, 513, 5'000})
    for (int const of : {1, 3, 2'000'000})
      for (int const grid : {1, 3}) check_compaction<tuning, int>(size, {of}, grid, size);
  // The first block takes all tiles here, where blocks run one after the other.
  check_compaction<few<32, 8>, int>(3'001, {2}, 2, 3'001);
  check_compaction<few<32, 8>, int>(9'001, {2}, 150, 9'001);
  check_compaction<few<64, 128>, double>(3'001, {2}, 2, 3'001);
  check_compaction<few<256, 128>, int>(20'000, {2}, 2, 20'000);
}
/// Checks the look-back of `tile` if tile `known` is the last whose sum is known, and nothing is
/// known of those before it.
template <int Words>
void check_look_back(std::uint64_t tile, std::uint64_t known) {
  CAPTURE(tile);
  CAPTURE(known);
  std::vector<std::uint64_t> words(tile);
  std::uint64_t sum = 0;
  for (std::uint64_t t = 0; t < tile; ++t) {
    std::uint64_t const selected = t * t % 97;
    sum += selected;
    words[t] = t < known    ? 0
               : t == known ? detail::tile_word::sum | sum
                            : detail::tile_word::count | selected;
  }
  struct nothing {};
  simt::in_every_order([&](simt::options const& how) {
    simt::launch<nothing>(1, 32, how, [&](simt::block const& b, nothing&) {
      REQUIRE(detail::look_back<Words>(b, words.data(), tile) == sum);
    });
  });
}

TEST_CASE("a look-back goes as far as a sum") {
  for (std::uint64_t const tile : {1, 2, 31, 32, 33, 64, 65, 127, 128, 129, 130, 300})
    for (std::uint64_t const known : {0, 1, 5, 31, 32, 33, 64, 100, 127, 128, 200, 299})
      if (known < tile) {
        check_look_back<1>(tile, known);
        check_look_back<4>(tile, known);
      }
}

TEST_CASE("compaction clips") {
  for (std::uint64_t const capacity : {0, 1, 100, 256, 999})
    check_compaction<few<64, 16>, int>(2'000, {2}, 3, capacity);
}

TEST_CASE("compaction needs its barriers") {
  auto const values = numbers<int>(700);
  using tuning = few<64, 16>;
  std::vector<int> expected(values.size());
  expected.resize(detail::compact_host(1, values.data(), values.size(), one_in{2}, expected.data(),
                                       expected.size()));
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          auto const got = compact_simt<tuning>(how, 2, values, {2}, values.size());
          return got.output == expected && got.clean;
        }) == "1 compact, "); // so that no other block, beside this one on a GPU, sees an old word
}

// ---- histograms ---------------------------------------------------------------------------------

template <int Threads, int Words>
struct narrow : detail::histogram_tuning<4> {
  static constexpr int threads = Threads, words = Words;
};

template <class Tuning, class T, class Reader, class BinOf>
std::vector<std::uint64_t> bins_simt(simt::options const& how, int grid, T const* first,
                                     std::size_t head, std::size_t size, BinOf bin_of, int bins) {
  std::uint64_t started = 0, cleared = 0;
  unsigned arrived = 0;
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins) + 1, 77);
  simt::launch<detail::histogram_shared<Tuning>>(
      grid, Tuning::threads, how, [&](simt::block const& b, auto& shared) {
        detail::count_bins<Tuning>(
            b, detail::unaligned_head<T const*>{first, static_cast<int>(head)},
            Reader{first + head, {}}, static_cast<std::int64_t>(size - head), bin_of, bins,
            counts.data(), {&started, &cleared, &arrived}, shared);
      });
  CHECK((started == 0 && cleared == 0 && arrived == 0));
  CHECK(counts.back() == 77);
  counts.pop_back();
  return counts;
}

template <class Tuning, class T>
void check_histogram(std::size_t size, int bins, int grid, bool alike) {
  INFO(size, " elements, ", bins, " bins, ", grid, " blocks");
  auto values = numbers<T>(size + 3);
  for (T& x : values) x = static_cast<T>(alike ? 3 : static_cast<int>(x) % 200);
  detail::bin_function<T> const bin_of({bins, 2, 170});
  std::vector<std::uint64_t> expected(static_cast<std::size_t>(bins));
  detail::histogram_host(1, values.data(), size, bin_of, bins, expected.data());
  simt::in_every_order([&](simt::options const& how) {
    using packed = detail::packed_reader<T, warpfold::identity>;
    using element = detail::element_reader<T const*, warpfold::identity>;
    std::size_t const head = std::min<std::size_t>(size, 3);
    CHECK(bins_simt<Tuning, T, packed>(how, grid, values.data(), 0, size, bin_of, bins) ==
          expected);
    CHECK(bins_simt<Tuning, T, element>(how, grid, values.data(), head, size, bin_of, bins) ==
          expected);
  });
}

TEST_CASE_TEMPLATE("histograms in every order", T, std::uint8_t, int, float, double) {
  using tuning = narrow<256, 1024>;
  for (std::size_t const size : {0, 1, 33, 1'000, 4'096, 4'097, 20'001})
    for (int const bins : {1, 7, 16}) check_histogram<tuning, T>(size, bins, 2, false);
  check_histogram<tuning, T>(20'001, 100, 3, true);
  check_histogram<tuning, T>(5'001, 1'000, 1, false);
}

TEST_CASE_TEMPLATE("histograms need their barriers", T, std::uint8_t, int) {
  using tuning = narrow<256, 1024>;
  using packed = detail::packed_reader<T, warpfold::identity>;
  auto values = numbers<T>(9'001);
  for (T& x : values) x = static_cast<T>(static_cast<int>(x) % 300);
  detail::bin_function<T> const bin_of({16, 0, 256});
  std::vector<std::uint64_t> expected(16);
  detail::histogram_host(1, values.data(), values.size(), bin_of, 16, expected.data());
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return bins_simt<tuning, T, packed>(how, 2, values.data(), 0, values.size(), bin_of,
                                              16) == expected;
        }) == "");
}

} // namespace
