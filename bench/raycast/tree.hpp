#pragma once
// A linear bounding volume hierarchy: what it is made of, and the steps that build it, as bodies of
// parallel loops over an index. The host and a GPU run the same ones and get the same tree.
//
// T. Karras, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees", High
// Performance Graphics 2012: triangles are sorted by the Morton codes of their centres; every inner
// node of the binary radix tree over the codes is found on its own; boxes are then united from the
// leaves up, by whichever thread comes second to a node. Equal codes are told apart by position.
// Nodes hold their children's boxes, as in T. Aila, S. Laine, "Understanding the Efficiency of Ray
// Traversal on GPUs", HPG 2009.

#include "geometry.hpp"

#ifdef __CUDACC__
#include <warpfold/detail/core/cuda_block.cuh>
#endif

#include <atomic>
#include <bit>

namespace warpfold::raycast {

/// Triangles that are tested together: a subtree of no more becomes one leaf. 1,000,000 camera and
/// random rays took 263 and 545 us with 1, 272 and 546 with 2, 303 and 613 with 4, 352 and 768 with
/// 8 (H200, 2026-11-21, warpfold-bench --quick --benchmark_filter=raycast/leaves_.*/none); with 1,
/// a leaf and a triangle would be one thing to count.
inline constexpr std::uint32_t leaf_size = 2;
/// Deepest that the tree can be: 30 bits of code, and 32 of position.
inline constexpr int deepest = 62;

/// A child: an inner node, or a leaf of neighbouring triangles; or nothing more.
class reference {
public:
  reference() = default;
  WARPFOLD_HOST_DEVICE static reference inner(std::uint32_t node) { return reference(node); }
  WARPFOLD_HOST_DEVICE static reference leaf(std::uint32_t first, std::uint32_t count) {
    return reference(is_leaf_bit | first * leaf_size | (count - 1));
  }
  WARPFOLD_HOST_DEVICE static reference end() { return reference(is_leaf_bit - 1); }
  WARPFOLD_HOST_DEVICE bool is_inner() const { return bits_ < is_leaf_bit; }
  WARPFOLD_HOST_DEVICE bool is_end() const { return bits_ == is_leaf_bit - 1; }
  WARPFOLD_HOST_DEVICE bool is_leaf() const { return bits_ >= is_leaf_bit; }
  WARPFOLD_HOST_DEVICE std::uint32_t node() const { return bits_; }
  WARPFOLD_HOST_DEVICE std::uint32_t first() const { return (bits_ & ~is_leaf_bit) / leaf_size; }
  WARPFOLD_HOST_DEVICE std::uint32_t count() const { return bits_ % leaf_size + 1; }

  bool operator==(reference const&) const = default;

private:
  static constexpr std::uint32_t is_leaf_bit = 0x80000000;
  WARPFOLD_HOST_DEVICE explicit reference(std::uint32_t bits) : bits_{bits} {}

  std::uint32_t bits_;
};
inline constexpr std::uint32_t most_triangles = 0x80000000 / leaf_size;

struct alignas(16) node {
  box boxes[2];
  reference children[2];
  std::uint32_t unused[2]; ///< 0: it is read along with the rest

  bool operator==(node const& other) const {
    return boxes[0] == other.boxes[0] && boxes[1] == other.boxes[1] &&
           children[0] == other.children[0] && children[1] == other.children[1];
  }
};

struct alignas(16) leaf_triangle {
  triangle corners;
  std::uint32_t number; ///< where it stood before it was sorted
  std::uint32_t unused[2];
};

/// The tree as the traversal sees it, in the memory of the place where that runs.
struct tree_view {
  node const* nodes;
  leaf_triangle const* triangles;
  std::uint32_t size; ///< triangles
  float extent;       ///< largest absolute value of a coordinate

  /// The root, of a tree that is not empty.
  WARPFOLD_HOST_DEVICE reference root() const {
    return size <= leaf_size ? reference::leaf(0, size) : reference::inner(0);
  }
};

/// Ten bits an axis, interleaved: where the centre of the triangle's box lies in the scene's.
struct morton_code {
  box scene;

