// Random work: dot products and norms.

#include "random_work.hpp"

#include <warpfold/twins/norms.hpp>

namespace random_work {
namespace {

template <class Place>
void dot(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half, __nv_bfloat16>(
      at.random, [&]<class T>() {
        using A = test::accumulator_t<T>;
        constexpr bool is_compared = wf::detail::compared_dot<T, A>;
        auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
        bool const is_exact = how != twins::fold || at.random.one_in(3);
        std::size_t const size = at.size();
        auto const x = values_of<T>(at, size, is_exact), y = values_of<T>(at, size, is_exact);
        A const got = verify_twin<is_compared, A>(
            at, how,
            [](auto& place, auto a, auto b, auto... twin) { return wf::dot(place, a, b, twin...); },
            [](auto& place, auto result, auto a, auto b, auto... twin) {
              wf::dot_async(place, a, b, result, twin...);
            },
            x, y);
        if (!is_exact) return;
        test::reference_t<A> sum = 0;
        for (std::size_t i = 0; i < size; ++i)
          sum += static_cast<test::reference_t<A>>(test::wide(x[i])) *
                 static_cast<test::reference_t<A>>(test::wide(y[i]));
        at.require(agree(got, static_cast<A>(sum)), "not the dot product");
      });
}

enum class norm { one, two, largest };

template <class Place, norm Which>
void measure(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    constexpr bool is_compared = wf::detail::compared_measure<T, wf::detail::root_of_squares<T>>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    auto const values = values_of<T>(at, at.size(), how != twins::fold);
    verify_twin<is_compared, test::accumulator_t<T>>(
        at, how,
        [](auto& place, auto range, auto... twin) {
          if constexpr (Which == norm::one) return wf::norm1(place, range, twin...);
          else if constexpr (Which == norm::two) return wf::norm2(place, range, twin...);
          else return wf::norm_inf(place, range, twin...);
        },
        [](auto& place, auto result, auto range, auto... twin) {
          if constexpr (Which == norm::one) wf::norm1_async(place, range, result, twin...);
          else if constexpr (Which == norm::two) wf::norm2_async(place, range, result, twin...);
          else wf::norm_inf_async(place, range, result, twin...);
        },
        values);
  });
}

} // namespace

template <class Place>
void add_norms(works<Place>& to) {
  to.insert(to.end(), {{"dot", dot<Place>},
                       {"norm1", measure<Place, norm::one>},
                       {"norm2", measure<Place, norm::two>},
                       {"norm_inf", measure<Place, norm::largest>}});
}
template void add_norms(works<wf::gpu>&);
template void add_norms(works<wf::host>&);

} // namespace random_work
