#pragma once
// What a block does for a transform of lines, and where in shared memory frequencies stand.

#include "line_transform.hpp"
#include "poisson/lines/lines_passes.hpp"
#include "poisson/lines/lines_shared.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpfold::inline v0::transforms {

/// The places of each pair's frequencies, for poisson::line_axis::places.
template <class T>
std::vector<poisson::slot_places>
places_of(poisson::line_axis<T> const& axis,
          std::vector<std::pair<std::size_t, std::size_t>> const& frequencies) {
  auto const where = poisson::frequency_places(axis);
  auto const placed = [&](std::size_t k) {
    return static_cast<std::uint16_t>(axis.place(static_cast<int>(where[k])));
  };
  std::vector<poisson::slot_places> made;
  for (auto const& [k, other] : frequencies) made.push_back({placed(k), placed(other)});
  return made;
}

/// The pass' places are those of the maps' pairs.
template <class T, bool Strided, detail::thread_block Block>
WARPFOLD_HOST_DEVICE void transform_lines(Block const& block, poisson::line_pass<T> const& pass,
                                          real_maps<T> const& maps, poisson::complex<T>* shared) {
  using lines = poisson::shared_lines<T, Strided, Block>;
  lines of{block, pass, shared};
  line_transform<lines>{of, maps}.run();
}

} // namespace warpfold::inline v0::transforms
