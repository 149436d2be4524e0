// Refusals of counts, histograms and compactions: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include "twins/counting/instances.hpp"

#include <limits>

namespace refusals_counting_test {

using namespace test;
namespace wf = warpfold;

constexpr wf::less_than below{2.F};
constexpr auto no_vendor = static_cast<twins::vendor>(99);

/// The tags that a place refuses to enqueue.
std::vector<twins::vendor> refused_by_async(wf::host const&) { return {twins::cub, no_vendor}; }
std::vector<twins::vendor> refused_by_async(wf::gpu const&) { return {twins::thrust, no_vendor}; }

template <class Place>
void check_counts(refusals<Place>& all) {
  auto& place = all.place();
  all.of("counting.hpp");
  all.template reads<float, std::uint64_t>(
      "count_if", [&](auto from) { wf::count_if(place, from, below); }, "count_if_async",
      [&](auto from, auto to) { wf::count_if_async(place, from, below, to); });
  all.template reads<float, bool>(
      "all_of", [&](auto from) { wf::all_of(place, from, below); }, "all_of_async",
      [&](auto from, auto to) { wf::all_of_async(place, from, below, to); });
  all.template reads<float, bool>(
      "any_of", [&](auto from) { wf::any_of(place, from, below); }, "any_of_async",
      [&](auto from, auto to) { wf::any_of_async(place, from, below, to); });

  using span = typename refusals<Place>::template span<float const>;
  span const values = all.template memory<float>(8), null = all.template null<float const>(3);
  auto const count = all.template memory<std::uint64_t>(1);
  auto const verdict = all.template memory<bool>(1);
  all.of("twins/counting.hpp");
  auto const enqueue = [&](char const* argument, span from, twins::vendor vendor) {
    all.row("count_if_async", argument,
            [&] { wf::count_if_async(place, from, below, count, vendor); });
    all.row("all_of_async", argument,
            [&] { wf::all_of_async(place, from, below, verdict, vendor); });
    all.row("any_of_async", argument,
            [&] { wf::any_of_async(place, from, below, verdict, vendor); });
  };
  auto const wait = [&](char const* argument, span from, twins::vendor vendor) {
    all.row("count_if", argument, [&] { wf::count_if(place, from, below, vendor); });
    all.row("all_of", argument, [&] { wf::all_of(place, from, below, vendor); });
    all.row("any_of", argument, [&] { wf::any_of(place, from, below, vendor); });
  };
  for (twins::vendor const vendor : refused_by_async(place)) enqueue("twin", values, vendor);
  wait("twin", values, no_vendor);
  if constexpr (std::same_as<Place, wf::host>) wait("twin", values, twins::cub);
  for (twins::vendor const vendor : twins_of(place)) wait("values", null, vendor);
  enqueue("values", null, vendor_of(place));
}

template <class Place>
void check_histograms(refusals<Place>& all) {
  auto& place = all.place();
  using span = typename refusals<Place>::template span<float const>;
  using bins = wf::detail::bins_of<float>;
  span const values = all.template memory<float>(40);
  auto const counts = all.template memory<std::uint64_t>(16);
  bins const fine{16, 0, 1};
  all.of("counting/histogram.hpp");
  auto const refuses = [&](char const* argument, auto from, auto const& by) {
    all.row("histogram", argument, [&] { wf::histogram(place, from, by); });
    all.row("histogram_async", argument, [&] { wf::histogram_async(place, from, by, counts); });
  };
  for (auto const bad : all.template nowhere<float const>(3)) refuses("values", bad, fine);
  for (std::size_t const size : impossible) refuses("values", span{values.data(), size}, fine);
  constexpr float infinite = std::numeric_limits<float>::infinity(),
                  most = std::numeric_limits<float>::max(),
                  nan = std::numeric_limits<float>::quiet_NaN();
  for (bins const& bad :
       {bins{0, 0, 1}, bins{-1, 0, 1}, bins{8'193, 0, 1},
        bins{std::numeric_limits<int>::max(), 0, 1}, bins{16, 1, 1}, bins{16, 1, 0},
        bins{16, nan, 1}, bins{16, 0, nan}, bins{16, 0, infinite}, bins{16, -infinite, 0},
        bins{16, -most, most}, bins{16, -3e38F, 3e38F}, bins{16, 0, 1e-44F}, bins{16, 0, 1e-45F}})
    refuses("bins", values, bad);
  using integers = wf::even_bins<std::int64_t>;
  constexpr std::int64_t half = std::int64_t{1} << 31;
  for (integers const& bad :
       {integers{16, 3, 3}, integers{16, 0, half + 1}, integers{16, -half - 1, 0}})
    refuses("bins", all.template memory<std::int32_t>(3), bad);
  for (integers const& bad : {integers{16, 0, 257}, integers{16, -1, 256}})
    refuses("bins", all.template memory<std::uint8_t>(3), bad);

  auto const shared = all.memory(std::vector<std::uint64_t>(20, 3));
  span const within(reinterpret_cast<float const*>(shared.data()), 40);
  auto const refuses_counts = [&](span from, auto to) {
    all.row("histogram_async", "counts", [&] { wf::histogram_async(place, from, fine, to); });
  };
  refuses_counts(values, counts.subspan(0, 15));
  refuses_counts(values, counts.subspan(0, 0));
  for (auto const bad : all.template nowhere<std::uint64_t>(16)) refuses_counts(values, bad);
  refuses_counts(within, shared.subspan(0, 16));
  refuses_counts(within, shared.subspan(4, 16));
  refuses_counts({within.data() + 31, 1}, shared.subspan(0, 16));

  all.of("twins/counting.hpp");
  auto const vendor_refuses = [&](char const* argument, span from, bins const& by,
                                  twins::vendor vendor) {
    all.row("histogram", argument, [&] { wf::histogram(place, from, by, vendor); });
    all.row("histogram_async", argument,
            [&] { wf::histogram_async(place, from, by, counts, vendor); });
  };
  for (twins::vendor const vendor : {twins::thrust, no_vendor, static_cast<twins::vendor>(-1)})
    vendor_refuses("twin", values, fine, vendor);
  if constexpr (std::same_as<Place, wf::host>) {
    vendor_refuses("twin", values, fine, twins::cub);
  } else {
    vendor_refuses("values", all.template null<float const>(3), fine, twins::cub);
    vendor_refuses("bins", values, {16, 1, 0}, twins::cub);
    all.row("histogram_async", "counts",
            [&] { wf::histogram_async(place, within, fine, shared.subspan(4, 16), twins::cub); });
  }
}

template <class Place>
void check_compactions(refusals<Place>& all) {
  auto& place = all.place();
  using span = typename refusals<Place>::template span<float const>;
  using out = typename refusals<Place>::template span<float>;
  out const memory = all.template memory<float>(40);
  span const values = memory.subspan(0, 16);
  out const output = memory.subspan(16, 16);
  auto const count = all.template memory<std::uint64_t>(1);
  all.of("counting/compaction.hpp");
  auto const refuses = [&](char const* argument, span from, out to) {
    all.row("compact_if", argument, [&] { wf::compact_if(place, from, below, to); });
    all.row("compact_if_async", argument,
            [&] { wf::compact_if_async(place, from, below, to, count); });
  };
  for (auto const bad : all.template nowhere<float const>(3)) refuses("values", bad, output);
  for (auto const bad : all.template nowhere<float>(3)) refuses("output", values, bad);
  for (std::size_t const size : impossible) {
    refuses("values", {values.data(), size}, output);
    refuses("output", values, {output.data(), size});
  }
  for (std::size_t const first : {0, 3, 15}) { // in place, and partly
    refuses("output", memory.subspan(0, first + 1), memory.subspan(first, 16 - first));
    refuses("output", memory.subspan(first, 16 - first), memory.subspan(0, first + 1));
  }
  refuses("output", values, memory.subspan(15, 16));
  refuses("output", memory.subspan(8, 16), memory.subspan(0, 9));

  auto const shared = all.template memory<std::uint64_t>(20);
  auto* const floats = reinterpret_cast<float*>(shared.data());
  auto const refuses_count = [&](span from, out to, auto counted) {
    all.row("compact_if_async", "count",
            [&] { wf::compact_if_async(place, from, below, to, counted); });
  };
  refuses_count(values, output, count.subspan(0, 0));
  for (auto const bad : all.template nowhere<std::uint64_t>(1)) refuses_count(values, output, bad);
  refuses_count({floats, 10}, output, shared.subspan(4, 1));
  refuses_count(values, {floats + 1, 10}, shared.subspan(0, 1));

  all.of("twins/counting.hpp");
  auto const vendor_refuses = [&](char const* argument, span from, out to, twins::vendor vendor) {
    all.row("compact_if", argument, [&] { wf::compact_if(place, from, below, to, vendor); });
    all.row("compact_if_async", argument,
            [&] { wf::compact_if_async(place, from, below, to, count, vendor); });
  };
  for (twins::vendor const vendor : refused_by_async(place))
    vendor_refuses("twin", values, output, vendor);
  twins::vendor const theirs = vendor_of(place);
  vendor_refuses("values", all.template null<float const>(3), output, theirs);
  vendor_refuses("output", values, output.subspan(0, 15), theirs);
  vendor_refuses("output", values, memory.subspan(15, 16), theirs);
}

FAST_EVERY_PLACE("what counts refuse") {
  refusals<Place> all(place);
  check_counts(all);
  check_histograms(all);
  check_compactions(all);
  memory_of<Place, float> values(place, {1, 2, 3, 1});
  CHECK(wf::count_if(place, values.all(), below) == 2);
}

template <class... Ts>
struct types {};
template <class T>
constexpr int compared_of() {
  using namespace wf::detail;
  return compared_predicate<T, wf::less_than<T>> + compared_predicate<T, wf::greater_than<T>> +
         compared_predicate<T, wf::equal_to<T>> + compared_predicate<T, wf::is_nan> +
         compared_predicate<T, wf::is_finite> + compared_selection<T, wf::less_than<T>> +
         compared_selection<T, wf::greater_than<T>> + compared_selection<T, wf::equal_to<T>> +
         compared_selection<T, wf::is_nan> + compared_selection<T, wf::is_finite> +
         compared_histogram<std::span<T const>, wf::host>;
}
template <class... Ts>
constexpr int compared_of_all(types<Ts...>) {
  return (compared_of<Ts>() + ...);
}

TEST_CASE("the vendors' counts that calls may ask for are those that are compiled") {
  using namespace warpfold; // the lists name their predicates without it
  wf::host place;
  int compiled = 0;
#define CALL(T, Predicate)                                                                         \
  CHECK(wf::count_if(place, std::vector<T>(), Predicate{}, twins::thrust) == 0);                   \
  ++compiled;
  WARPFOLD_COMPARED_COUNTS(CALL)
#undef CALL
#define CALL(T, Predicate)                                                                         \
  CHECK(wf::compact_if(place, std::vector<T>(), Predicate{}, std::span<T>(), twins::thrust) == 0); \
  ++compiled;
  WARPFOLD_COMPARED_SELECTIONS(CALL)
#undef CALL
#define CALL(T)                                                                                    \
  CHECK(wf::histogram(place, std::vector<T>(), {2, 0, 2}, twins::fold).size() == 2);               \
  ++compiled;
  WARPFOLD_COMPARED_HISTOGRAMS(CALL)
#undef CALL
  CHECK(compared_of_all(
            types<bool, std::uint8_t, std::int16_t, std::int32_t, std::uint32_t, std::int64_t,
                  std::uint64_t, float, double, __half, __nv_bfloat16>{}) == compiled);
}

} // namespace refusals_counting_test
