// Refusals of segmented scans: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include "scan/instances.hpp"

#include <warpfold/scan/segmented.hpp>
#include <warpfold/twins/scan.hpp>

#include <numeric>

namespace refusals_segmented_scan_test {

using namespace test;
namespace wf = warpfold;

/// Arrays of a call: 100 floats in 4 segments.
template <class Place>
struct arguments {
  view_t<Place, float const> values;
  view_t<Place, std::int64_t const> offsets;
  view_t<Place, std::uint64_t const> marks;
  view_t<Place, std::int32_t const> keys;
  view_t<Place, float> results;
};

template <class Place>
class segmented_refusals {
public:
  explicit segmented_refusals(Place& place) : place_{place}, all_{place} {}

  void check_all() {
    sizes();
    pointers();
    overlaps();
    offsets();
    vendors();
    work();
  }

private:
  using arrays = arguments<Place>;
  template <class Change>
  arrays with(Change change) {
    arrays a = all_of_it_;
    change(a);
    return a;
  }

  template <class Segments>
  void segmented(std::string const& argument, arrays const& a, Segments const& segments) {
    wf::plus const op;
    all_.of("scan/segmented.hpp");
    all_.row("segmented_inclusive_scan", argument,
             [&] { wf::segmented_inclusive_scan(place_, a.values, segments, op, a.results); });
    all_.row("segmented_inclusive_scan_async", argument, [&] {
      wf::segmented_inclusive_scan_async(place_, a.values, segments, op, a.results);
    });
    all_.row("segmented_exclusive_scan", argument,
             [&] { wf::segmented_exclusive_scan(place_, a.values, segments, 3.F, op, a.results); });
    all_.row("segmented_exclusive_scan_async", argument, [&] {
      wf::segmented_exclusive_scan_async(place_, a.values, segments, 3.F, op, a.results);
    });
  }
  void by_key(std::string const& argument, arrays const& a) {
    wf::plus const op;
    all_.of("scan/segmented.hpp");
    all_.row("inclusive_scan_by_key", argument,
             [&] { wf::inclusive_scan_by_key(place_, a.keys, a.values, op, a.results); });
    all_.row("inclusive_scan_by_key_async", argument,
             [&] { wf::inclusive_scan_by_key_async(place_, a.keys, a.values, op, a.results); });
    all_.row("exclusive_scan_by_key", argument,
             [&] { wf::exclusive_scan_by_key(place_, a.keys, a.values, 3.F, op, a.results); });
    all_.row("exclusive_scan_by_key_async", argument, [&] {
      wf::exclusive_scan_by_key_async(place_, a.keys, a.values, 3.F, op, a.results);
    });
  }
  void with_vendor(std::string const& argument, arrays const& a, twins::vendor twin) {
    wf::plus const op;
    all_.of("twins/scan.hpp");
    all_.row("inclusive_scan_by_key", argument,
             [&] { wf::inclusive_scan_by_key(place_, a.keys, a.values, op, a.results, twin); });
    all_.row("inclusive_scan_by_key_async", argument, [&] {
      wf::inclusive_scan_by_key_async(place_, a.keys, a.values, op, a.results, twin);
    });
    all_.row("exclusive_scan_by_key", argument, [&] {
      wf::exclusive_scan_by_key(place_, a.keys, a.values, 3.F, op, a.results, twin);
    });
    all_.row("exclusive_scan_by_key_async", argument, [&] {
      wf::exclusive_scan_by_key_async(place_, a.keys, a.values, 3.F, op, a.results, twin);
    });
  }
  void vendors() {
    constexpr bool on_gpu = std::same_as<Place, wf::gpu>;
    for (auto const twin : {on_gpu ? twins::thrust : twins::cub, static_cast<twins::vendor>(99)})
      with_vendor("twin", all_of_it_, twin);
    for (auto const twin : {twins::fold, vendor_of(place_)}) {
      with_vendor("keys", with([&](arrays& a) {
                    a.keys = refusals<Place>::template null<std::int32_t const>(100);
                  }),
                  twin);
      with_vendor("values", with([&](arrays& a) { a.keys = a.keys.subspan(0, 99); }), twin);
      with_vendor("results", with([&](arrays& a) { a.results = a.results.subspan(0, 99); }), twin);
    }
  }
  void every(std::string const& argument, arrays const& a) {
    segmented(argument, a, a.offsets);
    segmented(argument, a, wf::fixed_length{25});
    segmented(argument, a, wf::marked_runs{a.marks});
    by_key(argument, a);
  }

