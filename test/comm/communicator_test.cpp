// Groups of ranks: what they exchange, and how they fail.

#include "communicator.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace communicator_test {

using namespace std::chrono_literals;
namespace wf = warpfold;

FAST_EVERY_GROUP("ranks gather and exchange") {
  if constexpr (std::same_as<Place, wf::gpu>) {
    CHECK(group.size() == wf::gpu_count());
    wf::local_group<wf::gpu>(std::vector{0}).run(test::exchanges<wf::gpu>);
  }
  group.run(test::exchanges<Place>);
}

/// Rank 1 throws between verbs, and the others are told `what`.
template <class Place>
void check_throwing(wf::local_group<Place>&& group, std::string_view what) {
  std::atomic<int> noticed = 0;
  auto const fail = [&](wf::communicator<Place>& comm) {
    if (comm.rank() == 1) throw std::runtime_error("one's own reason");
    try {
      comm.barrier();
    } catch (wf::communication_error const& error) {
      ++noticed;
      CHECK(test::contains(error.what(), what));
      throw;
    }
  };
  CHECK_THROWS_WITH_AS(group.run(fail), "one's own reason", std::runtime_error);
  CHECK(noticed == group.size() - 1);
  // It stays so.
  CHECK_THROWS_AS(group.run([](auto& comm) { comm.barrier(); }), wf::communication_error);
}

/// The last rank does not come, and the others give up before long.
template <class Place>
void check_missing(wf::local_group<Place>&& group, std::chrono::seconds before) {
  auto const begin = std::chrono::steady_clock::now();
  std::atomic<int> noticed = 0;
  group.run([&](wf::communicator<Place>& comm) {
    if (comm.rank() == comm.size() - 1) return;
    CHECK_THROWS_AS(comm.barrier(), wf::communication_error);
    ++noticed;
  });
  CHECK(noticed == group.size() - 1);
  CHECK(std::chrono::steady_clock::now() - begin < before);
}

TEST_CASE("a rank that throws takes the others with it") {
  for (int const ranks : {2, 5}) check_throwing(wf::local_group<wf::host>(ranks), "rank 1 gave up");
}

TEST_CASE("a rank that does not come is not waited for for ever") {
  check_missing(wf::local_group<wf::host>(3, 1, {.time_limit = 50ms}), 10s);
}

TEST_CASE("a rank that cannot go on aborts the group") {
  wf::local_group<wf::host> group(3);
  CHECK(test::ranks_noticing(group, "rank 1 gave up", [](auto& comm) {
          if (comm.rank() == 1) comm.abort();
          else comm.barrier();
        }) == 2);
}

TEST_CASE("ranks that disagree notice") {
  wf::local_group<wf::host> sizes(3);
  CHECK(test::ranks_noticing(sizes, "another call", [](auto& comm) {
          if (comm.rank() == 0) static_cast<void>(comm.all_gather(1));
          else static_cast<void>(comm.all_gather(1.));
        }) == 3);
  wf::local_group<wf::host> calls(2);
  CHECK(test::ranks_noticing(calls, "another call", [](auto& comm) {
          std::vector<wf::byte_range> const ranges{{0, 1}, {1, 1}};
          std::byte from[2]{}, to[2]{};
          if (comm.rank() == 0) comm.barrier();
          else comm.transport().exchange(from, ranges, to, ranges, nullptr);
        }) == 2);
  wf::local_group<wf::host> parts(2);
  CHECK(test::ranks_noticing(parts, "another call", [](auto& comm) {
          std::size_t const size = comm.rank() == 1 ? 2 : 1;
          std::vector<wf::byte_range> const out{{0, size}, {2, size}}, in{{0, size}, {2, size}};
          std::byte from[4]{}, to[4]{};
          comm.transport().exchange(from, out, to, in, nullptr);
        }) == 2);
}

TEST_CASE("groups refuse what they cannot be") {
  CHECK(test::refused_by([] { wf::local_group<wf::host>(0); }) == "ranks");
  CHECK(test::refused_by([] { wf::local_group<wf::host>(1025); }) == "ranks");
  CHECK(test::refused_by([] { wf::local_group<wf::host>(2, -1); }) == "threads");
  CHECK(test::refused_by([] { wf::local_group<wf::host>(2).run({}); }) == "work");
  wf::host place;
  CHECK(test::refused_by([&] { wf::communicator<wf::host>(place, nullptr); }) == "transport");
  if (wf::gpu_count() == 0)
    CHECK(test::refused_by([] { wf::local_group<wf::gpu>(std::span<int const>{}); }) == "devices");
  if (wf::has_nccl()) CHECK(wf::make_group_id() != wf::make_group_id());
  else CHECK(test::refused_by([] { static_cast<void>(wf::make_group_id()); }) == "place");
}

TEST_SUITE("gpu") {
  TEST_CASE("a group of one through NCCL") {
    if (!wf::has_nccl()) return;
    wf::gpu place;
    auto comm = wf::join_group(place, wf::make_group_id(), 0, 1);
    CHECK(comm.all_gather(7) == std::vector{7});
    test::exchanges(comm);
    CHECK(test::refused_by([&] {
            static_cast<void>(wf::join_group(place, wf::make_group_id(), 1, 1));
          }) == "rank");
    CHECK(test::refused_by([&] { static_cast<void>(wf::adopt_group(place, nullptr)); }) == "group");
  }
  TEST_CASE("fast: a group of one gpu that failed stays so") {
    auto const barrier = [](auto& comm) { comm.barrier(); };
    wf::local_group<wf::gpu> group(std::vector{0}), other(std::vector{0});
    group.run(barrier);
    CHECK_THROWS_AS(group.run([](auto&) { throw std::runtime_error("a reason"); }),
                    std::runtime_error);
    CHECK_THROWS_AS(group.run(barrier), wf::communication_error);
    other.run([](auto& comm) { comm.abort(); });
    CHECK_THROWS_AS(other.run(barrier), wf::communication_error);
  }
  TEST_CASE("fast: a communicator outlives a stream that its place had") {
    wf::local_group<wf::gpu> group(std::vector{0});
    group.run([](wf::communicator<wf::gpu>& comm) {
      cudaStream_t const own = comm.place().stream();
      {
        wf::stream other;
        comm.place().set_stream(other);
        comm.barrier(); // makes its memory
        comm.place().set_stream(own);
        comm.wait();
      }
      std::vector<double> const many(100'000, 0.5);
      CHECK(comm.all_gather(std::span(many)) == many); // which has to grow
    });
  }
}

TEST_SUITE("gpus") {
  TEST_CASE("a GPU's rank that throws takes the others with it") {
    check_throwing(wf::local_group<wf::gpu>(std::vector{0, 1}, {.time_limit = 20s}), "");
  }
  TEST_CASE("a GPU's rank that does not come is not waited for for ever") {
    wf::local_group<wf::gpu> group(std::vector{0, 1}, {.time_limit = 2s});
    group.run(test::exchanges<wf::gpu>);
    check_missing(std::move(group), 30s);
  }
}

} // namespace communicator_test
