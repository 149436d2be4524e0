#pragma once
// Rows of warpfold-rival, whose results are held against those of the host.

#include "reduction/ways.hpp"
#include "rival.hpp"

#include <algorithm>
#include <cmath>

namespace warpfold::bench::rival {

template <class T>
requires std::is_arithmetic_v<T>
bool agrees(T found, T right, double tolerance) {
  return std::abs(static_cast<double>(found) - static_cast<double>(right)) <= tolerance;
}
template <class T>
bool agrees(extremum<T> const& found, extremum<T> const& right, double) {
  return found.value == right.value && found.index == right.index;
}

template <class T>
requires std::is_arithmetic_v<T> std::string text(T result) { return std::to_string(result); }
template <class T>
std::string text(extremum<T> const& result) {
  return std::to_string(result.value) + " at " + std::to_string(result.index);
}

/// Results that differ by at most `tolerance` from the right ones, right(arrays).
template <class Right>
auto near_to(Right right, double tolerance = 0) {
  return [=](auto const& all, auto results) -> std::string {
    auto const found = to_vector(all.place(), results);
    auto const [one, expected] =
        std::mismatch(found.begin(), found.end(), right(all).begin(),
                      [&](auto const& a, auto const& b) { return agrees(a, b, tolerance); });
    if (one == found.end()) return {};
    return "result " + std::to_string(one - found.begin()) + " is " + text(*one) + ", should be " +
           text(*expected);
  };
}

void add_sums(session& run);
void add_exact_sums(session& run);
void add_argmins(session& run);
void add_segments(session& run);
void add_prefix_sums(session& run);
void add_sums_by_key(session& run);

} // namespace warpfold::bench::rival
