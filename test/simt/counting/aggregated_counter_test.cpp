// Counters of kernels of one's own in the emulator: any set of active lanes, warps that
// are not full, threads far ahead of others.

#include "simt/simt.hpp"
#include "strategies.hpp"

#include <warpfold/detail/counting/aggregated_counter_body.hpp>

#include <algorithm>

namespace {

using warpfold::aggregated_counter;
using warpfold::aggregation;
using warpfold::no_slot;

using test::numbers, test::strategy;

constexpr int thread_counts[] = {1, 2, 17, 31, 32, 33, 64, 77, 96};

/// Which counter a thread hits in its turn, and how often; 0 if not.
struct hit {
  int which = 0;
  std::uint64_t weight = 0;
};
using turns = std::vector<hit>;

/// Each thread of the grid has 0 to 8 turns, so that some wait while others still count.
template <int Counters>
std::vector<turns> hits_of(int threads, unsigned percent, bool weighted, std::mt19937_64& random) {
  std::vector<turns> all(static_cast<std::size_t>(threads));
  for (turns& of_thread : all) {
    of_thread.resize(random() % 9);
    for (hit& one : of_thread) {
      one.which = static_cast<int>(random() % Counters);
      if (random() % 100 < percent) one.weight = weighted ? random() >> random() % 64 : 1;
    }
  }
  return all;
}

/// How a kernel uses counters: several one after the other in the same shared memory, each flushed
/// several times; turns are shared out among these rounds.
struct use {
  int counters = 1, flushes = 1;
  int rounds() const { return counters * flushes; }
};

/// The right totals for blocks of `threads` threads.
template <aggregation How, int Counters>
numbers expected_totals(std::vector<turns> const& hits, int threads, use const& used) {
  numbers totals(Counters);
  auto const rounds = static_cast<std::size_t>(used.rounds());
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t first = 0; first < hits.size(); first += static_cast<std::size_t>(threads)) {
      numbers of_block(Counters);
      for (std::size_t t = first; t < first + static_cast<std::size_t>(threads); ++t)
        for (std::size_t i = round; i < hits[t].size(); i += rounds)
          of_block[static_cast<std::size_t>(hits[t][i].which)] += hits[t][i].weight;
      for (std::size_t k = 0; k < Counters; ++k)
        totals[k] += How == aggregation::any ? of_block[k] != 0 : of_block[k];
    }
  return How == aggregation::none ? numbers(Counters) : totals;
}

template <aggregation How, int Counters>
numbers count(simt::options const& how, int threads, std::vector<turns> const& hits,
              use const& used) {
  using counter = aggregated_counter<How, Counters, simt::block>;
  numbers totals(Counters);
  simt::launch<typename counter::shared_storage>(
      static_cast<int>(hits.size()) / threads, threads, how,
      [&](simt::block const& block, auto& shared) {
        turns const& own =
            hits[static_cast<std::size_t>(block.block_rank() * threads + block.thread_rank())];
        for (int c = 0; c < used.counters; ++c) {
          counter counted(shared, totals.data(), block);
          for (int f = 0; f < used.flushes; ++f) {
            for (auto i = static_cast<std::size_t>(c * used.flushes + f); i < own.size();
                 i += static_cast<std::size_t>(used.rounds())) {
              auto const [which, weight] = own[i];
              if (weight == 0) continue;
              if (which == Counters - 1 && i % 2 == 0) { // known when compiling
                if (weight == 1) counted.template add<Counters - 1>();
                else counted.template add<Counters - 1>(weight);
              } else {
                if (weight == 1) counted.add(which);
                else counted.add(which, weight);
              }
            }
            counted.flush();
          }
        }
        // Nobody needs it any more.
        std::memset(static_cast<void*>(&shared), 0x5a, sizeof shared);
      });
  return totals;
}

template <aggregation How, int Counters>
void check_counts() {
  std::mt19937_64 random{simt::seed()};
  for (int const threads : thread_counts)
    for (unsigned const percent : {0u, 3u, 50u, 100u})
      for (bool const weighted : {false, true}) {
        CAPTURE(threads);
        CAPTURE(percent);
        CAPTURE(weighted);
        auto const hits = hits_of<Counters>(3 * threads, percent, weighted, random);
        for (use const& used : {use{1, 1}, use{2, 2}}) {
          auto const expected = expected_totals<How, Counters>(hits, threads, used);
          simt::in_every_order([&](simt::options const& how) {
            CHECK(count<How, Counters>(how, threads, hits, used) == expected);
          });
        }
      }
}

/// 0, 1, ... in any order.
bool are_all_slots(numbers slots) {
  std::sort(slots.begin(), slots.end());
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i] != i) return false;
  return true;
}

// Slots, of a counter that all hit and one that some do.
template <aggregation How>
void check_slots() {
  std::mt19937_64 random{simt::seed()};
  for (int const threads : thread_counts) {
    CAPTURE(threads);
    auto const hits = hits_of<2>(3 * threads, 40, false, random);
    auto const expected = expected_totals<How, 2>(hits, threads, {});
    using counter = aggregated_counter<How, 2, simt::block>;
    simt::in_every_order([&](simt::options const& how) {
      numbers totals(2), written(7, 77);
      std::vector<numbers> slots(2);
      simt::launch<typename counter::shared_storage>(
          3, threads, how, [&](simt::block const& block, auto& shared) {
            counter counted(shared, totals.data(), block);
            auto const thread =
                static_cast<std::size_t>(block.block_rank() * threads + block.thread_rank());
            for (hit const& one : hits[thread]) {
              if (one.weight == 0) continue;
              auto& of = slots[static_cast<std::size_t>(one.which)];
              // The order of evaluation must not hold a place while others append.
              std::uint64_t const slot =
                  one.which == 0
                      ? counted.append(0)
                      : counted.append(written.data(), 7, std::uint64_t{1000} + thread, 1);
              of.push_back(slot);
            }
            counted.flush();
          });
      CHECK(totals == expected);
      for (std::size_t k = 0; k < 2; ++k) {
        CHECK(slots[k].size() == expected[k]);
        CHECK(are_all_slots(slots[k]));
      }
      for (std::size_t i = 0; i < written.size(); ++i)
        CHECK((written[i] >= 1000) == (i < expected[1]));
    });
  }
}

