// What counts, histograms and compactions refuse: the argument is named, and nothing is written.

#include "refusals.hpp"

#include <limits>

namespace {

using namespace test;
namespace wf = warpfold;

constexpr wf::less_than below{2.F};

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
  auto const values = all.template memory<float>(8);
  auto const refuses = [&](method how) {
    wf::reduce_options const options{.how = how};
    all.row("count_if", "options.how", [&] { wf::count_if(place, values, below, options); });
    all.row("all_of", "options.how", [&] { wf::all_of(place, values, below, options); });
    all.row("any_of", "options.how", [&] { wf::any_of(place, values, below, options); });
  };
  for (method const rung : ladder) refuses(rung);
  refuses(static_cast<method>(99));
  if constexpr (std::same_as<Place, wf::host>) refuses(method::cub);
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
  auto const refuses = [&](char const* argument, span from, bins const& by, method how) {
    all.row("histogram", argument, [&] { wf::histogram(place, from, by, {.how = how}); });
    all.row("histogram_async", argument,
            [&] { wf::histogram_async(place, from, by, counts, {.how = how}); });
  };
  for (auto const bad : all.template nowhere<float const>(3))
    refuses("values", bad, fine, method::fold);
  for (std::size_t const size : impossible)
    refuses("values", {values.data(), size}, fine, method::fold);
  constexpr float infinite = std::numeric_limits<float>::infinity(),
                  most = std::numeric_limits<float>::max(),
                  nan = std::numeric_limits<float>::quiet_NaN();
  for (bins const& bad :
       {bins{0, 0, 1}, bins{-1, 0, 1}, bins{std::numeric_limits<int>::max(), 0, 1}, bins{16, 1, 1},
        bins{16, 1, 0}, bins{16, nan, 1}, bins{16, 0, nan}, bins{16, 0, infinite},
        bins{16, -infinite, 0}, bins{16, -most, most}, bins{16, 0, 1e-45F}})
    refuses("bins", values, bad, method::fold);
  refuses("options.how", values, fine, method::ladder_strided);
  refuses("options.how", values, fine, static_cast<method>(-1));
  refuses("options.how", values, fine,
          std::same_as<Place, wf::host> ? method::cub : method::thrust);

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
  auto const refuses = [&](char const* argument, span from, out to, method how = method::fold) {
    wf::reduce_options const options{.how = how};
    all.row("compact_if", argument, [&] { wf::compact_if(place, from, below, to, options); });
    all.row("compact_if_async", argument,
            [&] { wf::compact_if_async(place, from, below, to, count, options); });
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
  method const for_all = std::same_as<Place, wf::host> ? method::thrust : method::cub;
  method const of_the_other = std::same_as<Place, wf::host> ? method::cub : method::thrust;
  refuses("output", values, output.subspan(0, 15), for_all);
  refuses("options.how", values, output, of_the_other);
  refuses("options.how", values, output, static_cast<method>(99));
  for (method const rung : ladder) refuses("options.how", values, output, rung);

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
void check_all() {
  Place place;
  refusals<Place> all(place);
  check_counts(all);
  check_histograms(all);
  check_compactions(all);
  memory_of<Place, float> values(place, {1, 2, 3, 1});
  CHECK(wf::count_if(place, values.all(), below) == 2);
}

TEST_CASE("what counts on the host refuse") { check_all<wf::host>(); }

TEST_SUITE("gpu") {
  TEST_CASE("fast: what counts on a gpu refuse") { check_all<wf::gpu>(); }
}

} // namespace
