// Random work: segments, rows and columns, and exact sums of segments.

#include "random_work.hpp"
#include "twins.hpp"

#include <warpfold/twins/segments.hpp>

#include <algorithm>

namespace random_work {
namespace {

/// Positions from somewhere to somewhere in an array of `size`, with empty and long segments.
template <class Offset>
std::vector<Offset> any_offsets(dice& random, std::size_t size) {
  std::size_t const most = std::max<std::size_t>(1, size / 2 + 1);
  auto const count =
      static_cast<std::size_t>(std::exp2(random.between(0, std::log2(static_cast<double>(most)))));
  std::vector<Offset> offsets(count + 1);
  for (Offset& x : offsets) x = static_cast<Offset>(random.below(size + 1));
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

/// A few results are also compared with what the verb without segments gives for them.
template <class A, class Known>
void spot_check(dice& random, std::vector<A> const& results, Known known) {
  for (int k = 0; k < 4 && !results.empty(); ++k) {
    std::size_t const i = random.below(results.size());
    if (!agree(results[i], known(i))) throw mismatch("not the result of a segment alone");
  }
}

template <class Place, class T, class A, class Op>
void reduce_segments(step<Place>& at, Op op) {
  constexpr bool is_compared = wf::detail::compared_segments<T, A, Op>;
  bool const by_vendor = step<Place>::on_gpu && is_compared && at.random.one_in(3);
  auto const how = by_vendor ? test::twins::cub : test::twins::fold;
  at.what << ", " << to_string(how);
  bool const is_sum = std::same_as<Op, wf::plus>;
  auto const values = values_of<T>(at, at.size(), is_sum && by_vendor);
  std::span<T const> const all(values);
  array<Place, T> there(at, values);
  view_t<Place, T const> const view(there.view());
  auto const init = static_cast<A>(at.random.below(100));
  if constexpr (step<Place>::on_gpu) at.place.reserve(wf::segmented_workspace<T, A>(values.size()));
  auto const check = [&](std::size_t count, auto run, auto enqueue, auto known, auto alone) {
    array<Place, A> results(at, count), later(at, count);
    test::with_twin<is_compared>(how, [&](auto... twin) {
      run(results.view(), twin...);
      enqueue(later.view(), twin...);
    });
    wait(at.place);
    std::vector<A> expected(count);
    known(std::span<A>(expected));
    auto const got = results.read();
    at.require(agree(got, expected), "not the host's results");
    at.require(agree(later.read(), expected), "the _async form has other results");
    spot_check(at.random, got, alone);
  };
  auto const with_offsets = [&]<class Offset>() {
    auto const offsets = any_offsets<Offset>(at.random, values.size());
    at.what << ", " << offsets.size() - 1 << " segments";
    array<Place, Offset> positions(at, offsets);
    view_t<Place, Offset const> const bounds(positions.view());
    check(
        offsets.size() - 1,
        [&](auto to, auto... twin) {
          wf::segmented_reduce(at.place, view, bounds, init, op, to, twin...);
        },
        [&](auto to, auto... twin) {
          wf::segmented_reduce_async(at.place, view, bounds, init, op, to, twin...);
        },
        [&](auto to) { wf::segmented_reduce(one, all, offsets, init, op, to); },
        [&](std::size_t i) {
          auto const first = static_cast<std::size_t>(offsets[i]);
          auto const last = static_cast<std::size_t>(offsets[i + 1]);
          return wf::reduce(one, all.subspan(first, last - first), init, op);
        });
  };
  std::size_t const form = at.random.below(4);
  if (form == 0) return with_offsets.template operator()<std::int32_t>();
  if (form == 1) return with_offsets.template operator()<std::int64_t>();
  // The array as a matrix, of which some may be left over.
  std::size_t const size = values.size();
  auto const pitch = static_cast<std::size_t>(
      std::exp2(at.random.between(0, std::log2(static_cast<double>(size) + 1))));
  std::size_t const rows = size / std::max<std::size_t>(pitch, 1);
  wf::matrix_shape const shape{rows, pitch - at.random.below(std::min<std::size_t>(pitch, 3)),
                               pitch};
  at.what << ", " << rows << " rows, " << shape.columns << " of " << pitch << " columns";
  if (form == 2) {
    check(
        rows,
        [&](auto to, auto... twin) {
          wf::reduce_rows(at.place, view, shape, init, op, to, twin...);
        },
        [&](auto to, auto... twin) {
          wf::reduce_rows_async(at.place, view, shape, init, op, to, twin...);
        },
        [&](auto to) { wf::reduce_rows(one, all, shape, init, op, to); },
        [&](std::size_t i) {
          return wf::reduce(one, all.subspan(i * pitch, shape.columns), init, op);
        });
  } else {
    check(
        shape.columns,
        [&](auto to, auto... twin) {
          wf::reduce_columns(at.place, view, shape, init, op, to, twin...);
        },
        [&](auto to, auto... twin) {
          wf::reduce_columns_async(at.place, view, shape, init, op, to, twin...);
        },
        [&](auto to) { wf::reduce_columns(one, all, shape, init, op, to); },
        [&](std::size_t j) {
          std::vector<T> column(rows);
          for (std::size_t i = 0; i < rows; ++i) column[i] = values[i * pitch + j];
          return wf::reduce(one, column, init, op);
        });
  }
}

template <class Place>
void sum_segments(step<Place>& at) {
  with_one_of<std::int32_t, std::int64_t, float, double, __half>(at.random, [&]<class T>() {
    reduce_segments<Place, T, test::accumulator_t<T>>(at, wf::plus{});
  });
}
template <class Place>
void maxima_of_segments(step<Place>& at) {
  with_one_of<std::int32_t, double>(
      at.random, [&]<class T>() { reduce_segments<Place, T, T>(at, wf::maximum<>{}); });
}

template <class Place>
void exact_segments(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    auto const values = values_of<T>(at, at.size(), false);
    auto const offsets = any_offsets<std::int64_t>(at.random, values.size());
    std::size_t const count = offsets.size() - 1;
    at.what << ", " << count << " segments";
    array<Place, T> there(at, values);
    array<Place, std::int64_t> positions(at, offsets);
    view_t<Place, T const> const view(there.view());
    view_t<Place, std::int64_t const> const bounds(positions.view());
    array<Place, A> results(at, count), later(at, count);
    wf::exact_segmented_sum(at.place, view, bounds, results.view());
    wf::exact_segmented_sum_async(at.place, view, bounds, later.view());
    wait(at.place);
    std::vector<A> expected(count);
    wf::exact_segmented_sum(one, values, offsets, std::span<A>(expected));
    auto const got = results.read();
    at.require(agree(got, expected), "not the host's results");
    at.require(agree(later.read(), expected), "the _async form has other results");
    spot_check(at.random, got, [&](std::size_t i) {
      auto const first = static_cast<std::size_t>(offsets[i]);
      auto const last = static_cast<std::size_t>(offsets[i + 1]);
      return wf::exact_sum(one, std::span<T const>(values).subspan(first, last - first));
    });
  });
}

} // namespace

template <class Place>
void add_segments(works<Place>& to) {
  to.insert(to.end(), {{"segmented sum", sum_segments<Place>},
                       {"segmented maximum", maxima_of_segments<Place>},
                       {"exact_segmented_sum", exact_segments<Place>}});
}
template void add_segments(works<wf::gpu>&);
template void add_segments(works<wf::host>&);

} // namespace random_work
