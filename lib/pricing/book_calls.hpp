#pragma once
// Checked calls on books of options, for those who price parts of them or otherwise.

#include "backend.hpp"

#include <warpfold/pricing/black_scholes.hpp>

namespace warpfold::inline v0::pricing {

/// The checked arguments of calls on host or GPU memory (implied volatilities elsewhere: host).
/// @throws argument_error
template <class T, class Inputs, class Outputs>
price_call<T> checked_call(option_book<Inputs> const& book, price_outputs<Outputs> const& outputs,
                           price_options const& options = {});
template <class T, class Kinds, class Inputs, class Span, class Statuses>
implied_call<T> checked_call(quote_book<Kinds, Inputs> const& quotes,
                             implied_outputs<Span, Statuses> const& outputs);

/// Does a call on host memory, on the host or through a gpu. Blocks.
template <class Call>
void run(host const& place, Call const& call);
template <class Call>
void run(gpu& place, Call const& call);

} // namespace warpfold::inline v0::pricing
