#pragma once
// What the two ways of solving on slabs share.

#include "poisson/plan.hpp"
#include "poisson/slabs/slab_tiles.hpp"

#include <warpfold/comm/communicator.hpp>
#include <warpfold/comm/poisson.hpp>

#include <memory>
#include <vector>

namespace warpfold::inline v0::poisson {

template <class T>
class slab_backend {
public:
  virtual ~slab_backend() = default;
  [[nodiscard]] virtual index_range rank_slab(int rank) const = 0;
  /// Solves checked arrays. Enqueues on a gpu, and writes the mean if there is a place for it.
  virtual void solve(T const* rhs, T* solution, T* removed_mean) = 0;
};

/// Exchanges a range of elements with each rank. `are_even`: all ranges, on all ranks, are of one
/// size, one after the other, and at the same places.
template <class Element>
void exchange_slabs(transport& through, Element const* from, std::vector<slab_range> const& sent,
                    Element* to, std::vector<slab_range> const& received, bool are_even,
                    cudaStream_t stream) {
  if (are_even)
    return through.exchange_evenly(from + sent[0].first, to + received[0].first,
                                   sent[0].count * sizeof(Element), stream);
  auto const bytes = [](std::vector<slab_range> const& ranges) {
    std::vector<byte_range> all;
    for (slab_range const& one : ranges)
      all.push_back({one.first * sizeof(Element), one.count * sizeof(Element)});
    return all;
  };
  through.exchange(from, bytes(sent), to, bytes(received), stream);
}

} // namespace warpfold::inline v0::poisson
