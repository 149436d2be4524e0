#pragma once
// A simulation's tiles, divided among the ranks of a communicator.

#include "place_copies.hpp"

#include <warpfold/comm/communicator.hpp>
#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/comm/digest.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace warpfold::inline v0::pricing {

/// Tiles of a simulation, divided among ranks. Each rank's sums lie behind the digest that ranks
/// have to agree on: so both travel at once.
template <class Place>
class shared_tiles final : public path_sharing {
public:
  /// @param agreement of what ranks agree on beside what begin() adds
  /// @param add_book  adds a book to it when begin() says that arguments have been checked
  shared_tiles(communicator<Place>& comm, comm::digest agreement,
               std::function<void(comm::digest&)> add_book = {})
      : comm_{comm}, copies_{comm.place()}, agreement_{agreement}, add_book_{std::move(add_book)} {}

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(comm_.size()); }
  piece_range own(std::uint32_t pieces) const override {
    std::uint64_t const width = width_of(pieces);
    auto const first = static_cast<std::uint32_t>(std::min<std::uint64_t>(width * rank(), pieces));
    return {first, std::min(width_of(pieces), pieces - first)};
  }

  void begin(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
             std::size_t element) override {
    if (add_book_) std::exchange(add_book_, {})(agreement_);
    auto const& ending = plan.ending;
    agreement_.add(element, ending.samples, ending.replicates, ending.paths_per_sample,
                   ending.quantile, ending.control, plan.numbers.seed, plan.numbers.stream,
                   plan.antithetic, plan.quasi, plan.how, plan.run.independent, finish.size());
    for (double const t : plan.times) agreement_.add(t);
    for (int const number : plan.observations) agreement_.add(number);
    for (auto const& one : finish) agreement_.add(one.discount, one.control_mean);
  }

  sum_places open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) override {
    bytes_ = head + (rows * width_of(pieces) * bytes + 255) / 256 * 256;
    all_ = detail::collective(comm_).scratch(bytes_ * ranks());
    copies_.from_host(all_ + rank() * bytes_, &agreement_, 1);
    copies_.make_room(1, ranks());
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

  void settle() override {
    comm_.wait();
    for (std::size_t r = 0; r < ranks(); ++r)
      if (std::memcmp(theirs_ + r * sizeof agreement_, &agreement_, sizeof agreement_) != 0)
        throw communication_error(
            comm_.rank(),
            std::string(detail::text("rank ", r, " simulates another book, or otherwise")));
  }

private:
  static constexpr std::size_t head = 256;
  static_assert(sizeof(comm::digest) == 8, "one word of place_copies");

  std::size_t rank() const { return static_cast<std::size_t>(comm_.rank()); }
  std::uint32_t width_of(std::uint32_t pieces) const { return (pieces + ranks() - 1) / ranks(); }

  communicator<Place>& comm_;
  comm::place_copies<Place> copies_;
  comm::digest agreement_;
  std::function<void(comm::digest&)> add_book_; ///< once
  std::size_t bytes_ = 0;                       ///< of a rank
  std::byte* all_ = nullptr;
  std::byte const* theirs_ = nullptr;
};

} // namespace warpfold::inline v0::pricing
