#pragma once
// How selections by rank are cut up. No result depends on it.

#include <warpfold/detail/quantiles/selection.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// NVIDIA H100, 2026-11-27, 2^28 floats: one rank 421 us, five 582; a plain sum 344.
struct selection_tuning {
  /// Up to so many elements one block makes all passes.
  static constexpr std::size_t alone = std::size_t{1} << 15;
  /// Bytes of a multiprocessor's shared memory that blocks share.
  static constexpr std::size_t shared_of_multiprocessor = std::size_t{200} << 10;
  /// Half the width of the part of a sample in which a rank is looked for, in standard deviations.
  /// It is outside less than once in 100,000 calls, which then read all elements several times.
  static constexpr double deviations = 4.5;

  /// Keys of a sample. Larger ones keep less of the data, and take longer.
  static constexpr std::size_t sample(std::size_t elements, int positions) {
    return elements >= std::size_t{1} << 26 || positions > 4 ? selection_layout::max_sample
                                                             : selection_layout::max_sample / 4;
  }
};

inline constexpr std::uint64_t no_rank = ~std::uint64_t{0};

/// Ranks in the sample between which the position's ranks lie, almost surely; no_rank where that is
/// beyond all, and how many of the sample lie between.
struct sample_ends {
  std::uint64_t low, high, between;

  static sample_ends of(std::uint64_t lower, std::uint64_t upper, std::size_t size,
                        std::size_t sample) {
    auto const m = static_cast<double>(sample);
    auto const end_of = [&](std::uint64_t rank, double sign) {
      double const p = (static_cast<double>(rank) + 0.5) / static_cast<double>(size);
      return m * p + sign * (selection_tuning::deviations * std::sqrt(m * p * (1 - p)) + 8);
    };
    double const first = std::floor(end_of(lower, -1)), last = std::ceil(end_of(upper, 1));
    sample_ends ends{no_rank, no_rank, sample};
    if (last <= m - 1) ends.high = ends.between = static_cast<std::uint64_t>(last);
    if (first >= 0) ends.between -= ends.low = static_cast<std::uint64_t>(first);
    return ends;
  }
};

} // namespace warpfold::inline v0::detail
