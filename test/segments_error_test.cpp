// What the segmented reductions refuse: the argument is named, and nothing is written.

#include "gpu.hpp"

#include "../lib/segments/instances.hpp"

#include <limits>

namespace {

using namespace test;
namespace wf = warpfold;

template <class Place>
class refusals {
public:
  explicit refusals(Place& place)
      : place_{place}, values_(place, std::vector<float>(100, 1.F)), offsets_(place, {0, 60, 100}),
        results_(place, std::vector<float>(100, -77.F)) {}

  template <class Call>
  void expect(std::string const& argument, Call call) {
    CHECK(refused_by(call) == argument);
    CHECK(results_.get(0) == -77.F);
  }
  template <class Segments>
  void segments(std::string const& argument, Segments segments, std::size_t results,
                wf::reduce_options const& options = {}) {
    expect(argument, [&] {
      wf::segmented_reduce(place_, values_.all(), segments, 0.F, wf::plus{},
                           results_.view(0, results), options);
    });
    expect(argument, [&] {
      wf::segmented_reduce_async(place_, values_.all(), segments, 0.F, wf::plus{},
                                 results_.view(0, results), options);
    });
  }
  void matrix(std::string const& argument, wf::matrix_shape const& shape, std::size_t rows,
              std::size_t columns, wf::reduce_options const& options = {}) {
    expect(argument, [&] {
      wf::reduce_rows(place_, values_.all(), shape, 0.F, wf::plus{}, results_.view(0, rows),
                      options);
    });
    expect(argument, [&] {
      wf::reduce_columns_async(place_, values_.all(), shape, 0.F, wf::plus{},
                               results_.view(0, columns), options);
    });
  }

  void check_all() {
    segments("results", offsets_.all(), 1);
    segments("results", offsets_.all(), 3);
    segments("offsets", offsets_.view(0, 0), 0);
    segments("length", wf::fixed_length{0}, 0);
    segments("length", wf::fixed_length{3}, 33);
    segments("results", wf::fixed_length{5}, 19);
    constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
    matrix("shape", {10, 10, 9}, 10, 10);
    matrix("shape", {10, 10, 11}, 10, 10);
    matrix("shape", {11, 10}, 11, 10);
    matrix("shape", {huge, 1, huge}, 10, 10);
    matrix("shape", {2, huge}, 10, 10);
    matrix("results", {10, 9, 10}, 9, 10);
    for (method const how : {method::thrust, method::ladder_unrolled, method::halving,
                             static_cast<method>(99), static_cast<method>(-1)}) {
      segments("options.how", offsets_.all(), 2, {.how = how});
      segments("options.how", wf::fixed_length{50}, 2, {.how = how});
      matrix("options.how", {10, 10}, 10, 10, {.how = how});
    }
    expect("values", [&] {
      wf::segmented_reduce(place_, null_span<float const>(3), offsets_.all(), 0.F, wf::plus{},
                           results_.view(0, 2));
    });
    expect("values", [&] {
      wf::reduce_rows(place_, null_span<float const>(3), {1, 3}, 0.F, wf::plus{},
                      results_.view(0, 1));
    });
    expect("offsets", [&] {
      wf::segmented_reduce(place_, values_.all(), null_span<std::int64_t const>(3), 0.F, wf::plus{},
                           results_.view(0, 2));
    });
    expect("results", [&] {
      wf::segmented_reduce(place_, values_.all(), offsets_.all(), 0.F, wf::plus{},
                           null_span<float>(2));
    });
  }

