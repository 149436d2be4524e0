#pragma once
// Risk figures: the losses of three ranks, then moments of what is above one of them.

#include "reduction/door.hpp"

#include <warpfold/detail/quantiles/quantiles.hpp>
#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/pricing/risk.hpp>

#include <cmath>

#ifndef __CUDACC__
#include <warpfold/detail/reduction/tally_host.hpp>
#endif

namespace warpfold::inline v0::detail {

/// max(loss - *threshold, 0); 0 of NaN.
template <class T>
struct excess {
  T const* threshold;

  WARPFOLD_HOST_DEVICE double operator()(T loss) const {
    double const above = static_cast<double>(loss) - static_cast<double>(*threshold);
    return above > 0 ? above : 0;
  }
};

/// The tally of excesses over the value at risk.
template <class T>
struct risk_tally : description_tally<double, statistic::variance> {
  using base = description_tally<double, statistic::variance>;
  using result = pricing::risk_figures;

  T const* ranked; ///< in the order of risk_ranks
  risk_ranks ranks;

  WARPFOLD_HOST_DEVICE result finish(partial const& all) const {
    constexpr double nan = not_a_number<double>, infinity = __builtin_huge_val();
    double const threshold = static_cast<double>(ranked[0]), n = static_cast<double>(size);
    if (threshold != threshold) return {nan, nan, nan, nan, nan, size};
    double const tail = 1 - ranks.level;
    description<double> const excess = base::finish(all);
    double const mean = excess.mean < 0 ? infinity : excess.mean; // which has overflowed
    double shortfall = threshold + mean / tail;
    if (shortfall != shortfall) shortfall = nan; // of one sign everywhere
    double error = infinity;
    if (!(shortfall - shortfall == 0) || !(excess.m2 - excess.m2 == 0)) error = nan;
    else if (ranks.value_at_risk + 1 < size) error = std::sqrt(excess.m2 / (n - 1) / n) / tail;
    return {threshold,
            ranks.has_lower ? static_cast<double>(ranked[1]) : -infinity,
            ranks.has_upper ? static_cast<double>(ranked[2]) : infinity,
            shortfall,
            error,
            size};
  }
};

template <class T>
void risk_to(door_place& place, door_span<T const> losses, risk_ranks const& ranks,
             pricing::risk_figures* result, bool blocking) {
  std::size_t const size = losses.size();
#ifdef __CUDACC__
  auto* const memory =
      static_cast<unsigned char*>(scratch_for(place, pricing::risk_workspace<T>(size), blocking));
  T* const ranked = reinterpret_cast<T*>(memory + ranked_losses_offset<T>(size));
#else
  T ranked[3];
#endif
  std::uint64_t const wanted[] = {ranks.value_at_risk, ranks.lower, ranks.upper};
  select_to<selection_key<T>>(place, losses.data(), size,
                              select_ranks("losses", size, wanted, element_kind::floating), ranked,
                              blocking);
  tally_array(place, losses.data(), size, risk_tally<T>{{size}, ranked, ranks}, excess<T>{ranked},
              result);
}

} // namespace warpfold::inline v0::detail

#define WARPFOLD_RISK_OF_float(X) X(float)
#define WARPFOLD_RISK_OF_double(X) X(double)
#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void risk_to<T>(door_place&, door_span<T const>, risk_ranks const&,                     \
                           pricing::risk_figures*, bool);                                          \
  }
