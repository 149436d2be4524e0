#pragma once
// Refuses what pathwise Greeks and likelihood ratios do not give.

#include "pricing/paths/contract_checks.hpp"
#include "tangent_steps.hpp"

#include <warpfold/pricing/greeks.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>

namespace warpfold::inline v0::pricing {

/// Beyond it scores and the price's derivative in it are large: they have a normal number over the
/// root of 1 - correlation^2.
inline constexpr double most_correlation = 0.99;

inline bool on_price(contract const& of) { return of.measure == measure::price; }

// ---- pathwise -----------------------------------------------------------------------------------

inline void check_pathwise(black_scholes const&, auto const&, detail::path_plan const&) {}
/// Refuses where paths' derivatives have tails too heavy for their errors to be known, or none.
template <class Span>
void check_pathwise(heston const& model, greek_spans<Span> const& wanted,
                    detail::path_plan const& plan) {
  bool const by_variance = !wanted.variance.empty() || !wanted.reversion.empty() ||
                           !wanted.mean.empty() || !wanted.vol_of_vol.empty();
  if (!by_variance && wanted.correlation.empty()) return;
  double const vol = model.vol_of_vol;
  if (vol < least_vol_of_vol)
    detail::refuse("model.vol_of_vol", vol, "1e-5 or more with pathwise Greeks: take bumps");
  // Paths that leave 0 do so with a slope of half of 1 + 1 / that.
  if (by_variance && !(4 * model.reversion * model.mean >= vol * vol / 2))
    detail::refuse(
        "model.vol_of_vol", vol,
        detail::text("up to ", std::sqrt(8 * model.reversion * model.mean),
                     ", the root of 8 reversion mean, with pathwise Greeks: take bumps"));
  if (!wanted.variance.empty() && model.variance == 0)
    detail::refuse("model.variance", model.variance,
                   "numbers above 0 with this Greek pathwise: take bumps");
  if (!wanted.correlation.empty() && !(std::abs(model.correlation) <= most_correlation))
    detail::refuse("model.correlation", model.correlation,
                   "-0.99 to 0.99 with this Greek pathwise: take bumps");
  // The martingale correction exists for every variance if A s2 / m is below 1.
  double before = 0;
  for (double const time : plan.times) {
    tangent_step<double> step{};
    put<double>(step, model, before, time);
    before = time;
    if (step.a > 0 && !(step.a * step.spread < 0.99 * step.decay))
      detail::refuse("model.correlation", model.correlation,
                     "lower ones, or shorter steps, with pathwise Greeks");
  }
}
template <class Model, class Span>
void check_pathwise(Model const& model, std::span<contract const> book,
                    greek_spans<Span> const& wanted, contract_plan const& plan) {
  if (!wanted.gamma.empty())
    detail::refuse("results.gamma", detail::text(wanted.gamma.size(), " elements"),
                   "none pathwise, where payoffs have a kink: take bumps or likelihood_ratio");
  for (std::size_t i = 0; i < book.size(); ++i)
    if (is_digital(book[i].settlement))
      refuse_contract(i, "settlement", "a digital one, which jumps",
                      "call, put or forward with pathwise Greeks: take likelihood_ratio or bumps");
  check_pathwise(model, wanted, plan.paths);
}

// ---- likelihood ratios: where a score has a finite variance -------------------------------------

inline void check_score(black_scholes const& model, double expiry) {
  if (!(variance_of(model).integral(expiry) > 0))
    detail::refuse("model.volatility", detail::text("0 until ", expiry),
                   "more until every expiry with likelihood ratios: take bumps");
}
inline void check_score(heston const& model, double) {
  if (model.vol_of_vol >= least_vol_of_vol && !(std::abs(model.correlation) <= most_correlation))
    detail::refuse("model.correlation", model.correlation,
                   "-0.99 to 0.99 with likelihood ratios: take bumps");
}
template <class T>
void check_start(black_scholes const&) {}
template <class T>
void check_start(heston const& model) {
  if (!(static_cast<T>(model.variance) > 0))
    detail::refuse("model.variance", model.variance,
                   "numbers above 0 with likelihood ratios: take bumps");
}

template <class T, class Model, class Span>
void check_likelihood_ratio(Model const& model, std::span<contract const> book,
                            greek_spans<Span> const& wanted) {
  using of_name = std::pair<char const*, Span>;
  for (auto const& [name, to] :
       {of_name{"results.variance", wanted.variance},
        of_name{"results.reversion", wanted.reversion}, of_name{"results.mean", wanted.mean},
        of_name{"results.vol_of_vol", wanted.vol_of_vol},
        of_name{"results.correlation", wanted.correlation}})
    if (!to.empty())
      detail::refuse(name, detail::text(to.size(), " elements"),
                     "none with likelihood ratios: take bumps");
  T const inverse_spot = 1 / static_cast<T>(model.spot);
  if (!wanted.gamma.empty() && !std::isfinite(inverse_spot * inverse_spot))
    detail::refuse("model.spot", model.spot, "larger ones for a gamma with likelihood ratios");
  for (std::size_t i = 0; i < book.size(); ++i) {
    if (!on_price(book[i]))
      refuse_contract(i, "measure", static_cast<int>(book[i].measure),
                      "price with likelihood ratios: take bumps");
    if (book[i].expiry == 0)
      refuse_contract(i, "expiry", 0, "times above 0 with likelihood ratios: take bumps");
    check_score(model, book[i].expiry);
  }
  check_start<T>(model);
}

// ---- both ---------------------------------------------------------------------------------------

template <class T, class Model, class Span>
void check_rows(Model const& model, std::span<contract const> book, greek_spans<Span> const& wanted,
                contract_plan const& plan, greek_method method) {
  bool const pathwise = method == greek_method::pathwise;
  if (model.jumps.intensity > 0)
    detail::refuse("model.jumps.intensity", model.jumps.intensity,
                   pathwise ? "0 with pathwise Greeks: take bumps"
                            : "0 with likelihood ratios: take bumps");
  if (!std::isfinite(1 / static_cast<T>(model.spot)))
    detail::refuse("model.spot", model.spot, "spots whose reciprocal is finite, with such Greeks");
  if (pathwise) check_pathwise(model, book, wanted, plan);
  else check_likelihood_ratio<T>(model, book, wanted);
}

} // namespace warpfold::inline v0::pricing