  void sizes() {
    for (std::size_t const size : {0, 1, 99})
      every("results", with([&](arrays& a) { a.results = a.results.subspan(0, size); }));
    by_key("values", with([&](arrays& a) { a.keys = a.keys.subspan(0, 99); }));
    segmented("segments", all_of_it_, all_of_it_.offsets.subspan(0, 0));
    for (std::size_t const length : {0, 3, 101, 1000})
      segmented("segments", all_of_it_, wf::fixed_length{length});
    auto const few = all_of_it_.marks.subspan(0, wf::run_marks_size(100) - 1);
    segmented("segments", all_of_it_, wf::marked_runs{few});
  }
  void pointers() {
    using all = refusals<Place>;
    for (auto const bad : all::template nowhere<float const>(100))
      every("values", with([&](arrays& a) { a.values = bad; }));
    for (auto const bad : all::template nowhere<float>(100))
      every("results", with([&](arrays& a) { a.results = bad; }));
    for (auto const bad : all::template nowhere<std::int32_t const>(100)) {
      by_key("keys", with([&](arrays& a) { a.keys = bad; }));
      segmented("segments", all_of_it_, bad);
    }
    for (auto const bad : all::template nowhere<std::int64_t const>(5))
      segmented("segments", all_of_it_, bad);
    for (auto const bad : all::template nowhere<std::uint64_t const>(100))
      segmented("segments", all_of_it_, wf::marked_runs{bad});
    for (std::size_t const size : impossible) {
      every("values", with([&](arrays& a) { a.values = {a.values.data(), size}; }));
      segmented("segments", all_of_it_,
                view_t<Place, std::int64_t const>{all_of_it_.offsets.data(), size});
    }
  }
  void overlaps() {
    auto const both = all_.template memory<float>(150);
    for (std::size_t const apart : {1, 50})
      every("results", with([&](arrays& a) {
              a.values = both.subspan(0, 100);
              a.results = both.subspan(apart, 100);
            }));
    auto const at = [](auto memory) {
      return view_t<Place, float>{const_cast<float*>(reinterpret_cast<float const*>(memory.data())),
                                  100};
    };
    auto const keys = with([&](arrays& a) { a.results = at(a.keys); });
    by_key("results", keys);
    segmented("results", keys, keys.keys);
    auto const marks = with([&](arrays& a) { a.marks = all_.template memory<std::uint64_t>(50); });
    segmented("results", with([&](arrays& a) { a.results = at(marks.marks); }),
              wf::marked_runs{marks.marks});
  }
  void offsets() {
    if constexpr (std::same_as<Place, wf::host>)
      for (auto const& wrong : {std::vector<std::int64_t>{-1, 5}, {0, 7, 6}, {0, 101}, {101}})
        segmented("segments", all_of_it_, wrong);
  }
  void work() {
    std::vector<float> expected(100);
    for (std::size_t i = 0; i < 100; ++i) expected[i] = static_cast<float>(i % 25 + 1);
    memory_of<Place, float> ones(place_, std::vector<float>(100, 1.F));
    auto const& a = all_of_it_;
    auto const check = [&](auto scan) {
      memory_of<Place, float> sums(place_, std::vector<float>(100, 1.F));
      scan(sums.all());
      CHECK(sums.contents() == expected);
    };
    wf::plus const op;
    check([&](auto to) { wf::segmented_inclusive_scan(place_, ones.all(), a.offsets, op, to); });
    check([&](auto to) {
      wf::segmented_inclusive_scan(place_, to, wf::marked_runs{a.marks}, op, to);
    });
    check([&](auto to) { wf::inclusive_scan_by_key(place_, a.keys, to, op, to); });
    // Nothing to do is nothing wrong.
    wf::inclusive_scan_by_key(place_, a.keys.subspan(0, 0), ones.view(3, 0), op, ones.view(2, 0));
    wf::segmented_inclusive_scan(place_, ones.view(3, 0), wf::fixed_length{7}, op, ones.view(2, 0));
  }

  static std::vector<std::int32_t> four_keys() {
    std::vector<std::int32_t> keys(100);
    for (std::size_t i = 0; i < 100; ++i) keys[i] = static_cast<std::int32_t>(i / 25);
    return keys;
  }
  view_t<Place, std::uint64_t const> marked() {
    std::vector<std::uint64_t> words(wf::run_marks_size(100));
    wf::mark_runs(wf::host(1), four_keys(), std::span<std::int32_t>(), words);
    return all_.memory(words);
  }

