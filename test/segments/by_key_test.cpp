// Reductions by key: every run has the bits of reduce of its values alone; the keys and lengths of
// runs are those that std::unique_copy and a walk find.

#include "contents.hpp"
#include "gpu.hpp"
#include "segments.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/segments/by_key.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace by_key_test {

using namespace test;
namespace wf = warpfold;

/// What a walk over the keys finds.
template <class K>
struct runs_of {
  std::vector<K> unique;
  std::vector<std::int64_t> begins; ///< and the end of the last one
  std::vector<std::uint64_t> lengths;

  explicit runs_of(std::vector<K> const& keys) {
    std::ranges::unique_copy(keys, std::back_inserter(unique));
    begins.push_back(0);
    for (std::size_t i = 1; i <= keys.size(); ++i)
      if (i == keys.size() || !(keys[i - 1] == keys[i])) {
        lengths.push_back(i - static_cast<std::size_t>(begins.back()));
        begins.push_back(static_cast<std::int64_t>(i));
      }
    if (keys.empty()) return;
    REQUIRE(unique.size() == lengths.size());
  }
  [[nodiscard]] std::size_t count() const { return lengths.size(); }
};

/// Keys of runs of such lengths; neighbours differ.
template <class K>
std::vector<K> keys_of(std::vector<std::size_t> const& lengths) {
  std::vector<K> keys;
  std::size_t run = 0;
  for (std::size_t const length : lengths)
    if (length > 0) {
      keys.insert(keys.end(), length, static_cast<K>(run * 7 % 11 + run % 2));
      ++run;
    }
  return keys;
}

template <class K>
bool same_keys(std::vector<K> const& a, std::vector<K> const& b) {
  return std::ranges::equal(a, b, [](K x, K y) { return same_bits(x, y) || (x != x && y != y); });
}

/// The first elements of `all`, and then 77.
template <class T>
std::vector<T> clipped(std::vector<T> all, std::size_t room, std::size_t size) {
  all.resize(std::min(all.size(), room));
  all.resize(size, T(77));
  return all;
}

template <class Place, class K>
class keyed {
public:
  keyed(Place& place, std::vector<K> const& keys) : place_{place}, runs{keys}, keys_(place, keys) {}

  auto keys() { return keys_.all(); }
  runs_of<K> const& of() const { return runs; }

  /// verb(unique, results) and async(unique, results, count) find the runs, and `expected`, as far
  /// as there is room.
  template <class A, class Verb, class Async>
  void expect(std::vector<A> const& expected, Verb verb, Async async) {
    std::size_t const count = runs.count();
    for (std::size_t const room : {count, count + 2, count / 2, std::size_t{0}})
      for (bool const blocking : {true, false}) {
        CAPTURE(room);
        CAPTURE(blocking);
        std::size_t const size = count + 2;
        memory_of<Place, K> unique(place_, std::vector<K>(size, K(77)));
        memory_of<Place, A> results(place_, std::vector<A>(size, A(77)));
        std::uint64_t found = 0;
        if (blocking) found = verb(unique.view(0, room), results.view(0, room));
        else {
          memory_of<Place, std::uint64_t> there(place_, std::vector<std::uint64_t>(1, 99));
          async(unique.view(0, room), results.view(0, room), there.all());
          found = there.contents().front();
        }
        CHECK(found == count);
        CHECK(same_keys(unique.contents(), clipped(runs.unique, room, size)));
        CHECK(differences(results.contents(), clipped(expected, room, size)) == "");
      }
  }

private:
  Place& place_;
  runs_of<K> runs;
  memory_of<Place, K> keys_;
};

template <class A, class T, class Op>
std::vector<A> one_by_one(std::vector<T> const& values, std::vector<std::int64_t> const& begins,
                          A init, Op op) {
  std::vector<A> results;
  wf::host const one(1);
  for (std::size_t i = 0; i + 1 < begins.size(); ++i)
    results.push_back(wf::reduce(one, segment_of(values, begins, i), init, op));
  return results;
}

