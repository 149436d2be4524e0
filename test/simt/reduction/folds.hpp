#pragma once
// Helpers for the tests of folds and tallies in the emulator.

#include "simt/simt.hpp"

#include <warpfold/detail/reduction/fold_body.hpp>
#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/reduction/fold_tuning.hpp>

namespace simt {

/// Many small blocks: 64 threads, from 2 rows a block on, for all inputs that are not tiny.
inline constexpr warpfold::detail::fold_tree many_blocks{.max_threads = 64,
                                                         .rows_of_small = 2,
                                                         .one_block = 1 << 10,
                                                         .spread = 0,
                                                         .full_blocks = 128,
                                                         .max_rows = 2,
                                                         .max_blocks = 64,
                                                         .one_warp_blocks = 32};

/// Another number of rows in flight than the GPU's.
template <int Rows>
struct in_flight : warpfold::detail::fold_tuning {
  static constexpr int rows_in_flight = Rows, ordered_rows_in_flight = Rows;
};

/// The values, and again one element past an aligned address.
template <class T>
struct at_both {
  std::vector<T> values, beside;
  explicit at_both(std::vector<T> all) : values(std::move(all)), beside(values.size() + 1) {
    std::copy(values.begin(), values.end(), beside.begin() + 1);
  }
  /// Calls use(reader) for elements in packs at 16 bytes, and one by one past them.
  template <class Transform, class Use>
  void read_by(Transform transform, Use use) const {
    use(warpfold::detail::packed_reader<T, Transform>{values.data(), transform});
    use(warpfold::detail::element_reader<T const*, Transform>{beside.data() + 1, transform});
  }
};

/// Returns the result that launch(scratch, result) writes; its tree has partials A.
template <class A, class Result = A, class Launch>
Result with_scratch(warpfold::detail::fold_shape const& shape, Launch launch) {
  poisoned<A> partials(static_cast<std::size_t>(shape.blocks));
  poisoned<Result> result(1);
  unsigned ticket = 0;
  launch(warpfold::detail::fold_scratch<A>{partials.data(), &ticket}, result.data());
  CHECK(ticket == 0);
  return result[0];
}

} // namespace simt
