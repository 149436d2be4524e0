#pragma once
// From an option's sums to its estimates.

#include "european_paths.hpp"
#include "monte_carlo_backend.hpp"
#include "monte_carlo_body.hpp"

namespace warpfold::inline v0::pricing {

/// Adds the sums of earlier calls to those of option i, and writes the estimates.
template <class T, class Evaluation>
struct finish_option {
  simulation_call<T> call;
  Evaluation evaluation;

  WARPFOLD_HOST_DEVICE void operator()(std::size_t i, option_scale const& scale,
                                       tile_sums<Evaluation::sums> const& of) const {
    running_total total{};
    WARPFOLD_UNROLL
    for (int m = 0; m < Evaluation::sums; ++m) total.of[m] = of.of[m];
    total.samples = call.replicates > 1 ? call.replicates : call.samples;
    total.paying = of.paying;
    if (call.totals) {
      if (call.first > 0) {
        running_total const& before = call.totals[i];
        WARPFOLD_UNROLL
        for (int m = 0; m < Evaluation::sums; ++m) total.of[m] += before.of[m];
        total.samples += before.samples;
        total.paying += before.paying;
      }
      call.totals[i] = total;
    }
    // Paths that all end at the strike, without a variance, are counted as paying.
    if (scale.deviation == 0 && scale.unit * total.of[0] == 0) total.paying = 0;
    std::uint64_t const samples =
        call.replicates > 1 ? call.replicates * call.samples : total.samples;
    sampled const all{total.of, total.samples,
                      samples * static_cast<std::uint64_t>(evaluation.paths()), total.paying,
                      call.quantile};
    evaluation.finish(call.kind[i], call.book[i], scale, all, [&](int k, estimate const& one) {
      if (call.to[k]) detail::store_estimate(call.to[k] + i, one);
    });
  }
};

} // namespace warpfold::inline v0::pricing
