// The emulator itself: that it does what a GPU does, and that it notices what a GPU may not.

#include "simt/simt.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace {

using test::contains;

template <class A, int N>
struct array {
  A at[N];
};

/// Every thread but the last reads what the next one wrote.
void shift(simt::block const& block, array<int, 96>& shared, int* out) {
  int const rank = block.thread_rank();
  shared.at[rank] = rank;
  block.sync();
  out[rank] = rank + 1 < block.size() ? shared.at[rank + 1] : 0;
}

bool shifts(simt::options const& how) {
  simt::poisoned<int> out(96);
  simt::launch<array<int, 96>>(1, 96, how, [&](simt::block const& block, auto& shared) {
    shift(block, shared, out.data());
  });
  for (int i = 0; i < 96; ++i)
    if (out[static_cast<std::size_t>(i)] != (i + 1) % 96) return false;
  return true;
}

/// The message of the divergent_barrier that a kernel ends in.
template <class Body>
std::string hang_of(int threads, Body body) {
  try {
    simt::launch<char>(3, threads, {.blocks = simt::order::reverse, .most_steps = 10'000}, body);
  } catch (simt::divergent_barrier const& hang) {
    return hang.what();
  }
  return "no hang";
}

} // namespace

TEST_CASE("simt: copies are there when a thread has waited for them, and must be aligned") {
  struct alignas(16) words {
    unsigned at[5];
  };
  words const source{{1, 2, 3, 4, 5}};
  auto const copy = [&](int shift, bool waits) {
    simt::launch<words>(1, 1, {}, [&](simt::block const& block, words& shared) {
      shared.at[0] = 7;
      block.copy_async(shared.at + shift, source.at);
      CHECK(shared.at[0] == 7);
      if (waits) block.wait_for_copies();
      CHECK(shared.at[0] == (waits ? 1 : 7));
    });
  };
  copy(0, true);
  CHECK_THROWS_AS(copy(0, false), std::logic_error);
  CHECK_THROWS_AS(copy(1, true), std::logic_error);
}

TEST_CASE("simt: every thread of every block runs once, in the order asked for") {
  for (auto const lanes : {simt::order::forward, simt::order::reverse, simt::order::random}) {
    std::vector<int> ran;
    simt::launch<char>(3, 50, {.lanes = lanes, .blocks = lanes, .seed = 7},
                       [&](simt::block const& block, char&) {
                         CHECK(block.size() == 50);
                         CHECK(block.grid_size() == 3);
                         ran.push_back(block.block_rank() * 50 + block.thread_rank());
                       });
    auto sorted = ran;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted.size() == 150);
    for (int i = 0; i < 150; ++i) CHECK(sorted[static_cast<std::size_t>(i)] == i);
    CHECK((ran == sorted) == (lanes == simt::order::forward));
    CHECK((ran.front() == 149 && ran.back() == 0) == (lanes == simt::order::reverse));
  }
}

TEST_CASE("simt: shared memory starts poisoned in every block") {
  simt::launch<array<unsigned, 8>>(3, 32, {}, [](simt::block const& block, auto& shared) {
    if (block.thread_rank() != 0) return;
    for (unsigned& word : shared.at) {
      CHECK(word == 0xffffffffu);
      word = 0;
    }
  });
}

TEST_CASE("simt: a missing barrier shows, though not in every order") {
  simt::dropped_barrier none, first{.index = 0};
  simt::in_every_order([&](simt::options how) {
    how.dropped = &none;
    CHECK(shifts(how));
    how.dropped = &first;
    CHECK(shifts(how) == (how.lanes == simt::order::reverse));
  });
  CHECK(none.met == 1);
  CHECK(simt::unneeded_barriers(shifts) == "");
  CHECK(simt::function_of(first.site) == "shift");
}