  WARPFOLD_HOST_DEVICE static std::uint32_t spread(std::uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000ff;
    bits = (bits | bits << 8) & 0x0300f00f;
    bits = (bits | bits << 4) & 0x030c30c3;
    return (bits | bits << 2) & 0x09249249;
  }
  WARPFOLD_HOST_DEVICE static std::uint32_t cell(float low, float high, float centre) {
    float const extent = high - low;
    float const at = extent > 0 ? (centre - low) / extent * 1024 : 0;
    return at < 1023 ? static_cast<std::uint32_t>(at) : 1023;
  }
  WARPFOLD_HOST_DEVICE std::uint32_t operator()(triangle const& t) const {
    box const own = box_of{}(t);
    vec3 const centre = 0.5f * own.low + 0.5f * own.high;
    return spread(cell(scene.low.x, scene.high.x, centre.x)) << 2 |
           spread(cell(scene.low.y, scene.high.y, centre.y)) << 1 |
           spread(cell(scene.low.z, scene.high.z, centre.z));
  }
};

/// Where a node or leaf hangs: the parent's number times 2, plus 1 if it is the right child.
using hook = std::uint32_t;

/// The arrays that building a tree needs.
struct building {
  std::uint32_t const* codes; ///< sorted
  std::uint32_t const* order; ///< the triangles' numbers, in that order
  triangle const* source;
  hook* of_nodes;
  hook* of_triangles;
  unsigned* arrivals; ///< 0 for every inner node, and left so
  node* nodes;
  leaf_triangle* triangles;
  std::uint32_t size;
};

/// Inner node i of size - 1.
struct make_node {
  building at;

  /// Length of the common prefix of the keys at i and j; -1 if there is no j.
  WARPFOLD_HOST_DEVICE int common(std::int64_t i, std::int64_t j) const {
    if (j < 0 || j >= at.size) return -1;
    std::uint32_t const differ = at.codes[i] ^ at.codes[j];
    return differ != 0 ? leading_zeros(differ)
                       : 32 + leading_zeros(static_cast<std::uint32_t>(i ^ j));
  }

  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t index) const {
    std::int64_t const i = index;
    int const direction = common(i, i + 1) > common(i, i - 1) ? 1 : -1;
    // The range of keys that share more bits with this one than its other neighbour does.
    int const outside = common(i, i - direction);
    std::int64_t bound = 2;
    while (common(i, i + bound * direction) > outside) bound *= 2;
    std::int64_t length = 0;
    for (std::int64_t step = bound / 2; step > 0; step /= 2)
      if (common(i, i + (length + step) * direction) > outside) length += step;
    std::int64_t const end = i + length * direction;
    // The split of that range: where the next bit changes.
    int const inside = common(i, end);
    std::int64_t split = 0;
    for (std::int64_t step = length; step > 1;) {
      step = (step + 1) / 2;
      if (common(i, i + (split + step) * direction) > inside) split += step;
    }
    std::int64_t const middle = i + split * direction + (direction < 0 ? -1 : 0);
    std::int64_t const first = i < end ? i : end, last = i < end ? end : i;
    hang(index, 0, first, middle, middle);
    hang(index, 1, middle + 1, last, middle + 1);
  }

private:
  WARPFOLD_HOST_DEVICE static int leading_zeros(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __clz(static_cast<int>(bits));
#else
    return std::countl_zero(bits);
#endif
  }

  /// The child of triangles first..last, which is inner node `own` unless it is one triangle.
  WARPFOLD_HOST_DEVICE void hang(std::uint32_t parent, std::uint32_t side, std::int64_t first,
                                 std::int64_t last, std::int64_t own) const {
    auto const begin = static_cast<std::uint32_t>(first), node = static_cast<std::uint32_t>(own);
    auto const count = static_cast<std::uint32_t>(last - first + 1);
    at.nodes[parent].children[side] =
        count <= leaf_size ? reference::leaf(begin, count) : reference::inner(node);
    at.nodes[parent].unused[side] = 0;
    (count == 1 ? at.of_triangles[begin] : at.of_nodes[node]) = parent * 2 + side;
  }
};

/// True for the second caller, which then sees what the first has written, and leaves 0.
WARPFOLD_HOST_DEVICE inline bool arrives_second(unsigned* arrivals) {
#ifdef __CUDA_ARCH__
  return detail::cuda_block{}.arrives_last(arrivals, 2);
#else
  std::atomic_ref<unsigned> const counter(*arrivals);
  if (counter.fetch_add(1, std::memory_order_acq_rel) == 0) return false;
  counter.store(0, std::memory_order_relaxed);
  return true;
#endif
}

/// From triangle i up: writes boxes into the nodes, as far as this is the second of two to come.
struct unite_boxes {
  building at;

  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const {
    triangle const& source = at.source[at.order[i]];
    at.triangles[i] = {source, at.order[i], {0, 0}};
    if (at.size == 1) return;
    box all = box_of{}(source);
    hook up = at.of_triangles[i];
    while (true) {
      node& parent = at.nodes[up / 2];
      parent.boxes[up % 2] = all;
      if (!arrives_second(at.arrivals + up / 2) || up / 2 == 0) return;
      all = unite{}(parent.boxes[0], parent.boxes[1]);
      up = at.of_nodes[up / 2];
    }
  }
};

} // namespace warpfold::raycast
