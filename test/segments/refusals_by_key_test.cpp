// Refusals of the reductions by key: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include "segments/instances.hpp"
#include "twins/segments/instances.hpp"

#include <warpfold/twins/by_key.hpp>

namespace refusals_by_key_test {

using namespace test;
namespace wf = warpfold;

constexpr auto no_vendor = static_cast<twins::vendor>(99);

/// Arrays of a call: 100 keys and floats, and room for as many runs.
template <class Place>
struct arguments {
  view_t<Place, std::uint32_t const> keys;
  view_t<Place, float const> values;
  view_t<Place, std::uint32_t> unique;
  view_t<Place, float> results;
  view_t<Place, std::uint64_t> lengths; ///< or marks
  view_t<Place, std::uint64_t> count;
};

template <class Place>
class by_key_refusals {
public:
  explicit by_key_refusals(Place& place) : place_{place}, all_{place} {}

  void check_all() {
    sizes();
    pointers();
    overlaps();
    twins_refuse();
    marks();
    work();
  }

private:
  using arrays = arguments<Place>;

  template <class T>
  static view_t<Place, T> as(view_t<Place, std::uint64_t> memory, std::size_t first,
                             std::size_t size) {
    return {reinterpret_cast<T*>(memory.data()) + first, size};
  }
  /// The arguments, changed.
  template <class Change>
  arrays with(Change change) {
    arrays a = all_of_it_;
    change(a);
    return a;
  }

  /// Verbs of keys and values.
  void folds(std::string const& argument, arrays const& a) {
    wf::plus const op;
    all_.of("segments/by_key.hpp");
    if (argument != "count") {
      all_.row("reduce_by_key", argument,
               [&] { wf::reduce_by_key(place_, a.keys, a.values, 0.F, op, a.unique, a.results); });
      all_.row("sum_by_key", argument,
               [&] { wf::sum_by_key(place_, a.keys, a.values, a.unique, a.results); });
      all_.row("exact_sum_by_key", argument,
               [&] { wf::exact_sum_by_key(place_, a.keys, a.values, a.unique, a.results); });
    }
    all_.row("reduce_by_key_async", argument, [&] {
      wf::reduce_by_key_async(place_, a.keys, a.values, 0.F, op, a.unique, a.results, a.count);
    });
    all_.row("sum_by_key_async", argument,
             [&] { wf::sum_by_key_async(place_, a.keys, a.values, a.unique, a.results, a.count); });
    all_.row("exact_sum_by_key_async", argument, [&] {
      wf::exact_sum_by_key_async(place_, a.keys, a.values, a.unique, a.results, a.count);
    });
  }
  /// Verbs of keys alone. `marks` is what mark_runs refuses where that is another argument.
  void keys_alone(std::string const& argument, arrays const& a, char const* marks = nullptr) {
    std::string const of_marks = marks ? marks : argument;
    all_.of("segments/by_key.hpp");
    if (argument != "count") {
      all_.row("run_length_encode", argument,
               [&] { wf::run_length_encode(place_, a.keys, a.unique, a.lengths); });
      all_.row("mark_runs", of_marks, [&] { wf::mark_runs(place_, a.keys, a.unique, a.lengths); });
    }
    all_.row("run_length_encode_async", argument,
             [&] { wf::run_length_encode_async(place_, a.keys, a.unique, a.lengths, a.count); });
    all_.row("mark_runs_async", of_marks,
             [&] { wf::mark_runs_async(place_, a.keys, a.unique, a.lengths, a.count); });
  }
  void both(std::string const& argument, arrays const& a) {
    folds(argument, a);
    keys_alone(argument, a);
  }