template <aggregation How>
bool collective_slots_are_right(simt::options const& how, int threads, int grid) {
  constexpr int calls = 3;
  auto const hits = [&](std::size_t thread, int turn) {
    return (thread * 2654435761u >> 7) % 3 != static_cast<unsigned>(turn);
  };
  numbers totals(2, 0);
  numbers slots;
  std::uint64_t expected = 0;
  bool others_have_none = true;
  using counter = aggregated_counter<How, 2, simt::block>;
  simt::launch<typename counter::shared_storage>(
      grid, threads, how, [&](simt::block const& block, auto& shared) {
        counter counted(shared, totals.data(), block);
        auto const thread =
            static_cast<std::size_t>(block.block_rank() * threads + block.thread_rank());
        for (int turn = 0; turn < calls; ++turn) {
          bool const has = hits(thread, turn);
          if (has) counted.add(0);
          std::uint64_t const slot = counted.append_all(has, 1);
          if (!has) counted.add(0);
          expected += has;
          if (has) slots.push_back(slot);
          else others_have_none = others_have_none && slot == no_slot;
        }
        counted.flush();
        std::memset(static_cast<void*>(&shared), 0x5a, sizeof shared);
      });
  return slots.size() == expected && are_all_slots(slots) && others_have_none &&
         totals == numbers{calls * static_cast<std::uint64_t>(grid * threads), expected};
}

} // namespace

TEST_CASE_TEMPLATE("simt counter: the strategies count what there is", S,
                   WARPFOLD_TEST_STRATEGIES) {
  check_counts<S::value, 1>();
  check_counts<S::value, 2>();
  check_counts<S::value, 7>();
  check_counts<S::value, 64>();
}

TEST_CASE("simt counter: any counts the blocks with a hit") {
  check_counts<aggregation::any, 1>();
  check_counts<aggregation::any, 7>();
  check_counts<aggregation::any, 32>();
  check_counts<aggregation::any, 64>();
  check_counts<aggregation::any, 100>();
}

TEST_CASE("simt counter: none counts nothing") {
  std::mt19937_64 random{simt::seed()};
  auto const hits = hits_of<2>(2 * 40, 50, true, random);
  CHECK(count<aggregation::none, 2>({}, 40, hits, {}) == numbers(2));
}

// A thread empties shared memory before it overflows.
TEST_CASE("simt counter: a block counts beyond 2^32") {
  constexpr std::uint64_t weight = (1u << 20) - 1;
  std::vector<turns> const hits(64, turns(100, {3, weight}));
  auto const totals = count<aggregation::block, 64>({}, 64, hits, {});
  CHECK(totals == expected_totals<aggregation::block, 64>(hits, 64, {}));
  CHECK(totals[3] > std::uint64_t{1} << 32);
}

TEST_CASE_TEMPLATE("simt counter: every hit has a slot of its own", S, WARPFOLD_TEST_STRATEGIES) {
  check_slots<S::value>();
  for (int const threads : thread_counts)
    simt::in_every_order([&](simt::options const& how) {
      CHECK(collective_slots_are_right<S::value>(how, threads, 3));
    });
}

TEST_CASE("simt counter: a barrier left out is noticed") {
  std::mt19937_64 random{simt::seed()};
  auto const unneeded = [&]<aggregation How, int Counters>() {
    auto hits = hits_of<Counters>(3 * 96, 50, false, random);
    if (How == aggregation::any && Counters == 2) { // one thread, which hits another in each round
      std::fill(hits.begin(), hits.end(), turns{});
      for (std::size_t t = 70; t < hits.size(); t += 96) hits[t] = {{1, 1}, {0, 1}};
    }
    use const used{.counters = 2};
    auto const expected = expected_totals<How, Counters>(hits, 96, used);
    return simt::unneeded_barriers([&](simt::options const& how) {
      return count<How, Counters>(how, 96, hits, used) == expected;
    });
  };
  // 2, at the end of the first counter's flush: what the next counter clears, each thread has
  // emptied itself. Whatever else follows needs it, as the last flush shows.
  char const* const before_a_counter = "2 aggregated_counter, ";
  CHECK(unneeded.operator()<aggregation::block, 1>() == "");
  CHECK(unneeded.operator()<aggregation::block, 2>() == before_a_counter);
  CHECK(unneeded.operator()<aggregation::block, 64>() == before_a_counter);
  CHECK(unneeded.operator()<aggregation::any, 2>() == "");
  CHECK(unneeded.operator()<aggregation::any, 64>() == "");
  CHECK(unneeded.operator()<aggregation::any, 100>() == before_a_counter);
  CHECK(simt::unneeded_barriers([](simt::options const& how) {
          return collective_slots_are_right<aggregation::block>(how, 96, 3);
        }) == "");
}
