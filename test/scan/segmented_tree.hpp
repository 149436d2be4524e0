#pragma once
// Segmented scans by what docs/scan.md says of them, on the tree of scan_tree.hpp.

#include "scan/scan_tree.hpp"

#include <cstdint>

namespace test {

template <class A>
struct pair_of {
  A value;
  bool begins;
};

/// The scan of values, of which segment after segment begins where `begins` says.
template <class A, class Op>
std::vector<A> segmented_tree(std::vector<A> const& values, std::vector<bool> const& begins, Op op,
                              bool is_exclusive = false, A init = A{}) {
  std::vector<pair_of<A>> pairs;
  for (std::size_t i = 0; i < values.size(); ++i)
    pairs.push_back({is_exclusive && begins[i] ? op(init, values[i]) : values[i], begins[i]});
  auto const join = [op](pair_of<A> a, pair_of<A> b) {
    return b.begins ? b : pair_of<A>{op(a.value, b.value), a.begins};
  };
  scan_tree<pair_of<A>, decltype(join), sizeof(A)> const tree(pairs, join);
  std::vector<A> results;
  for (auto const& y : is_exclusive ? tree.exclusive({init, 0}) : tree.inclusive())
    results.push_back(y.value);
  for (std::size_t i = 0; is_exclusive && i < values.size(); ++i)
    if (begins[i]) results[i] = init;
  return results;
}

/// One after the other.
template <class A, class Op>
std::vector<A> segmented_in_turn(std::vector<A> const& values, std::vector<bool> const& begins,
                                 Op op, bool is_exclusive = false, A init = A{}) {
  std::vector<A> results;
  A sum{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (begins[i]) sum = init;
    if (is_exclusive) results.push_back(sum);
    sum = begins[i] && !is_exclusive ? values[i] : op(sum, values[i]);
    if (!is_exclusive) results.push_back(sum);
  }
  return results;
}

} // namespace test