  void sizes() {
    for (std::size_t const size : {0, 1, 99})
      folds("values", with([&](arrays& a) { a.values = a.values.subspan(0, size); }));
    folds("values", with([&](arrays& a) { a.keys = a.keys.subspan(0, 99); }));
    both("count", with([&](arrays& a) { a.count = a.count.subspan(0, 0); }));
  }
  void pointers() {
    using all = refusals<Place>;
    for (auto const bad : all::template nowhere<std::uint32_t const>(100))
      both("keys", with([&](arrays& a) { a.keys = bad; }));
    for (auto const bad : all::template nowhere<float const>(100))
      folds("values", with([&](arrays& a) { a.values = bad; }));
    for (auto const bad : all::template nowhere<std::uint32_t>(3))
      both("unique", with([&](arrays& a) { a.unique = bad; }));
    for (auto const bad : all::template nowhere<float>(3))
      folds("results", with([&](arrays& a) { a.results = bad; }));
    for (auto const bad : all::template nowhere<std::uint64_t>(3))
      keys_alone("lengths", with([&](arrays& a) { a.lengths = bad; }), "marks");
    for (auto const bad : all::template nowhere<std::uint64_t>(1))
      both("count", with([&](arrays& a) { a.count = bad; }));
    for (std::size_t const size : impossible) {
      both("keys", with([&](arrays& a) { a.keys = {a.keys.data(), size}; }));
      folds("values", with([&](arrays& a) { a.values = {a.values.data(), size}; }));
      both("unique", with([&](arrays& a) { a.unique = {a.unique.data(), size}; }));
      folds("results", with([&](arrays& a) { a.results = {a.results.data(), size}; }));
      keys_alone("lengths", with([&](arrays& a) {
                   a.lengths = {a.lengths.data(), size};
                 }),
                 "marks");
    }
  }
  /// Every output over every other array, by as little as there can be.
  void overlaps() {
    auto const shared = all_.template memory<std::uint64_t>(110);
    auto const low = as<std::uint32_t>(shared, 0, 100);
    auto const low_floats = as<float>(shared, 0, 100);
    auto const at_end = as<std::uint32_t>(shared, 99, 20);
    auto const floats_at_end = as<float>(shared, 99, 20);
    auto const words_at_end = shared.subspan(49, 20), word_at_end = shared.subspan(49, 1);
    both("unique", with([&](arrays& a) { a.keys = low, a.unique = at_end; }));
    folds("unique", with([&](arrays& a) { a.values = low_floats, a.unique = at_end; }));
    folds("results", with([&](arrays& a) { a.keys = low, a.results = floats_at_end; }));
    folds("results", with([&](arrays& a) { a.values = low_floats, a.results = floats_at_end; }));
    keys_alone("lengths", with([&](arrays& a) { a.keys = low, a.lengths = words_at_end; }),
               "marks");
    both("count", with([&](arrays& a) { a.keys = low, a.count = word_at_end; }));
    folds("count", with([&](arrays& a) { a.values = low_floats, a.count = word_at_end; }));
    // The first of two outputs is named.
    folds("unique", with([&](arrays& a) { a.unique = low, a.results = floats_at_end; }));
    keys_alone("unique", with([&](arrays& a) { a.unique = low, a.lengths = words_at_end; }));
    async_alone("unique", with([&](arrays& a) { a.unique = low, a.count = word_at_end; }));
    folds_async("results", with([&](arrays& a) { a.results = low_floats, a.count = word_at_end; }));
    lengths_async("lengths", with([&](arrays& a) {
                    a.lengths = shared.subspan(0, 50), a.count = word_at_end;
                  }),
                  "marks");
  }
  void async_alone(std::string const& argument, arrays const& a) {
    folds_async(argument, a);
    lengths_async(argument, a);
  }
  void folds_async(std::string const& argument, arrays const& a) {
    all_.of("segments/by_key.hpp");
    all_.row("reduce_by_key_async", argument, [&] {
      wf::reduce_by_key_async(place_, a.keys, a.values, 0.F, wf::plus{}, a.unique, a.results,
                              a.count);
    });
    all_.row("sum_by_key_async", argument,
             [&] { wf::sum_by_key_async(place_, a.keys, a.values, a.unique, a.results, a.count); });
    all_.row("exact_sum_by_key_async", argument, [&] {
      wf::exact_sum_by_key_async(place_, a.keys, a.values, a.unique, a.results, a.count);
    });
  }
  void lengths_async(std::string const& argument, arrays const& a, char const* marks = nullptr) {
    all_.row("run_length_encode_async", argument,
             [&] { wf::run_length_encode_async(place_, a.keys, a.unique, a.lengths, a.count); });
    all_.row("mark_runs_async", marks ? marks : argument,
             [&] { wf::mark_runs_async(place_, a.keys, a.unique, a.lengths, a.count); });
  }

