#pragma once
// Helpers for the tests of groups.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/comm/reduction.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

// One body for every group: a case on 1, 2, 3, 5 and 8 ranks of the host, and one on all GPUs, in
// the suite gpu. `group` is a new one.
#define WARPFOLD_EVERY_GROUP(name, fast, body)                                                     \
  template <class Place>                                                                           \
  static void body(warpfold::local_group<Place>& group);                                           \
  TEST_CASE(name ", on ranks of a host") {                                                         \
    for (int const ranks : test::group_sizes) {                                                    \
      CAPTURE(ranks);                                                                              \
      warpfold::local_group<warpfold::host> group(ranks);                                          \
      body(group);                                                                                 \
    }                                                                                              \
  }                                                                                                \
  TEST_CASE(fast name ", on all GPUs" * doctest::test_suite("gpu")) {                              \
    warpfold::local_group<warpfold::gpu> group{std::span<int const>{}};                            \
    body(group);                                                                                   \
  }                                                                                                \
  template <class Place>                                                                           \
  static void body(warpfold::local_group<Place>& group)
#define EVERY_GROUP(name) WARPFOLD_EVERY_GROUP(name, "", DOCTEST_ANONYMOUS(every_group_))
#define FAST_EVERY_GROUP(name) WARPFOLD_EVERY_GROUP(name, "fast: ", DOCTEST_ANONYMOUS(every_group_))

namespace test {

/// Seed of the running case: asserts in threads print it, since they do not see what it captured.
inline std::uint64_t current_seed = 0;
inline std::uint64_t new_seed() { return current_seed = std::random_device{}(); }

inline constexpr int group_sizes[] = {1, 2, 3, 5, 8};

/// How many ranks call(comm) gives an argument_error, and how many a communication_error that says
/// `what`. (GPUs say one thing or another, depending on who is first.)
struct failures {
  int refused = 0, noticed = 0;
  bool operator==(failures const&) const = default;
};
template <class Place, class Call>
failures failing(warpfold::local_group<Place>& group, std::string_view what, Call call,
                 std::string_view argument = "") {
  std::atomic<int> refused = 0, noticed = 0;
  group.run([&](warpfold::communicator<Place>& comm) {
    try {
      call(comm);
    } catch (warpfold::communication_error const& error) {
      ++noticed;
      CHECK(contains(error.what(), what));
    } catch (warpfold::argument_error const& error) {
      ++refused;
      if (!argument.empty()) CHECK(error.argument() == argument);
    }
  });
  return {refused, noticed};
}
template <class Place, class Call>
int ranks_noticing(warpfold::local_group<Place>& group, std::string_view what, Call call) {
  auto const found = failing(group, what, call);
  CHECK(found.refused == 0);
  return found.noticed;
}

inline cudaStream_t stream_of(warpfold::gpu const& place) { return place.stream(); }
inline cudaStream_t stream_of(warpfold::host const&) { return nullptr; }

/// On all ranks: each gathers all numbers, and rank a sends 1000 a + b to rank b, a + 2 b times.
template <class Place>
void exchanges(warpfold::communicator<Place>& comm) {
  int const me = comm.rank(), ranks = comm.size();
  struct number {
    int rank;
    double square;
  };
  for (int round = 0; round < 3; ++round) {
    auto const all = comm.all_gather(number{me, me * 1. * me + round});
    REQUIRE(all.size() == static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
      CHECK(all[static_cast<std::size_t>(r)].rank == r);
      CHECK(all[static_cast<std::size_t>(r)].square == r * 1. * r + round);
    }
  }
  std::vector<int> several{me, me + 1, me + 2};
  auto const of_all = comm.all_gather(std::span(several));
  REQUIRE(of_all.size() == 3 * static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < of_all.size(); ++i)
    CHECK(of_all[i] == static_cast<int>(i / 3 + i % 3));
  comm.barrier();

  std::vector<int> sent;
  std::vector<warpfold::byte_range> out, in;
  std::size_t incoming = 0;
  for (int r = 0; r < ranks; ++r) {
    auto const count = static_cast<std::size_t>(me) + 2 * static_cast<std::size_t>(r);
    out.push_back({sent.size() * sizeof(int), count * sizeof(int)});
    sent.insert(sent.end(), count, 1000 * me + r);
    auto const coming = static_cast<std::size_t>(r) + 2 * static_cast<std::size_t>(me);
    in.push_back({incoming * sizeof(int), coming * sizeof(int)});
    incoming += coming;
  }
  memory_of<Place, int> from(comm.place(), sent), to(comm.place(), std::vector<int>(incoming, -1));
  comm.transport().exchange(from.all().data(), out, to.all().data(), in, stream_of(comm.place()));
  comm.wait();
  auto const got = to.contents();
  std::size_t at = 0;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < r + 2 * me; ++i) CHECK(got[at++] == 1000 * r + me);
  CHECK(at == got.size());
}

/// Positions at which the ranks' parts begin, and the end: uneven, some parts empty.
inline std::vector<std::size_t> parts_of(std::size_t size, int ranks, std::mt19937_64& random) {
  std::vector<std::size_t> begins{0};
  for (int r = 1; r < ranks; ++r) begins.push_back(random() % (size + 1));
  if (ranks > 2) begins[2] = begins[1]; // nothing for rank 1
  begins.push_back(size);
  std::sort(begins.begin(), begins.end());
  return begins;
}

/// Calls check(comm, part) on each rank.
template <class Place, class T, class Check>
void on_parts(warpfold::local_group<Place>& group, std::vector<T> const& values,
              std::mt19937_64& random, Check check) {
  auto const begins = parts_of(values.size(), group.size(), random);
  group.run([&](warpfold::communicator<Place>& comm) {
    CAPTURE(current_seed);
    auto const r = static_cast<std::size_t>(comm.rank());
    memory_of<Place, T> part(comm.place(), part_of(values, begins[r], begins[r + 1] - begins[r]));
    check(comm, part.all());
  });
}

} // namespace test
