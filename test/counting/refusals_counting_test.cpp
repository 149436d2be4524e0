// What counts, histograms and compactions refuse: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include "twins/counting/instances.hpp"

#include <limits>

namespace {

using namespace test;
namespace wf = warpfold;

constexpr wf::less_than below{2.F};
constexpr auto no_vendor = static_cast<twins::vendor>(99);

/// Those that a place refuses to enqueue.
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
}

template <class Place>
void check_counts_of_vendors(refusals<Place>& all) {
  auto& place = all.place();
  auto const values = all.template memory<float>(8);
  auto const count = all.template memory<std::uint64_t>(1);
  auto const verdict = all.template memory<bool>(1);
  using span = typename refusals<Place>::template span<float const>;
  span const null = refusals<Place>::template null<float const>(3);
  all.of("twins/counting.hpp");
  auto const enqueue = [&](char const* argument, span from, twins::vendor how) {
    all.row("count_if_async", argument,
            [&] { wf::count_if_async(place, from, below, count, how); });
    all.row("all_of_async", argument, [&] { wf::all_of_async(place, from, below, verdict, how); });
    all.row("any_of_async", argument, [&] { wf::any_of_async(place, from, below, verdict, how); });
  };
  auto const wait = [&](char const* argument, span from, twins::vendor how) {
    all.row("count_if", argument, [&] { wf::count_if(place, from, below, how); });
    all.row("all_of", argument, [&] { wf::all_of(place, from, below, how); });
    all.row("any_of", argument, [&] { wf::any_of(place, from, below, how); });
  };
  for (twins::vendor const how : refused_by_async(place)) enqueue("twin", values, how);
  wait("twin", values, no_vendor);
  if constexpr (std::same_as<Place, wf::host>) wait("twin", values, twins::cub);
  for (twins::vendor const how : twins_of(place)) wait("values", null, how);
  enqueue("values", null, vendor_of(place));
}

template <class Place>
void check_histograms(refusals<Place>& all) {
  auto& place = all.place();
  using span = typename refusals<Place>::template span<float const>;
  span const values = all.template memory<float>(40);
  auto const counts = all.template memory<std::uint64_t>(16);
  using bins = wf::detail::bins_of<float>;
  bins const fine{16, 0, 1};
  all.of("histogram.hpp");
  auto const refuses = [&](char const* argument, span from, bins const& by) {
    all.row("histogram", argument, [&] { wf::histogram(place, from, by); });
    all.row("histogram_async", argument, [&] { wf::histogram_async(place, from, by, counts); });
  };
  for (auto const bad : all.template nowhere<float const>(3)) refuses("values", bad, fine);
  for (std::size_t const size : impossible) refuses("values", {values.data(), size}, fine);
  constexpr float infinite = std::numeric_limits<float>::infinity(),
                  most = std::numeric_limits<float>::max(),
                  nan = std::numeric_limits<float>::quiet_NaN();
  for (bins const& bad :
       {bins{0, 0, 1}, bins{-1, 0, 1}, bins{std::numeric_limits<int>::max(), 0, 1}, bins{16, 1, 1},
        bins{16, 1, 0}, bins{16, nan, 1}, bins{16, 0, nan}, bins{16, 0, infinite},
        bins{16, -infinite, 0}, bins{16, -most, most}, bins{16, 0, 1e-45F}})
    refuses("bins", values, bad);

  std::vector<std::uint64_t> const before(20, 3);
  auto const shared = all.memory(before);
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
  all.of("compaction.hpp");
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
  refuses("output", values, memory.subspan(0, 16));
  refuses("output", values, memory.subspan(15, 16));
  refuses("output", {memory.data() + 8, 16}, memory.subspan(0, 9));

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
}

template <class Place>
void check_histograms_of_vendors(refusals<Place>& all) {
  auto& place = all.place();
  using span = typename refusals<Place>::template span<float const>;
  span const values = all.template memory<float>(40);
  auto const counts = all.template memory<std::uint64_t>(16);
  using bins = wf::detail::bins_of<float>;
  bins const fine{16, 0, 1};
  all.of("twins/counting.hpp");
  auto const refuses = [&](char const* argument, span from, bins const& by, twins::vendor how) {
    all.row("histogram", argument, [&] { wf::histogram(place, from, by, how); });
    all.row("histogram_async", argument,
            [&] { wf::histogram_async(place, from, by, counts, how); });
  };
  for (twins::vendor const how : {twins::thrust, no_vendor}) refuses("twin", values, fine, how);
  if constexpr (std::same_as<Place, wf::host>) {
    refuses("twin", values, fine, twins::cub);
  } else {
    refuses("values", refusals<Place>::template null<float const>(3), fine, twins::cub);
    refuses("bins", values, {16, 1, 0}, twins::cub);
    auto const shared = all.template memory<std::uint64_t>(20);
    span const within(reinterpret_cast<float const*>(shared.data()), 40);
    all.row("histogram_async", "counts",
            [&] { wf::histogram_async(place, within, fine, shared.subspan(4, 16), twins::cub); });
  }
}

template <class Place>
void check_compactions_of_vendors(refusals<Place>& all) {
  auto& place = all.place();
  using span = typename refusals<Place>::template span<float const>;
  using out = typename refusals<Place>::template span<float>;
  out const memory = all.template memory<float>(40);
  span const values = memory.subspan(0, 16);
  out const output = memory.subspan(16, 16);
  auto const count = all.template memory<std::uint64_t>(1);
  all.of("twins/counting.hpp");
  auto const refuses = [&](char const* argument, span from, out to, twins::vendor how) {
    all.row("compact_if", argument, [&] { wf::compact_if(place, from, below, to, how); });
    all.row("compact_if_async", argument,
            [&] { wf::compact_if_async(place, from, below, to, count, how); });
  };
  for (twins::vendor const how : refused_by_async(place)) refuses("twin", values, output, how);
  twins::vendor const theirs = vendor_of(place);
  refuses("values", refusals<Place>::template null<float const>(3), output, theirs);
  refuses("output", values, output.subspan(0, 15), theirs);
  refuses("output", values, memory.subspan(15, 16), theirs);
}

template <class Place>
void check_all() {
  Place place;
  refusals<Place> all(place);
  check_counts(all);
  check_histograms(all);
  check_compactions(all);
  check_counts_of_vendors(all);
  check_histograms_of_vendors(all);
  check_compactions_of_vendors(all);
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
         compared_binned<T>;
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

TEST_CASE("what counts on the host refuse") { check_all<wf::host>(); }

TEST_SUITE("gpu") {
  TEST_CASE("fast: what counts on a gpu refuse") { check_all<wf::gpu>(); }
}

} // namespace
