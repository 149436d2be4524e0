// The bodies of segmented and compensated scans in the emulator: of marks that offsets leave, and
// of accumulators that are more than results.

#include "scan/segmented_tree.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/scan/scan_body.hpp>
#include <warpfold/detail/segments/marked_body.hpp>
#include <warpfold/scan/segmented.hpp>

#include <cstring>
#include <limits>

namespace {

namespace detail = warpfold::detail;

/// Runs a scan with these terms; blocks run together, and take tickets.
template <int Units, class T, class A, class Op, class Transform>
std::vector<T> scan_simt(simt::options const& how, std::vector<T> const& values,
                         detail::scan_terms<A, Op, Transform> const& terms, bool are_aligned) {
  std::size_t const size = values.size();
  alignas(16) T no_values[4] = {};
  T guard; // behind the results
  std::memset(static_cast<void*>(&guard), 77, sizeof guard);
  std::vector<T> results(size + 1, guard);
  using job_type = detail::scan_job<A, T const*, Op, Transform>;
  static_assert(job_type::has_packs || sizeof(T) == 3);
  job_type const job{size > 0 ? values.data() : no_values,
                     size,
                     results.data(),
                     terms.op,
                     terms.transform,
                     terms.start.init,
                     terms.start.is_exclusive,
                     terms.start.begins,
                     are_aligned};
  detail::scan_levels const levels(size, detail::scan_unit<A>);
  std::size_t const tile = Units * detail::scan_unit<A>;
  auto const tiles = static_cast<int>((size + tile - 1) / tile);
  std::uint64_t epoch = simt::seed(), ticket = 0;
  std::vector<std::uint64_t> words(levels.end * detail::scan_words<A> + 40);
  detail::scan_scratch const scratch{{&epoch, words.data(), words.size()},
                                     tiles > 1 ? &ticket : nullptr};
  using shared_type = detail::scan_shared<A, Units>;
  simt::launch({tiles, detail::scan_threads, sizeof(shared_type), tiles}, how,
               [&](simt::block const& block, void* shared) {
                 detail::scan_tile<Units>(block, job, levels, scratch,
                                          *static_cast<shared_type*>(shared));
               });
  CHECK(results.back() == guard);
  results.pop_back();
  return results;
}

/// Three bytes, five of which a lane has.
struct colour {
  std::uint8_t red, green, blue;
  bool operator==(colour const&) const = default;
};
/// Composes maps x -> red x + green, and shifts.
struct blend {
  colour operator()(colour a, colour b) const {
    return {static_cast<std::uint8_t>(a.red * b.red),
            static_cast<std::uint8_t>(b.red * a.green + b.green),
            static_cast<std::uint8_t>(a.blue + b.blue)};
  }
};
struct add_bytes {
  std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const {
    return static_cast<std::uint8_t>(a + b);
  }
};

template <class T>
std::vector<T> drawn_values(std::size_t size) {
  if constexpr (sizeof(T) >= 4) return test::rough_values<T>(size, simt::seed());
  else {
    std::mt19937_64 random{simt::seed()};
    std::vector<T> values(size);
    for (T& x : values) {
      std::uint64_t const bits = random();
      std::memcpy(&x, &bits, sizeof x);
    }
    return values;
  }
}

template <int Units, class T, class Op>
void check_segmented(std::vector<std::size_t> const& sizes, Op op, T init = T(3)) {
  std::mt19937_64 random{simt::seed()};
  for (std::size_t const size : sizes) {
    CAPTURE(size);
    std::vector<T> const values = drawn_values<T>(size);
    std::vector<std::int32_t> offsets{static_cast<std::int32_t>(random() % 3)};
    std::size_t const longest = random() % 2 ? 20 : 900;
    while (static_cast<std::size_t>(offsets.back()) < size)
      offsets.push_back(offsets.back() +
                        static_cast<std::int32_t>(random() % 3 ? random() % longest : 0));
    std::vector<bool> begins(size);
    begins[0] = true;
    for (std::int32_t const at : offsets)
      if (static_cast<std::size_t>(at) < size) begins[static_cast<std::size_t>(at)] = true;
    offsets.back() = static_cast<std::int32_t>(size); // some lie behind all values
    simt::in_every_order([&](simt::options const& how) {
      std::vector<std::uint32_t> marks((size + 31) / 32); // of their exact size
      detail::segment_list const list{
          {offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1, false}, {}};
      auto const blocks = static_cast<int>(offsets.size() / 64 + 1);
      simt::launch({blocks, 64, 0, blocks}, how, [&](simt::block const& block, void*) {
        detail::mark_begins(block, list, size, marks.data());
      });
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < size; ++i) wrong += (marks[i / 32] >> i % 32 & 1) != begins[i];
      CHECK(wrong == 0);
      for (bool const is_exclusive : {false, true}) {
        detail::scan_start<T> const start{init, is_exclusive, marks.data()};
        auto const terms = detail::terms_of(start, detail::segmented<Op>{});
        bool const are_aligned =
            reinterpret_cast<std::uintptr_t>(values.data()) % 16 == 0 && random() % 2 == 0;
        CHECK(scan_simt<Units>(how, values, terms, are_aligned) ==
              test::segmented_tree(values, begins, op, is_exclusive, init));
      }
    });
  }
}

