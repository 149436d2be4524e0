#pragma once
// Helpers for the tests of folds and tallies in the emulator.

#include "simt/simt.hpp"

#include <warpfold/detail/core/output.hpp>
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

/// The result of the fold's body, of which `finish` is the last step.
template <class Tuning, class A, class Reader, class Op, class Finish = warpfold::identity>
auto fold(options const& how, Reader reader, warpfold::detail::fold_shape shape, A init, Op op,
          Finish finish = {}) {
  namespace detail = warpfold::detail;
  using result = std::decay_t<decltype(finish(init))>;
  return with_scratch<A, result>(shape, [&](auto scratch, result* to) {
    detail::storing<detail::store_finished<Finish, result>> const output{{finish, to}};
    launch<detail::fold_shared<A>>(
        shape.blocks, shape.threads, how, [&](block const& b, auto& shared) {
          if constexpr (warpfold::is_commutative<Op>)
            detail::fold_striped<Tuning>(b, reader, shape, init, op, scratch, output, shared);
          else detail::fold_ordered<Tuning>(b, reader, shape, init, op, scratch, output, shared);
        });
  });
}

/// The body in every order, for elements at 16 bytes and past them, gives `expected`.
template <class Tuning, class T, class A, class Op, class Transform, class Result,
          class Finish = warpfold::identity>
void check_fold(std::vector<T> const& values, warpfold::detail::fold_shape shape, A init, Op op,
                Transform transform, Result expected, Finish finish = {}) {
  INFO(values.size(), " elements, ", shape.blocks, " blocks of ", shape.threads);
  at_both<T> const both(values);
  in_every_order([&](options const& how) {
    both.read_by(transform, [&](auto reader) {
      CHECK(same(fold<Tuning>(how, reader, shape, init, op, finish), expected));
    });
  });
}

} // namespace simt
