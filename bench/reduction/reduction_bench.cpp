// Reductions on a GPU: every twin, operation, type and size.
//
// A filter chooses the rows that are reported; a chosen row is always measured beside all the
// others of its size.

#include "kernels.hpp"
#include "ways.hpp"

namespace warpfold::bench {
namespace {

constexpr twins::classic the_ladder[] = {twins::ladder_divergent,  twins::ladder_strided,
                                         twins::ladder_sequential, twins::ladder_first_add,
                                         twins::ladder_last_warp,  twins::ladder_unrolled,
                                         twins::ladder_cascaded,   twins::halving};

/// All ways that there are for a kind of reduction of so many elements.
template <class T, class A, class Op, class Transform>
std::vector<way<T>> ways(std::size_t size, bool with_ladder) {
  using kind = reduction_kind<T, A, Op, Transform>;
  auto const complaint_of = [size]<class Kind>(Kind) {
    auto const exact = computed_once(
        [size](arrays<T> const& all) { return Kind::expected(all.block(), all.first(), size); });
    return [exact](arrays<T> const& all, A found) { return Kind::complaint(found, exact(all)); };
  };
  auto const complaint = complaint_of(kind{});
  std::vector<way<T>> all;
  auto const add = [&](std::string const& name, twins::reducer twin, form called = form::replayed) {
    if (!kind::has(twin)) return;
    all.push_back(way_of<T>(
        name,
        [=](gpu& place, array_t<T> values) {
          return transform_reduce(place, values, kind::init(), Op{}, Transform{}, twin);
        },
        [=](gpu& place, array_t<T> values, device_span<A> result) {
          transform_reduce_async(place, values, kind::init(), Op{}, Transform{}, result, twin);
        },
        complaint, called));
  };
  add("fold", twins::fold);
  add("cub", twins::cub);
  add("fold_alone", twins::fold, form::alone);
  add("cub_alone", twins::cub, form::alone);
  add("fold_blocking", twins::fold, form::blocking);
  add("cub_blocking", twins::cub, form::blocking);
  add("thrust", twins::thrust, form::blocking);
  if constexpr (std::is_same_v<T, float> && std::is_same_v<A, float> && std::is_same_v<Op, plus> &&
                std::is_same_v<Transform, identity>)
    all.push_back(way_of<T>(
        "fold_lambda", // a sum of squares
        [](gpu& place, array_t<T> values) {
          return transform_reduce(place, values, A{0}, plus{}, square{});
        },
        lambda_fold_async, complaint_of(reduction_kind<T, A, plus, square>{})));
  if (with_ladder) {
    for (twins::classic const rung : the_ladder) add(to_string(rung), rung);
    // At most 256 blocks of the course's 128 threads are too few for a GPU of today.
    add("ladder_cascaded_1024", {twins::ladder_cascaded, 1024});
  }
  return all;
}

template <class T, class A, class Op, class Transform>
void add(session& run, reduction_kind<T, A, Op, Transform> const& kind, std::size_t size,
         bool with_ladder = false) {
  add_ways(run, kind.name(), size, kind.elements(), ways<T, A, Op, Transform>(size, with_ladder));
}

/// Sums of all sizes; the ladder, which is slow, at a part of them in a quick run.
template <class T>
void add_sums(session& run) {
  using A = typename detail::default_accumulator<T>::type;
  for (int e = 8; e <= 30; ++e)
    add(run, reduction_kind<T, A, plus, identity>{"sum"}, power(e),
        !run.quick || (!std::is_same_v<T, double> && (e % 2 == 0 || e == 25)));
}

template <class T, class A = typename detail::default_accumulator<T>::type, class Op = plus,
          class Transform = identity>
void add_some(session& run, std::initializer_list<int> exponents, char const* operation = "sum") {
  for (int const e : exponents) add(run, reduction_kind<T, A, Op, Transform>{operation}, power(e));
}

template <class T>
void add_squares(session& run) {
  add_some<T, T, plus, square>(run, {20, 22, 24, 26, 28, 30}, "sum_of_squares");
}

template <class T>
void add_products_and_extrema(session& run, std::initializer_list<int> exponents) {
  add_some<T, T, minimum<>>(run, exponents, "min");
  add_some<T, T, multiplies>(run, exponents, "product");
}

} // namespace

void add_reductions(session& run) {
  if (!run.place) return;
  add_sums<float>(run);
  add_squares<float>(run);
  add_some<float, double>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
  add_sums<double>(run);
  add_squares<double>(run);
  add_sums<std::int32_t>(run);
  add_some<std::int32_t, std::int64_t>(run, {12, 16, 20, 22, 24, 26, 28, 30});
  if (run.quick) {
    add_some<__half>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
    add_some<__nv_bfloat16>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
    add_products_and_extrema<float>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
    return;
  }
  add_sums<std::uint32_t>(run);
  add_sums<std::int64_t>(run);
  add_sums<std::uint64_t>(run);
  add_sums<__half>(run);
  add_sums<__nv_bfloat16>(run);
  add_some<__half, double>(run, {20, 28, 30});
  add_some<__nv_bfloat16, double>(run, {20, 28, 30});
  add_some<std::uint32_t, std::uint64_t>(run, {20, 28, 30});
  add_products_and_extrema<float>(run, {12, 16, 20, 24, 28, 30});
  add_products_and_extrema<double>(run, {12, 16, 20, 24, 28, 30});
  add_products_and_extrema<std::int32_t>(run, {12, 16, 20, 24, 28, 30});
}

} // namespace warpfold::bench
