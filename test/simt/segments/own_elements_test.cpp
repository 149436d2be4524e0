// Marked runs of elements and operators of one's own in the emulator, which lanes do not pad and of
// which a thread may have one alone; and how parts and blocks are dealt out.

#include "simt/reduction/folds.hpp"
#include "simt/segments/long_ones.hpp"

#include <algorithm>
#include <random>

namespace own_elements_test {

namespace detail = warpfold::detail;
using tuning = detail::segments_tuning;

/// An element of so many words.
template <int Words>
struct words {
  std::uint32_t word[Words];
};
struct digest {
  template <class T>
  WARPFOLD_HOST_DEVICE std::uint64_t operator()(T const& x) const {
    std::uint64_t all = 7;
    for (std::uint32_t const word : x.word) all = all * 31 + word;
    return all;
  }
};
/// Other operands, another order or another tree give another number.
struct mix {
  using is_commutative = void; // so it says, and gets the tree of those that are
  WARPFOLD_HOST_DEVICE std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return (a * 0x9E37'79B9'7F4A'7C15 ^ b >> 7) + b * 0xD6E8'FEB8'6659'FD93 + 1;
  }
};

/// Marks of runs of such lengths, set bit by bit.
std::vector<std::uint64_t> marks_of(std::vector<std::size_t> const& begins, std::size_t size) {
  std::vector<std::uint64_t> memory(detail::run_marks<std::uint64_t>::memory(size) + 1);
  detail::run_marks<std::uint64_t> const marks(memory.data(), size);
  for (std::size_t const begin : begins) marks.bits[begin / 32] |= 1u << begin % 32;
  for (std::int64_t part = 0; part <= marks.parts(); ++part)
    marks.ranks[part] = static_cast<std::uint64_t>(
        std::ranges::lower_bound(begins, static_cast<std::size_t>(part) * detail::run_marks_keys) -
        begins.begin());
  return memory;
}

template <int Words>
void check_folds(std::vector<std::size_t> const& lengths, std::size_t capacity) {
  INFO(lengths.size(), " runs of ", Words, " words, room for ", capacity);
  using T = words<Words>;
  using A = std::uint64_t;
  std::vector<std::size_t> begins;
  std::size_t size = 0;
  for (std::size_t const length : lengths) begins.push_back(std::exchange(size, size + length));
  std::vector<T> values(size);
  std::mt19937 random(simt::seed());
  for (T& value : values)
    for (std::uint32_t& word : value.word) word = static_cast<std::uint32_t>(random());
  std::vector<A> expected;
  for (std::size_t i = 0; i < std::min(capacity, lengths.size()); ++i)
    expected.push_back(
        detail::fold_host(1, values.data() + begins[i], lengths[i], A{5}, mix{}, digest{}));
  auto const memory = marks_of(begins, size);
  detail::run_marks<std::uint64_t const> const marks(memory.data(), size);
  int const parts = static_cast<int>(size) / detail::part_keys<T> + 2;
  simt::in_every_order([&](simt::options const& how) {
    auto results = simt::fold_marked<A>(how, values.data(), marks, expected.size(), capacity,
                                        digest{}, A{5}, mix{}, {2, parts / 3}, parts, 2);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += results[i] != expected[i];
    CHECK(wrong == 0);
  });
}

/// The shortest runs of each kind, which fill its list: all, before short ones, and behind them.
template <int Words>
void check_lists() {
  constexpr std::size_t keys = detail::part_keys<words<Words>>;
  for (int kind = 0; kind < detail::listed_kinds; ++kind) {
    std::size_t const least = (std::size_t{detail::lanes_per_thread<words<Words>>} << kind) + 1;
    std::vector<std::size_t> const all(2 * keys / least + 1, least);
    check_folds<Words>(all, all.size());
    check_folds<Words>(all, all.size() / 2);
    std::vector<std::size_t> full((keys - 1) / least, least), single(keys - 1, 1);
    full.resize(full.size() + (keys - 1) % least, 1);
    for (auto* const lengths : {&full, &single}) {
      lengths->insert(lengths->end(), {least, 1});
      check_folds<Words>(*lengths, lengths->size());
    }
  }
}

TEST_CASE("simt segments: lists of marked runs fit beside their begins") {
  SUBCASE("4 bytes") { check_lists<1>(); }
  SUBCASE("8 bytes") { check_lists<2>(); }
  SUBCASE("12 bytes") { check_lists<3>(); }
  SUBCASE("16 bytes") { check_lists<4>(); }
  SUBCASE("256 bytes") { check_lists<64>(); }
}

TEST_CASE("simt segments: a thread folds two runs of a tree's blocks as two threads do") {
  using reader = detail::packed_reader<words<2>, digest>;
  for (int const blocks : {255, 256, 257, 258, 259, 320, 511, 512, 513, 1023, 1535, 2049}) {
    CAPTURE(blocks);
    detail::fold_shape shape{};
    shape.threads = 32;
    shape.blocks = blocks;
    shape.rows_per_block = shape.last_block_rows = 1;
    shape.run = (blocks + detail::max_fold_threads - 1) / detail::max_fold_threads;
    shape.runs = (blocks + shape.run - 1) / shape.run;
    std::vector<words<2>> values(static_cast<std::size_t>(blocks) * 64);
    std::mt19937 random(simt::seed());
    for (auto& value : values) value = {{static_cast<std::uint32_t>(random()), 1}};
    auto const fold = [&]<int Threads>(std::integral_constant<int, Threads>) {
      simt::poisoned<std::uint64_t> partials(static_cast<std::size_t>(blocks)), result(1);
      unsigned arrived = 0;
      int const items = (blocks + 7) / 8;
      simt::options const how{
          .lanes = simt::order::random, .blocks = simt::order::random, .seed = simt::seed()};
      simt::launch<detail::long_shared<std::uint64_t>>(
          items, Threads, how, [&](simt::block const& block, auto& shared) {
            int const first = 8 * block.block_rank();
            detail::fold_parts<tuning, Threads>(
                block, reader{values.data(), {}}, shape, first, std::min(8, blocks - first), items,
                std::uint64_t{5}, mix{}, partials.data(), &arrived, result.data(), shared);
          });
      return result[0];
    };
    CHECK(fold(std::integral_constant<int, detail::long_threads>{}) ==
          fold(std::integral_constant<int, detail::max_fold_threads>{}));
  }
}

TEST_CASE("marked parts are dealt out once each") {
  auto const check = [](std::int64_t all) {
    auto const deal = detail::marked_deal::of(all, 100, 8);
    std::int64_t next = 0;
    bool in_turn = deal.larger_blocks >= 0;
    auto const blocks = static_cast<int>(deal.blocks(all));
    for (int b = 0; b < blocks; ++b) {
      in_turn = in_turn && deal.first(b) == next && deal.count(b) >= 1 && deal.count(b) <= 8;
      next += deal.count(b);
    }
    return in_turn && next == all;
  };
  for (std::int64_t all = 1; all < 3'000; ++all) REQUIRE(check(all));
  CHECK(detail::marked_deal::of(199, 100, 8).parts == 1);
  CHECK(detail::marked_deal::of(200, 100, 8).parts == 2);
  CHECK(detail::marked_deal::of(200, 100, 8).larger_blocks == 50);
  CHECK(detail::marked_deal::of(100'000, 100, 8).parts == 8);
}

} // namespace own_elements_test
