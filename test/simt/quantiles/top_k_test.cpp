// The bodies of a top_k in the emulator, against std::stable_sort.

#include "quantiles/element_order.hpp"
#include "quantiles/top_k.hpp"
#include "simt/simt.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

namespace detail = warpfold::detail;
using test::is_before;

template <class T>
constexpr detail::element_kind kind = std::is_floating_point_v<T> ? detail::element_kind::floating
                                      : std::is_signed_v<T>       ? detail::element_kind::integer
                                                                  : detail::element_kind::natural;

template <class T>
std::vector<std::uint64_t> sorted_positions(std::vector<T> const& values, std::size_t count,
                                            bool smallest) {
  std::vector<std::uint64_t> at(values.size());
  std::iota(at.begin(), at.end(), 0);
  std::ranges::stable_sort(at, [&](auto i, auto j) {
    return smallest ? is_before(values[i], values[j]) : is_before(values[j], values[i]);
  });
  at.resize(count);
  return at;
}

/// A top_k by steps of a grid; from step `alone` on by one block. True if it is right.
template <class T>
bool is_right(std::vector<T> const& values, std::size_t count, bool smallest, int grid, int alone,
              simt::options const& how) {
  using Key = detail::selection_key<T>;
  std::size_t const size = values.size();
  detail::selection last{};
  last.count = 1;
  last.kind = kind<T>;
  last.rank[0] = last.rank[1] = smallest ? count - 1 : size - count;
  std::vector<Key> elements(size);
  std::memcpy(elements.data(), values.data(), size * sizeof(T));
  Key const untouched = 0x5a5a5a5a;
  std::vector<std::uint64_t> control(sizeof(detail::selection_control<Key>) / 8, 0x5a5a5a5a5a);
  std::vector<Key> results(count + 1, untouched), keys(count);
  // Without a barrier, places may stay empty: 0 is a position.
  std::vector<std::uint64_t> positions(count + 1), others(count);
  positions.back() = untouched;
  detail::top_layout const layout(size, count, sizeof(Key));
  std::vector<std::uint64_t> counts((layout.positions - layout.counts) / 8, untouched);
  detail::selection_work<Key> const selected(elements.data(), size, last, control.data(),
                                             detail::selection_layout(0, sizeof(Key)));
  detail::top_work<Key> const work{selected,
                                   smallest,
                                   count,
                                   {results.data(), keys.data()},
                                   {positions.data(), others.data()},
                                   counts.data()};
  std::size_t const bins = (sizeof(detail::narrow_shared<Key>) + 15) / 16 * 16;
  simt::launch({1, detail::selection_threads, bins + selected.shape.shared()}, {},
               [&](auto const& block, void* at) {
                 detail::select_alone(
                     block, selected, results.data(), *static_cast<detail::narrow_shared<Key>*>(at),
                     reinterpret_cast<unsigned*>(static_cast<unsigned char*>(at) + bins));
               });
  int const steps = 2 + 2 * static_cast<int>(sizeof(Key));
  for (int step = 0; step < steps;) {
    int const end = step < alone ? step + 1 : steps, blocks = step < alone ? grid : 1;
    simt::launch({blocks, detail::selection_threads, sizeof(detail::split_shared)}, how,
                 [&](auto const& block, void* at) {
                   detail::split(block, work, step, end, *static_cast<detail::split_shared*>(at));
                 });
    step = end;
  }
  auto const expected = sorted_positions(values, count, smallest);
  for (std::size_t i = 0; i < count; ++i)
    if (positions[i] != expected[i] || results[i] != elements[expected[i]]) return false;
  return results[count] == untouched && positions[count] == untouched &&
         work.selected.control->counts.arrived == 0;
}

template <class T>
using generator = std::function<T(std::mt19937_64&)>;
template <class T>
std::vector<std::pair<char const*, generator<T>>> kinds_of_values() {
  using Key = detail::selection_key<T>;
  return {{"any bits", // NaN and infinities, too
           [](auto& random) { return detail::cast_bits<T>(static_cast<Key>(random())); }},
          {"all equal", [](auto&) { return T(3); }},
          {"few values", [](auto& random) { return T(random() % 5); }},
          {"special values", [](auto& random) {
             T const nan = std::numeric_limits<T>::quiet_NaN();
             T const all[] = {
                 T(0), T(T(0) * T(-1)), nan, T(-nan), T(1), std::numeric_limits<T>::infinity()};
             return all[random() % 6];
           }}};
}
template <class T>
std::vector<T> made(std::size_t size, std::mt19937_64& random, generator<T> const& make) {
  std::vector<T> values(size);
  for (T& x : values) x = make(random);
  return values;
}

TEST_CASE_TEMPLATE("the first elements are those of a stable sort", T, float, double, std::int32_t,
                   std::uint64_t) {
  std::mt19937_64 random{simt::seed()};
  for (auto const& named : kinds_of_values<T>())
    for (std::size_t const size : {1u, 33u, 1024u, 5001u}) {
      CAPTURE(named.first);
      CAPTURE(size);
      auto const values = made<T>(size, random, named.second);
      for (std::size_t const count : {1 + random() % size, size}) {
        CAPTURE(count);
        bool const smallest = random() % 2 == 0;
        CAPTURE(smallest);
        int const grid = 1 + static_cast<int>(random() % 3);
        int const alone = std::array{0, 2, 99}[random() % 3];
        CAPTURE(alone);
        simt::options const how{.lanes = simt::order::random,
                                .blocks = simt::order::random,
                                .seed = static_cast<unsigned>(random())};
        CHECK(is_right(values, count, smallest, grid, alone, how));
      }
    }
}
TEST_CASE("the first elements in every order of lanes and blocks") {
  std::mt19937_64 random{simt::seed()};
  auto const values =
      made<float>(9001, random, [](auto& r) { return static_cast<float>(r() % 3000); });
  simt::in_every_order([&](simt::options const& how) {
    CHECK(is_right(values, 4321, false, 3, 99, how));
    CHECK(is_right(values, 8200, true, 1, 0, how));
  });
}
TEST_CASE("splits need every barrier") {
  std::mt19937_64 random{simt::seed()};
  auto const values =
      made<float>(250, random, [](auto& r) { return static_cast<float>(r() % 3000); });
  std::string here; // match() and shuffle() order memory here, but not on a GPU
  for (int i = 6; i < 15; ++i) here += std::to_string(i) + " splitter, ";
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return is_right(values, 249, false, 1, 8, how);
        }) == here + "15 split, "); // the last one
}

} // namespace
