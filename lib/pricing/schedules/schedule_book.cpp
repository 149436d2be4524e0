// From products to programs: checks, discounts, and levels over the start of paths.

#include "schedule_book.hpp"

#include "pricing/paths/contract_checks.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

/// A member of a product, as errors call it.
template <class... Parts>
std::string member(std::size_t i, Parts const&... of) {
  return text("book[", i, "].", of...);
}

void check_finite(std::string const& name, double value) {
  if (!std::isfinite(value)) refuse(name, value, "finite numbers");
}
/// A level: infinite where it is never reached.
void check_level(std::string const& name, double value) {
  if (!(value >= 0)) refuse(name, value, "numbers from 0 on");
}
void check_bounds(std::string const& name, double floor, double cap) {
  if (!(floor <= cap) || floor == schedule_date::never || cap == -schedule_date::never)
    refuse(name, text("bounds ", floor, " and ", cap), "a floor that is at most the cap");
}

int check_date(std::string const& name, schedule_date const& of, std::span<double const> seen) {
  auto const of_date = [&](char const* which) { return name + "." + which; };
  check_level(of_date("call_level"), of.call_level);
  check_finite(of_date("call_payment"), of.call_payment);
  if (of.call_payment != 0 && of.call_level == schedule_date::never)
    refuse(of_date("call_payment"), of.call_payment, "0 at a date without a call_level");
  check_level(of_date("coupon_level"), of.coupon_level);
  check_finite(of_date("coupon"), of.coupon);
  check_level(of_date("knock_in_level"), of.knock_in_level);
  check_finite(of_date("weight"), of.weight);
  check_bounds(of_date("return_floor"), of.return_floor, of.return_cap);
  return number_of_time(of_date("time"), of.time, seen);
}

schedule_end<double> checked_end(std::string const& name, redemption const& of) {
  auto const in = [&](char const* which) { return name + "." + which; };
  check_finite(in("amount"), of.amount);
  check_finite(in("participation"), of.participation);
  check_finite(in("strike"), of.strike);
  check_bounds(in("floor"), of.floor, of.cap);
  if (of.of > quantity::returns) refuse(in("of"), static_cast<int>(of.of), "a quantity");
  if (of.less > quantity::high)
    refuse(in("less"), static_cast<int>(of.less), "one, level, low or high");
  if (of.of == quantity::returns && of.less != quantity::one)
    refuse(in("less"), static_cast<int>(of.less), "one beside returns");
  return {of.of, of.less, of.amount, of.participation, of.strike, of.floor, of.cap};
}

/// Turns levels of the product into those of paths: theirs are larger by `scale`.
void rescale(schedule_end<double>& of, double scale) {
  if (of.of == quantity::returns) return;
  if (of.of == quantity::one) { // a number, beside strike times a level
    if (of.less == quantity::one) return;
    of.strike /= scale;
    return;
  }
  if (of.less == quantity::one) of.strike *= scale;
  of.floor *= scale;
  of.cap *= scale;
  of.participation /= scale;
}

} // namespace

schedule_program program_of(std::size_t i, schedule const& of, double start, curve const& rate,
                            char const* rate_name, std::span<double const> seen) {
  if (of.dates.empty()) refuse(member(i, "dates"), "no dates", "at least one");
  if (!(of.reference >= 0) || !std::isfinite(of.reference))
    refuse(member(i, "reference"), of.reference, "finite numbers from 0 on");
  schedule_program program{of.memory ? part_memory : 0,
                           0,
                           {},
                           {{checked_end(member(i, "at_end"), of.at_end),
                             checked_end(member(i, "knocked_in"), of.knocked_in)}}};
  for (auto const& end : program.ends.of)
    for (quantity const which : {end.of, end.less})
      if (which == quantity::low || which == quantity::high) program.parts |= part_extremes;
  double const scale = of.reference > 0 ? of.reference / start : 1;
  double discount = 1;
  for (std::size_t d = 0; d < of.dates.size(); ++d) {
    schedule_date const& date = of.dates[d];
    std::string const name = member(i, "dates[", d, "]");
    int const number = check_date(name, date, seen);
    if (d > 0 && number <= program.rows.back().observation)
      refuse(name + ".time", date.time, "times after the date before");
    discount = std::exp(-rate.integral(seen[static_cast<std::size_t>(number)]));
    if (!std::isfinite(discount)) refuse(rate_name, "an infinite discount", "higher rates");
    program.rows.push_back({number, date.call_level * scale, date.call_payment * discount,
                            date.coupon_level * scale, date.coupon, discount,
                            date.knock_in_level * scale, date.weight, date.return_floor,
                            date.return_cap});
    if (date.call_level != schedule_date::never) program.parts |= part_calls;
    if (date.coupon != 0) program.parts |= part_coupons;
    if (date.weight != 0) program.parts |= part_returns;
    if (d + 1 == of.dates.size()) program.knock_in_level = program.rows.back().knock_in_level;
    else if (date.knock_in_level > 0) program.parts |= part_knock_ins;
  }
  for (schedule_end<double>& end : program.ends.of) {
    rescale(end, scale);
    end.amount *= discount;
    end.participation *= discount;
  }
  return program;
}

void check_floats(std::size_t i, schedule_program const& of) {
  auto const check = [&](auto... values) {
    for (double const value : {values...})
      if (std::isfinite(value) && !(std::abs(value) <= most_of<float>))
        refuse(std::string(text("book[", i, "]")), text("a level or payment of ", value),
               numbers_of<float>);
  };
  for (auto const& end : of.ends.of)
    check(end.amount, end.participation, end.strike, end.floor, end.cap);
  for (auto const& row : of.rows)
    check(row.call_level, row.call_payment, row.coupon_level, row.coupon, row.discount,
          row.knock_in_level, row.weight, row.floor, row.cap);
}

} // namespace warpfold::inline v0::pricing