  /// Marks, and verbs that read them.
  void marks() {
    std::size_t const words = wf::run_marks_size(100);
    arrays const& a = all_of_it_;
    auto const too_few = a.lengths.subspan(0, words - 1);
    all_.of("segments/by_key.hpp");
    all_.row("mark_runs", "marks", [&] { wf::mark_runs(place_, a.keys, a.unique, too_few); });
    all_.row("mark_runs_async", "marks",
             [&] { wf::mark_runs_async(place_, a.keys, a.unique, too_few, a.count); });
    auto const reads = [&](std::string const& argument, auto from, auto marks, auto to) {
      wf::marked_runs const runs{marks};
      all_.of("segments.hpp");
      all_.row("segmented_reduce", argument,
               [&] { wf::segmented_reduce(place_, from, runs, 0.F, wf::plus{}, to); });
      all_.row("segmented_reduce_async", argument,
               [&] { wf::segmented_reduce_async(place_, from, runs, 0.F, wf::plus{}, to); });
      all_.of("segments/exact_segments.hpp");
      all_.row("exact_segmented_sum", argument,
               [&] { wf::exact_segmented_sum(place_, from, runs, to); });
      all_.row("exact_segmented_sum_async", argument,
               [&] { wf::exact_segmented_sum_async(place_, from, runs, to); });
    };
    reads("segments", a.values, too_few, a.results);
    for (auto const bad : refusals<Place>::template nowhere<std::uint64_t>(words))
      reads("segments", a.values, bad, a.results);
    for (auto const bad : refusals<Place>::template nowhere<float const>(100))
      reads("values", bad, a.lengths, a.results);
    for (auto const bad : refusals<Place>::template nowhere<float>(3))
      reads("results", a.values, a.lengths, bad);
    auto const shared = all_.template memory<float>(101);
    reads("results", shared.subspan(0, 100), a.lengths, shared.subspan(99, 2));
    reads("results", a.values, a.lengths, as<float>(a.lengths, 1, 1));
  }

  void by_vendor(std::string const& argument, arrays const& a, twins::vendor vendor,
                 float init = 0) {
    wf::plus const op;
    all_.of("twins/by_key.hpp");
    all_.row("reduce_by_key", argument, [&] {
      wf::reduce_by_key(place_, a.keys, a.values, init, op, a.unique, a.results, vendor);
    });
    all_.row("reduce_by_key_async", argument, [&] {
      wf::reduce_by_key_async(place_, a.keys, a.values, init, op, a.unique, a.results, a.count,
                              vendor);
    });
  }
  void lengths_by_vendor(std::string const& argument, arrays const& a, twins::vendor vendor) {
    all_.of("twins/by_key.hpp");
    all_.row("run_length_encode", argument,
             [&] { wf::run_length_encode(place_, a.keys, a.unique, a.lengths, vendor); });
    all_.row("run_length_encode_async", argument, [&] {
      wf::run_length_encode_async(place_, a.keys, a.unique, a.lengths, a.count, vendor);
    });
  }
  void twins_refuse() {
    constexpr bool on_gpu = std::same_as<Place, wf::gpu>;
    for (auto const vendor :
         {on_gpu ? twins::thrust : twins::cub, no_vendor, static_cast<twins::vendor>(-1)}) {
      by_vendor("twin", all_of_it_, vendor);
      lengths_by_vendor("twin", all_of_it_, vendor);
    }
    auto const null_keys =
        with([](arrays& a) { a.keys = refusals<Place>::template null<std::uint32_t const>(100); });
    auto const few_values = with([](arrays& a) { a.values = a.values.subspan(0, 99); });
    auto const over_keys = with([&](arrays& a) {
      a.keys = shared_.subspan(0, 100);
      a.unique = shared_.subspan(99, 100);
    });
    for (auto const vendor : {twins::fold, vendor_of(place_)}) {
      by_vendor("keys", null_keys, vendor);
      lengths_by_vendor("keys", null_keys, vendor);
      by_vendor("values", few_values, vendor);
      by_vendor("unique", over_keys, vendor);
      lengths_by_vendor("unique", over_keys, vendor);
    }
    auto const vendor = vendor_of(place_);
    auto const few_unique = with([](arrays& a) { a.unique = a.unique.subspan(0, 99); });
    by_vendor("unique", few_unique, vendor);
    lengths_by_vendor("unique", few_unique, vendor);
    by_vendor("results", with([](arrays& a) { a.results = a.results.subspan(0, 99); }), vendor);
    lengths_by_vendor("lengths", with([](arrays& a) { a.lengths = a.lengths.subspan(0, 99); }),
                      vendor);
    for (float const init : {1.F, -1e-30F, std::numeric_limits<float>::quiet_NaN()})
      by_vendor("init", all_of_it_, vendor, init);
  }

