#include <warpfold/pricing/risk.hpp>

#include <warpfold/detail/core/refusal.hpp>

#include <algorithm>
#include <cmath>

namespace warpfold::inline v0::detail {

namespace {

/// Successes in n trials of probability p: from its most likely number, the ratios of neighbouring
/// probabilities lead to both tails. 10 standard deviations away they stop to matter.
class binomial {
public:
  binomial(std::uint64_t n, double p) : n_{static_cast<double>(n)}, odds_{p / (1 - p)} {
    first_ = last_ = {std::min(std::floor((n_ + 1) * p), n_), 1};
    total_ = 1;
    while (first_.number > 0 && first_.weight > negligible)
      total_ += (first_ = below(first_)).weight;
    while (last_.number < n_ && last_.weight > negligible) total_ += (last_ = above(last_)).weight;
  }

  /// The largest r for which fewer than r successes have at most this probability.
  [[nodiscard]] double lower_end(double probability) const {
    double const room = probability * total_;
    term next = first_;
    for (double sum = next.weight; sum <= room; sum += next.weight) next = above(next);
    return next.number;
  }
  /// The smallest s for which s or more successes have at most this probability.
  [[nodiscard]] double upper_end(double probability) const {
    double const room = probability * total_;
    term next = last_;
    for (double sum = next.weight; sum <= room; sum += next.weight) next = below(next);
    return next.number + 1;
  }

private:
  /// A number of successes, and its probability as a multiple of the largest one.
  struct term {
    double number, weight;
  };
  static constexpr double negligible = 0x1p-70;

  [[nodiscard]] term above(term at) const {
    return {at.number + 1, at.weight * ((n_ - at.number) / (at.number + 1) * odds_)};
  }
  [[nodiscard]] term below(term at) const {
    return {at.number - 1, at.weight * (at.number / ((n_ - at.number + 1) * odds_))};
  }

  double n_, odds_, total_;
  term first_, last_;
};

} // namespace

risk_ranks find_risk_ranks(std::size_t losses, pricing::risk_options const& options) {
  if (losses == 0) refuse("losses", "0 elements", "at least one");
  double const level = options.level, confidence = options.confidence;
  if (!(level > 0 && level < 1)) refuse("options.level", level, "levels between 0 and 1");
  if (!(confidence > 0 && confidence < 1))
    refuse("options.confidence", confidence, "levels between 0 and 1");
  auto const n = static_cast<double>(losses);
  auto const index = [&](double rank) {
    return std::min(static_cast<std::uint64_t>(std::max(rank, 1.)), std::uint64_t{losses}) - 1;
  };
  binomial const successes(losses, level);
  // A tail that is as likely as asked is not to be missed by rounding.
  double const tail = (1 - confidence) / 2 * (1 + 0x1p-40);
  double const lower = successes.lower_end(tail), upper = successes.upper_end(tail);
  return {index(std::ceil(level * n * (1 - 0x1p-51))),
          index(lower),
          index(upper),
          lower >= 1,
          upper <= n,
          level};
}

} // namespace warpfold::inline v0::detail
