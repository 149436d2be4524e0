#pragma once
// Tiles of a simulation, divided among ranks.

#include "digest.hpp"
#include "place_copies.hpp"

#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>

#include <algorithm>
#include <cstring>

namespace warpfold::inline v0::comm {

/// Every rank's sums lie together, behind the digest that the ranks have to agree on: so they
/// travel as they are, and nobody waits for the agreement alone.
template <class Place, class Base = pricing::tile_sharing>
class shared_tiles : public Base {
public:
  explicit shared_tiles(communicator<Place>& comm, digest agreement)
      : agreement_{agreement}, comm_{comm}, copies_{comm.place()} {}

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(comm_.size()); }
  pricing::piece_range own(std::uint32_t pieces) const override {
    std::uint64_t const width = width_of(pieces);
    auto const first = static_cast<std::uint32_t>(std::min<std::uint64_t>(width * rank(), pieces));
    return {first, std::min(width_of(pieces), pieces - first)};
  }

  pricing::sum_places open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) override {
    bytes_ = head + (rows * width_of(pieces) * bytes + 255) / 256 * 256;
    all_ = detail::collective(comm_).scratch(bytes_ * ranks());
    copies_.from_host(all_ + rank() * bytes_, &agreement_, 1);
    return {all_ + head, bytes_, width_of(pieces)};
  }

  void share() override {
    comm_.transport().all_gather(all_ + rank() * bytes_, all_, bytes_, copies_.stream());
    theirs_ = copies_.to_host(all_, bytes_, 1, ranks());
  }

  /// For a call with nothing to simulate: ranks still have to agree on that.
  void share_nothing() {
    open(0, 0, 0);
    share();
  }

  /// Returns when the sums are there. @throws communication_error unless all ranks agree
  void finish() {
    comm_.wait();
    for (std::size_t r = 0; r < ranks(); ++r)
      if (std::memcmp(theirs_ + r * sizeof agreement_, &agreement_, sizeof agreement_) != 0)
        throw communication_error(
            comm_.rank(),
            std::string(detail::text("rank ", r, " simulates another book, or otherwise")));
  }

protected:
  digest agreement_;

private:
  static constexpr std::size_t head = 256;
  static_assert(sizeof(digest) == 8, "one word of place_copies");

  std::size_t rank() const { return static_cast<std::size_t>(comm_.rank()); }
  std::uint32_t width_of(std::uint32_t pieces) const { return (pieces + ranks() - 1) / ranks(); }

  communicator<Place>& comm_;
  place_copies<Place> copies_;
  std::size_t bytes_ = 0; ///< of a rank
  std::byte* all_ = nullptr;
  std::byte const* theirs_ = nullptr;
};

} // namespace warpfold::inline v0::comm
