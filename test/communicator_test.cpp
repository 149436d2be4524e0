// Groups of ranks: what they exchange, and how they fail.

#include "communicator.hpp"

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace {

using namespace std::chrono_literals;
using test::group_sizes;
namespace wf = warpfold;

template <class Place>
void gathers(wf::local_group<Place>& group) {
  group.run([&](wf::communicator<Place>& over) {
    struct number {
      int rank;
      double square;
    };
    for (int round = 0; round < 3; ++round) {
      auto const all = over.all_gather(number{over.rank(), over.rank() * 1. * over.rank() + round});
      REQUIRE(all.size() == static_cast<std::size_t>(over.size()));
      for (int r = 0; r < over.size(); ++r) {
        CHECK(all[static_cast<std::size_t>(r)].rank == r);
        CHECK(all[static_cast<std::size_t>(r)].square == r * 1. * r + round);
      }
    }
    over.barrier();
  });
}

/// Rank a sends 1000 a + b to rank b, a + 2 b times.
template <class Place>
void exchanges(wf::local_group<Place>& group) {
  group.run([&](wf::communicator<Place>& over) {
    int const me = over.rank(), ranks = over.size();
    std::vector<int> sent;
    std::vector<wf::byte_range> out, in;
    std::size_t incoming = 0;
    for (int r = 0; r < ranks; ++r) {
      auto const count = static_cast<std::size_t>(me + 2 * r);
      out.push_back({sent.size() * sizeof(int), count * sizeof(int)});
      sent.insert(sent.end(), count, 1000 * me + r);
      auto const coming = static_cast<std::size_t>(r + 2 * me);
      in.push_back({incoming * sizeof(int), coming * sizeof(int)});
      incoming += coming;
    }
    test::on<Place, int> const from(over.place(), sent);
    test::on<Place, int> to(over.place(), std::vector<int>(incoming, -1));
    over.through().exchange(from.data(), out, to.data(), in, test::stream_of(over.place()));
    over.wait();
    auto const got = to.read(over.place());
    std::size_t at = 0;
    for (int r = 0; r < ranks; ++r)
      for (int i = 0; i < r + 2 * me; ++i) CHECK(got[at++] == 1000 * r + me);
    CHECK(at == got.size());
  });
}

TEST_CASE("ranks on a host gather and exchange") {
  for (int const ranks : group_sizes) {
    CAPTURE(ranks);
    wf::local_group<wf::host> group(ranks);
    CHECK(group.size() == ranks);
    gathers(group);
    exchanges(group);
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
  std::atomic<int> noticed = 0;
  sizes.run([&](wf::communicator<wf::host>& over) {
    try {
      if (over.rank() == 0) static_cast<void>(over.all_gather(1));
      else static_cast<void>(over.all_gather(1.));
    } catch (wf::communication_error const&) {
      ++noticed;
    }
  });
  CHECK(noticed == 3);
  wf::local_group<wf::host> calls(2);
  noticed = 0;
  calls.run([&](wf::communicator<wf::host>& over) {
    std::vector<wf::byte_range> const ranges{{0, 1}, {1, 1}};
    std::byte from[2]{}, to[2]{};
    try {
      if (over.rank() == 0) over.barrier();
      else over.through().exchange(from, ranges, to, ranges, nullptr);
    } catch (wf::communication_error const&) {
      ++noticed;
    }
  });
  CHECK(noticed == 2);
}

TEST_CASE("groups refuse what they cannot be") {
  CHECK(test::argument_of([] { wf::local_group<wf::host>(0); }) == "ranks");
  CHECK(test::argument_of([] { wf::local_group<wf::host>(1025); }) == "ranks");
  CHECK(test::argument_of([] { wf::local_group<wf::host>(2, -1); }) == "threads");
  CHECK(test::argument_of([] { wf::local_group<wf::host>(2).run({}); }) == "work");
  wf::host place;
  CHECK(test::argument_of([&] { wf::communicator<wf::host>(place, nullptr); }) == "through");
  if (wf::gpu_count() == 0)
    CHECK(test::argument_of([] { wf::local_group<wf::gpu>(std::span<int const>{}); }) == "devices");
  if (wf::has_nccl()) CHECK(wf::make_group_id() != wf::make_group_id());
  else CHECK(test::argument_of([] { static_cast<void>(wf::make_group_id()); }) == "place");
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: ranks on GPUs gather and exchange") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    CHECK(group.size() == wf::gpu_count());
    gathers(group);
    exchanges(group);
    wf::local_group<wf::gpu> alone(std::vector{0});
    gathers(alone);
    exchanges(alone);
  }

  TEST_CASE("a group of one through NCCL") {
    if (!wf::has_nccl()) return;
    wf::gpu place;
    auto over = wf::join_group(place, wf::make_group_id(), 0, 1);
    CHECK(over.all_gather(7) == std::vector{7});
    over.barrier();
    CHECK(test::argument_of([&] {
            static_cast<void>(wf::join_group(place, wf::make_group_id(), 1, 1));
          }) == "rank");
    CHECK(test::argument_of([&] { static_cast<void>(wf::adopt_group(place, nullptr)); }) ==
          "group");
  }

  TEST_CASE("a GPU's rank that throws takes the others with it") {
    if (wf::gpu_count() < 2) return;
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
    if (wf::gpu_count() < 2) return;
    wf::local_group<wf::gpu> group(std::vector{0, 1}, {.time_limit = 2s});
    gathers(group);
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
