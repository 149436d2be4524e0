#pragma once
// Differences of simulations on the same paths, and their standard errors: the kernel's body, over
// a block, and the host's form, with the same bits.
//
// Every run has left its sums over tiles of samples. A sample's combination of runs has some mean m
// and variance s^2. Tile t has n_t of all N samples, so its combination d_t has the mean n_t m and
// the variance n_t s^2. The estimate of m is the sum of all d_t over N. That of s^2,
//   sum over t of (d_t - n_t m)^2 / n_t, over the number of tiles less one,
// is unbiased for any n_t: the last tile may be shorter.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/pricing/path_body.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::pricing {

/// A linear combination of a few runs of a simulation.
struct difference {
  static constexpr int most_terms = 3;
  int terms; ///< 1 to most_terms
  int run[most_terms];
  double weight[most_terms];
};

/// What all differences have in common.
struct difference_ending {
  detail::path_shape shape; ///< without replicates
  double quantile;          ///< of the distribution of the error
  int paths_per_sample;

  /// Parts of a simulation are its tiles, but a last one of less than half the samples belongs to
  /// the one before: or its difference, of few samples, would count like others.
  WARPFOLD_HOST_DEVICE std::int64_t parts() const {
    std::int64_t const tiles = shape.tiles(), left = shape.samples - shape.first_sample(tiles - 1);
    return tiles > 1 && 2 * left < shape.tile_samples() ? tiles - 1 : tiles;
  }
  /// Samples of a part.
  WARPFOLD_HOST_DEVICE double samples_of(std::int64_t part) const {
    bool const last = part + 1 == parts();
    return static_cast<double>(last ? shape.samples - shape.first_sample(part)
                                    : shape.tile_samples());
  }
};

/// Sums over parts: of their combinations, and of the paths that paid in each run.
struct difference_sums {
  double of;
  std::uint64_t paying[difference::most_terms];

  friend WARPFOLD_HOST_DEVICE difference_sums operator+(difference_sums a,
                                                        difference_sums const& b) {
    a.of += b.of;
    for (int k = 0; k < difference::most_terms; ++k) a.paying[k] += b.paying[k];
    return a;
  }
};

/// The sums of all runs, a row for each value of each run, and what payoffs are discounted by.
struct run_sums {
  sum_places partials;
  double const* discounts; ///< of a run: one a value
  int values;

  WARPFOLD_HOST_DEVICE std::uint64_t row(int run, int value) const {
    return static_cast<std::uint64_t>(run) * static_cast<std::uint64_t>(values) +
           static_cast<std::uint64_t>(value);
  }
  WARPFOLD_HOST_DEVICE detail::path_sums const& at(int run, int value, std::int64_t tile) const {
    return *partials.at<detail::path_sums>(row(run, value), static_cast<std::uint32_t>(tile));
  }
  /// Adds a tile's combination of payoffs, and how many paths paid.
  WARPFOLD_HOST_DEVICE void add(difference const& of, int value, std::int64_t tile,
                                difference_sums& to) const {
    for (int k = 0; k < of.terms; ++k) {
      auto const& sums = at(of.run[k], value, tile);
      to.of += of.weight[k] * (discounts[row(of.run[k], value)] * sums.y);
      to.paying[k] += sums.paying;
    }
  }
};

/// Sums over every path_threads-th part from number `rank` on, and their combinations.
WARPFOLD_HOST_DEVICE inline difference_sums combined_part(run_sums const& runs,
                                                          difference const& of, int value,
                                                          difference_ending const& ending, int rank,
                                                          double* combined) {
  std::int64_t const parts = ending.parts(), tiles = ending.shape.tiles();
  difference_sums all{};
  for (std::int64_t p = rank; p < parts; p += detail::path_threads) {
    difference_sums part{};
    runs.add(of, value, p, part);
    if (p + 1 == parts && parts < tiles) runs.add(of, value, parts, part);
    combined[p] = part.of;
    all = all + part;
  }
  return all;
}
/// Sums of these combinations' squared distances from a sample's mean, a sample each.
WARPFOLD_HOST_DEVICE inline difference_sums
squared_part(double const* combined, difference_ending const& ending, double mean, int rank) {
  difference_sums part{};
  for (std::int64_t p = rank; p < ending.parts(); p += detail::path_threads) {
    double const samples = ending.samples_of(p), apart = combined[p] - samples * mean;
    part.of += apart * apart / samples;
  }
  return part;
}

