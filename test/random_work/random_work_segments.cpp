// Random work: segments, rows and columns, and exact sums of segments.

#include "random_work.hpp"

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

template <class T, class Offset>
std::span<T const> segment(std::span<T const> all, std::vector<Offset> const& offsets,
                           std::size_t i) {
  auto const first = static_cast<std::size_t>(offsets[i]);
  return all.subspan(first, static_cast<std::size_t>(offsets[i + 1]) - first);
}

template <class Place, class T, class A, class Op>
void reduce_segments(step<Place>& at, Op op) {
  constexpr bool is_compared = wf::detail::compared_segments<T, A, Op>;
  bool const by_vendor = step<Place>::on_gpu && is_compared && at.random.one_in(3);
  auto const how = by_vendor ? twins::cub : twins::fold;
  at.what << ", " << to_string(how);
  input<Place, T> x(at, values_of<T>(at, at.size(), std::same_as<Op, wf::plus> && by_vendor));
  std::span<T const> const all(x.here);
  auto const init = static_cast<A>(at.random.below(100));
  if constexpr (step<Place>::on_gpu) at.place.reserve(wf::segmented_workspace<T, A>(all.size()));
  auto const check = [&](std::size_t count, auto verb, auto alone) {
    spot_check(at.random, verify_output<A, is_compared>(at, count, verb, how), alone);
  };
  auto const with_offsets = [&]<class Offset>() {
    input<Place, Offset> offsets(at, any_offsets<Offset>(at.random, all.size()));
    std::size_t const count = offsets.here.size() - 1;
    at.what << ", " << count << " segments";
    check(count, WARPFOLD_FORMS(wf::segmented_reduce, x.on(place), offsets.on(place), init, op),
          [&](std::size_t i) { return wf::reduce(one, segment(all, offsets.here, i), init, op); });
  };
  std::size_t const form = at.random.below(4);
  if (form == 0) return with_offsets.template operator()<std::int32_t>();
  if (form == 1) return with_offsets.template operator()<std::int64_t>();
  // The array as a matrix, of which some may be left over.
  auto const pitch = static_cast<std::size_t>(
      std::exp2(at.random.between(0, std::log2(static_cast<double>(all.size()) + 1))));
  std::size_t const rows = all.size() / std::max<std::size_t>(pitch, 1);
  wf::matrix_shape const shape{rows, pitch - at.random.below(std::min<std::size_t>(pitch, 3)),
                               pitch};
  at.what << ", " << rows << " rows, " << shape.columns << " of " << pitch << " columns";
  if (form == 2)
    check(rows, WARPFOLD_FORMS(wf::reduce_rows, x.on(place), shape, init, op), [&](std::size_t i) {
      return wf::reduce(one, all.subspan(i * pitch, shape.columns), init, op);
    });
  else
    check(shape.columns, WARPFOLD_FORMS(wf::reduce_columns, x.on(place), shape, init, op),
          [&](std::size_t j) {
            std::vector<T> column(rows);
            for (std::size_t i = 0; i < rows; ++i) column[i] = all[i * pitch + j];
            return wf::reduce(one, column, init, op);
          });
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
    input<Place, T> x(at, values_of<T>(at, at.size(), false));
    input<Place, std::int64_t> offsets(at, any_offsets<std::int64_t>(at.random, x.here.size()));
    std::size_t const count = offsets.here.size() - 1;
    at.what << ", " << count << " segments";
    auto const results = verify_output<A>(
        at, count, WARPFOLD_FORMS(wf::exact_segmented_sum, x.on(place), offsets.on(place)));
    spot_check(at.random, results, [&](std::size_t i) {
      return wf::exact_sum(one, segment(std::span<T const>(x.here), offsets.here, i));
    });
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"segmented sum", sum_segments<Place>},
                         {"segmented maximum", maxima_of_segments<Place>},
                         {"exact_segmented_sum", exact_segments<Place>}});
});

} // namespace
} // namespace random_work
