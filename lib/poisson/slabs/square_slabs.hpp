#pragma once
// The passes over periodic squares of one rank that has a part of the rows, and between them one of
// the columns.

#include "poisson/engine/memory.hpp"
#include "poisson/plan.hpp"
#include "slab_tiles.hpp"

#include <memory>

namespace warpfold::inline v0::poisson {

/// They enqueue. Modes are in memory for size_by_lines and size_by_columns elements.
template <class T>
class square_slabs {
public:
  virtual ~square_slabs() = default;
  [[nodiscard]] virtual slab_tiles const& tiles() const = 0;
  /// A part of the rank's lines, from and to where it begins of all that the rank has.
  virtual void forward(int part, T const* rhs, complex_pair<T>* by_lines) = 0;
  /// A part of its columns, in place. The rank that has the first mode writes it to `mean`.
  virtual void solve(int part, complex_pair<T>* by_columns, T* mean) = 0;
  virtual void back(int part, complex_pair<T>* by_lines, T* solution) = 0;
};

namespace gpu_impl {
/// null if they are not compiled for the problem, the GPU or as many ranks.
template <class T>
std::unique_ptr<square_slabs<T>> make_square_slabs(gpu& place, plan const& of, int rank, int ranks);
/// As make_square_slabs, for fields that are longer than units (engine/long/long.hpp).
template <class T>
std::unique_ptr<square_slabs<T>> make_long_slabs(gpu& place, plan const& of, int rank, int ranks);
} // namespace gpu_impl

} // namespace warpfold::inline v0::poisson
