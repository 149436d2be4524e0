// Exact sums of kernels of one's own in the emulator.

#include "reduction/exact.hpp"
#include "simt/simt.hpp"
#include "strategies.hpp"

#include <warpfold/detail/reduction/exact_total.hpp>

#include <boost/context/fiber.hpp>

namespace {

using warpfold::aggregated_sum;
using warpfold::aggregation;

using test::numbers, test::strategy;

/// The values added up, with two sums one after the other in the same shared memory.
template <aggregation How, class T>
auto sum_simt(simt::options const& how, int grid, int threads, std::vector<T> const& values,
              numbers total) {
  using sum = aggregated_sum<How, T, simt::block>;
  simt::launch<typename sum::shared_storage>(
      grid, threads, how, [&](simt::block const& block, auto& shared) {
        int const all = grid * threads, thread = block.block_rank() * threads + block.thread_rank();
        auto const stride = static_cast<std::size_t>(all), rank = static_cast<std::size_t>(thread);
        for (std::size_t const part : {0, 1}) {
          sum added(shared, total.data(), block);
          for (std::size_t i = rank + part * stride; i < values.size(); i += 2 * stride)
            if (values[i] != 0) added.add(values[i]);
          added.flush();
        }
        std::memset(static_cast<void*>(&shared), 0x5a, sizeof shared);
      });
  return warpfold::detail::accumulator_of_total<T>(total);
}

template <class T>
numbers no_total() {
  return numbers(aggregated_sum<aggregation::global, T, simt::block>::total_size);
}

/// Tame numbers, or all exponents, among them zeros, which are not added, and, if so, infinity.
template <class T>
std::vector<T> values_of(std::mt19937_64& random, bool all_exponents = false,
                         bool infinite = false) {
  constexpr std::size_t size = 700;
  auto values = test::partly_wild_values<T>(size, all_exponents, random);
  for (T& x : values)
    if (random() % 4 == 0) x = 0;
  if (infinite) values[random() % size] = std::numeric_limits<T>::infinity();
  return values;
}

template <aggregation How, class T>
void check_sums() {
  std::mt19937_64 random{simt::seed()};
  for (int const threads : {1, 33, 77})
    for (int const grid : {1, 3})
      for (int kind = 0; kind < 3; ++kind) {
        CAPTURE(threads);
        CAPTURE(grid);
        CAPTURE(kind);
        auto const values = values_of<T>(random, kind > 0, kind > 1);
        warpfold::exact_accumulator<T> expected;
        expected.add(values);
        simt::in_every_order([&](simt::options const& how) {
          CHECK(sum_simt<How>(how, grid, threads, values, no_total<T>()) == expected);
        });
      }
}

} // namespace

TEST_CASE_TEMPLATE("simt sum: sums are the exact ones", S, WARPFOLD_TEST_STRATEGIES) {
  check_sums<S::value, float>();
  check_sums<S::value, double>();
}

TEST_CASE_TEMPLATE("simt sum: a total's words hand on what they cannot hold", T, float, double) {
  std::mt19937_64 random{simt::seed()};
  constexpr std::int64_t far = std::int64_t{1} << 61;
  for (int const sign : {1, -1}) {
    auto total = no_total<T>();
    // Near the end of every word but the last; 2^32 times the next word is what a word can hold.
    for (std::size_t k = 0; k + 2 < total.size(); ++k)
      total[k] = static_cast<std::uint64_t>(sign * (far - 1000));
    auto expected = warpfold::detail::accumulator_of_total<T>(total);
    std::vector<T> values(300);
    for (T& x : values) {
      x = std::abs(test::wild_values<T>(1, random)[0]) * static_cast<T>(sign);
      if (std::isinf(x)) x = 0;
    }
    expected.add(values);
    simt::in_every_order([&](simt::options const& how) {
      CHECK(sum_simt<aggregation::global>(how, 2, 77, values, total) == expected);
    });
  }
}

/// A block whose every atomic operation lets all the others' go on.
struct interleaved_block {
  boost::context::fiber* others;
  template <class T>
  T fetch_add(T* number, T by) const {
    T const before = *number;
    *number = before + by;
    *others = std::move(*others).resume();
    return before;
  }
};

TEST_CASE("simt sum: many that add at once do not overtax a word") {
  using layout = warpfold::detail::total_layout<double>;
  constexpr int adders = 1024, turns = 1200;
  for (std::int64_t const sign : {1, -1}) {
    std::int64_t const start = sign * ((std::int64_t{1} << 61) - 1000), by = sign << 43;
    numbers words(layout::size);
    words[10] = static_cast<std::uint64_t>(start);
    boost::context::fiber home;
    std::vector<boost::context::fiber> fibers;
    int at_work = adders;
    for (int i = 0; i < adders; ++i)
      fibers.emplace_back([&](boost::context::fiber&& caller) {
        home = std::move(caller);
        for (int turn = 0; turn < turns; ++turn)
          warpfold::detail::add_to_total<layout>(interleaved_block{&home}, words.data(), 10, by);
        --at_work;
        return std::move(home);
      });
    while (at_work > 0)
      for (boost::context::fiber& one : fibers)
        if (one) one = std::move(one).resume();
    // 32 bits apart; by is a multiple of 2^32.
    std::int64_t const high = start / (std::int64_t{1} << 32) + (by >> 32) * adders * turns;
    auto const low = static_cast<std::int64_t>(words[10]);
    CHECK(low % (std::int64_t{1} << 32) == start % (std::int64_t{1} << 32));
    CHECK(low / (std::int64_t{1} << 32) + static_cast<std::int64_t>(words[11]) == high);
  }
}

TEST_CASE("simt sum: a barrier left out is noticed") {
  std::mt19937_64 random{simt::seed()};
  auto const values = values_of<double>(random);
  warpfold::exact_accumulator<double> expected;
  expected.add(values);
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return sum_simt<aggregation::block>(how, 2, 96, values, no_total<double>()) == expected;
        }) == "2 aggregated_sum, "); // as a counter's: the next sum clears what it emptied
}