/// The estimate, of all sums of both kinds.
WARPFOLD_HOST_DEVICE inline estimate difference_of(difference const& of, difference_sums const& all,
                                                   double squares,
                                                   difference_ending const& ending) {
  std::uint64_t paying = all.paying[0]; // the fewest
  for (int k = 1; k < of.terms; ++k)
    if (all.paying[k] < paying) paying = all.paying[k];
  std::int64_t const parts = ending.parts(), samples = ending.shape.samples;
  bool const known = parts > 1; // the error; estimate_of knows none of a single sample
  double const variance = known ? squares / static_cast<double>(parts - 1) : 0;
  return detail::estimate_of(all.of / static_cast<double>(samples), variance,
                             static_cast<std::uint64_t>(known ? samples : 1), 1, ending.quantile,
                             static_cast<std::uint64_t>(samples * ending.paths_per_sample), paying);
}

/// A kernel's differences, and where the estimates of each go: one a value.
struct difference_batch {
  static constexpr int capacity = 16;
  int count;
  difference of[capacity];
  estimate* to[capacity];
};

struct difference_shared {
  difference_sums of[detail::path_threads];
  double combined[detail::path_shape::most_tiles]; ///< of a part; a thread reads what it wrote
};

/// Leaves the sum over all threads in element 0, for thread 0.
template <detail::thread_block Block>
WARPFOLD_HOST_DEVICE void add_threads(Block const& block, difference_sums const& mine,
                                      difference_sums (&all)[detail::path_threads]) {
  int const rank = block.thread_rank();
  all[rank] = mine;
  for (int left = detail::path_threads / 2; left > 0; left /= 2) {
    block.sync();
    if (rank < left) all[rank] = all[rank] + all[rank + left];
  }
}

/// Block u makes the estimate of difference u / values and value u % values.
template <detail::thread_block Block>
WARPFOLD_HOST_DEVICE void
estimate_differences(Block const& block, run_sums runs, difference_batch const& batch,
                     difference_ending ending, difference_shared& shared) {
  int const rank = block.thread_rank();
  for (int u = block.block_rank(); u < batch.count * runs.values; u += block.grid_size()) {
    int const d = u / runs.values, value = u % runs.values;
    difference const& of = batch.of[d];
    add_threads(block, combined_part(runs, of, value, ending, rank, shared.combined), shared.of);
    block.sync();
    difference_sums const all = shared.of[0];
    double const mean = all.of / static_cast<double>(ending.shape.samples);
    block.sync();
    add_threads(block, squared_part(shared.combined, ending, mean, rank), shared.of);
    if (rank == 0)
      detail::store_estimate(batch.to[d] + value, difference_of(of, all, shared.of[0].of, ending));
    block.sync();
  }
}

/// One of them on the host.
inline estimate estimate_difference(run_sums const& runs, difference const& of, int value,
                                    difference_ending const& ending) {
  constexpr int threads = detail::path_threads;
  difference_shared work;
  auto const total = [&](auto part) {
    auto& parts = work.of;
    for (int rank = 0; rank < threads; ++rank) parts[rank] = part(rank);
    for (int left = threads / 2; left > 0; left /= 2)
      for (int rank = 0; rank < left; ++rank) parts[rank] = parts[rank] + parts[rank + left];
    return parts[0];
  };
  auto const all =
      total([&](int rank) { return combined_part(runs, of, value, ending, rank, work.combined); });
  double const mean = all.of / static_cast<double>(ending.shape.samples);
  auto const squares =
      total([&](int rank) { return squared_part(work.combined, ending, mean, rank); });
  return difference_of(of, all, squares.of, ending);
}

} // namespace warpfold::inline v0::pricing
