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

/// Also a rung of the ladder.
template <class Place>
wf::reduce_options any_options(step<Place>& at, bool with_ladder) {
  wf::reduce_options options{.how = any_method(at)};
  if (with_ladder && at.random.one_in(4)) {
    options.how = test::ladder[at.random.below(std::size(test::ladder))];
    options.block_threads = 32 << at.random.below(6);
    at.what << " or rather " << wf::to_string(options.how) << " of " << options.block_threads;
  }
  if (at.random.one_in(2)) options.nan = wf::nan_policy::ignore;
  return options;
}

bool is_vendor(method how) { return how == method::cub || how == method::thrust; }

template <class Place>
void sum(step<Place>& at) {
  with_one_of<WARPFOLD_PAIRS>(at.random, [&]<class Pair>() {
    using T = typename Pair::element;
    using A = typename Pair::accumulator;
    auto const options = any_options(at, std::same_as<A, test::accumulator_t<T>>);
    bool const is_exact = is_vendor(options.how) || at.random.one_in(3);
    auto const values = values_of<T>(at, at.size(), is_exact);
    A const got = verify<A>(
        at, options, known_for(options),
        [](auto& place, auto const& how, auto range) { return wf::sum<A>(place, range, how); },
        [](auto& place, auto const& how, auto result, auto range) {
          wf::sum_async<A>(place, range, result, how);
        },
        values);
    if (is_exact)
      at.require(agree(got, test::exact_sum<A>(std::span<T const>(values))), "not the sum");
  });
}

template <class Place>
void product(step<Place>& at) {
  with_one_of<WARPFOLD_PAIRS>(at.random, [&]<class Pair>() {
    using T = typename Pair::element;
    using A = typename Pair::accumulator;
    auto const options = any_options(at, false);
    bool const is_exact = is_vendor(options.how) || at.random.one_in(2);
    std::size_t const size = at.size();
    auto const values =
        is_exact ? test::factors<T, A>(size, at.random.seed()) : values_of<T>(at, size, false);
    A const got = verify<A>(
        at, options, known_for(options),
        [](auto& place, auto const& how, auto range) { return wf::product<A>(place, range, how); },
        [](auto& place, auto const& how, auto result, auto range) {
          wf::product_async<A>(place, range, result, how);
        },
        values);
    if (is_exact)
      at.require(agree(got, test::exact_product<A>(std::span<T const>(values))), "not the product");
  });
}

/// Minima and maxima are the same for all methods and contents.
template <class Place, bool Largest>
void extreme(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    auto const options = any_options(at, false);
    auto const values = values_of<T>(at, at.size(), false);
    verify<A>(
        at, options, known_for(options),
        [](auto& place, auto const& how, auto range) {
          if constexpr (Largest) return wf::max(place, range, how);
          else return wf::min(place, range, how);
        },
        [](auto& place, auto const& how, auto result, auto range) {
          if constexpr (Largest) wf::max_async(place, range, result, how);
          else wf::min_async(place, range, result, how);
        },
        values);
  });
}

/// From a number on; with squares.
template <class Place>
void reduce(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    auto const options = any_options(at, false);
    auto const values = values_of<T>(at, at.size(), is_vendor(options.how));
    auto const init = static_cast<A>(at.random.below(100));
    auto const fold = [&](auto op) {
      verify<A>(
          at, options, known_for(options),
          [=](auto& place, auto const& how, auto range) {
            return wf::reduce(place, range, init, op, how);
          },
          [=](auto& place, auto const& how, auto result, auto range) {
            wf::reduce_async(place, range, init, op, result, how);
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
    auto const options = any_options(at, false);
    bool const is_exact = is_vendor(options.how) || at.random.one_in(3);
    auto const values = values_of<T>(at, at.size(), is_exact);
    auto const init = static_cast<A>(at.random.below(100));
    A const got = verify<A>(
        at, options, known_for(options),
        [=](auto& place, auto const& how, auto range) {
          return wf::transform_reduce(place, range, init, wf::plus{}, wf::square{}, how);
        },
        [=](auto& place, auto const& how, auto result, auto range) {
          wf::transform_reduce_async(place, range, init, wf::plus{}, wf::square{}, result, how);
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
