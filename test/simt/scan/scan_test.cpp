// The body of scans in the emulator, against a tree written from its description. Blocks run at the
// same time, so that they wait for each other.

#include "affine.hpp"
#include "scan/scan_tree.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/reduction/arithmetic.hpp>
#include <warpfold/detail/scan/scan_body.hpp>
#include <warpfold/reduction/operations.hpp>

namespace {

namespace detail = warpfold::detail;
using test::affine, test::then;

template <class A>
struct as_it_is {
  using result = A;
  A operator()(A x) const { return x; }
  A finish(A y) const { return y; }
};

/// What a gpu keeps for its scans: words that earlier kernels left.
struct memory {
  std::uint64_t epoch;
  std::vector<std::uint64_t> words;
  std::uint64_t ticket = 0;

  memory(std::uint64_t kernels, std::size_t size) : epoch{kernels}, words(size) {}
};

/// Blocks run together (at most so many), or one after the other. Unless it is 0, `capacity` is
/// what the kernel is launched for, and the values, of which there are no more in memory, are
/// counted. Results may take the values' place.
template <int Units, class A, class Op>
std::vector<A> scan_simt(simt::options const& how, bool together, bool by_tickets, memory& kept,
                         std::vector<A> const& values, Op op, A init, bool is_exclusive,
                         bool are_aligned, std::size_t capacity = 0, bool in_place = false) {
  std::vector<A> results(values.size() + 1, A{});
  if (in_place) std::ranges::copy(values, results.begin());
  A const* const first = in_place ? results.data() : values.data();
  std::uint64_t const count = values.size();
  if (capacity == 0) capacity = values.size();
  detail::counted_size const counted(capacity, capacity > values.size() ? &count : nullptr);
  using job_type = detail::scan_job<A, A const*, Op, as_it_is<A>>;
  job_type const job{first, counted,      results.data(), op,         {},
                     init,  is_exclusive, nullptr,        are_aligned};
  detail::scan_levels const levels(capacity, detail::scan_unit<A>);
  std::size_t const tile = Units * detail::scan_unit<A>;
  auto const tiles = static_cast<int>((capacity + tile - 1) / tile);
  detail::scan_scratch const scratch{{&kept.epoch, kept.words.data(), kept.words.size()},
                                     by_tickets && tiles > 1 ? &kept.ticket : nullptr,
                                     static_cast<unsigned>(capacity % 3)};
  using shared_type = detail::scan_shared<A, Units>;
  simt::launch({tiles, detail::scan_threads, sizeof(shared_type), together ? tiles : 1}, how,
               [&](simt::block const& block, void* shared) {
                 detail::scan_tile<Units>(block, job, levels, scratch,
                                          *static_cast<shared_type*>(shared));
               });
  CHECK(results.back() == A{});
  results.pop_back();
  return results;
}

template <int Units, class A, class Op, class Make>
void check_scan(std::vector<std::size_t> const& sizes, Op op, Make make) {
  std::mt19937_64 random{simt::seed()};
  for (std::size_t const size : sizes) {
    CAPTURE(size);
    std::vector<A> values(size);
    for (A& x : values) x = make(random);
    A const init = make(random);
    test::scan_tree<A, Op> const tree(values, op);
    auto const inclusive = tree.inclusive(), exclusive = tree.exclusive(init);
    std::size_t const capacity = size + 1 + random() % (3 * Units * detail::scan_unit<A>);
    std::size_t const needed =
        detail::scan_levels(capacity, detail::scan_unit<A>).end * detail::scan_words<A>;
    memory kept(random() % 5 == 0 ? 0x7ffffffeu : random(), needed + 40); // the tag begins again
    simt::in_every_order([&](simt::options const& how) {
      for (bool const is_exclusive : {false, true}) {
        bool const by_tickets = random() % 2 == 0;
        CAPTURE(by_tickets);
        std::uint64_t const epoch = kept.epoch;
        auto const results =
            scan_simt<Units>(how, true, by_tickets, kept, values, op, init, is_exclusive,
                             random() % 2 == 0, 0, random() % 2 == 0);
        CHECK(kept.ticket == 0);
        CHECK(results == (is_exclusive ? exclusive : inclusive));
        bool const is_alone = size <= std::size_t{detail::scan_unit<A>};
        CHECK(kept.epoch == epoch + (is_alone ? 0 : 1));
        CHECK(scan_simt<Units>(how, true, by_tickets, kept, values, op, init, is_exclusive,
                               random() % 2 == 0,
                               capacity) == (is_exclusive ? exclusive : inclusive));
        CHECK(kept.ticket == 0);
      }
    });
    // One block after the other, as they have tickets.
    CHECK(scan_simt<Units>({.blocks = simt::order::random, .seed = simt::seed()}, false, true, kept,
                           values, op, init, false, true) == inclusive);
  }
}

constexpr auto make_real = [](auto& random) {
  return std::ldexp(static_cast<float>(random() % 200001) - 100000.0F,
                    static_cast<int>(random() % 12) - 17);
};
constexpr auto make_affine = [](auto& random) {
  return affine{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
};

TEST_CASE("scans of sums have the tree's bits") {
  check_scan<1, float>({1, 3, 1023, 1024, 1025, 4099, 33 * 1024 + 5}, warpfold::plus{}, make_real);
  check_scan<4, float>({1, 1025, 4096, 4097, 9000, 34 * 1024 - 3, 68 * 1024 + 129},
                       warpfold::plus{}, make_real);
  check_scan<8, float>({8192, 8193, 33 * 1024 + 5}, warpfold::plus{}, make_real);
  check_scan<8, double>({4096, 4099, 16 * 512 + 1}, warpfold::plus{},
                        [](auto& random) { return static_cast<double>(make_real(random)); });
  check_scan<4, double>({511, 2048, 2050, 17 * 1024}, warpfold::plus{},
                        [](auto& random) { return static_cast<double>(make_real(random)); });
}
TEST_CASE("scans keep the order of operands") {
  check_scan<1, affine>({1, 2, 511, 513, 40 * 512 + 7}, then{}, make_affine);
  check_scan<4, affine>({2049, 36 * 512 + 255}, then{}, make_affine);
}
TEST_CASE("a user's operator sees no operands but the tree's") {
  // Intervals of neighbours, first and last as one number.
  struct joined {
    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
      if ((a & 0xffffffff) + 1 != b >> 32) throw std::logic_error("no neighbours");
      return (a & ~std::uint64_t{0xffffffff}) | (b & 0xffffffff);
    }
  };
  std::vector<std::uint64_t> values(3 * 4096 + 77);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i + 1) << 32 | (i + 1);
  for (bool const is_exclusive : {false, true}) {
    memory kept(7, 100);
    auto const results =
        scan_simt<8>({}, true, true, kept, values, joined{}, std::uint64_t{0}, is_exclusive, true);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      wrong += results[i] != (is_exclusive ? i : (std::uint64_t{1} << 32 | (i + 1)));
    CHECK(wrong == 0);
  }
}
TEST_CASE(
    "scans of three levels of groups") { // 1057 units of 256 numbers, and of 32 blocks at once
  struct wide {
    std::uint64_t value, other;
    bool operator==(wide const&) const = default;
  };
  auto const add = [](wide a, wide b) {
    return wide{a.value + b.value, a.other * 3 + b.other * 5};
  };
  std::vector<wide> values(1057 * 256 + 9);
  std::mt19937_64 random{simt::seed()};
  for (wide& x : values) x = {random(), random()};
  memory kept(7, 10'000);
  auto const results = scan_simt<4>({}, false, true, kept, values, add, wide{}, false, false);
  CHECK(results == test::scan_tree(values, add).inclusive());
}
TEST_CASE("words that scans do not write are cleared in the end") {
  constexpr std::size_t units = 70, words = 600;
  memory kept(1, words);
  for (auto& word : kept.words) word = ~std::uint64_t{0};
  std::vector<float> const values(units * 1024, 1.0F);
  constexpr std::size_t kernels = words / 32 + 1;
  for (std::size_t i = 0; i < kernels; ++i)
    scan_simt<1>({}, true, false, kept, values, warpfold::plus{}, 0.0F, false, true);
  for (std::size_t i = 0; i < words; ++i) {
    CAPTURE(i);
    // Units, and behind their last line two groups in eight copies.
    bool const is_written = i < units || (i >= 96 && i < 96 + 8 * 32 && i % 32 < 2);
    CHECK((kept.words[i] >> 32) == (is_written ? kernels + 1 : 0)); // the last kernel's tag
  }
}
TEST_CASE("scans need every barrier") {
  std::vector<float> values(5000);
  std::mt19937_64 random{simt::seed()};
  for (float& x : values) x = make_real(random);
  auto const expected = test::scan_tree(values, warpfold::plus{}).inclusive();
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          memory kept(3, 100);
          return scan_simt<4>(how, true, true, kept, values, warpfold::plus{}, 0.0F, false, true) ==
                 expected;
        }) == "3 scan_tile, "); // the last one of the warp that looks back, which ends there
}

} // namespace
