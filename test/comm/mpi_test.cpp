// Groups that MPI starts: run with several processes. Every one runs all of it.

#include "communicator.hpp"

#include <warpfold/comm/mpi.hpp>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace {

using namespace std::chrono_literals;
namespace wf = warpfold;

bool skipped = false;

TEST_CASE("processes gather, exchange and reduce") {
  wf::host place(1);
  auto comm = wf::join_group(place, MPI_COMM_WORLD);
  test::exchanges(comm);
  std::vector<double> const mine(static_cast<std::size_t>(comm.rank()) * 10, 0.1);
  int const ranks = comm.size();
  std::vector<double> const all(static_cast<std::size_t>(ranks * (ranks - 1) / 2) * 10, 0.1);
  CHECK(wf::exact_sum(comm, mine) == wf::exact_sum(place, all));
  CHECK(wf::describe(comm, mine).count == all.size());
  std::vector<double> sums(3), expected(3);
  wf::scatter_sum(comm, mine, std::vector<int>(mine.size(), 1), sums);
  wf::scatter_sum(place, all, std::vector<int>(all.size(), 1), expected);
  CHECK(sums == expected);
}

TEST_CASE("a process that throws takes the others with it") {
  wf::host place(1);
  auto comm = wf::join_group(place, MPI_COMM_WORLD);
  if (comm.size() < 2) return;
  if (comm.rank() == 1) {
    std::span<int const> const null(static_cast<int const*>(nullptr), 3);
    CHECK_THROWS_AS(static_cast<void>(comm.all_gather(null)), wf::argument_error);
  } else {
    // Rank 1, or one that gave up since rank 1 did.
    CHECK_THROWS_WITH_AS(comm.barrier(), doctest::Contains(" gave up"), wf::communication_error);
  }
  CHECK_THROWS_AS(comm.barrier(), wf::communication_error);
}

TEST_CASE("processes that disagree about sizes notice, and no memory is overwritten") {
  wf::host place(1);
  for (std::size_t const bytes : {5'000, 3'000'000}) { // more than MPI sends unasked
    auto comm = wf::join_group(place, MPI_COMM_WORLD);
    if (comm.size() < 2) return;
    auto const ranks = static_cast<std::size_t>(comm.size());
    bool const last = comm.rank() == comm.size() - 1;
    std::vector<std::byte> const mine(last ? 2 * bytes : bytes);
    std::size_t const expected = ranks * mine.size();
    std::vector<std::byte> all(expected + 2 * bytes, std::byte{7});
    CHECK_THROWS_WITH_AS(comm.transport().all_gather(mine.data(), all.data(), mine.size(), nullptr),
                         doctest::Contains("rank "), wf::communication_error);
    for (std::size_t i = expected; i < all.size(); ++i)
      if (all[i] != std::byte{7}) FAIL("byte " << i << " of " << expected << " is written");
    CHECK_THROWS_AS(comm.barrier(), wf::communication_error);
  }
}

TEST_CASE("a process that does not come is not waited for for ever") {
  wf::host place(1);
  auto comm = wf::join_group(place, MPI_COMM_WORLD, {.time_limit = 100ms});
  if (comm.size() < 2 || comm.rank() == 1) return;
  CHECK_THROWS_AS(comm.barrier(), wf::communication_error);
}

TEST_CASE("what comes too late does not reach those who gave up") {
  wf::host place(1);
  auto comm = wf::join_group(place, MPI_COMM_WORLD, {.time_limit = 100ms});
  if (comm.size() < 2) return;
  auto const ranks = static_cast<std::size_t>(comm.size());
  int const mine = 7;
  std::vector<wf::byte_range> const sent(ranks, {0, sizeof mine});
  std::vector<wf::byte_range> received;
  for (std::size_t r = 0; r < ranks; ++r) received.push_back({r * sizeof mine, sizeof mine});
  std::vector<int> all(ranks, -1);
  auto const exchange = [&] {
    comm.transport().exchange(&mine, sent, all.data(), received, nullptr);
  };
  if (comm.rank() == 1) {
    std::this_thread::sleep_for(400ms);
    try {
      exchange();
    } catch (wf::communication_error const&) { // or what the others sent was there
    }
  } else {
    CHECK_THROWS_AS(exchange(), wf::communication_error);
  }
  MPI_Barrier(MPI_COMM_WORLD); // all messages have come
  if (comm.rank() != 1) CHECK(all[1] == -1);
}

TEST_SUITE("gpu") {
  TEST_CASE("processes with a GPU each gather, exchange and reduce") {
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    skipped = size > wf::gpu_count() || !wf::has_nccl();
    if (skipped) return;
    wf::gpu place(rank);
    auto comm = wf::join_group(place, MPI_COMM_WORLD);
    test::exchanges(comm);
    wf::device_buffer<float> const ones(place, std::vector<float>(1000, 1.F));
    CHECK(wf::sum(comm, ones) == 1000.F * static_cast<float>(size));
    wf::device_buffer<float> sums(place, 10);
    wf::histogram(comm, ones, ones, {10, 0, 10}, sums);
    CHECK(wf::to_vector(place, sums)[1] == 1000.F * static_cast<float>(size));
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  doctest::Context context(argc, argv);
  int const failed = context.run();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (skipped) std::puts("1 gpu test case skipped: no CUDA device for each process, or no NCCL");
  return skipped && failed == 0 ? 77 : failed;
}