  void of_offsets(std::vector<std::int32_t> const& bad) {
    memory_of<Place, std::int32_t> offsets(place_, bad);
    segments("offsets", offsets.all(), bad.size() - 1);
  }
  void of_cub() {
    segments("options.how", offsets_.all(), 2, {.how = method::cub});
    matrix("options.how", {10, 10}, 10, 10, {.how = method::cub});
  }
  void work() {
    wf::segmented_reduce(place_, values_.all(), offsets_.all(), 0.F, wf::plus{},
                         results_.view(0, 2));
    CHECK(results_.get(0) == 60);
    CHECK(results_.get(1) == 40);
    // Nothing to do is nothing wrong.
    wf::segmented_reduce(place_, values_.all(), offsets_.view(0, 1), 0.F, wf::plus{},
                         results_.view(0, 0));
    wf::segmented_reduce(place_, values_.view(0, 0), wf::fixed_length{7}, 0.F, wf::plus{},
                         results_.view(0, 0));
    wf::reduce_columns(place_, values_.all(), {5, 0}, 0.F, wf::plus{}, results_.view(0, 0));
    wf::reduce_columns(place_, values_.view(0, 0), {0, 2}, 8.F, wf::plus{}, results_.view(0, 2));
    CHECK(results_.get(1) == 8);
  }

private:
  template <class T>
  static wf::detail::result_t<Place, T> null_span(std::size_t size) {
    return {static_cast<T*>(nullptr), size};
  }

  Place& place_;
  memory_of<Place, float> values_;
  memory_of<Place, std::int32_t> offsets_;
  memory_of<Place, float> results_;
};

template <class... Types>
struct types {};
template <class T, class A, class... Ops>
constexpr int admitted(types<Ops...>) {
  return (wf::detail::built_in_segments<T, A, Ops> + ...);
}
template <class T, class... As>
constexpr int admitted_accumulators(types<As...>) {
  return (admitted<T, As>(
              types<wf::plus, wf::multiplies, wf::minimum<>, wf::maximum<>,
                    wf::minimum<wf::nan_policy::ignore>, wf::maximum<wf::nan_policy::ignore>>{}) +
          ...);
}
template <class... Ts>
constexpr int admitted_elements(types<Ts...> candidates) {
  return (admitted_accumulators<Ts>(candidates) + ...);
}

TEST_CASE("the segmented reductions that calls may ask for are those that are compiled") {
  using namespace warpfold; // the list names its operators without it
#define COUNT(T, A, Op) +(wf::detail::built_in_segments<T, A, Op> ? 1 : 1000)
  CHECK(admitted_elements(
            types<bool, std::int8_t, std::int16_t, std::int32_t, std::uint32_t, std::int64_t,
                  std::uint64_t, float, double, __half, __nv_bfloat16>{}) ==
        0 WARPFOLD_FOR_EACH_SEGMENTS(COUNT));
#undef COUNT
}

TEST_CASE("what segments on the host refuse") {
  wf::host place;
  refusals<wf::host> refused(place);
  refused.check_all();
  refused.of_cub();
  refused.of_offsets({0, 50, 49, 100});
  refused.of_offsets({-1, 50});
  refused.of_offsets({0, 101});
  refused.of_offsets({0, 200, 100});
  refused.work();
}

TEST_SUITE("gpu") {
  TEST_CASE("what segments on a gpu refuse") {
    wf::gpu place;
    refusals<wf::gpu> refused(place);
    refused.check_all();
    refused.work();
  }

  TEST_CASE("an async call on long segments names the bytes to reserve") {
    wf::gpu place;
    std::size_t const size = std::size_t{1} << 28;
    wf::device_buffer<float> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(float), place.stream()));
    std::vector<std::int64_t> const positions{0, static_cast<std::int64_t>(size)};
    wf::device_buffer<std::int64_t> const offsets(place, std::span<std::int64_t const>(positions));
    wf::device_buffer<float> result(place, 1);
    auto const call = [&] {
      wf::segmented_reduce_async(place, values, offsets, 1.F, wf::plus{}, result);
    };
    CHECK(refused_by(call) == "place");
    place.reserve(wf::segmented_workspace<float>(size));
    call();
    CHECK(wf::to_vector(place, result.span())[0] == 1);
    wf::gpu other;
    wf::segmented_reduce(other, values, offsets, 2.F, wf::plus{}, result);
    CHECK(wf::to_vector(place, result.span())[0] == 2);
  }
}

} // namespace
