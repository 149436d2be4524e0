#pragma once
// Early exercise and baskets as plain CUDA programs price them, to be compared with.

#include "monte_carlo_kernels.hpp"

#include <warpfold/warpfold.hpp>

#include <cstdint>
#include <functional>

namespace warpfold::bench {

// ---- a Bermudan put by least squares ------------------------------------------------------------

/// The normal equations of a cubic: the matrix's lower triangle, column-major, and the right side,
/// which becomes the solution.
struct cubic_system {
  double matrix[16], right[4];
};
/// Enqueues the solution of a system in GPU memory.
using solve_cubic = std::function<void(gpu& place, cubic_system* system)>;
/// By Cholesky's method in one thread.
void solve_in_one_thread(gpu& place, cubic_system* system);

/// GPU memory of plain_put_async.
struct plain_put_memory {
  plain_put_memory(gpu& place, int dates, std::uint64_t paths)
      : prices(place, paths * static_cast<std::size_t>(dates)), worth(place, paths),
        systems(place, static_cast<std::size_t>(dates)) {}

  device_buffer<float> prices; ///< date after date
  device_buffer<float> worth;  ///< of a path's payments, at the date that is looked at
  device_buffer<cubic_system> systems;
};
/// Longstaff and Schwartz's method as a plain program does it. Paths are stored date after date.
/// From the last date but one back there are three kernels a date: sums by CUB and atomics, the
/// solution, and the decision. As many other paths then give the price. It takes for granted that
/// paths are in the money at every date. `total` is of discounted payoffs.
void plain_put_async(gpu& place, pricing::option<double> const& of, int dates, std::uint64_t paths,
                     plain_put_memory& memory, solve_cubic const& solve,
                     device_span<payoff_totals> total);

// ---- a call on five assets ----------------------------------------------------------------------

/// A call on a sum of assets, or on its average over all steps.
struct plain_basket {
  static constexpr int assets = 5;
  float holdings[assets];                  ///< weights times spots
  float drift[assets];                     ///< of the logarithms in a step
  float factor[assets * (assets + 1) / 2]; ///< Cholesky's of their covariance in a step, by rows
  float strike;
  int steps;
  bool average;
};
/// A path a thread, five normals of cuRAND's Philox a step, sums by CUB and atomics. `total` is of
/// undiscounted payoffs. Without averages nothing but the logarithms is computed in a step.
void plain_basket_async(gpu& place, plain_basket const& of, std::uint64_t paths,
                        device_span<payoff_totals> total);

} // namespace warpfold::bench
