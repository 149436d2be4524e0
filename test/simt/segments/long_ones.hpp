#pragma once
// The kernels for long segments and for marked runs in the emulator, as segments.cuh launches them.

#include "simt/simt.hpp"

#include <warpfold/detail/segments/marked_body.hpp>
#include <warpfold/detail/segments/segments_body.hpp>
#include <warpfold/detail/segments/segments_tuning.hpp>

namespace simt {

/// The list of long segments of an array of `size` elements, and what its kernel needs.
template <class T, class A>
class long_ones {
public:
  long_ones(std::size_t size, int together, int longest_alone)
      : layout_{size}, workspace_(layout_.bytes / 8), // 8 bytes at a time, for their alignment
        found{layout_.in(workspace_.data(), listed_, &done_, together, longest_alone)} {}
  long_ones(long_ones const&) = delete;

  /// Folds those that are listed, and checks that the counters are 0 again.
  template <class Transform, class Op>
  void fold(options const& how, T const* values, Transform transform, A init, Op op, A* results) {
    namespace detail = warpfold::detail;
    launch<detail::long_shared<A>>(
        3, detail::long_threads, how, [&](block const& block, auto& shared) {
          detail::fold_long_segments<detail::segments_tuning>(
              block, detail::packed_reader<T, Transform>{values, transform},
              detail::element_reader<T const*, Transform>{values, transform}, found, init, op,
              results, shared);
        });
    CHECK((listed_[0] == 0 && listed_[1] == 0 && done_ == 0));
  }

private:
  warpfold::detail::long_segments_layout<T, A> layout_;
  poisoned<std::uint64_t> workspace_;
  unsigned long long listed_[2]{};
  unsigned done_ = 0;

public:
  warpfold::detail::long_segments<A> const found;
};

/// The first `count` runs' results, by both kernels; `parts` parts are dealt out.
template <class A, class T, class Transform, class Op>
poisoned<A> fold_marked(options const& how, T const* values,
                        warpfold::detail::run_marks<std::uint64_t const> const& marks,
                        std::size_t count, std::uint64_t capacity, Transform transform, A init,
                        Op op, warpfold::detail::marked_deal const& deal, std::int64_t parts,
                        int together) {
  namespace detail = warpfold::detail;
  poisoned<A> results(count);
  long_ones<T, A> rest(static_cast<std::size_t>(marks.size), together, detail::warp_elements<T>);
  launch<detail::marked_shared<T, A>>(static_cast<int>(deal.blocks(parts)), detail::marked_threads,
                                      how, [&](block const& block, auto& shared) {
                                        int const rank = block.block_rank();
                                        detail::fold_marked<detail::segments_tuning>(
                                            block, {values, marks.size}, marks, deal.first(rank),
                                            deal.count(rank), capacity, transform, init, op,
                                            results.data(), rest.found, shared);
                                      });
  rest.fold(how, values, transform, init, op, results.data());
  return results;
}

} // namespace simt
