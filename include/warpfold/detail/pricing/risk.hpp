#pragma once
// Implementation of the public header: the call of risk figures.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/quantiles/selection.hpp>
#include <warpfold/detail/reduction/jobs.hpp>
#include <warpfold/span.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpfold::inline v0 {

namespace pricing {
struct risk_options;
struct risk_figures;
} // namespace pricing

namespace detail {

template <class Range, class Place>
concept losses_of = (one_of<element_t<Place, Range>, float, double>);

/// The losses that risk figures need: those at the value at risk and at the ends of its interval.
struct risk_ranks {
  std::uint64_t value_at_risk, lower, upper; ///< 0 is the least loss's
  bool has_lower, has_upper;                 ///< else the end is infinite, and its rank any
  double level;
};

/// Refuses an empty sample, and levels outside (0, 1).
risk_ranks find_risk_ranks(std::size_t losses, pricing::risk_options const& options);

/// The door.
template <class T>
void risk_to(gpu& place, device_span<T const> losses, risk_ranks const& ranks,
             pricing::risk_figures* result, bool blocking);
template <class T>
void risk_to(host const& place, std::span<T const> losses, risk_ranks const& ranks,
             pricing::risk_figures* result, bool blocking);

/// Exact sums of excesses over a loss, and of their squares, as words that ranks add up.
struct excess_words {
  static constexpr int most = 91;
  std::int64_t word[most];
};
template <class T>
void excess_words_to(gpu& place, device_span<T const> losses, T threshold, excess_words* result);
template <class T>
void excess_words_to(host const& place, std::span<T const> losses, T threshold,
                     excess_words* result);
/// The figures of all ranks' losses, `size` of them.
/// @param ranked the three losses of these ranks
template <class T>
pricing::risk_figures risk_of_words(std::span<excess_words const> of_ranks, T const* ranked,
                                    risk_ranks const& ranks, std::uint64_t size);

/// Where ranked losses lie in the workspace: behind what a selection needs there.
template <class T>
constexpr std::size_t ranked_losses_offset(std::size_t losses) {
  return (selection_layout(losses, sizeof(T)).bytes + 255) / 256 * 256;
}

/// Figures: the public ones, which are not defined yet.
template <class Figures = pricing::risk_figures, class Place, class Range>
auto risk_job(Place& place, Range const& losses, pricing::risk_options const& options) {
  span_t<Place, Range> const view(losses);
  return job_of<Figures>(place, [&place, view, &options](Figures* result, bool blocking) {
    using T = element_t<Place, Range>;
    check_elements("losses", view.data(), view.size());
    check_results("result", 1, 1,
                  share_memory(view.data(), view.size() * sizeof(T), result, sizeof(Figures)));
    risk_to<T>(place, view, find_risk_ranks(view.size(), options), result, blocking);
  });
}

} // namespace detail
} // namespace warpfold::inline v0
