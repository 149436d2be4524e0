#pragma once
// What the backends of pricing by simulation provide, on arguments that the door has checked.

#include "pricing/backend.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/estimate.hpp>
#include <warpfold/detail/random/philox.hpp>
#include <warpfold/pricing/monte_carlo.hpp>

namespace warpfold::inline v0::pricing {

/// The value, four Greeks pathwise and four by the likelihood ratio, in the order of
/// simulation_outputs.
inline constexpr int estimate_columns = 9;

/// What one evaluation adds up for an option over several calls: the sums and, after them, how many
/// samples and paying paths there are.
inline constexpr int total_doubles = 16;
struct running_total {
  double of[total_doubles];
  std::uint64_t samples, paying;
};

/// A simulation of some of an option's samples.
template <class T>
struct simulation_call {
  column<option_kind> kind;
  book_view<T> book;
  estimate* to[estimate_columns]; ///< null for those that are left out

  std::uint64_t first, samples; ///< of a replicate; the first is a multiple of 4
  std::uint32_t replicates;     ///< 1 of Philox
  double quantile;
  detail::address from;
  bool independent, antithetic, control, importance, sobol;
  /// One an option, to which the samples are added: earlier calls' if `first` is not 0. Null if
  /// there is one call only.
  running_total* totals;

  bool greeks() const {
    for (int k = 1; k < estimate_columns; ++k)
      if (to[k]) return true;
    return false;
  }
  bool is_plain() const { return !greeks() && !antithetic && !control && !importance && !sobol; }
};

/// For tests: not more than so many blocks. 0 is as many as there is room for.
inline int most_simulation_blocks = 0;

namespace gpu_impl {
/// simulate_fused with others, to the same bits. The place's workspace grows.
template <class T>
void simulate_shared(gpu& place, simulation_call<T> const& call, tile_sharing& sharing);
template <class T>
void simulate_reduced_shared(gpu& place, simulation_call<T> const& call, tile_sharing& sharing);

/// Enqueue on the place's stream. The place's workspace grows if `may_allocate`.
template <class T>
void simulate_fused(gpu& place, simulation_call<T> const& call, bool may_allocate);
/// That part of simulate_fused which is not plain.
template <class T>
void simulate_reduced(gpu& place, simulation_call<T> const& call, bool may_allocate);
} // namespace gpu_impl

namespace host_impl {
/// `sharing` is null where nobody else takes part.
template <class T>
void simulate_fused(host const& place, simulation_call<T> const& call,
                    tile_sharing* sharing = nullptr);
} // namespace host_impl

} // namespace warpfold::inline v0::pricing
