// The bodies of reductions by key in the emulator, against a walk over the keys and the fold on the
// host, run by run.

#include "simt/reduction/folds.hpp"
#include "simt/segments/long_ones.hpp"

#include <warpfold/detail/counting/compaction_body.hpp>

#include <memory>
#include <span>
#include <utility>

namespace {

namespace detail = warpfold::detail;
using warpfold::identity, warpfold::plus;

template <int Warps, bool KeepsLines = true>
struct tiles : detail::marking_tuning {
  static constexpr int warps = Warps;
  static constexpr bool keeps_lines = KeepsLines;
};

/// A key of 12 bytes.
struct triple {
  int x = 0, y = 0, z = 0;
  triple() = default;
  explicit triple(std::size_t i) : z{static_cast<int>(i)} {}
  bool operator==(triple const&) const = default;
};

/// What a walk over the keys finds.
template <class K>
struct walked {
  std::vector<std::int64_t> begins; ///< and the end
  std::vector<K> unique;

  explicit walked(std::vector<K> const& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (i == 0 || !(keys[i - 1] == keys[i])) {
        begins.push_back(static_cast<std::int64_t>(i));
        unique.push_back(keys[i]);
      }
    begins.push_back(static_cast<std::int64_t>(keys.size()));
  }
  [[nodiscard]] std::size_t count() const { return unique.size(); }
};

/// Keys of runs of such lengths, of neighbours that differ.
template <class K>
std::vector<K> keys_of(std::vector<std::size_t> const& lengths) {
  std::vector<K> keys;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    keys.insert(keys.end(), lengths[i], static_cast<K>(i * 7 % 5 + i % 2));
  return keys;
}

template <class K>
bool same_keys(std::vector<K> const& a, std::vector<K> const& b) {
  return std::ranges::equal(a, b, [](K x, K y) { return simt::same(x, y); });
}

template <class K>
struct marked {
  simt::poisoned<std::uint64_t> memory;
  std::uint64_t count = 77;
  std::vector<K> unique;
  bool clean = false;

