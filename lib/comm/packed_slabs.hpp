#pragma once
// Slabs of any problem: lines along the other axes, an exchange, lines along the first axis, and
// back. What ranks send each other is copied together before, and apart afterwards.

#include "place_copies.hpp"
#include "poisson/slabs/slab_passes.hpp"
#include "slab_backend.hpp"
#include "transports.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <algorithm>

namespace warpfold::inline v0::poisson {
namespace {

template <class T, class Place>
std::unique_ptr<slab_passes<T>> make_passes(Place& place, plan const& plan, slab_part const& part) {
  if constexpr (on_gpu<Place>) return gpu_impl::make_line_slabs<T>(place, plan, part);
  else return host_impl::make_slabs<T>(place, plan, part);
}

/// A rank's points, as many as the others' or two more or less: by twos, so that lines are
/// transformed in the same pairs for any number of ranks.
inline index_range share(std::size_t points, int rank, int ranks) {
  auto const begin = [&](int r) {
    std::size_t const pairs = (points + 1) / 2;
    return std::min(points,
                    2 * (pairs * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks)));
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

template <class T, class Place>
class packed_slabs final : public slab_backend<T> {
public:
  packed_slabs(communicator<Place>& comm, plan const& plan)
      : comm_{comm}, rank_{static_cast<std::size_t>(comm.rank())},
        inner_{plan.axes.size() > 2 ? plan.axes[2].points : 1}, width_{plan.axes[1].points *
                                                                       inner_} {
    std::size_t most_rows = 0, most_columns = 0;
    for (int r = 0; r < comm.size(); ++r) {
      rows_.push_back(share(plan.axes[0].points, r, comm.size()));
      columns_.push_back(share(plan.axes[1].points, r, comm.size()));
      are_even_ = are_even_ && rows_[0].count == rows_.back().count &&
                  columns_[0].count == columns_.back().count;
      most_rows = std::max(most_rows, rows_.back().count);
      most_columns = std::max(most_columns, columns_.back().count);
    }
    passes_ = make_passes<T>(comm.place(), plan,
                             {rows_[rank_].count, columns_[rank_].first, columns_[rank_].count});
    if (!passes_)
      detail::refuse("problem", "slabs that are not compiled for this gpu",
                     "problems that slab_solver names");
    std::size_t const height = rows_[rank_].count, mine = columns_[rank_].count * inner_;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      here_.push_back({height * columns_[r].first * inner_, height * columns_[r].count * inner_});
      there_.push_back({rows_[r].first * mine, rows_[r].count * mine});
    }
    auto const whole_sectors = [](std::size_t elements) { return (elements + 63) / 64 * 64; };
    std::size_t const packed = whole_sectors(most_rows * width_),
                      crossed = whole_sectors(plan.axes[0].points * most_columns * inner_);
    memory_ = comm.transport().allocate((packed + crossed + rows_.size() + 1) * sizeof(T));
    packed_ = reinterpret_cast<T*>(memory_.get());
    crossed_ = packed_ + packed;
    means_ = crossed_ + crossed;
  }

  index_range rank_slab(int rank) const override { return rows_[static_cast<std::size_t>(rank)]; }

  void solve(T const* rhs, T* solution, T* removed_mean) override {
    transport& through = comm_.transport();
    comm::place_copies<Place> const copies(comm_.place());
    // What copy engines wait for cannot be called off: so not before all ranks are here. On default
    // streams, which these engines do not serve, exchanges go another way.
    if constexpr (on_gpu<Place>) {
      auto const ours = std::byte{comm::is_default(copies.stream())};
      for (std::byte const theirs : comm_.all_gather(ours))
        if (theirs != ours)
          throw communication_error(comm_.rank(),
                                    "some ranks, not all, have given their gpu a default stream");
    }
    T* const modes = solution;
    passes_->forward(rhs, modes);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      copies.rows(packed_ + here_[r].first, columns_[r].count * inner_,
                  modes + columns_[r].first * inner_, width_, columns_[r].count * inner_,
                  rows_[rank_].count);
    exchange_slabs(through, packed_, here_, crossed_, there_, are_even_, copies.stream());
    passes_->solve(crossed_, means_);
    exchange_slabs(through, crossed_, there_, packed_, here_, are_even_, copies.stream());
    for (std::size_t r = 0; r < rows_.size(); ++r)
      copies.rows(modes + columns_[r].first * inner_, width_, packed_ + here_[r].first,
                  columns_[r].count * inner_, columns_[r].count * inner_, rows_[rank_].count);
    passes_->backward(modes);
    // The mean is with the first rank that has columns; all take part, whoever wants it.
    through.all_gather(means_, means_ + 1, sizeof(T), copies.stream());
    std::size_t owner = 0;
    while (columns_[owner].count == 0) ++owner;
    if (removed_mean) copies.rows(removed_mean, 1, means_ + 1 + owner, 1, 1, 1);
  }

private:
  communicator<Place>& comm_;
  std::size_t rank_;
  bool are_even_ = true;                    ///< all ranks have as many rows and columns
  std::size_t inner_, width_;               ///< points of the third axis; of the second and third
  std::vector<index_range> rows_, columns_; ///< of all ranks
  /// What goes to and comes from other ranks, in the slab, and with all of the first axis.
  std::vector<slab_range> here_, there_;
  std::shared_ptr<std::byte> memory_;
  T *packed_, *crossed_, *means_;
  std::unique_ptr<slab_passes<T>> passes_;
};

} // namespace
} // namespace warpfold::inline v0::poisson
