// Named products as schedules.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <string>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

void check_values(char const* name, std::span<double const> values, std::size_t times, bool some) {
  detail::check_elements(name, values.data(), values.size());
  if (values.size() != times && (some || !values.empty()))
    refuse(name, text(values.size(), " elements"), text(times, ", as there are times"));
}
std::vector<schedule_date> dates_of(char const* name, std::span<double const> times) {
  detail::check_elements(name, times.data(), times.size());
  std::vector<schedule_date> dates;
  for (double const time : times) dates.push_back({.time = time});
  return dates;
}

} // namespace

autocallable::operator schedule() const {
  detail::verb const scope("pricing::autocallable");
  schedule product{.dates = dates_of("autocallable.times", times),
                   .at_end = {.amount = notional},
                   .knocked_in = {.participation = notional, .cap = 1},
                   .reference = reference,
                   .memory = memory};
  check_values("autocallable.call_levels", call_levels, times.size(), true);
  check_values("autocallable.call_payments", call_payments, times.size(), false);
  for (std::size_t d = 0; d < times.size(); ++d) {
    schedule_date& date = product.dates[d];
    date.call_level = call_levels[d];
    bool const calls = date.call_level != schedule_date::never;
    double const beside = call_payments.empty() ? 0 : call_payments[d];
    if (!calls && beside != 0)
      refuse("autocallable.call_payments", text("element ", d, " is ", beside),
             "0 where there is no call");
    if (calls) date.call_payment = notional + beside;
    date.coupon_level = coupon_level;
    date.coupon = coupon;
    if (!knock_in_at_end || d + 1 == times.size()) date.knock_in_level = knock_in_level;
  }
  return product;
}

cliquet::operator schedule() const {
  detail::verb const scope("pricing::cliquet");
  schedule product{.dates = dates_of("cliquet.times", times),
                   .at_end = {.participation = notional,
                              .measured = quantity::returns,
                              .floor = floor,
                              .cap = cap},
                   .reference = reference};
  for (schedule_date& date : product.dates) {
    date.weight = 1;
    date.return_floor = return_floor;
    date.return_cap = return_cap;
  }
  return product;
}

lookback::operator schedule() const {
  detail::verb const scope("pricing::lookback");
  if (kind != option_kind::call && kind != option_kind::put)
    refuse("lookback.kind", static_cast<int>(kind), "call or put");
  bool const call = kind == option_kind::call;
  redemption end{.participation = notional, .floor = 0};
  if (floating) {
    end.measured = call ? quantity::level : quantity::high;
    end.strike = 1;
    end.less = call ? quantity::low : quantity::level;
  } else if (call) {
    end.measured = quantity::high;
    end.strike = strike;
  } else { // strike - low
    end = {.participation = -notional, .measured = quantity::low, .strike = strike, .cap = 0};
  }
  return {.dates = dates_of("lookback.times", times), .at_end = end, .reference = reference};
}

} // namespace warpfold::inline v0::pricing