/// All verbs over keys of type K and values of type T.
template <class K, class T, class Place>
void check(Place& place, std::vector<std::size_t> const& lengths, unsigned seed) {
  using A = accumulator_t<T>;
  CAPTURE(seed);
  auto const keys = keys_of<K>(lengths);
  auto const values = rough_values<T>(keys.size(), seed);
  memory_of<Place, T> there(place, values);
  keyed<Place, K> all(place, keys);
  wf::plus const op;
  A const init(3);
  auto const sums = one_by_one<A>(values, all.of().begins, init, op);
  all.template expect<A>(
      sums,
      [&](auto unique, auto results) {
        return wf::reduce_by_key(place, all.keys(), there.all(), init, op, unique, results);
      },
      [&](auto unique, auto results, auto count) {
        wf::reduce_by_key_async(place, all.keys(), there.all(), init, op, unique, results, count);
      });
  all.template expect<std::uint64_t>(
      all.of().lengths,
      [&](auto unique, auto found) {
        return wf::run_length_encode(place, all.keys(), unique, found);
      },
      [&](auto unique, auto found, auto count) {
        wf::run_length_encode_async(place, all.keys(), unique, found, count);
      });
  if constexpr (!std::integral<T>) {
    auto const plain = one_by_one<A>(values, all.of().begins, A(0), op);
    all.template expect<A>(
        plain,
        [&](auto unique, auto found) {
          return wf::sum_by_key(place, all.keys(), there.all(), unique, found);
        },
        [&](auto unique, auto found, auto count) {
          wf::sum_by_key_async(place, all.keys(), there.all(), unique, found, count);
        });
    std::vector<A> exact;
    for (std::size_t i = 0; i < all.of().count(); ++i)
      exact.push_back(wf::exact_sum(wf::host(1), segment_of(values, all.of().begins, i)));
    all.template expect<A>(
        exact,
        [&](auto unique, auto found) {
          return wf::exact_sum_by_key(place, all.keys(), there.all(), unique, found);
        },
        [&](auto unique, auto found, auto count) {
          wf::exact_sum_by_key_async(place, all.keys(), there.all(), unique, found, count);
        });
  }
}

/// Lengths without those of 0, around the edges of parts and tiles.
std::vector<std::size_t> some_lengths(unsigned seed, std::size_t most) {
  auto lengths = mixed_lengths(seed, most);
  std::erase(lengths, std::size_t{0});
  return lengths;
}

