// Groups of ranks: what they exchange, and how they fail.

#include "communicator.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace {

using namespace std::chrono_literals;
using test::group_sizes;
namespace wf = warpfold;

TEST_CASE("ranks on a host gather and exchange") {
  for (int const ranks : group_sizes) {
    CAPTURE(ranks);
    wf::local_group<wf::host> group(ranks);
    CHECK(group.size() == ranks);
    group.run(test::exchanges<wf::host>);
  }
}

TEST_CASE("a rank that throws takes the others with it") {
  for (int const ranks : {2, 5}) {
    wf::local_group<wf::host> group(ranks);
    std::atomic<int> noticed = 0;
    auto const fail = [&](wf::communicator<wf::host>& over) {
      if (over.rank() == 1) throw std::runtime_error("one's own reason");
      try {
        over.barrier();
      } catch (wf::communication_error const& error) {
        ++noticed;
        CHECK(test::contains(error.what(), "rank 1 gave up"));
        throw;
      }
    };
    CHECK_THROWS_WITH_AS(group.run(fail), "one's own reason", std::runtime_error);
    CHECK(noticed == ranks - 1);
    // It stays so.
    CHECK_THROWS_AS(group.run([](auto& over) { over.barrier(); }), wf::communication_error);
  }
}

TEST_CASE("a rank that does not come is not waited for for ever") {
  wf::local_group<wf::host> group(3, 1, {.time_limit = 50ms});
  auto const begin = std::chrono::steady_clock::now();
  std::atomic<int> noticed = 0;
  group.run([&](wf::communicator<wf::host>& over) {
    if (over.rank() == 2) return;
    CHECK_THROWS_AS(over.barrier(), wf::communication_error);
    ++noticed;
  });
  CHECK(noticed == 2);
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
}

TEST_CASE("ranks that disagree notice") {
  wf::local_group<wf::host> sizes(3);
  CHECK(test::ranks_noticing(sizes, "another call", [](auto& over) {
          if (over.rank() == 0) static_cast<void>(over.all_gather(1));
          else static_cast<void>(over.all_gather(1.));
        }) == 3);
  wf::local_group<wf::host> calls(2);
  CHECK(test::ranks_noticing(calls, "another call", [](auto& over) {
          std::vector<wf::byte_range> const ranges{{0, 1}, {1, 1}};
          std::byte from[2]{}, to[2]{};
          if (over.rank() == 0) over.barrier();
          else over.through().exchange(from, ranges, to, ranges, nullptr);
        }) == 2);
}

TEST_CASE("groups refuse what they cannot be") {
  CHECK(test::refused_by([] { wf::local_group<wf::host>(0); }) == "ranks");
  CHECK(test::refused_by([] { wf::local_group<wf::host>(1025); }) == "ranks");
  CHECK(test::refused_by([] { wf::local_group<wf::host>(2, -1); }) == "threads");
  CHECK(test::refused_by([] { wf::local_group<wf::host>(2).run({}); }) == "work");
  wf::host place;
  CHECK(test::refused_by([&] { wf::communicator<wf::host>(place, nullptr); }) == "through");
  if (wf::gpu_count() == 0)
    CHECK(test::refused_by([] { wf::local_group<wf::gpu>(std::span<int const>{}); }) == "devices");
  if (wf::has_nccl()) CHECK(wf::make_group_id() != wf::make_group_id());
  else CHECK(test::refused_by([] { static_cast<void>(wf::make_group_id()); }) == "place");
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: ranks on GPUs gather and exchange") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    CHECK(group.size() == wf::gpu_count());
    group.run(test::exchanges<wf::gpu>);
    wf::local_group<wf::gpu> alone(std::vector{0});
    alone.run(test::exchanges<wf::gpu>);
  }

  TEST_CASE("a group of one through NCCL") {
    if (!wf::has_nccl()) return;
    wf::gpu place;
    auto over = wf::join_group(place, wf::make_group_id(), 0, 1);
    CHECK(over.all_gather(7) == std::vector{7});
    test::exchanges(over);
    CHECK(test::refused_by([&] {
            static_cast<void>(wf::join_group(place, wf::make_group_id(), 1, 1));
          }) == "rank");
    CHECK(test::refused_by([&] { static_cast<void>(wf::adopt_group(place, nullptr)); }) == "group");
  }
}

TEST_SUITE("gpus") {
  TEST_CASE("a GPU's rank that throws takes the others with it") {
    wf::local_group<wf::gpu> group(std::vector{0, 1}, {.time_limit = 20s});
    std::atomic<int> noticed = 0;
    auto const fail = [&](wf::communicator<wf::gpu>& over) {
      if (over.rank() == 1) throw std::runtime_error("one's own reason");
      try {
        over.barrier();
      } catch (wf::communication_error const&) {
        ++noticed;
        throw;
      }
    };
    CHECK_THROWS_WITH_AS(group.run(fail), "one's own reason", std::runtime_error);
    CHECK(noticed == 1);
    CHECK_THROWS_AS(group.run([](auto& over) { over.barrier(); }), wf::communication_error);
  }

  TEST_CASE("a GPU's rank that does not come is not waited for for ever") {
    wf::local_group<wf::gpu> group(std::vector{0, 1}, {.time_limit = 2s});
    group.run(test::exchanges<wf::gpu>);
    auto const begin = std::chrono::steady_clock::now();
    bool noticed = false;
    group.run([&](wf::communicator<wf::gpu>& over) {
      if (over.rank() == 1) return;
      CHECK_THROWS_AS(over.barrier(), wf::communication_error);
      noticed = true;
    });
    CHECK(noticed);
    CHECK(std::chrono::steady_clock::now() - begin < 30s);
  }
}

} // namespace
