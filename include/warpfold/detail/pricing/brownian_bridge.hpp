#pragma once
// Brownian paths at given times from independent normals, the most important first: the end, then
// the middle of what is known, and so on. For Sobol's sequence, whose first dimensions are its
// best: P. Glasserman, Monte Carlo Methods in Financial Engineering, 2004, section 3.1.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace warpfold::inline v0::detail {

/// Where a path is next: at time `index`, given what it is at `left` and `right`. Either may be
/// `none`: on the left the path begins, at 0, and on the right nothing is known yet.
template <class T>
struct bridge_step {
  static constexpr int none = -1;
  int index, left, right;
  T left_weight, right_weight, deviation;
};

/// The steps for 0 < times[0] < times[1] < ..., in the order in which normals are used.
template <class T>
std::vector<bridge_step<T>> brownian_bridge(std::span<double const> times) {
  constexpr int none = bridge_step<T>::none;
  auto const size = static_cast<int>(times.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] > (i == 0 ? 0 : times[i - 1])) ||
        times[i] == std::numeric_limits<double>::infinity())
      refuse("times", text("element ", i, " is ", times[i]),
             "finite times above 0, each after the one before");
  std::vector<bridge_step<T>> steps;
  if (size == 0) return steps;
  steps.push_back({size - 1, none, none, 0, 0, static_cast<T>(std::sqrt(times[times.size() - 1]))});
  struct gap {
    int left, right; ///< known on both ends; nothing between
  };
  // Level by level.
  std::vector<gap> gaps{{none, size - 1}};
  for (std::size_t g = 0; g < gaps.size(); ++g) {
    auto const [left, right] = gaps[g];
    if (right - left < 2) continue;
    int const middle = left + (right - left) / 2;
    auto const at = [&](int i) { return i == none ? 0 : times[static_cast<std::size_t>(i)]; };
    double const before = at(middle) - at(left), after = at(right) - at(middle);
    double const whole = at(right) - at(left);
    steps.push_back({middle, left, right, static_cast<T>(after / whole),
                     static_cast<T>(before / whole),
                     static_cast<T>(std::sqrt(before * after / whole))});
    gaps.push_back({left, middle});
    gaps.push_back({middle, right});
  }
  return steps;
}

/// Writes the path's `size` values, `stride` elements apart, from normal(0), normal(1), ...
template <class T, class Normal>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
build_path(bridge_step<T> const* steps, int size, Normal normal, T* path, std::int64_t stride = 1) {
  for (int k = 0; k < size; ++k) {
    bridge_step<T> const step = steps[k];
    T value = step.deviation * normal(k);
    if (step.left != step.none) value = std::fma(step.left_weight, path[step.left * stride], value);
    if (step.right != step.none)
      value = std::fma(step.right_weight, path[step.right * stride], value);
    path[step.index * stride] = value;
  }
}

} // namespace warpfold::inline v0::detail
