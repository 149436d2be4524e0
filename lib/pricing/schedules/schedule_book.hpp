#pragma once
// From products to programs.

#include "schedule_backend.hpp"

#include <warpfold/pricing/curve.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A date of a program in double, as schedule_quad has four.
struct schedule_row {
  int observation;
  double call_level, call_payment;
  double coupon_level, coupon, discount;
  double knock_in_level;
  double weight, floor, cap;
};

/// A program in double, as checked.
struct schedule_program {
  int parts;
  double knock_in_level; ///< at the last date
  std::vector<schedule_row> rows;
  schedule_end<double> ends[2];
};

/// Checks product `i` of a book; returns its program. `start` is the price that paths start at,
/// `rate` discounts, and `seen` are the times that products see.
/// @throws argument_error, naming what is wrong
schedule_program program_of(std::size_t i, schedule const& of, double start, curve const& rate,
                            char const* rate_name, std::span<double const> seen);

/// Refuses constants of product i that are finite in double but not in float.
void check_floats(std::size_t i, schedule_program const& of);

template <class T>
schedule_end<T> end_in(schedule_end<double> const& of) {
  auto const in = [](double x) { return static_cast<T>(x); };
  auto const& last = of.of_last;
  return {{in(last.one), in(last.level), in(last.floor), in(last.cap)},
          in(of.participation),
          in(of.amount),
          in(of.low),
          in(of.high),
          in(of.returns)};
}
/// The binary logarithm of a level. A level that is the start but for rounding is equal to it.
template <class T>
T logarithm(double level) {
  double const x = std::log2(level);
  return std::abs(x) < 1e-15 ? T{0} : std::max(static_cast<T>(x), lowest_level<T>);
}

/// Writes a date into a quad of a window.
template <class T>
void put(schedule_quad<T>& quad, std::size_t i, schedule_row const& of, int window) {
  auto const in = [](double x) { return static_cast<T>(x); };
  quad.at.of[i] = of.observation % window;
  quad.call_level.of[i] = logarithm<T>(of.call_level);
  quad.call_payment.of[i] = in(of.call_payment);
  quad.coupon_level.of[i] = logarithm<T>(of.coupon_level);
  quad.coupon.of[i] = in(of.coupon);
  quad.discount.of[i] = in(of.discount);
  quad.knock_in_level.of[i] = logarithm<T>(of.knock_in_level);
  quad.weight.of[i] = in(of.weight);
  quad.floor.of[i] = in(of.floor);
  quad.cap.of[i] = in(of.cap);
}

/// A group of programs as it lies in memory.
template <class Group>
class schedule_layout {
public:
  using quad = schedule_quad<typename Group::element>;

  explicit schedule_layout(std::span<schedule_program const> group) : group_{group} {
    for (schedule_program const& one : group)
      observations_ = std::max(observations_, one.rows.back().observation + 1);
    windows_ = (observations_ + Group::window - 1) / Group::window;
    quads_at_ = sizeof(Group) +
                group.size() * static_cast<std::size_t>(windows_ - 1) * sizeof(schedule_piece);
    quads_at_ = (quads_at_ + alignof(quad) - 1) / alignof(quad) * alignof(quad);
    bytes_ = quads_at_;
    for (schedule_program const& one : group) {
      auto row = one.rows.begin();
      for (int w = 1; w <= windows_; ++w) {
        unsigned rows = 0;
        for (; row != one.rows.end() && row->observation < w * Group::window; ++row) ++rows;
        pieces_.push_back({static_cast<unsigned>(bytes_), (rows + 3) / 4});
        bytes_ += pieces_.back().count * sizeof(quad);
      }
    }
  }
  std::size_t bytes() const { return bytes_; }

  /// Writes it to memory of that size.
  void write(typename Group::index_type const& index, void* to) const {
    auto* const bytes = static_cast<std::byte*>(to);
    auto* quads = reinterpret_cast<quad*>(bytes + quads_at_);
    Group head{};
    head.count = static_cast<int>(group_.size());
    head.windows = windows_;
    head.observations = observations_;
    head.index = index;
    std::vector<schedule_piece> later; // in windows after the first one
    auto piece = pieces_.begin();
    for (std::size_t k = 0; k < group_.size(); ++k) {
      schedule_program const& one = group_[k];
      using T = typename Group::element;
      head.products[k] = {parts_of(one),
                          together(k),
                          logarithm<T>(one.knock_in_level),
                          *piece,
                          {end_in<T>(one.ends[0]), end_in<T>(one.ends[1])}};
      later.insert(later.end(), piece + 1, piece + windows_);
      auto row = one.rows.begin();
      for (int w = 1; w <= windows_; ++w, ++piece)
        for (unsigned q = 0; q < piece->count; ++q, ++quads)
          for (std::size_t i = 0; i < 4; ++i) {
            bool const there = row != one.rows.end() && row->observation < w * Group::window;
            put(*quads, i, there ? *row++ : nothing_after(row[-1]), Group::window);
          }
    }
    if (!later.empty())
      std::memcpy(bytes + sizeof(Group), later.data(), later.size() * sizeof(schedule_piece));
    std::memcpy(bytes, &head, sizeof head);
  }

private:
  static bool is_dense(schedule_program const& of) {
    for (std::size_t r = 0; r < of.rows.size(); ++r)
      if (of.rows[r].observation != static_cast<int>(r)) return false;
    return of.rows.size() % 4 == 0;
  }
  static short parts_of(schedule_program const& of) {
    return static_cast<short>(of.parts | (is_dense(of) ? part_dense : 0));
  }
  /// schedule_product::together of product k.
  short together(std::size_t k) const {
    constexpr std::size_t most = schedule_product<typename Group::element>::most_together;
    int const last_window = (windows_ - 1) * Group::window;
    auto const goes_on = [&](schedule_program const& one) {
      return one.parts == part_calls && one.rows.back().observation >= last_window &&
             std::ranges::equal(one.rows, group_[k].rows, {}, &schedule_row::observation,
                                &schedule_row::observation);
    };
    auto const some = group_.subspan(k, std::min(most, group_.size() - k));
    return static_cast<short>(std::ranges::find_if_not(some, goes_on) - some.begin());
  }
  /// The date again, with nothing that happens.
  static schedule_row nothing_after(schedule_row const& date) {
    constexpr double never = schedule_date::never;
    return {date.observation, never, 0, never, 0, 0, 0, 0, 0, 0};
  }

  std::span<schedule_program const> group_;
  int observations_ = 0, windows_ = 0;
  std::vector<schedule_piece> pieces_;
  std::size_t quads_at_ = 0, bytes_ = 0;
};

} // namespace warpfold::inline v0::pricing
