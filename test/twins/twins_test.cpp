// The tags themselves: what they are called, and that twins::fold is the call without one. What
// twins compute is tested with warpfold's own code, in the verbs' files.

#include "gpu.hpp"
#include "reduction/description.hpp"
#include "twins.hpp"

#include <warpfold/twins/norms.hpp>
#include <warpfold/twins/statistics.hpp>

namespace {

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

template <class A>
bool same(A const& a, A const& b) {
  if constexpr (std::is_arithmetic_v<A>) return same_bits(a, b) || (a != a && b != b);
  else if constexpr (requires { a.index; })
    return same_bits(a.value, b.value) && a.index == b.index; // the rest is padding
  else return same_bits(a, b);
}
template <class A>
bool same(wf::description<A> const& a, wf::description<A> const& b) {
  return same_description(a, b);
}

/// now(tag...) and later(result, tag...) with twins::fold and without a tag.
template <class Place, class Now, class Later>
void check_verb(Place& place, Now now, Later later) {
  auto const expected = now();
  using result_type = std::remove_const_t<decltype(expected)>;
  CHECK(same(now(twins::fold), expected));
  memory_of<Place, result_type> results(place, std::vector<result_type>(2));
  later(results.view(0, 1));
  later(results.view(1, 1), twins::fold);
  CHECK(same(results.get(0), expected));
  CHECK(same(results.get(1), expected));
}

#define CHECK_VERB(verb, ...)                                                                      \
  check_verb(                                                                                      \
      place, [&](auto... twin) { return wf::verb(place, __VA_ARGS__, twin...); },                  \
      [&](auto to, auto... twin) { wf::verb##_async(place, __VA_ARGS__, to, twin...); })

FAST_EVERY_PLACE_OF("twins::fold is the call without a tag", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  auto const values = rough_values<T>(20'012, 161), factors_of = factors<T>(20'012, 161);
  memory_of<Place, T> there(place, values), there_odd(place, factors_of);
  for (std::size_t const size : {0, 1, 33, 20'011})
    for (std::size_t const first : {0, 1}) {
      CAPTURE(size);
      CAPTURE(first);
      auto const x = there.view(first, size), y = there_odd.view(first, size);
      CHECK_VERB(sum, x);
      CHECK_VERB(product, y);
      CHECK_VERB(min, x);
      CHECK_VERB(max, x);
      CHECK_VERB(reduce, x, A{3}, wf::plus{});
      CHECK_VERB(reduce, x, A{3}, wf::maximum<>{});
      CHECK_VERB(transform_reduce, x, A{3}, wf::plus{}, wf::square{});
      CHECK_VERB(argmin, x);
      CHECK_VERB(argmax, x);
      CHECK_VERB(minmax, x);
      CHECK_VERB(describe, x);
      CHECK_VERB(mean, x);
      CHECK_VERB(variance, x);
      CHECK_VERB(dot, x, y);
      if constexpr (!std::integral<T>) {
        CHECK_VERB(norm1, x);
        CHECK_VERB(norm2, x);
        CHECK_VERB(norm_inf, x);
        CHECK_VERB(compensated_sum, x);
      }
      if constexpr (!std::same_as<T, double>) {
        using Wide = std::conditional_t<
            std::same_as<T, std::int32_t>, std::int64_t,
            std::conditional_t<std::same_as<T, std::uint32_t>, std::uint64_t, double>>;
        check_verb(
            place, [&](auto... twin) { return wf::sum<Wide>(place, x, twin...); },
            [&](auto to, auto... twin) { wf::sum_async<Wide>(place, x, to, twin...); });
      }
    }
}

} // namespace
