// Compaction against a plain loop.

#include "contents.hpp"
#include "reduction/parts.hpp"
#include "twins.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/twins/counting.hpp>

#include <algorithm>
#include <limits>

namespace compaction_test {

using namespace test;
namespace wf = warpfold;

/// 0 ... 99, and NaN and infinities among the floating-point ones.
template <class T>
std::vector<T> percents(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  std::vector<T> values(size);
  for (T& x : values) {
    x = static_cast<T>(random() % 100);
    if constexpr (std::floating_point<T>) {
      auto const kind = random() % 50;
      if (kind == 0) x = std::numeric_limits<T>::quiet_NaN();
      if (kind == 1) x = std::numeric_limits<T>::infinity();
    }
  }
  return values;
}

/// One compaction into room for `room` elements, `start` elements from an aligned address.
template <class T, class Place, class View, class Predicate>
void check_output(Place& place, View values, Predicate predicate, std::vector<T> const& expected,
                  std::size_t start, std::size_t room, twins::vendor vendor, bool blocking) {
  CAPTURE(room);
  std::vector<T> after(start + room + 3, T{101});
  memory_of<Place, T> output(place, after);
  memory_of<Place, std::uint64_t> count(place, {77});
  auto const to = output.view(start, room);
  with_twin<wf::detail::compared_selection<T, Predicate>>(vendor, [&](auto... twin) {
    if (blocking) {
      CHECK(wf::compact_if(place, values, predicate, to, twin...) == expected.size());
    } else {
      wf::compact_if_async(place, values, predicate, to, count.all(), twin...);
      CHECK(count.get(0) == expected.size());
    }
  });
  std::copy_n(expected.begin(), std::min(room, expected.size()),
              after.begin() + static_cast<std::ptrdiff_t>(start));
  CHECK(same_elements(contents(place, output.all()), after)); // and nothing else was touched
}

template <class T, class Place, class Predicate>
void check_selection(Place& place, std::vector<T> const& values, size_list sizes,
                     Predicate predicate) {
  memory_of<Place, T> there(place, values);
  for_each_view(sizes, {0, 1}, [&](std::size_t first, std::size_t size) {
    std::vector<T> expected;
    for (T const x : std::span(values).subspan(first, size))
      if (predicate(x)) expected.push_back(x);
    constexpr bool is_compared = wf::detail::compared_selection<T, Predicate>;
    for (twins::vendor const vendor : async_twins_for<is_compared>(place)) {
      CAPTURE(to_string(vendor));
      auto const check = [&](std::size_t room, bool blocking) {
        check_output<T>(place, there.view(first, size), predicate, expected, 1 - first, room,
                        vendor, blocking);
      };
      check(size, true);
      check(size, false);
      if (vendor != twins::fold) continue;
      for (std::size_t const room : {expected.size(), expected.size() / 2, std::size_t{0}})
        check(room, room % 2 == 0);
    }
  });
}

template <class T, class Place>
void check_predicates(Place& place, unsigned seed, size_list sizes) {
  CAPTURE(seed);
  auto const values = percents<T>(sizes.back() + 2, seed);
  for (int const bound : {0, 1, 50, 99, 100}) {
    CAPTURE(bound);
    check_selection(place, values, sizes, wf::less_than<T>{static_cast<T>(bound)});
  }
  check_selection(place, values, sizes, wf::greater_than<T>{T{10}});
  check_selection(place, values, sizes, wf::equal_to<T>{T{7}});
  if constexpr (std::floating_point<T>) {
    check_selection(place, values, sizes, wf::is_nan{});
    check_selection(place, values, sizes, wf::is_finite{});
  }
}

EVERY_PLACE_OF("compaction", T, std::int32_t, std::int64_t, float, double) {
  if constexpr (!is_gpu<Place>) {
    std::size_t const sizes[] = {0, 1, 33, 4'097, 65'535, 65'536, 65'537, 300'001};
    check_predicates<T>(place, 411, sizes);
  } else {
    // Around a tile: 8192 elements of 4 bytes, 4096 of 8; around the size where the tuning changes;
    // and many times all tiles that are worked on at once.
    std::size_t const sizes[] = {0,     1,     31,    33,     4'095,  4'096,  4'097,
                                 8'191, 8'192, 8'193, 16'385, 65'537, 524'295};
    check_predicates<T>(place, 412, sizes);
    std::size_t const most = (std::size_t{16} << 20) / sizeof(T);
    std::size_t const large[] = {3'000'017, most, most + 1, 9'000'011};
    check_selection(place, percents<T>(9'000'013, 413), large, wf::less_than<T>{T{50}});
  }
}

FAST_EVERY_PLACE("compaction beside its values, and of none") {
  memory_of<Place, float> values(place, std::vector<float>(8, 1.0F));
  wf::less_than const below{2.0F};
  CHECK(wf::compact_if(place, values.view(0, 4), below, values.view(4, 4)) == 4);
  CHECK(wf::compact_if(place, values.view(0, 4), below, values.view(4, 4), twins::fold) == 4);
  CHECK(wf::compact_if(place, values.view(2, 0), below, values.all()) == 0);
  CHECK(wf::compact_if(place, values.all(), below, values.view(2, 0)) == 8);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: compaction of few on a gpu", T, std::int32_t, double) {
    wf::gpu place;
    auto const values = percents<T>(300'003, 414);
    std::size_t const sizes[] = {33, 20'011, 300'001};
    for (int const bound : {0, 50, 101})
      check_selection(place, values, sizes, wf::less_than<T>{static_cast<T>(bound)});
  }
  TEST_CASE("fast: a captured compaction is one kernel") {
    wf::gpu place;
    std::size_t const size = 300'001;
    wf::device_buffer<float> output(place, size);
    wf::device_buffer<std::uint64_t> count(place, 1);
    wf::less_than const below{50.0F};
    auto const enqueue = [&](auto view) {
      wf::compact_if_async(place, view, below, output, count.span());
    };
    auto const check = [&](auto const& other) {
      std::vector<float> expected(size);
      std::uint64_t const kept = wf::compact_if(wf::host(), other, below, expected);
      CHECK(wf::to_vector(place, count.span())[0] == kept);
      expected.resize(kept);
      CHECK(same_elements(wf::to_vector(place, output.span().subspan(0, kept)), expected));
      // Other verbs use the same scratch memory and leave anything there.
      wf::check(cudaMemsetAsync(wf::detail::gpu_scratch(place).workspace(4096), 0x9f, 4096,
                                place.stream()));
    };
    check_replayed<float>(place, size, 1, {415, 416, 417}, enqueue, check, percents<float>);
  }
  TEST_CASE("fast: CUB is refused more elements than it can select from") {
    wf::gpu place;
    wf::device_buffer<float> some(place, 1);
    std::size_t const size = (std::size_t{1} << 31) - (std::size_t{1} << 16) + 1;
    // Neither is read or written.
    wf::device_span<float const> const from(some.data(), size);
    auto const far = reinterpret_cast<std::uintptr_t>(some.data()) + (std::uintptr_t{1} << 36);
    wf::device_span<float> const to(reinterpret_cast<float*>(far), size);
    CHECK(refused_by([&] { wf::compact_if(place, from, wf::is_nan{}, to, twins::cub); }) == "twin");
  }
  TEST_CASE("fast: a compaction that needs room refuses to run before there is some") {
    wf::gpu place;
    std::size_t const size = (std::size_t{1} << 30) + 1; // 2^17 words are the workspace
    wf::device_buffer<float> some(place, 1);
    wf::device_buffer<std::uint64_t> count(place, 1);
    auto const far = reinterpret_cast<std::uintptr_t>(some.data()) + (std::uintptr_t{1} << 36) + 4;
    wf::device_span<float const> const pretended(reinterpret_cast<float*>(far), size); // not read
    CHECK(refused_by([&] {
            wf::compact_if_async(place, pretended, wf::is_nan{}, wf::device_span<float>(),
                                 count.span());
          }) == "place");
  }
}

TEST_SUITE("large") {
  TEST_CASE("more than 2^32 elements compacted") {
    std::size_t const size = (std::size_t{1} << 32) + 54'321;
    wf::gpu place;
    wf::device_buffer<std::int32_t> values(place, size), output(place, size);
    wf::check(cudaMemsetAsync(values.data(), 1, size * sizeof(std::int32_t), place.stream()));
    std::int32_t const common = 0x01010101;
    std::vector<std::int32_t> const odd{1, 2, 3};
    for (std::size_t const at : {std::size_t{7}, size / 2, size - 5'001})
      wf::copy(place, std::span(odd), values.span().subspan(at, 3));
    // CUB does not take as many elements.
    wf::check(cudaMemsetAsync(output.data(), 0xff, size * sizeof(std::int32_t), place.stream()));
    CHECK(wf::compact_if(place, values, wf::equal_to{common}, output) == size - 9);
    CHECK(wf::count_if(place, output.span().subspan(0, size - 9), wf::equal_to{common}) ==
          size - 9);
    CHECK(wf::count_if(place, output.span().subspan(size - 9), wf::equal_to{-1}) == 9);
    CHECK(wf::compact_if(place, values.span().subspan(1), wf::less_than{common}, output) == 9);
    CHECK(wf::to_vector(place, output.span().subspan(0, 10)) ==
          std::vector<std::int32_t>{1, 2, 3, 1, 2, 3, 1, 2, 3, common});
  }
}

} // namespace compaction_test
