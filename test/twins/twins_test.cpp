// The tags themselves: what they are called, and that twins::fold is the call without one. What
// twins compute is tested with warpfold's own code, in the verbs' files.

#include "gpu.hpp"
#include "verbs.hpp"

namespace twins_test {

using namespace test;
namespace wf = warpfold;

TEST_CASE("names of tags") {
  CHECK(std::string(to_string(twins::fold)) == "fold");
  CHECK(std::string(to_string(twins::cub)) == "cub");
  CHECK(std::string(to_string(twins::thrust)) == "thrust");
  char const* const rungs[] = {"ladder_divergent", "ladder_strided",   "ladder_sequential",
                               "ladder_first_add", "ladder_last_warp", "ladder_unrolled",
                               "ladder_cascaded",  "halving"};
  for (std::size_t i = 0; i < std::size(rungs); ++i)
    CHECK(std::string(to_string(ladder[i])) == rungs[i]);
  for (int const unknown : {-1, 99}) {
    CHECK(std::string(to_string(static_cast<twins::vendor>(unknown))) == "unknown");
    CHECK(std::string(to_string(static_cast<twins::classic>(unknown))) == "unknown");
  }
}

TEST_CASE("a reducer is a vendor, or a rung and its threads") {
  twins::reducer const vendor = twins::thrust, rung = twins::ladder_strided;
  CHECK_FALSE(vendor.is_classic());
  CHECK(vendor.as_vendor() == twins::thrust);
  CHECK(std::string(to_string(vendor)) == "thrust");
  CHECK(rung.is_classic());
  CHECK(rung.as_classic() == twins::ladder_strided);
  CHECK(rung.block_threads() == 128);
  CHECK(std::string(to_string(rung)) == "ladder_strided");
  CHECK(rung == twins::reducer(twins::ladder_strided, 128));
  CHECK_FALSE(rung == twins::reducer(twins::ladder_strided, 64));
  CHECK_FALSE(twins::reducer(twins::fold) == twins::reducer(twins::ladder_divergent));
}

/// now(tag...) and later(result, tag...) with twins::fold and without a tag.
template <class Place, class Now, class Later>
void check_fold(Place& place, Now now, Later later) {
  auto const expected = now();
  CHECK(agree(now(twins::fold), expected));
  result_of<Place, std::remove_const_t<decltype(expected)>> plain(place), tagged(place);
  later(plain.view());
  later(tagged.view(), twins::fold);
  CHECK(agree(plain.get(), expected));
  CHECK(agree(tagged.get(), expected));
}
template <class Place, class Verb, class Values>
void check_verb(Place& place, Verb verb, Values values) {
  if constexpr (requires { verb.now(place, values, twins::fold); })
    check_fold(
        place, [&](auto... twin) { return verb.now(place, values, twin...); },
        [&](auto to, auto... twin) { verb.later(place, values, to, twin...); });
}

FAST_EVERY_PLACE_OF("twins::fold is the call without a tag", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  auto const values = rough_values<T>(20'012, 161), factors_of = factors<T>(20'012, 161);
  memory_of<Place, T> there(place, values), there_odd(place, factors_of);
  for (std::size_t const size : {0, 1, 33, 20'011})
    for (std::size_t const first : {0, 1}) {
      CAPTURE(size);
      CAPTURE(first);
      auto const x = there.view(first, size), y = there_odd.view(first, size);
      for (auto const view : {x, y})
        for_each_verb<T>([&](auto verb) { check_verb(place, verb, view); });
      check_fold(
          place, [&](auto... twin) { return wf::reduce(place, x, A{3}, wf::maximum<>{}, twin...); },
          [&](auto to, auto... twin) {
            wf::reduce_async(place, x, A{3}, wf::maximum<>{}, to, twin...);
          });
      check_fold(
          place, [&](auto... twin) { return wf::dot(place, x, y, twin...); },
          [&](auto to, auto... twin) { wf::dot_async(place, x, y, to, twin...); });
      if constexpr (std::same_as<T, std::int32_t>) check_verb(place, verbs::sum<std::int64_t>{}, x);
      else if constexpr (std::same_as<T, std::uint32_t>)
        check_verb(place, verbs::sum<std::uint64_t>{}, x);
      else if constexpr (!std::same_as<T, double>) check_verb(place, verbs::sum<double>{}, x);
    }
}

} // namespace twins_test
