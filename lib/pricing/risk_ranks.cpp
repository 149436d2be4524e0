#include <warpfold/pricing/risk.hpp>

#include <warpfold/detail/core/refusal.hpp>

#include <algorithm>
#include <cmath>

namespace warpfold::inline v0::detail {

namespace {

/// Some number of successes, and its probability as a multiple of the largest one.
struct term {
  double number, weight;
};
struct ranks {
  double lower, upper;
};

/// The largest r for which fewer than r successes in n trials have at most the probability `tail`,
/// and the smallest s for which s or more have. From the most likely number on, ratios of
/// neighbours lead to both ends, 10 standard deviations away, and from there inwards.
ranks binomial_ranks(double n, double p, double tail) {
  double const odds = p / (1 - p);
  auto const above = [&](term k) {
    return term{k.number + 1, k.weight * ((n - k.number) / (k.number + 1) * odds)};
  };
  auto const below = [&](term k) {
    return term{k.number - 1, k.weight * (k.number / ((n - k.number + 1) * odds))};
  };
  constexpr double negligible = 0x1p-70;
  term first{std::min(std::floor((n + 1) * p), n), 1}, last = first;
  double total = 1;
  for (; first.number > 0 && first.weight > negligible; total += first.weight) first = below(first);
  for (; last.number < n && last.weight > negligible; total += last.weight) last = above(last);
  double const room = tail * total;
  for (double sum = first.weight; sum <= room; sum += first.weight) first = above(first);
  for (double sum = last.weight; sum <= room; sum += last.weight) last = below(last);
  return {first.number, last.number + 1};
}

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
  // A tail that is as likely as asked is not to be missed by rounding.
  ranks const ends = binomial_ranks(n, level, (1 - confidence) / 2 * (1 + 0x1p-40));
  return {index(std::ceil(level * n * (1 - 0x1p-51))),
          index(ends.lower),
          index(ends.upper),
          ends.lower >= 1,
          ends.upper <= n,
          level};
}

} // namespace warpfold::inline v0::detail
