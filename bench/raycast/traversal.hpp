#pragma once
// A ray through the tree, with a stack, the nearer child first.

#include "intersect.hpp"
#include "tree.hpp"

namespace warpfold::raycast {

/// Which hit is looked for.
enum class query {
  closest, ///< the least t, and of those the least number: what brute force finds
  any      ///< one, whichever comes first
};

/// Counts of nodes, leaves and triangle tests on a ray's way.
struct tally {
  std::uint32_t nodes = 0, leaves = 0, tests = 0;

  WARPFOLD_HOST_DEVICE void node() { ++nodes; }
  WARPFOLD_HOST_DEVICE void leaf(std::uint32_t triangles) {
    ++leaves;
    tests += triangles;
  }
};
struct no_tally {
  WARPFOLD_HOST_DEVICE void node() {}
  WARPFOLD_HOST_DEVICE void leaf(std::uint32_t) {}
};

/// Tally::node() is called for every inner node whose children's boxes are tested, Tally::leaf(n)
/// for every leaf whose n triangles are.
template <query What, class Tally>
WARPFOLD_HOST_DEVICE hit trace(tree_view tree, ray from, Tally& met) {
  hit best{from.to, nothing};
  if (tree.size == 0) return best;
  prepared_ray const r = prepare(from, tree.extent);
  // The farther of two children waits here, with where the ray enters it; below them all is the
  // end. (Neither a class around it nor an index into a node: a GPU would keep those in memory.)
  struct entry {
    reference child;
    float t;
  };
  entry waiting[deepest + 1];
  waiting[0] = {reference::end(), -1e38f};
  int height = 1;
  // There is one way back to the head of this loop, where the threads of a warp meet after every
  // step. With a short cut for those that go down, the others had to wait for them: camera rays
  // took 1.5 times as long and random ones twice as long (H200, 2026-11-21).
  reference current = tree.root();
  while (!current.is_end()) {
    bool done = true; // with this child and those below it
    if (current.is_inner()) {
      met.node();
      node const here = tree.nodes[current.node()];
      interval const left = clip(r, here.boxes[0].low, here.boxes[0].high);
      interval const right = clip(r, here.boxes[1].low, here.boxes[1].high);
      float const left_t = most(left.from, from.from), right_t = most(right.from, from.from);
      bool const goes_left = left_t <= least(left.to, best.t);
      bool const goes_right = right_t <= least(right.to, best.t);
      bool const right_first = !goes_left || (goes_right && right_t < left_t);
      reference const nearer = right_first ? here.children[1] : here.children[0];
      reference const farther = right_first ? here.children[0] : here.children[1];
      if (goes_left && goes_right)
        waiting[height++] = entry{farther, right_first ? left_t : right_t};
      if (goes_left || goes_right) {
        current = nearer;
        done = false;
      }
    } else {
      std::uint32_t const first = current.first(), count = current.count();
      met.leaf(count);
      for (std::uint32_t i = first; i < first + count; ++i) {
        leaf_triangle const one = tree.triangles[i];
        meet(r, from.from, one.corners, one.number, best);
      }
      if (What == query::any && best.number != nothing) return best;
    }
    if (done) {
      do --height;
      while (waiting[height].t > best.t);
      current = waiting[height].child;
    }
  }
  return best;
}

} // namespace warpfold::raycast