  /// What is right at the edge of what is refused.
  void work() {
    memory_of<Place, std::uint32_t> keys(place_, {4, 4, 4, 9, 9, 4});
    memory_of<Place, float> values(place_, {1, 2, 3, 4, 5, 6});
    memory_of<Place, std::uint32_t> unique(place_, {77, 77, 77});
    memory_of<Place, float> sums(place_, {77, 77, 77, 77});
    CHECK(wf::sum_by_key(place_, keys.all(), values.all(), unique.view(0, 1), sums.view(0, 2)) ==
          3);
    CHECK(unique.contents() == std::vector<std::uint32_t>{4, 77, 77});
    CHECK(sums.contents() == std::vector<float>{6, 9, 77, 77});
    // No keys, no room, and nowhere.
    using nothing = view_t<Place, float>;
    CHECK(wf::sum_by_key(place_, keys.view(0, 0), values.view(0, 0), unique.view(0, 0),
                         sums.view(0, 0)) == 0);
    CHECK(wf::exact_sum_by_key(place_, keys.all(), values.all(), view_t<Place, std::uint32_t>(),
                               nothing()) == 3);
    CHECK(wf::run_length_encode(place_, keys.all(), view_t<Place, std::uint32_t>(),
                                view_t<Place, std::uint64_t>()) == 3);
    // Outputs right behind each other and the inputs.
    memory_of<Place, float> row(place_, {1, 2, 3, 4, 5, 6, 77, 77, 77});
    wf::reduce_by_key(place_, keys.all(), row.view(0, 6), 1.F, wf::plus{}, unique.all(),
                      row.view(6, 3));
    CHECK(row.contents() == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 10, 7});
    CHECK(unique.contents() == std::vector<std::uint32_t>{4, 9, 4});
  }

  Place& place_;
  refusals<Place> all_;
  view_t<Place, std::uint32_t> shared_ = all_.template memory<std::uint32_t>(200);
  arrays all_of_it_{
      all_.template memory<std::uint32_t>(100), all_.template memory<float>(100),
      all_.template memory<std::uint32_t>(100), all_.template memory<float>(100),
      all_.template memory<std::uint64_t>(100), all_.template memory<std::uint64_t>(1)};
};

FAST_EVERY_PLACE("what reductions by key refuse") { by_key_refusals<Place>(place).check_all(); }

template <class... Keys>
constexpr int admitted_keys = (0 + ... +
                               (wf::detail::built_in_key<Keys> +
                                1000 * wf::detail::compared_keys<std::vector<Keys>, wf::host>));
template <class T, class... Results>
constexpr int admitted_sums = (0 + ... +
                               (wf::detail::compared_by_key<T, Results, wf::plus> +
                                wf::detail::compared_by_key<T, Results, wf::maximum<>>));
template <class... Ts>
constexpr int all_admitted_sums =
    (0 + ... + admitted_sums<Ts, std::int32_t, std::uint32_t, std::int64_t, float, double>);