EVERY_PLACE_OF("runs have the bits of their values alone", T, std::int32_t, std::int64_t, float,
               double, __half, __nv_bfloat16) {
  check<std::uint32_t, T>(place, some_lengths(61, 140'001), 61);
  check<std::uint32_t, T>(place, std::vector<std::size_t>(5'000, 1), 62);
}
EVERY_PLACE_OF("runs of every type of keys", K, std::int32_t, std::uint32_t, std::int64_t,
               std::uint64_t, float, double) {
  for (unsigned seed = 63; seed < 66; ++seed)
    check<K, float>(place, some_lengths(seed, 5'000), seed);
}
FAST_EVERY_PLACE("no, one, and few runs") {
  check<std::uint32_t, float>(place, {}, 1);
  check<std::uint32_t, float>(place, {1}, 1);
  check<std::uint32_t, float>(place, {40'000}, 1);
  check<std::uint64_t, float>(place, {1'023, 1, 1'024, 9'000, 3, 40'000, 1'025}, 1);
}
EVERY_PLACE("other operators and accumulators by key") {
  auto const lengths = some_lengths(66, 20'000);
  auto const keys = keys_of<std::int32_t>(lengths);
  auto const values = rough_values<float>(keys.size(), 66);
  memory_of<Place, std::int32_t> there(place, keys);
  memory_of<Place, float> floats(place, values);
  runs_of<std::int32_t> const runs(keys);
  auto const check_op = [&](auto init, auto op) {
    using A = decltype(init);
    memory_of<Place, A> results(place, std::vector<A>(runs.count()));
    memory_of<Place, std::int32_t> none(place, std::vector<std::int32_t>(1));
    CHECK(wf::reduce_by_key(place, there.all(), floats.all(), init, op, none.view(0, 0),
                            results.all()) == runs.count());
    CHECK(differences(results.contents(), one_by_one<A>(values, runs.begins, init, op)) == "");
  };
  check_op(1.F, wf::multiplies{});
  check_op(1e30F, wf::minimum<>{});
  check_op(-1e30F, wf::maximum<>{});
  check_op(1.0, wf::plus{});
}

FAST_EVERY_PLACE("zeros of both signs are equal, and a NaN is a run of its own") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const keys{0.F, -0.F, 0.F, nan, nan, 1.F, 1.F, nan};
  memory_of<Place, float> there(place, keys);
  memory_of<Place, float> unique(place, std::vector<float>(8));
  memory_of<Place, std::uint64_t> lengths(place, std::vector<std::uint64_t>(8));
  REQUIRE(wf::run_length_encode(place, there.all(), unique.all(), lengths.all()) == 5);
  CHECK(same_keys(part_of(unique.contents(), 0, 5), {0.F, nan, nan, 1.F, nan}));
  CHECK(part_of(lengths.contents(), 0, 5) == std::vector<std::uint64_t>{3, 1, 1, 2, 1});
}

EVERY_PLACE("a run has its bits wherever it begins") {
  // Long enough for each way to fold it, behind keys of one run or of as many, which move it on.
  for (std::size_t const length : {3, 8, 100, 900, 5'000, 30'000}) {
    auto const values = rough_values<float>(length, 67);
    float const alone = wf::sum(wf::host(1), values);
    for (std::size_t const before : {0, 1, 2, 3, 5, 511, 1'023, 1'024, 4'999})
      for (bool const are_apart : {false, true}) {
        CAPTURE(length);
        CAPTURE(before);
        CAPTURE(are_apart);
        std::vector<std::uint32_t> keys(before, 1);
        if (are_apart) std::iota(keys.begin(), keys.end(), 10);
        keys.resize(before + length, 2);
        keys.resize(before + length + 3, 3);
        std::vector<float> all(before, 1e10F);
        all.insert(all.end(), values.begin(), values.end());
        all.resize(keys.size(), -1e10F);
        memory_of<Place, std::uint32_t> there(place, keys);
        memory_of<Place, float> floats(place, all);
        memory_of<Place, float> sums(place, std::vector<float>(before + 2));
        memory_of<Place, std::uint32_t> unique(place, std::vector<std::uint32_t>(1));
        wf::sum_by_key(place, there.all(), floats.all(), unique.all(), sums.all());
        std::size_t const runs = are_apart ? before : before > 0 ? 1 : 0;
        CHECK(same_bits(sums.contents()[runs], alone));
      }
  }
}

EVERY_PLACE_OF("keys and values begin anywhere in a line", K, std::uint32_t, std::int64_t) {
  auto const lengths = some_lengths(75, 30'001);
  auto const keys = keys_of<K>(lengths);
  auto const values = rough_values<float>(keys.size(), 75);
  runs_of<K> const runs(keys);
  auto const expected = one_by_one<float>(values, runs.begins, 0.F, wf::plus{});
  for (std::size_t before = 0; before < 33; ++before) {
    std::size_t const values_before = before * 7 % 32;
    CAPTURE(before);
    // What stands beside the keys equals the first and the last of them.
    std::vector<K> all_keys(before, keys.front());
    all_keys.insert(all_keys.end(), keys.begin(), keys.end());
    all_keys.resize(all_keys.size() + 40, keys.back());
    std::vector<float> all_values(values_before, 1e10F);
    all_values.insert(all_values.end(), values.begin(), values.end());
    all_values.resize(all_values.size() + 40, -1e10F);
    memory_of<Place, K> there(place, all_keys);
    memory_of<Place, float> floats(place, all_values);
    memory_of<Place, K> unique(place, std::vector<K>(runs.count() + 1, K(77)));
    memory_of<Place, float> sums(place, std::vector<float>(runs.count() + 1, 77.F));
    CHECK(wf::sum_by_key(place, there.view(before, keys.size()),
                         floats.view(values_before, keys.size()), unique.all(),
                         sums.all()) == runs.count());
    CHECK(same_keys(unique.contents(), clipped(runs.unique, runs.count(), runs.count() + 1)));
    CHECK(differences(sums.contents(), clipped(expected, runs.count(), runs.count() + 1)) == "");
  }
}

EVERY_PLACE("several columns share marks") {
  auto const lengths = some_lengths(68, 20'000);
  auto const keys = keys_of<std::int64_t>(lengths);
  runs_of<std::int64_t> const runs(keys);
  memory_of<Place, std::int64_t> there(place, keys);
  memory_of<Place, std::int64_t> unique(place, std::vector<std::int64_t>(runs.count()));
  memory_of<Place, std::uint64_t> marks(
      place, std::vector<std::uint64_t>(wf::run_marks_size(keys.size())));
  CHECK(wf::mark_runs(place, there.all(), unique.all(), marks.all()) == runs.count());
  CHECK(unique.contents() == runs.unique);
  auto const check_column = [&]<class T>(T, unsigned seed) {
    using A = accumulator_t<T>;
    auto const values = rough_values<T>(keys.size(), seed);
    memory_of<Place, T> column(place, values);
    memory_of<Place, A> results(place, std::vector<A>(runs.count()));
    wf::segmented_reduce(place, column.all(), wf::marked_runs{marks.all()}, A(1), wf::plus{},
                         results.all());
    CHECK(differences(results.contents(), one_by_one<A>(values, runs.begins, A(1), wf::plus{})) ==
          "");
    if constexpr (!std::integral<T>) {
      wf::exact_segmented_sum(place, column.all(), wf::marked_runs{marks.all()}, results.all());
      std::vector<A> exact;
      for (std::size_t i = 0; i < runs.count(); ++i)
        exact.push_back(wf::exact_sum(wf::host(1), segment_of(values, runs.begins, i)));
      CHECK(differences(results.contents(), exact) == "");
    }
  };
  check_column(float{}, 69);
  check_column(double{}, 70);
  check_column(std::int32_t{}, 71);
}

TEST_SUITE("gpu") {
  TEST_CASE("marks are the host's, whatever was in scratch memory") {
    wf::gpu place;
    std::vector<std::uint32_t> none;
    for (std::size_t const size : {std::size_t{700'001}, std::size_t{1} << 26}) {
      std::vector<std::uint32_t> keys[2];
      std::vector<std::uint64_t> expected[2], there(wf::run_marks_size(size), 99);
      for (std::size_t const i : {0, 1}) {
        while (keys[i].size() < size) keys[i].resize(keys[i].size() + 7 + 900 * i, keys[i].size());
        keys[i].resize(size);
        expected[i] = there;
        wf::mark_runs(wf::host(), keys[i], none, expected[i]);
      }
      memory_of<wf::gpu, std::uint32_t> first(place, keys[0]), second(place, keys[1]);
      memory_of<wf::gpu, std::uint64_t> marks(place, there);
      for (int run = 0; run < 40; ++run) {
        CAPTURE(run);
        auto& now = run % 2 == 0 ? first : second;
        wf::mark_runs(place, now.all(), wf::device_span<std::uint32_t>{}, marks.all());
        CHECK(marks.contents() == expected[run % 2]);
      }
    }
  }
  TEST_CASE("runs have the same bits on any grid, beside other work, 200 times") {
    wf::gpu place, other;
    auto const keys = keys_of<std::uint32_t>(some_lengths(73, 300'007));
    auto const values = rough_values<float>(keys.size(), 73);
    runs_of<std::uint32_t> const runs(keys);
    auto const expected = one_by_one<float>(values, runs.begins, 0.F, wf::plus{});
    memory_of<wf::gpu, std::uint32_t> there(place, keys);
    memory_of<wf::gpu, float> floats(place, values);
    memory_of<wf::gpu, float> busy(other, rough_values<float>(1 << 22, 74));
    wf::device_buffer<float> result(other, 1);
    int const all = place.multiprocessors();
    for (int run = 0; run < 200; ++run) {
      CAPTURE(run);
      wf::detail::gpu_scratch(place).assume_multiprocessors(run % 7 == 0 ? all : run % 31 + 1);
      memory_of<wf::gpu, float> sums(place, std::vector<float>(runs.count()));
      memory_of<wf::gpu, std::uint32_t> unique(place, std::vector<std::uint32_t>(runs.count()));
      for (int i = 0; i < run % 5; ++i) wf::sum_async(other, busy.all(), result);
      CHECK(wf::sum_by_key(place, there.all(), floats.all(), unique.all(), sums.all()) ==
            runs.count());
      CHECK(differences(sums.contents(), expected) == "");
      CHECK(unique.contents() == runs.unique);
    }
  }
  TEST_CASE("sums by key are captured in a graph and done again over other data") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    constexpr std::size_t size = 300'000;
    wf::device_buffer<std::uint32_t> keys(place, size), unique(place, size);
    wf::device_buffer<float> values(place, size), sums(place, size);
    wf::device_buffer<std::uint64_t> count(place, 1), lengths(place, size);
    wf::device_buffer<float> exact(place, size);
    place.reserve(wf::exact_by_key_workspace<std::uint32_t, float>(size, size));
    int const allocations = memory.allocations;
    captured graph(place, [&] {
      wf::sum_by_key_async(place, keys, values, unique, sums, count);
      wf::exact_sum_by_key_async(place, keys, values, unique, exact, count);
      wf::run_length_encode_async(place, keys, unique, lengths, count);
    });
    for (auto const node : graph.nodes()) CHECK(node == cudaGraphNodeTypeKernel);
    CHECK(memory.allocations == allocations);
    for (unsigned seed = 1; seed < 4; ++seed) {
      CAPTURE(seed);
      std::vector<std::uint32_t> new_keys = keys_of<std::uint32_t>(some_lengths(seed, 20'000));
      new_keys.resize(size, 99);
      auto const new_values = rough_values<float>(size, seed);
      wf::copy(place, new_keys, keys.span());
      wf::copy(place, new_values, values.span());
      graph.launch();
      runs_of<std::uint32_t> const runs(new_keys);
      CHECK(wf::to_vector(place, count.span()).front() == runs.count());
      auto const first = [&](auto const& buffer) {
        return wf::to_vector(place, buffer.span().subspan(0, runs.count()));
      };
      CHECK(first(unique) == runs.unique);
      CHECK(first(lengths) == runs.lengths);
      CHECK(differences(first(sums), one_by_one<float>(new_values, runs.begins, 0.F, wf::plus{})) ==
            "");
    }
  }
}

} // namespace by_key_test
