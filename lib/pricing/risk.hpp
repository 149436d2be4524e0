#pragma once
// Risk figures: the losses of three ranks, then exact sums of what is above one of them.

#include "excess_terms.hpp"
#include "reduction/door.hpp"

#include <warpfold/detail/quantiles/quantiles.hpp>
#include <warpfold/pricing/risk.hpp>

#include <cmath>

#ifndef __CUDACC__
#include <warpfold/detail/reduction/exact_host.hpp>
#endif

namespace warpfold::inline v0::detail {

/// Figures of losses whose excesses and squares of excesses have these sums.
/// @param ranked in the order of risk_ranks
template <class T>
WARPFOLD_HOST_DEVICE pricing::risk_figures figures_of(double sum, double squares, T const* ranked,
                                                      risk_ranks const& ranks, std::uint64_t size) {
  constexpr double nan = __builtin_nan(""), infinity = __builtin_huge_val();
  double const threshold = static_cast<double>(ranked[0]), n = static_cast<double>(size);
  if (threshold != threshold) return {nan, nan, nan, nan, nan, size};
  double const tail = 1 - ranks.level, mean = sum / n;
  double shortfall = threshold + mean / tail;
  if (shortfall != shortfall) shortfall = nan; // of one sign everywhere
  // At most n (1 - level) of n excesses are not 0, so that sum * mean <= (1 - level) squares: the
  // difference is at least level * squares, and keeps its digits.
  double const deviations = std::fma(-sum, mean, squares);
  double error = infinity;
  if (!(shortfall - shortfall == 0) || !(deviations - deviations == 0)) error = nan;
  else if (ranks.value_at_risk + 1 < size) {
    // Squares may have underflowed.
    double const variance = (deviations > 0 ? deviations : 0) / (n - 1);
    error = std::sqrt(variance / n) / tail;
  }
  return {threshold,
          ranks.has_lower ? static_cast<double>(ranked[1]) : -infinity,
          ranks.has_upper ? static_cast<double>(ranked[2]) : infinity,
          shortfall,
          error,
          size};
}

/// Writes figures, or if `words` is not null the words that ranks add up. It may overwrite `row`.
template <class T>
struct risk_output {
  using layout = typename excess_terms<T>::layout;

  T const* ranked;
  risk_ranks ranks;
  std::uint64_t size;
  pricing::risk_figures* figures;
  excess_words* words;

  WARPFOLD_HOST_DEVICE void operator()(exact_row row, word_range sum, word_range squares) const {
    static_assert(layout::size <= excess_words::most);
    if (words) {
      for (int k = 0; k < layout::size; ++k) words->word[k] = row(k);
      return;
    }
    double const total = row(layout::specials) != 0
                             ? __builtin_huge_val()
                             : round_finite_sum<double, typename layout::first>(row, sum);
    double const total_squares =
        round_finite_sum<double, typename layout::second>(layout::second_of(row), squares);
    *figures = figures_of(total, total_squares, ranked, ranks, size);
  }
};

/// Calls `to` with the sums of excesses.
template <class T>
void add_excesses(door_place& place, door_span<T const> losses, risk_threshold<T> threshold,
                  risk_output<T> const& to);
#ifndef __CUDACC__
template <class T>
void write_words(exact_row row, risk_output<T> const& to) {
  using layout = typename excess_terms<T>::layout;
  to(row, range_of<typename layout::first>(row),
     range_of<typename layout::second>(layout::second_of(row)));
}
template <class T>
void add_excesses(host const& place, std::span<T const> losses, risk_threshold<T> threshold,
                  risk_output<T> const& to) {
  auto all = exact_host<excess_terms<T>>(
      place.threads(), losses.size(), [losses, above = threshold.value()](std::int64_t i) {
        return loss_above<T>{losses[static_cast<std::size_t>(i)], above};
      });
  write_words(all.at(), to);
}

template <class T>
pricing::risk_figures risk_of_words(std::span<excess_words const> of_ranks, T const* ranked,
                                    risk_ranks const& ranks, std::uint64_t size) {
  using layout = typename excess_terms<T>::layout;
  exact_words<excess_terms<T>> all;
  for (excess_words const& one : of_ranks) {
    exact_words<excess_terms<T>> own;
    for (int k = 0; k < layout::size; ++k) own.word[k] = one.word[k];
    all.add(own);
  }
  pricing::risk_figures figures{};
  write_words(all.at(), risk_output<T>{ranked, ranks, size, &figures, nullptr});
  return figures;
}
#endif

template <class T>
void excess_words_to(door_place& place, door_span<T const> losses, T threshold,
                     excess_words* result) {
  add_excesses(place, losses, risk_threshold<T>{nullptr, threshold},
               risk_output<T>{nullptr, {}, 0, nullptr, result});
}

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
  add_excesses(place, losses, risk_threshold<T>{ranked, {}},
               risk_output<T>{ranked, ranks, size, result, nullptr});
}

} // namespace warpfold::inline v0::detail

#define WARPFOLD_RISK_OF_float(X) X(float)
#define WARPFOLD_RISK_OF_double(X) X(double)
#ifdef __CUDACC__
#define WARPFOLD_RISK_OF_WORDS(T)
#else
#define WARPFOLD_RISK_OF_WORDS(T)                                                                  \
  template pricing::risk_figures risk_of_words<T>(std::span<excess_words const>, T const*,         \
                                                  risk_ranks const&, std::uint64_t);
#endif
#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void risk_to<T>(door_place&, door_span<T const>, risk_ranks const&,                     \
                           pricing::risk_figures*, bool);                                          \
  template void excess_words_to<T>(door_place&, door_span<T const>, T, excess_words*);             \
  WARPFOLD_RISK_OF_WORDS(T)                                                                        \
  }
