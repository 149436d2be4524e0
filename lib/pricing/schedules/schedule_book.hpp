#pragma once
// From products to programs.

#include "schedule_backend.hpp"

#include <warpfold/pricing/curve.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A program in double, as checked: rows, starts of windows, and the ends.
struct schedule_program {
  std::vector<schedule_row<double>> rows;
  schedule_ends<double> ends;
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
  return {of.of,         of.less,      in(of.amount), in(of.participation),
          in(of.strike), in(of.floor), in(of.cap)};
}
template <class T>
schedule_row<T> row_in(schedule_row<double> const& of) {
  auto const in = [](double x) { return static_cast<T>(x); };
  return {{of.at.parts, of.at.observation, in(of.at.call_level), in(of.at.call_payment),
           in(of.at.knock_in_level)},
          {in(of.pays.level), in(of.pays.amount), in(of.pays.discount)},
          {in(of.adds.weight), in(of.adds.floor), in(of.adds.cap)}};
}

/// A group's layout.
template <class Group>
struct schedule_layout {
  using row = schedule_row<typename Group::element>;
  int observations = 0, windows = 0;
  std::size_t rows = 0, starts_at = sizeof(Group), rows_at = 0, bytes = 0;

  explicit schedule_layout(std::span<schedule_program const> group) {
    for (schedule_program const& one : group) {
      rows += one.rows.size();
      observations = std::max(observations, one.rows.back().at.observation + 1);
    }
    windows = (observations + Group::window - 1) / Group::window;
    std::size_t const starts = group.size() * static_cast<std::size_t>(windows + 1) * sizeof(int);
    rows_at = (starts_at + starts + alignof(row) - 1) / alignof(row) * alignof(row);
    bytes = rows_at + rows * sizeof(row);
  }
};

/// Writes a group of up to schedule_group::size programs to `to`.
template <class Group, class Index>
void write_group(std::span<schedule_program const> programs, Index const& index, void* to) {
  using T = typename Group::element;
  schedule_layout<Group> const layout(programs);
  auto* const bytes = static_cast<std::byte*>(to);
  Group head{};
  head.count = static_cast<int>(programs.size());
  head.windows = layout.windows;
  head.observations = layout.observations;
  head.starts = static_cast<int>(layout.starts_at);
  head.rows = static_cast<int>(layout.rows_at);
  head.index = index;
  auto* starts = reinterpret_cast<int*>(bytes + layout.starts_at);
  auto* const rows = reinterpret_cast<schedule_row<T>*>(bytes + layout.rows_at);
  int row = 0;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    for (int e = 0; e < 2; ++e) head.ends[k].of[e] = end_in<T>(programs[k].ends.of[e]);
    auto next = programs[k].rows.begin();
    for (int w = 0; w <= layout.windows; ++w) {
      for (; next != programs[k].rows.end() && next->at.observation < w * Group::window; ++next)
        rows[row++] = row_in<T>(*next);
      *starts++ = row;
    }
  }
  std::memcpy(bytes, &head, sizeof head);
}

} // namespace warpfold::inline v0::pricing