TEST_CASE("simt: blocks of a cluster wait for each other where the cluster does") {
  struct words {
    int own, seen;
  };
  auto const shares = [](simt::options const& how) {
    std::vector<int> seen(6 * 40);
    simt::launch({6, 40, sizeof(words), 3}, how, [&](simt::block const& block, void* memory) {
      auto* const shared = static_cast<words*>(memory);
      int const rank = block.cluster_rank();
      if (rank == 1 && block.thread_rank() == 39) shared->own = 100 + block.block_rank();
      if (rank != 1) block.sync(); // which only its own block waits for
      block.sync_cluster();
      if (block.thread_rank() == 0) shared->seen = block.map_shared_rank(&shared->own, 1)[0];
      block.sync();
      seen[static_cast<std::size_t>(block.block_rank() * 40 + block.thread_rank())] = shared->seen;
      block.sync_cluster();
    });
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (seen[i] != (i < 3 * 40 ? 101 : 104)) return false;
    return true;
  };
  simt::in_every_order([&](simt::options const& how) { CHECK(shares(how)); });
}

TEST_CASE("simt: shuffles move values of any size within a warp") {
  struct triple {
    short a, b, c;
  };
  simt::in_every_order([](simt::options const& how) {
    simt::launch<char>(2, 80, how, [](simt::block const& block, char&) {
      auto const rank = static_cast<short>(block.thread_rank());
      for (int by = 1; by < 32; by *= 2) {
        triple const got =
            block.shuffle_down(triple{rank, static_cast<short>(-rank), static_cast<short>(by)}, by);
        bool const has_neighbour = rank % 32 + by < 32 && rank + by < block.size();
        CHECK(got.a == (has_neighbour ? rank + by : -1));
        CHECK(got.b == (has_neighbour ? -rank - by : -1));
        CHECK(got.c == (has_neighbour ? by : -1));
      }
    });
  });
}

TEST_CASE("simt: the first thread of a warp broadcasts") {
  simt::in_every_order([](simt::options const& how) {
    simt::launch<char>(1, 80, how, [](simt::block const& block, char&) {
      int const rank = block.thread_rank();
      CHECK(block.broadcast(rank == 32) == (rank / 32 == 1));
      CHECK(block.broadcast(rank != 64) == (rank / 32 != 2));
    });
  });
}

TEST_CASE("simt: lanes that are active together") {
  simt::in_every_order([](simt::options const& how) {
    for (int const threads : {1, 5, 32, 41, 64})
      for (int kept = 1; kept <= 32; ++kept) {
        std::vector<unsigned> seen(static_cast<std::size_t>(threads));
        simt::launch<char>(1, threads, how, [&](simt::block const& block, char&) {
          if (block.lane() >= kept) return; // or wait elsewhere:
          if (block.lane() % 3 == 1) return block.sync();
          unsigned const lanes = block.active();
          auto const rank = static_cast<std::size_t>(block.thread_rank());
          seen[rank] = lanes;
          CHECK((lanes >> block.lane() & 1) == 1);
          CHECK(block.ballot(lanes, block.lane() > 4) == (lanes & ~31u));
          CHECK(block.match(lanes, block.lane() % 2) ==
                (lanes & (block.lane() % 2 ? 0xaaaaaaaau : 0x55555555u)));
          int const last = 31 - std::countl_zero(lanes);
          CHECK(block.shuffle(lanes, static_cast<std::uint64_t>(block.lane()), last) ==
                static_cast<std::uint64_t>(last));
          CHECK(block.reduce_add(lanes, 2) == 2 * static_cast<unsigned>(std::popcount(lanes)));
          CHECK(block.reduce_or(lanes, 1u << block.lane()) == lanes);
          CHECK(block.reduce_min(lanes, -block.lane()) == -last);
          block.sync();
        });
        for (std::size_t t = 0; t < seen.size(); ++t) {
          bool const came = t % 32 < static_cast<std::size_t>(kept) && t % 32 % 3 != 1;
          CHECK((seen[t] != 0) == came);
          if (!came || how.lanes == simt::order::random) continue;
          unsigned all = 0;
          for (std::size_t l = 0; l < 32 && t / 32 * 32 + l < seen.size(); ++l)
            if (l < static_cast<std::size_t>(kept) && l % 3 != 1) all |= 1u << l;
          CHECK(seen[t] == all);
        }
      }
  });
}