TEST_CASE("bits of keys that begin runs") {
  std::mt19937_64 random{simt::seed()};
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const drawn[] = {0.0, -0.0, 1.0, nan};
  for (std::size_t const size : {1, 31, 512, 513, 4096, 9001}) {
    CAPTURE(size);
    std::vector<double> keys(size);
    for (std::size_t i = 0; i < size; ++i)
      keys[i] = i > 0 && random() % 8 != 0 ? keys[i - 1] : drawn[random() % 4];
    simt::in_every_order([&](simt::options const& how) {
      std::vector<std::uint32_t> marks((size + 31) / 32, 0xdeadbeef); // of their exact size
      constexpr int threads = detail::segment_threads;
      constexpr std::size_t of_block = std::size_t{detail::segment_warps} * detail::begins_keys;
      auto const blocks = static_cast<int>((size + of_block - 1) / of_block);
      simt::launch({blocks, threads, 0, blocks}, how, [&](simt::block const& block, void*) {
        detail::mark_begins(block, keys.data(), size, marks.data());
      });
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < 32 * marks.size(); ++i) {
        bool const begins = i < size && (i == 0 || keys[i - 1] != keys[i]); // NaN begins its own
        wrong += (marks[i / 32] >> i % 32 & 1) != begins;
      }
      CHECK(wrong == 0);
    });
  }
}

TEST_CASE("segmented scans have the tree's bits") {
  check_segmented<1, float>({1, 2, 63, 511, 512, 513, 33 * 512 + 5}, warpfold::plus{});
  check_segmented<4, float>({1025, 2048, 2049, 34 * 512 - 3}, warpfold::maximum<>{});
  check_segmented<4, double>({255, 1024, 1026, 9 * 1024 + 7}, warpfold::plus{});
  check_segmented<8, std::int32_t>({4096, 4099, 3 * 8192 + 5}, warpfold::plus{});
  check_segmented<2, std::uint8_t>({15, 8192, 8209, 40'000}, add_bytes{});
  check_segmented<4, colour>({4, 1280, 5125, 20'003}, blend{}, colour{5, 7, 9});
}

TEST_CASE("compensated scans have the tree's bits") {
  struct pair {
    float sum, error;
  };
  auto const add = [](pair a, pair b) {
    auto const [sum, error] = detail::two_sum(a.sum, b.sum);
    return pair{sum, a.error + b.error + error};
  };
  for (std::size_t const size : {1, 513, 2048, 34 * 512 + 3}) {
    auto const values = test::rough_values<float>(size, simt::seed());
    std::vector<pair> pairs;
    for (float const x : values) pairs.push_back({x, 0});
    test::scan_tree<pair, decltype(add), sizeof(float)> const tree(pairs, add);
    for (bool const is_exclusive : {false, true}) {
      std::vector<float> expected;
      for (pair const& y : is_exclusive ? tree.exclusive({5, 0}) : tree.inclusive())
        expected.push_back(y.sum + y.error);
      simt::in_every_order([&](simt::options const& how) {
        auto const terms = detail::terms_of(detail::scan_start<float>{5, is_exclusive},
                                            warpfold::compensated_plus{});
        CHECK(scan_simt<4>(how, values, terms, is_exclusive) == expected);
      });
    }
  }
}

} // namespace
