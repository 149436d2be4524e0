// Random work: dot products and norms.

#include "random_work.hpp"

namespace random_work {
namespace {

template <class Place>
void dot(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half, __nv_bfloat16>(
      at.random, [&]<class T>() {
        using A = test::accumulator_t<T>;
        wf::reduce_options const options{.how = any_method(at)};
        bool const is_exact = options.how != method::fold || at.random.one_in(3);
        std::size_t const size = at.size();
        auto const x = values_of<T>(at, size, is_exact), y = values_of<T>(at, size, is_exact);
        A const got = verify<A>(
            at, options, known_for(options),
            [](auto& place, auto const& how, auto a, auto b) { return wf::dot(place, a, b, how); },
            [](auto& place, auto const& how, auto result, auto a, auto b) {
              wf::dot_async(place, a, b, result, how);
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
    wf::reduce_options const options{.how = any_method(at)};
    auto const values = values_of<T>(at, at.size(), options.how != method::fold);
    verify<test::accumulator_t<T>>(
        at, options, known_for(options),
        [](auto& place, auto const& how, auto range) {
          if constexpr (Which == norm::one) return wf::norm1(place, range, how);
          else if constexpr (Which == norm::two) return wf::norm2(place, range, how);
          else return wf::norm_inf(place, range, how);
        },
        [](auto& place, auto const& how, auto result, auto range) {
          if constexpr (Which == norm::one) wf::norm1_async(place, range, result, how);
          else if constexpr (Which == norm::two) wf::norm2_async(place, range, result, how);
          else wf::norm_inf_async(place, range, result, how);
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
