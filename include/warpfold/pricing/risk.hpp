#pragma once
// Risk figures of a sample of losses: value at risk and expected shortfall, with their errors.

#include <warpfold/detail/pricing/risk.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::pricing {

/// To be used with designated initialisers.
struct risk_options {
  double level = 0.975;     ///< share of the losses that the value at risk covers, in (0, 1)
  double confidence = 0.95; ///< of the interval for the value at risk, in (0, 1)
};

/// Estimates from n independent losses, in their unit. Gains are negative losses.
struct risk_figures {
  /// The smallest loss such that a share `level` of the losses is not above it: that of rank
  /// ceil(level n) among 1 to n. A product within 2^-51 of an integer, relatively, is that integer:
  /// 0.07 is no double, but 0.07 of 100 losses are 7.
  double value_at_risk;
  /// The interval for the value at risk: losses of other ranks, so it holds for any distribution.
  /// Ranks follow from binomial probabilities, added up term by term to a relative 2^-40; the
  /// quantile lies below `lower` with probability (1 - confidence) / 2 at most, and so above
  /// `upper`. Where the losses are too few for such a rank, the end is infinite.
  double lower, upper;
  /// value_at_risk + mean of max(loss - value_at_risk, 0) / (1 - level): the mean of the largest
  /// share 1 - level of the losses, in which those equal to the value at risk have what weight is
  /// left.
  double expected_shortfall;
  /// Standard error of expected_shortfall: asymptotic, with the value at risk's own error. It means
  /// little if few losses are above the value at risk, and is 0 if ties with it leave none. It is
  /// infinite if the value at risk has the last rank: no loss can then be above it.
  double standard_error;
  std::uint64_t losses; ///< their number n
};

// Contract of both forms:
//
// losses      float or double, at least one, at any alignment that the type has, in memory of the
//             place. If one is NaN, all figures but `losses` are NaN. Losses of -infinity below the
//             value at risk are like any other. If the value at risk is infinite, or the excesses
//             over it or their sum are too large for a double, expected_shortfall is infinite or
//             NaN, and standard_error NaN; so it is where the squares' sum is too large. Squares of
//             excesses below 1e-154 lose digits, or are 0.
// Accuracy    Excesses and their squares are rounded to double, and then added up exactly. The
//             shortfall's excess over the value at risk has a relative error of 2^-50, and the
//             standard error one of 2^-49 / level: the excesses' variance is a difference, but at
//             least `level` times the mean square, since a share `level` of the excesses is 0.
// Determinism The same bits on every run, on the host and every GPU, for any number of threads, and
//             for any order of the losses.
// Ranks       <warpfold/comm/risk.hpp> has the form for a communicator, with the same bits.
// Blocking    risk() returns when the figures are there.
// _async      risk_async() enqueues on a gpu's stream. It neither allocates nor waits, and can be
//             captured in a CUDA graph. It needs risk_workspace() bytes of the gpu's workspace,
//             which a gpu has for fewer than 2^23 losses at first: gpu::reserve or risk() makes
//             room for more. Losses and result must stay valid until the stream has passed the
//             call. On a host it is done on return. Both forms work out ranks on the calling
//             thread, in a time that grows with sqrt(level (1 - level) n).
// Throws      argument_error that names the argument; nothing is then enqueued and no output is
//             touched. cuda_error if the runtime fails. std::bad_alloc on a host.
// Sources     Shortfall: R. T. Rockafellar, S. Uryasev, "Conditional value-at-risk for general loss
//             distributions", J. Banking & Finance 26, 2002; C. Acerbi, D. Tasche, "On the
//             coherence of expected shortfall", the same volume. Interval: H. A. David, H. N.
//             Nagaraja, Order Statistics, 3rd ed., 2003, section 7.1. Standard error: B. J.
//             Manistre, G. H. Hancock, "Variance of the CTE estimator", N. Amer. Actuarial J. 9,
//             2005: (variance of the tail + level (shortfall - value at risk)^2) / (n (1 - level)),
//             the variance of max(loss - value at risk, 0) over n (1 - level)^2.

/// Risk figures of the losses.
template <class Place, detail::losses_of<Place> Range>
[[nodiscard]] risk_figures risk(Place&& place, Range const& losses,
                                risk_options const& options = {}) {
  return detail::risk_job(place, losses, options).now("pricing::risk");
}
/// @param result room for one; it shares no memory with the losses
template <class Place, detail::losses_of<Place> Range>
void risk_async(Place&& place, Range const& losses, detail::result_t<Place, risk_figures> result,
                risk_options const& options = {}) {
  detail::risk_job(place, losses, options).later("pricing::risk_async", result);
}

/// Bytes of scratch memory that risk_async needs on a gpu for so many losses of type T:
/// quantiles_workspace(), in whole multiples of 256, and 64 more.
template <class T>
[[nodiscard]] constexpr std::size_t risk_workspace(std::size_t losses) {
  return detail::ranked_losses_offset<T>(losses) + 64;
}

} // namespace warpfold::inline v0::pricing