  explicit marked(std::size_t keys) : memory(detail::run_marks<std::uint64_t>::memory(keys)) {}
};

/// By blocks that run together, over what a kernel before has left in the tree of sums.
template <class Tuning, class K>
marked<K> mark_simt(simt::options const& how, int grid, std::span<K const> keys,
                    std::size_t capacity) {
  marked<K> result(keys.size());
  constexpr std::size_t tile = detail::marking_tile<Tuning, K>;
  detail::tree_levels<1> const levels((keys.size() + tile - 1) / tile, 1);
  std::vector<std::uint64_t> words(levels.end);
  for (int level = 0; level < levels.count; ++level)
    std::fill(words.begin() + levels.begin[level], words.end(),
              (detail::tile_sums::one << 5 * level) + 1'000);
  std::uint64_t ticket = 0, cleared = 0;
  unsigned arrived = 0;
  result.unique.assign(capacity + 1, K(99));
  using shared_type = detail::marking_shared<Tuning, K>;
  simt::launch({grid, detail::marking_threads<Tuning>, sizeof(shared_type), grid}, how,
               [&](simt::block const& block, void* shared) {
                 detail::mark<Tuning>(
                     block, keys.data(), keys.size(), result.unique.data(), capacity, &result.count,
                     detail::run_marks(result.memory.data(), keys.size()), {words.data(), levels},
                     {&ticket, &cleared, &arrived}, *static_cast<shared_type*>(shared));
               });
  result.clean = result.unique[capacity] == K(99) && ticket == 0 && cleared == 0 && arrived == 0;
  result.unique.resize(std::min<std::size_t>(capacity, result.count));
  return result;
}

/// The keys are copied to `shift` bytes behind an address that is aligned to 128.
template <class Tuning, class K>
void check_marks(std::vector<K> const& values, int grid, std::size_t capacity,
                 std::size_t shift = 0) {
  INFO(values.size(), " keys, ", grid, " blocks, room for ", capacity, ", ", shift,
       " bytes behind");
  std::vector<unsigned char> memory(values.size() * sizeof(K) + 256 + shift, 1);
  void* line = memory.data();
  std::size_t room = memory.size();
  K* const there = reinterpret_cast<K*>(
      static_cast<unsigned char*>(std::align(128, room - 128, line, room)) + shift);
  std::uninitialized_copy(values.begin(), values.end(), there);
  std::span<K const> const keys(there, values.size());
  walked<K> const expected(values);
  std::vector<K> first_keys = expected.unique;
  first_keys.resize(std::min(capacity, expected.count()));
  simt::in_every_order([&](simt::options const& how) {
    auto got = mark_simt<Tuning>(how, grid, keys, capacity);
    CHECK(got.count == expected.count());
    CHECK(same_keys(got.unique, first_keys));
    CHECK(got.clean);
    detail::run_marks<std::uint64_t> const marks(got.memory.data(), keys.size());
    std::size_t wrong = 0, run = 0;
    for (std::int64_t i = 0; i < marks.size; ++i) {
      if (i % detail::run_marks_keys == 0) wrong += marks.ranks[i / detail::run_marks_keys] != run;
      bool const begins = expected.begins[run] == i;
      wrong += (marks.word(i / 32) >> (i % 32) & 1) != begins;
      run += begins;
    }
    for (std::int64_t i = marks.size; i < 32 * marks.words(); ++i)
      wrong += marks.word(i / 32) >> (i % 32) & 1;
    CHECK(wrong == 0);
    CHECK(*marks.count() == expected.count());
  });
}

std::vector<std::size_t> random_lengths(std::size_t runs, std::size_t most) {
  std::mt19937 random(simt::seed());
  std::vector<std::size_t> lengths(runs);
  for (auto& length : lengths) length = 1 + random() % most;
  return lengths;
}

TEST_CASE("marks in every order") {
  using few = tiles<1>;
  using many = tiles<2>;
  check_marks<few>(std::vector<std::uint32_t>{}, 2, 5);
  check_marks<few>(std::vector<std::uint32_t>{3}, 2, 5);
  for (std::size_t const most : {1, 2, 60, 3'000}) {
    auto const keys = keys_of<std::uint32_t>(random_lengths(10'000 / (most + 1), most));
    check_marks<few>(keys, 3, keys.size());
    check_marks<many>(keys, 1, 100);
    check_marks<many>(keys, 2, 0);
    auto const wide = keys_of<std::uint64_t>(random_lengths(4'000 / (most + 1), most));
    check_marks<many>(wide, 3, wide.size());
    auto const odd = keys_of<triple>(random_lengths(4'000 / (most + 1), most));
    check_marks<many>(odd, 3, odd.size());
  }
  float const nan = std::numeric_limits<float>::quiet_NaN();
  check_marks<few>(std::vector<float>{0.f, -0.f, nan, nan, 1.f, 1.f}, 1, 6);
}

TEST_CASE_TEMPLATE("marks of keys anywhere in a line", K, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, triple) {
  for (std::size_t const most : {1, 300}) {
    auto const keys = keys_of<K>(random_lengths(4'000 / (most + 1), most));
    for (std::size_t const elements : {1, 3, 4, 5, 31}) {
      check_marks<tiles<2>>(keys, 2, keys.size(), elements * sizeof(K));
      check_marks<tiles<1, false>>(keys, 2, keys.size(), elements * sizeof(K));
    }
    check_marks<tiles<1, false>>(keys, 2, keys.size());
  }
}

/// A key of 8 bytes that may begin between two packs.
struct couple {
  int x = 0, y = 0;
  couple() = default;
  explicit couple(std::size_t i) : y{static_cast<int>(i)} {}
  bool operator==(couple const&) const = default;
};

TEST_CASE("marks of keys between packs") {
  auto const keys = keys_of<couple>(random_lengths(2'000, 3));
  for (std::size_t const shift : {4, 12, 124}) {
    check_marks<tiles<2>>(keys, 2, keys.size(), shift);
    check_marks<tiles<1, false>>(keys, 2, keys.size(), shift);
  }
}

/// The value type's kernels, as segments.cuh launches them.
template <class T, class A>
void check_folds(std::vector<std::size_t> const& lengths, std::size_t capacity) {
  INFO(lengths.size(), " runs, room for ", capacity);
  auto const keys = keys_of<std::uint32_t>(lengths);
  walked<std::uint32_t> const runs(keys);
  std::size_t const size = keys.size();
  REQUIRE(runs.count() == lengths.size());
  simt::at_both<T> const both(test::rough_values<T>(size, simt::seed()));
  constexpr A init{3};
  detail::widened<A, identity> const transform{};
  std::vector<A> expected;
  for (std::size_t i = 0; i < std::min(capacity, runs.count()); ++i)
    expected.push_back(detail::fold_host(1, both.values.data() + runs.begins[i], lengths[i], init,
                                         plus{}, transform));
  auto marks = mark_simt<tiles<2>>({}, 1, std::span(std::as_const(keys)), 0);
  detail::run_marks<std::uint64_t const> const view(marks.memory.data(), size);
  int const parts = static_cast<int>(size) / detail::part_keys<T> + 2;
  simt::in_every_order([&](simt::options const& how) {
    for (int const shift : {0, 1}) {
      T const* const there = shift == 0 ? both.values.data() : both.beside.data() + 1;
      auto results =
          simt::fold_marked<A>(how, there, view, expected.size(), capacity, transform, init, plus{},
                               {1 + 2 * shift, shift * parts / 5}, parts, shift == 0 ? 2 : 8);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < expected.size(); ++i)
        wrong += !simt::same(results[i], expected[i]);
      CHECK(wrong == 0);
    }
  });
}

template <class T, class A>
void check_folds() {
  check_folds<T, A>({1}, 1);
  check_folds<T, A>(std::vector<std::size_t>(3'000, 1), 3'000);
  for (std::size_t const most : {2, 9, 40, 300, 2'000}) {
    auto const lengths = random_lengths(9'000 / (most + 1), most);
    check_folds<T, A>(lengths, lengths.size());
    check_folds<T, A>(lengths, lengths.size() / 2);
  }
  // Over many parts; a list of long ones; the end of a part.
  check_folds<T, A>({1'023, 1, 1'024, 5, 9'000, 3, 40'000, 2, 1'025, 1'024}, 10);
  check_folds<T, A>({70'000}, 1);
  // Short ones, and a longer one that begins at the last key of a part.
  for (std::size_t const last : {2, 5, 8, 20, 200}) {
    std::vector<std::size_t> lengths(detail::part_keys<T> - 1, 1);
    lengths.push_back(last);
    lengths.push_back(3);
    check_folds<T, A>(lengths, lengths.size());
    check_folds<T, A>(lengths, lengths.size() - 2);
  }
}
TEST_CASE("folds of marked runs in every order") {
  check_folds<float, float>();
  check_folds<double, double>();
  check_folds<float, double>();
  check_folds<__half, float>();
  check_folds<std::int32_t, std::int32_t>();
}

TEST_CASE("begins and lengths of marked runs in every order") {
  auto lengths = random_lengths(1'500, 4);
  for (std::size_t const more : {1'024, 5'000, 1, 40'000, 7}) lengths.push_back(more);
  auto const keys = keys_of<std::uint32_t>(lengths);
  walked<std::uint32_t> const runs(keys);
  auto marks = mark_simt<tiles<2>>({}, 1, std::span(std::as_const(keys)), 0);
  detail::run_marks<std::uint64_t const> const view(marks.memory.data(), keys.size());
  for (std::size_t const capacity : {std::size_t{1}, std::size_t{700}, runs.count(), keys.size()}) {
    CAPTURE(capacity);
    std::size_t const count = std::min(capacity, runs.count());
    simt::in_every_order([&](simt::options const& how) {
      std::vector<std::int64_t> begins(count + 2, -7);
      std::vector<std::uint64_t> found(count + 1, 99);
      struct shared_of {
        std::uint16_t begin[2][detail::run_marks_keys + 1];
      };
      simt::launch<shared_of>(static_cast<int>(view.parts() / 2 + 1), 64, how,
                              [&](simt::block const& block, auto& shared) {
                                int const warp = block.thread_rank() / 32;
                                detail::write_runs(
                                    block, view, std::int64_t{block.block_rank()} * 2 + warp,
                                    capacity, begins.data(), found.data(), shared.begin[warp]);
                              });
      CHECK(begins.back() == -7);
      CHECK(found.back() == 99);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < count; ++i) wrong += found[i] != lengths[i];
      for (std::size_t i = 0; i <= count; ++i) wrong += begins[i] != runs.begins[i];
      CHECK(wrong == 0);
    });
  }
}

} // namespace
