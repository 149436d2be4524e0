// The _async forms captured in CUDA graphs and launched again over other data.

#include "gpu.hpp"
#include "verbs.hpp"

namespace graph_test {

using namespace test;
namespace wf = warpfold;

TEST_SUITE("gpu") {
  // A capture would take cudaMallocAsync, too: so the nodes and the place's memory are looked at.
  TEST_CASE("a captured verb allocates nothing and is launched again over other data") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    place.reserve(std::size_t{16} << 20);
    auto const check = [&]<class Verb>(Verb verb, size_list some, auto... twin) {
      for (std::size_t const size : some) {
        CAPTURE(size);
        memory_of<wf::gpu, float> values(place, std::vector<float>(size));
        result_of<wf::gpu, verb_result<Verb, float>> result(place);
        wf::device_span<float const> const view(values.all());
        int const allocations = memory.allocations;
        captured graph(place, [&] { verb.later(place, view, result.view(), twin...); });
        auto const nodes = graph.nodes();
        CHECK_FALSE(nodes.empty());
        for (auto const node : nodes)
          CHECK((node == cudaGraphNodeTypeKernel || node == cudaGraphNodeTypeMemset));
        CHECK(memory.allocations == allocations);
        for (unsigned seed = 61; seed < 64; ++seed) {
          CAPTURE(seed);
          auto const other = exact_values<float>(size, seed);
          wf::copy(place, other, values.all());
          graph.launch();
          CHECK(agree(result.get(), verb.now(place, view, twin...)));
          if constexpr (std::same_as<Verb, verbs::sum<>>)
            CHECK(result.get() == exact_sum<float>(std::span<float const>(other)));
        }
      }
    };
    for_each_verb<float>([&]<class Verb>(Verb verb) {
      constexpr std::size_t some[] = {0, 1, 40'001};
      for_each_async_twin<Verb::template is_compared<float>>(
          place, [&](auto... twin) { check(verb, some, twin...); });
    });
    constexpr std::size_t more[] = {0, 1, 1'000, 40'001, 1'048'577};
    for_each_async_twin<true>(place, [&](auto... twin) { check(verbs::sum<>{}, more, twin...); });
    for (twins::classic const rung : ladder) {
      CAPTURE(to_string(rung));
      check(verbs::sum<>{}, more, rung);
    }
  }

  TEST_CASE_TEMPLATE("the fold is one kernel, whatever the size", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    // The graphs are never launched, so the spans may claim more elements than there are.
    wf::device_buffer<T> values(place, 2);
    wf::device_buffer<accumulator_t<T>> result(place, 1);
    std::vector<std::size_t> all(std::begin(sizes), std::end(sizes));
    all.push_back(std::size_t{1} << 33);
    for (std::size_t const size : all)
      for (std::size_t const first : {0, 1}) {
        CAPTURE(size);
        CAPTURE(first);
        wf::device_span<T> const view(values.data() + first, size);
        CHECK(captured(place, [&] { wf::sum_async(place, view, result); }).is_one_kernel());
        CHECK(captured(place, [&] { wf::min_async(place, view, result); }).is_one_kernel());
      }
  }

  TEST_CASE("fast: several calls in one graph share the scratch memory in order") {
    wf::gpu place;
    unsigned const seed = 65;
    CAPTURE(seed);
    auto const values = rough_values<double>(300'001, seed);
    wf::device_buffer<double> const there(place, values);
    wf::device_buffer<double> results(place, 4);
    captured graph(place, [&] {
      wf::sum_async(place, there, results.span().subspan(0, 1));
      wf::min_async(place, there, results.span().subspan(1, 1));
      wf::transform_reduce_async(place, there, 0.0, wf::plus{}, wf::square{},
                                 results.span().subspan(2, 1));
      // The last one reads what the others wrote.
      wf::sum_async(place, results.span().subspan(0, 3), results.span().subspan(3, 1));
    });
    wf::host host;
    double const sum = wf::sum(host, values), least = wf::min(host, values);
    double const squares = wf::transform_reduce(host, values, 0.0, wf::plus{}, wf::square{});
    double const expected = wf::sum(host, std::vector<double>{sum, least, squares});
    for (int launch = 0; launch < 10; ++launch) {
      wf::check(cudaMemsetAsync(results.data(), 0, 4 * sizeof(double), place.stream()));
      graph.launch();
      CHECK(wf::to_vector(place, results.span()) ==
            std::vector<double>{sum, least, squares, expected});
    }
  }

  TEST_CASE("a call that would have to allocate is refused under capture too") {
    wf::gpu place;
    wf::device_buffer<float> values(place, 1'000'003), result(place, 1);
    CHECK(refused_by([&] {
            captured graph(place, [&] { wf::sum_async(place, values, result, twins::halving); });
          }) == "place");
    // The place is as good as before.
    wf::check(cudaMemsetAsync(values.data(), 0, 1'000'003 * sizeof(float), place.stream()));
    CHECK(wf::sum(place, values) == 0);
  }
}

} // namespace graph_test
