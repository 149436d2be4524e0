// From products to programs: checks, discounts, and levels over the start of paths.

#include "schedule_book.hpp"

#include "pricing/paths/contract_checks.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

/// Where a number stands in a book. Its name is made when it is refused.
struct part_of_product {
  std::size_t product;
  char const* part;
  std::size_t date = 0;

  template <class Value>
  [[noreturn]] void refuse(char const* member, Value const& value, char const* accepted) const {
    std::string const of = std::string_view(part) == "dates" ? text("[", date, "]") : text("");
    detail::refuse(std::string(text("book[", product, "].", part, of, ".", member)), value,
                   accepted);
  }
  void check_finite(char const* member, double value) const {
    if (!std::isfinite(value)) refuse(member, value, "finite numbers");
  }
  /// What is made of a value; refuses the value if that is infinite and the value is not.
  double finite_if(char const* member, double value, double made) const {
    if (std::isfinite(value) && !std::isfinite(made))
      refuse(member, value, "what is finite after discounts and references");
    return made;
  }
  /// A level: infinite where it is never reached.
  void check_level(char const* member, double value) const {
    if (!(value >= 0)) refuse(member, value, "numbers from 0 on");
  }
  void check_bounds(char const* member, double floor, double cap) const {
    if (!(floor <= cap) || floor == schedule_date::never || cap == -schedule_date::never)
      refuse(member, text("bounds ", floor, " and ", cap), "a floor that is at most the cap");
  }
};

/// The number of the date's time.
int checked_date(part_of_product const& in, schedule_date const& of, std::span<double const> seen) {
  in.check_level("call_level", of.call_level);
  in.check_finite("call_payment", of.call_payment);
  if (of.call_payment != 0 && of.call_level == schedule_date::never)
    in.refuse("call_payment", of.call_payment, "0 at a date without a call_level");
  in.check_level("coupon_level", of.coupon_level);
  in.check_finite("coupon", of.coupon);
  in.check_level("knock_in_level", of.knock_in_level);
  in.check_finite("weight", of.weight);
  in.check_bounds("return_floor", of.return_floor, of.return_cap);
  int const number = number_of_time(of.time, seen);
  if (number < 0) in.refuse("time", of.time, a_time);
  return number;
}

schedule_end<double> checked_end(part_of_product const& in, redemption const& of) {
  in.check_finite("amount", of.amount);
  in.check_finite("participation", of.participation);
  in.check_finite("strike", of.strike);
  in.check_bounds("floor", of.floor, of.cap);
  if (of.measured > quantity::returns)
    in.refuse("measured", static_cast<int>(of.measured), "a quantity");
  if (of.less > quantity::high)
    in.refuse("less", static_cast<int>(of.less), "one, level, low or high");
  if (of.measured == quantity::returns && of.less != quantity::one)
    in.refuse("less", static_cast<int>(of.less), "one beside returns");
  schedule_end<double> end{{0, 0, of.floor, of.cap}, of.participation, of.amount, 0, 0, 0};
  double* const weights[] = {&end.of_last.one, &end.of_last.level, &end.low, &end.high,
                             &end.returns};
  *weights[static_cast<int>(of.measured)] += 1;
  *weights[static_cast<int>(of.less)] -= of.strike;
  return end;
}

} // namespace

schedule_program program_of(std::size_t i, schedule const& of, double start, curve const& rate,
                            char const* rate_name, std::span<double const> seen) {
  if (of.dates.empty()) refuse_contract(i, "dates", "no dates", "at least one");
  if (!(of.reference >= 0) || !std::isfinite(of.reference))
    refuse_contract(i, "reference", of.reference, "finite numbers from 0 on");
  schedule_program program{
      of.memory ? part_memory : 0,
      0,
      {},
      {checked_end({i, "at_end"}, of.at_end), checked_end({i, "knocked_in"}, of.knocked_in)}};
  bool sums = false;
  for (auto const& end : program.ends) {
    if (end.low != 0 || end.high != 0) program.parts |= part_extremes;
    sums = sums || end.returns != 0;
  }
  double const scale = of.reference > 0 ? of.reference / start : 1;
  if (!(scale > 0) || !std::isfinite(scale))
    refuse_contract(i, "reference", of.reference, "a price that can be divided by the spot");
  double discount = 1;
  for (std::size_t d = 0; d < of.dates.size(); ++d) {
    schedule_date const& date = of.dates[d];
    part_of_product const here{i, "dates", d};
    int const number = checked_date(here, date, seen);
    if (d > 0 && number <= program.rows.back().observation)
      here.refuse("time", date.time, "times after the date before");
    discount = std::exp(-rate.integral(seen[static_cast<std::size_t>(number)]));
    if (!std::isfinite(discount)) refuse(rate_name, "an infinite discount", "higher rates");
    constexpr double never = schedule_date::never;
    auto const level = [&](char const* name, double of_product) {
      return here.finite_if(name, of_product, of_product * scale);
    };
    here.finite_if("coupon", date.coupon, date.coupon * discount);
    program.rows.push_back(
        {number, level("call_level", date.call_level),
         here.finite_if("call_payment", date.call_payment, date.call_payment * discount),
         date.coupon != 0 ? level("coupon_level", date.coupon_level) : never, date.coupon, discount,
         level("knock_in_level", date.knock_in_level), date.weight, date.return_floor,
         date.return_cap});
    if (date.call_level != schedule_date::never) program.parts |= part_calls;
    if (date.coupon != 0) program.parts |= part_coupons;
    if (date.weight != 0 && sums) program.parts |= part_returns;
    if (d + 1 == of.dates.size()) program.knock_in_level = program.rows.back().knock_in_level;
    else if (date.knock_in_level > 0) program.parts |= part_knock_ins;
  }
  for (int e = 0; e < 2; ++e) {
    part_of_product const here{i, e == 0 ? "at_end" : "knocked_in"};
    schedule_end<double>& end = program.ends[e];
    for (double* const weight : {&end.of_last.level, &end.low, &end.high})
      *weight = here.finite_if("strike", *weight, *weight / scale);
    end.amount = here.finite_if("amount", end.amount, end.amount * discount);
    end.participation =
        here.finite_if("participation", end.participation, end.participation * discount);
  }
  if ((program.parts & part_coupons) == 0) program.parts &= ~part_memory;
  return program;
}

void check_floats(std::size_t i, schedule_program const& of) {
  auto const check = [&](auto... values) {
    for (double const value : {values...})
      if (std::isfinite(value) && !(std::abs(value) <= most_of<float>))
        refuse(std::string(text("book[", i, "]")), text("a level or payment of ", value),
               numbers_of<float>);
  };
  for (auto const& end : of.ends)
    check(end.of_last.one, end.of_last.level, end.low, end.high, end.of_last.floor, end.of_last.cap,
          end.participation, end.amount);
  for (auto const& row : of.rows)
    check(row.call_level, row.call_payment, row.coupon_level, row.coupon, row.discount,
          row.coupon * row.discount, row.knock_in_level, row.weight, row.floor, row.cap);
}

} // namespace warpfold::inline v0::pricing
