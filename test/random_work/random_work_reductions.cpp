// Random work: sums, products, minima and maxima.

#include "random_work.hpp"

namespace random_work {
namespace {

/// Of elements and accumulators.
template <class T, class A = test::accumulator_t<T>>
struct pair {
  using element = T;
  using accumulator = A;
};
#define WARPFOLD_PAIRS                                                                             \
  pair<std::int32_t>, pair<std::uint32_t>, pair<std::int64_t>, pair<std::uint64_t>, pair<float>,   \
      pair<double>, pair<__half>, pair<__nv_bfloat16>, pair<float, double>, pair<__half, double>,  \
      pair<std::int32_t, std::int64_t>

template <class Place>
void sum(step<Place>& at) {
  with_one_of<WARPFOLD_PAIRS>(at.random, [&]<class Pair>() {
    using T = typename Pair::element;
    using A = typename Pair::accumulator;
    auto const run = [](auto& place, auto range, auto... twin) {
      return wf::sum<A>(place, range, twin...);
    };
    auto const enqueue = [](auto& place, auto result, auto range, auto... twin) {
      wf::sum_async<A>(place, range, result, twin...);
    };
    if constexpr (std::same_as<A, test::accumulator_t<T>>)
      if (at.random.one_in(4)) { // a rung, whose bits are the host's
        twins::reducer const rung{test::ladder[at.random.below(std::size(test::ladder))],
                                  32 << at.random.below(6)};
        at.what << ", " << to_string(rung) << " of " << rung.block_threads();
        auto const values = values_of<T>(at, at.size(), at.random.one_in(3));
        verify_as<A>(at, std::tuple(rung), std::tuple(rung), run, enqueue, values);
        return;
      }
    auto const how = any_twin(at, test::sum_twins_of<T, A>(at.place));
    bool const is_exact = how != twins::fold || at.random.one_in(3);
    auto const values = values_of<T>(at, at.size(), is_exact);
    constexpr bool is_compared = test::has_twins<T, A> || step<Place>::on_gpu;
    A const got = verify_twin<is_compared, A>(at, how, run, enqueue, values);
    if (is_exact)
      at.require(agree(got, test::exact_sum<A>(std::span<T const>(values))), "not the sum");
  });
}

template <class Place>
void product(step<Place>& at) {
  with_one_of<WARPFOLD_PAIRS>(at.random, [&]<class Pair>() {
    using T = typename Pair::element;
    using A = typename Pair::accumulator;
    constexpr bool is_compared = test::has_twins<T, A>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    bool const is_exact = how != twins::fold || at.random.one_in(2);
    std::size_t const size = at.size();
    auto const values =
        is_exact ? test::factors<T, A>(size, at.random.seed()) : values_of<T>(at, size, false);
    A const got = verify_twin<is_compared, A>(
        at, how,
        [](auto& place, auto range, auto... twin) { return wf::product<A>(place, range, twin...); },
        [](auto& place, auto result, auto range, auto... twin) {
          wf::product_async<A>(place, range, result, twin...);
        },
        values);
    if (is_exact)
      at.require(agree(got, test::exact_product<A>(std::span<T const>(values))), "not the product");
  });
}

/// Minima and maxima are the same for all twins and contents.
template <class Place, bool Largest>
void extreme(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    constexpr bool is_compared = test::has_twins<T>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    auto const options = any_policy(at);
    auto const values = values_of<T>(at, at.size(), false);
    verify_twin<is_compared, A>(
        at, how,
        [=](auto& place, auto range, auto... twin) {
          if constexpr (Largest) return wf::max(place, range, twin..., options);
          else return wf::min(place, range, twin..., options);
        },
        [=](auto& place, auto result, auto range, auto... twin) {
          if constexpr (Largest) wf::max_async(place, range, result, twin..., options);
          else wf::min_async(place, range, result, twin..., options);
        },
        values);
  });
}

/// From a number on; with squares.
template <class Place>
void reduce(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    constexpr bool is_compared = test::has_twins<T>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    auto const values = values_of<T>(at, at.size(), how != twins::fold);
    auto const init = static_cast<A>(at.random.below(100));
    auto const fold = [&](auto op) {
      verify_twin<is_compared, A>(
          at, how,
          [=](auto& place, auto range, auto... twin) {
            return wf::reduce(place, range, init, op, twin...);
          },
          [=](auto& place, auto result, auto range, auto... twin) {
            wf::reduce_async(place, range, init, op, result, twin...);
          },
          values);
    };
    if (at.random.one_in(2)) fold(wf::plus{});
    else fold(wf::maximum<>{});
  });
}

template <class Place>
void transform_reduce(step<Place>& at) {
  with_one_of<std::int64_t, float, double, __nv_bfloat16>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    constexpr bool is_compared = test::has_twins<T>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    bool const is_exact = how != twins::fold || at.random.one_in(3);
    auto const values = values_of<T>(at, at.size(), is_exact);
    auto const init = static_cast<A>(at.random.below(100));
    A const got = verify_twin<is_compared, A>(
        at, how,
        [=](auto& place, auto range, auto... twin) {
          return wf::transform_reduce(place, range, init, wf::plus{}, wf::square{}, twin...);
        },
        [=](auto& place, auto result, auto range, auto... twin) {
          wf::transform_reduce_async(place, range, init, wf::plus{}, wf::square{}, result, twin...);
        },
        values);
    if (is_exact)
      at.require(agree(got, test::exact_sum<A>(std::span<T const>(values), init, true)),
                 "not the sum of squares");
  });
}

} // namespace

template <class Place>
void add_reductions(works<Place>& to) {
  to.insert(to.end(), {{"sum", sum<Place>},
                       {"product", product<Place>},
                       {"min", extreme<Place, false>},
                       {"max", extreme<Place, true>},
                       {"reduce", reduce<Place>},
                       {"transform_reduce", transform_reduce<Place>}});
}
template void add_reductions(works<wf::gpu>&);
template void add_reductions(works<wf::host>&);

} // namespace random_work