TEST_CASE("the keys and sums by key that calls may ask for are those that are compiled") {
#define COUNT(K) +(wf::detail::built_in_key<K> ? 1 : 1'000'000)
#define COUNT_VENDORS(T) +(wf::detail::compared_by_key<T, T, wf::plus> ? 1 : 1'000'000)
  CHECK(admitted_keys<char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                      std::uint32_t, std::int64_t, std::uint64_t, float, double, long double,
                      __half, __nv_bfloat16> ==
        1000 WARPFOLD_KEYS_OF_int32(COUNT) WARPFOLD_KEYS_OF_int64(COUNT)
            WARPFOLD_KEYS_OF_float(COUNT) WARPFOLD_KEYS_OF_double(COUNT));
  CHECK(all_admitted_sums<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double,
                          __half> == 0 WARPFOLD_COMPARED_BY_KEY(COUNT_VENDORS));
#undef COUNT
#undef COUNT_VENDORS
}

/// True if the library marks such keys on both places.
template <class K>
bool is_marked() {
  void (*on_gpu)(wf::gpu&, K const*, std::size_t, K*, std::size_t, wf::detail::marks_output) =
      &wf::detail::mark_runs_to<K>;
  void (*on_host)(wf::host const&, K const*, std::size_t, K*, std::size_t,
                  wf::detail::marks_output) = &wf::detail::mark_runs_to<K>;
  return is_there(on_gpu) && is_there(on_host);
}

TEST_CASE("every key's marks are there to link") {
#define FIND(K) CHECK(is_marked<K>());
  WARPFOLD_KEYS_OF_int32(FIND) WARPFOLD_KEYS_OF_int64(FIND) WARPFOLD_KEYS_OF_float(FIND)
      WARPFOLD_KEYS_OF_double(FIND)
#undef FIND
}

// The compiler refuses other calls where the caller stands, not the linker.
template <class Keys, class Values, class A, class Op>
concept reduces = requires(wf::host& place, Keys keys, Values const& values, A init,
                           std::vector<A> results) {
  wf::reduce_by_key(place, keys, values, init, Op{}, keys, results);
};
template <class Keys, class Values, class Sums>
concept sums = requires(wf::host& place, Keys keys, Values const& values, Sums& results) {
  wf::sum_by_key(place, keys, values, keys, results);
};

TEST_CASE("what reductions by key are not built in does not compile") {
  using std::vector, wf::plus;
  using keys = vector<std::uint32_t>;
  CHECK(reduces<keys, vector<float>, float, plus>);
  CHECK(reduces<vector<double>, vector<float>, double, plus>);
  CHECK(reduces<keys, vector<__half>, float, wf::maximum<>>);
  CHECK_FALSE(reduces<vector<short>, vector<float>, float, plus>);
  CHECK_FALSE(reduces<keys, vector<float>, float, std::plus<>>);
  CHECK_FALSE(reduces<keys, vector<float>, int, plus>);
  CHECK_FALSE(reduces<keys, wf::device_span<float>, float, plus>);
  CHECK(sums<keys, vector<float>, vector<double>>);
  CHECK_FALSE(sums<keys, vector<float>, vector<int>>);
  CHECK_FALSE(sums<keys, vector<float>, vector<float> const>);
  CHECK_FALSE(sums<vector<__half>, vector<float>, vector<float>>);
}

TEST_SUITE("gpu") {
  TEST_CASE("an async call by key names the bytes to reserve, then neither allocates nor waits") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    std::size_t const size = std::size_t{1} << 28;
    wf::device_buffer<std::uint32_t> keys(place, size), unique(place, 1);
    wf::device_buffer<float> values(place, size), sums(place, 1);
    wf::device_buffer<std::uint64_t> count(place, 1);
    auto const sum = [&] { wf::sum_by_key_async(place, keys, values, unique, sums, count); };
    auto const encode = [&] {
      wf::run_length_encode_async(place, keys, unique, wf::device_span<std::uint64_t>(), count);
    };
    CHECK(refused_by(sum) == "place");
    CHECK(refused_by(encode) == "place");
    place.reserve(wf::run_length_workspace<std::uint32_t>(size));
    int allocations = memory.allocations;
    captured const encoded(place, encode);
    CHECK(memory.allocations == allocations);
    place.reserve(wf::by_key_workspace<std::uint32_t, float>(size));
    allocations = memory.allocations;
    captured const summed(place, sum);
    CHECK(memory.allocations == allocations);
  }
}

} // namespace refusals_by_key_test
