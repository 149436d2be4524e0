#pragma once
// Autocallable notes as a plain CUDA program prices them, and as a payoff written by hand does.

#include "monte_carlo_kernels.hpp"

#include <warpfold/warpfold.hpp>

#include <cstdint>

namespace warpfold::bench {

/// Notes on one price, with equidistant dates.
struct plain_notes {
  static constexpr int count = 16, dates = 20;
  float call_level[count][dates], call_payment[count][dates]; ///< discounted; over the spot
  float knock_in[count];                                      ///< a level at the last date
  float notional;                                             ///< discounted from the last date
};

/// A path a thread for every note, cuRAND's Philox normals, sums by CUB and atomics. totals[i] is
/// of note i's discounted payments.
void plain_notes_async(gpu& place, plain_notes const& notes, pricing::option<double> const& of,
                       std::uint64_t paths, device_span<payoff_totals> totals);
/// All notes on the same paths, by warpfold's simulate() of a payoff.
void notes_by_payoff_async(gpu& place, plain_notes const& notes, pricing::option<double> const& of,
                           std::uint64_t paths, device_span<pricing::estimate> results);

} // namespace warpfold::bench