TEST_CASE("simt: in random order lanes are active in parts, too, and places are kept apart") {
  bool in_parts = false;
  for (unsigned seed = 0; seed < 10; ++seed)
    simt::launch<char>(1, 32, {.lanes = simt::order::random, .seed = seed},
                       [&](simt::block const& block, char&) {
                         if (block.thread_rank() < 10) {
                           CHECK((block.active() & ~0x3ffu) == 0);
                         } else {
                           unsigned const lanes = block.active();
                           CHECK((lanes & 0x3ffu) == 0);
                           in_parts = in_parts || lanes != 0xfffffc00u;
                         }
                       });
  CHECK(in_parts);
}

TEST_CASE("simt: threads that returned count as arrived") {
  simt::in_every_order([](simt::options const& how) {
    simt::launch<array<int, 64>>(1, 64, how, [](simt::block const& block, auto& shared) {
      int const rank = block.thread_rank();
      shared.at[rank] = rank;
      if (rank % 3 == 0 || rank > 60) return;
      block.sync();
      CHECK(shared.at[63 - rank] == 63 - rank);
      block.sync_warp();
      int const got = block.shuffle_down(rank, 1);
      CHECK(got == (rank % 3 == 1 && rank % 32 < 31 && rank < 60 ? rank + 1 : -1));
    });
  });
}

TEST_CASE("simt: the block that arrives last is told so, and the ticket is 0 again") {
  simt::in_every_order([](simt::options const& how) {
    unsigned ticket = 0;
    std::vector<bool> last;
    for (int kernel = 0; kernel < 2; ++kernel)
      simt::launch<char>(5, 32, how, [&](simt::block const& block, char&) {
        if (block.thread_rank() == 0) last.push_back(block.arrives_last(&ticket));
      });
    CHECK(ticket == 0);
    CHECK(last == std::vector<bool>{0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  });
}

TEST_CASE("simt: threads that wait for what nobody does are reported") {
  std::uint64_t const never = 0;
  CHECK(contains(hang_of(1,
                         [&](simt::block const& block, char&) {
                           while (block.load_acquire(&never) == 0) {
                           }
                         }),
                 "does not end; thread 0 ready"));
  CHECK(contains(hang_of(40,
                         [](simt::block const& block, char&) {
                           while (block.thread_rank() < 32) block.sync_warp();
                         }),
                 "does not end; thread 0 "));
}

TEST_CASE("simt: threads at different barriers are reported") {
  CHECK(contains(hang_of(64,
                         [](simt::block const& block, char&) {
                           if (block.thread_rank() < 16) block.sync();
                           else block.sync_warp();
                         }),
                 "block 2 hangs; thread 0 to 15 waits at sync (block_test.cpp:"));
  CHECK(contains(hang_of(64,
                         [](simt::block const& block, char&) {
                           if (block.block_rank() != 1) return;
                           if (block.thread_rank() == 40) block.sync_warp();
                           else if (block.thread_rank() > 40) block.shuffle_down(1, 1);
                         }),
                 "block 1 hangs; thread 0 to 39 has returned; thread 40 waits at sync_warp "
                 "(block_test.cpp:"));
  CHECK(contains(hang_of(64,
                         [](simt::block const& block, char&) {
                           if (block.thread_rank() == 63) block.shuffle_down(1, 1);
                           block.sync();
                         }),
                 "; thread 63 waits at shuffle_down (block_test.cpp:"));
  CHECK(contains(hang_of(32,
                         [](simt::block const& block, char&) {
                           if (block.thread_rank() < 16) block.shuffle_down(1, 1);
                           else block.shuffle_down(1.0, 1);
                         }),
                 "different types"));
}

TEST_CASE("simt: what a thread throws ends the launch, and the others are unwound") {
  auto const held = std::make_shared<int>(0);
  CHECK_THROWS_WITH_AS(simt::launch<char>(2, 64, {},
                                          [&](simt::block const& block, char&) {
                                            std::shared_ptr<int> mine;
                                            mine = held; // each thread its own
                                            if (*mine == 0 && block.thread_rank() == 33)
                                              throw std::runtime_error("thread 33");
                                            block.sync();
                                          }),
                       "thread 33", std::runtime_error);
  CHECK(held.use_count() == 1);
}