  Place& place_;
  refusals<Place> all_;
  arrays all_of_it_{all_.template memory<float>(100),
                    all_.memory(std::vector<std::int64_t>{0, 25, 50, 75, 100}), marked(),
                    all_.memory(four_keys()), all_.template memory<float>(100)};
};

FAST_EVERY_PLACE("what segmented scans refuse") { segmented_refusals<Place>(place).check_all(); }

/// True if the library has a scan on both places.
template <class T, class Op>
bool is_compiled() {
  static_assert(wf::detail::built_in_segmented_scan<T, T, Op>);
  void (*on_gpu)(wf::gpu&, wf::device_span<T const>, wf::detail::scan_start<T>, wf::device_span<T>,
                 bool, std::uint64_t const*) =
      &wf::detail::scan_to<T, T, wf::detail::segmented<Op>>;
  void (*on_host)(wf::host const&, std::span<T const>, wf::detail::scan_start<T>, std::span<T>,
                  bool, std::uint64_t const*) =
      &wf::detail::scan_to<T, T, wf::detail::segmented<Op>>;
  return is_there(on_gpu) && is_there(on_host);
}
template <class... Types>
struct types {};
template <class... Ts>
constexpr int admitted(types<Ts...>) {
  auto const of = []<class T>(T) {
    return wf::detail::built_in_segmented_scan<T, T, wf::plus> +
           wf::detail::built_in_segmented_scan<T, T, wf::minimum<>> +
           wf::detail::built_in_segmented_scan<T, T, wf::maximum<>> +
           wf::detail::built_in_segmented_scan<T, T, wf::multiplies> +
           wf::detail::built_in_segmented_scan<T, double, wf::plus> * !std::same_as<T, double>;
  };
  return (of(Ts{}) + ...);
}

TEST_CASE("the segmented scans that calls may ask for are there to link") {
  using namespace warpfold; // the lists name their operators without it
  using wf::detail::segmented;
  int compiled = 0;
  auto const find = [&]<class T, class Op>(T, segmented<Op>) {
    CHECK(is_compiled<T, Op>());
    ++compiled;
  };
#define FIND(T, A, Op) find(T{}, Op{});
  WARPFOLD_SEGMENTED_SCANS_OF_int32(FIND) WARPFOLD_SEGMENTED_SCANS_OF_int64(FIND)
      WARPFOLD_SEGMENTED_SCANS_OF_float(FIND) WARPFOLD_SEGMENTED_SCANS_OF_double(FIND)
#undef FIND
          CHECK(compiled == admitted(types<std::int16_t, std::int32_t, std::uint32_t, std::int64_t,
                                           std::uint64_t, float, double, long double>{}));
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: an async segmented scan needs memory, then neither allocates nor waits") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    // From 2^27 values on the look-back memory that a gpu begins with is too small.
    std::size_t const size = (std::size_t{1} << 27) + 3;
    wf::device_buffer<float> values(place, size);
    wf::device_buffer<std::int32_t> keys(place, size);
    wf::device_buffer<std::int32_t> offsets(place, 3);
    auto const by_key = [&] {
      wf::inclusive_scan_by_key_async(place, keys, values, wf::plus{}, values);
    };
    auto const segmented = [&] {
      wf::segmented_exclusive_scan_async(place, values, offsets, 0.F, wf::plus{}, values);
    };
    // Refused before marks are enqueued: what is captured is empty.
    for (bool const has_workspace : {false, true}) {
      if (has_workspace) place.reserve(wf::segmented_scan_workspace(size));
      int const allocations = memory.allocations;
      CHECK(captured(place, [&] { CHECK(refused_by(by_key) == "place"); }).nodes().empty());
      CHECK(captured(place, [&] { CHECK(refused_by(segmented) == "place"); }).nodes().empty());
      CHECK(memory.allocations == allocations);
    }
    place.reserve_lookback(wf::scan_lookback<float>(size));
    int const allocations = memory.allocations;
    auto const kernel = cudaGraphNodeTypeKernel;
    CHECK(captured(place, by_key).nodes() == std::vector{kernel, kernel});
    CHECK(captured(place, segmented).nodes().size() == 3); // one of them makes marks 0
    CHECK(memory.allocations == allocations);
  }
}

} // namespace refusals_segmented_scan_test
