#pragma once
// What the tests of groups share.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/collective.hpp>

#include <vector>

namespace test {

inline constexpr int group_sizes[] = {1, 2, 3, 5, 8};

inline cudaStream_t stream_of(warpfold::gpu const& place) { return place.stream(); }
inline cudaStream_t stream_of(warpfold::host const&) { return nullptr; }

/// What all ranks of a group call: each gathers everybody's numbers, and rank a sends 1000 a + b to
/// rank b, a + 2 b times.
template <class Place>
void exchanges(warpfold::communicator<Place>& over) {
  int const me = over.rank(), ranks = over.size();
  struct number {
    int rank;
    double square;
  };
  for (int round = 0; round < 3; ++round) {
    auto const all = over.all_gather(number{me, me * 1. * me + round});
    REQUIRE(all.size() == static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
      CHECK(all[static_cast<std::size_t>(r)].rank == r);
      CHECK(all[static_cast<std::size_t>(r)].square == r * 1. * r + round);
    }
  }
  over.barrier();

  std::vector<int> sent;
  std::vector<warpfold::byte_range> out, in;
  std::size_t incoming = 0;
  for (int r = 0; r < ranks; ++r) {
    auto const count = static_cast<std::size_t>(me + 2 * r);
    out.push_back({sent.size() * sizeof(int), count * sizeof(int)});
    sent.insert(sent.end(), count, 1000 * me + r);
    auto const coming = static_cast<std::size_t>(r + 2 * me);
    in.push_back({incoming * sizeof(int), coming * sizeof(int)});
    incoming += coming;
  }
  memory_of<Place, int> from(over.place(), sent), to(over.place(), std::vector<int>(incoming, -1));
  over.through().exchange(from.all().data(), out, to.all().data(), in, stream_of(over.place()));
  over.wait();
  auto const got = contents(over.place(), to.all());
  std::size_t at = 0;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < r + 2 * me; ++i) CHECK(got[at++] == 1000 * r + me);
  CHECK(at == got.size());
}

} // namespace test
