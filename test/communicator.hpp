#pragma once
// What the tests of groups share.

#include <warpfold/collective.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace test {

inline constexpr int group_sizes[] = {1, 2, 3, 5, 8};

/// An array where a place works.
template <class Place, class T>
class on;
template <class T>
class on<warpfold::host, T> {
public:
  on(warpfold::host const&, std::vector<T> values) : values_{std::move(values)} {}
  T* data() { return values_.data(); }
  T const* data() const { return values_.data(); }
  std::span<T const> span() const { return values_; }
  std::vector<T> read(warpfold::host const&) const { return values_; }

private:
  std::vector<T> values_;
};
template <class T>
class on<warpfold::gpu, T> {
public:
  on(warpfold::gpu const& place, std::vector<T> const& values)
      : values_{place, std::span<T const>(values)} {}
  T* data() { return values_.data(); }
  T const* data() const { return values_.data(); }
  warpfold::device_span<T const> span() const { return values_.span(); }
  std::vector<T> read(warpfold::gpu const& place) const { return to_vector(place, span()); }

private:
  warpfold::device_buffer<T> values_;
};

inline cudaStream_t stream_of(warpfold::gpu const& place) { return place.stream(); }
inline cudaStream_t stream_of(warpfold::host const&) { return nullptr; }

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The name of the argument that a call refuses.
template <class Call>
std::string argument_of(Call call) {
  try {
    call();
  } catch (warpfold::argument_error const& error) {
    return error.argument();
  }
  return "none";
}

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
  on<Place, int> const from(over.place(), sent);
  on<Place, int> to(over.place(), std::vector<int>(incoming, -1));
  over.through().exchange(from.data(), out, to.data(), in, stream_of(over.place()));
  over.wait();
  auto const got = to.read(over.place());
  std::size_t at = 0;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < r + 2 * me; ++i) CHECK(got[at++] == 1000 * r + me);
  CHECK(at == got.size());
}

} // namespace test
