// What the reductions refuse: the argument is named, and nothing is written.

#include "gpu.hpp"

namespace {

using namespace test;
namespace wf = warpfold;

/// Refusals that both places share, by way of the blocking and the _async form of one verb.
template <class Place>
class refusals {
public:
  explicit refusals(Place& place)
      : place_{place}, values_(place, std::vector<float>(100, 1.0F)),
        result_(place, std::vector<float>(1, -77.0F)) {}

  template <class Call>
  void expect(std::string const& argument, Call call) {
    CHECK(refused_by(call) == argument);
    CHECK(result_.get(0) == -77.0F);
  }

  void of_sums(std::string const& argument, wf::reduce_options const& options) {
    expect(argument, [&] { wf::sum(place_, values(), options); });
    expect(argument, [&] { wf::sum_async(place_, values(), result(), options); });
  }

  void check_all() {
    for (int const threads : {0, -32, 16, 33, 96, 2048})
      for (method const rung : ladder) {
        CAPTURE(threads);
        of_sums("options.block_threads", {.how = rung, .block_threads = threads});
      }
    for (int const unknown : {-1, 11, 99}) {
      CAPTURE(unknown);
      of_sums("options.how", {.how = static_cast<method>(unknown)});
    }
    expect("options.nan",
           [&] { wf::min(place_, values(), {.nan = static_cast<wf::nan_policy>(2)}); });
    expect("options.nan",
           [&] { wf::max_async(place_, values(), result(), {.nan = wf::nan_policy(-1)}); });

    for (method const rung : ladder) {
      CAPTURE(to_string(rung));
      wf::reduce_options const options{.how = rung};
      expect("options.how", [&] { wf::product(place_, values(), options); });
      expect("options.how", [&] { wf::min(place_, values(), options); });
      expect("options.how", [&] { wf::max_async(place_, values(), result(), options); });
      expect("options.how", [&] { wf::sum<double>(place_, values(), options); });
      expect("options.how", [&] {
        wf::transform_reduce(place_, values(), 0.0F, wf::plus{}, wf::square{}, options);
      });
    }

    auto const null = null_span<float const>(3);
    for (method const how : {method::fold, method::thrust, method::ladder_unrolled}) {
      CAPTURE(to_string(how));
      expect("values", [&] { wf::sum(place_, null, {.how = how}); });
      expect("values", [&] { wf::min(place_, null, {.how = method::fold}); });
    }
    expect("values", [&] { wf::product_async(place_, null, result()); });

    expect("result", [&] { wf::sum_async(place_, values(), null_span<float>(0)); });
    expect("result", [&] { wf::sum_async(place_, values(), null_span<float>(1)); });
    expect("result",
           [&] { wf::reduce_async(place_, values(), 0.0F, wf::plus{}, result_.view(0, 0)); });
  }

  auto values() { return values_.all(); }
  auto result() { return result_.all(); }

private:
  template <class T>
  static wf::detail::result_t<Place, T> null_span(std::size_t size) {
    return {static_cast<T*>(nullptr), size};
  }

  Place& place_;
  memory_of<Place, float> values_, result_;
};

TEST_CASE("what the host refuses") {
  wf::host place;
  refusals<wf::host> refused(place);
  refused.check_all();
  refused.of_sums("options.how", {.how = method::cub});
}

TEST_CASE("block_threads is nobody's business but the ladder's") {
  std::vector<int> const values(10, 1);
  CHECK(wf::sum(wf::host(), values, {.block_threads = 33}) == 10);
}

TEST_CASE("a null span without elements is empty") {
  CHECK(wf::sum(wf::host(), std::span<int const>()) == 0);
  CHECK(wf::sum(wf::host(), std::span<int const>(), {.how = method::ladder_strided}) == 0);
}

TEST_SUITE("gpu") {
  TEST_CASE("what a gpu refuses") {
    wf::gpu place;
    refusals<wf::gpu> refused(place);
    refused.check_all();
    refused.expect("options.how", [&] {
      wf::sum_async(place, refused.values(), refused.result(), {.how = method::thrust});
    });
    // And it works as before.
    CHECK(wf::sum(place, refused.values()) == 100);
  }

  TEST_CASE("an async call does not allocate: it refuses, naming the bytes to reserve") {
    wf::gpu place;
    std::size_t const size = 1'000'003;
    memory_of<wf::gpu, float> values(place, std::vector<float>(size, 1.0F));
    memory_of<wf::gpu, float> result(place, {-77.0F});
    wf::reduce_options const options{.how = method::halving};
    std::size_t const before = place.workspace_size();
    CHECK(refused_by([&] { wf::sum_async(place, values.all(), result.all(), options); }) ==
          "place");
    CHECK(result.get(0) == -77.0F);
    CHECK(place.workspace_size() == before);

    try {
      wf::sum_async(place, values.all(), result.all(), options);
    } catch (wf::argument_error const& error) {
      std::string const what = error.what();
      place.reserve(std::stoull(what.substr(what.find("reserve(") + 8)));
    }
    wf::sum_async(place, values.all(), result.all(), options);
    CHECK(result.get(0) == 1'000'003.0F);
  }

  TEST_CASE("a blocking call grows the workspace by itself") {
    wf::gpu place;
    memory_of<wf::gpu, float> values(place, std::vector<float>(1'000'003, 1.0F));
    CHECK(wf::sum(place, values.all(), {.how = method::halving}) == 1'000'003.0F);
    CHECK(place.workspace_size() > 1'000'003 * sizeof(float) / 2);
  }
}

} // namespace
