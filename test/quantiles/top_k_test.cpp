// The k first elements of an order and their positions: against std::stable_sort, the same bits
// everywhere.

#include "contents.hpp"
#include "gpu.hpp"
#include "quantiles/element_order.hpp"
#include "twins.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/twins/quantiles.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace top_k_test {

using namespace test;
namespace wf = warpfold;

/// The positions of all elements in their order, or of the first `count` at least.
template <class T>
std::vector<std::uint64_t> sorted_positions(std::vector<T> const& values, bool smallest,
                                            std::size_t count = ~std::size_t{0}) {
  std::vector<std::uint64_t> at(values.size());
  std::iota(at.begin(), at.end(), 0);
  auto const before = [&](auto i, auto j) {
    return smallest ? is_before(values[i], values[j]) : is_before(values[j], values[i]);
  };
  if (count >= values.size()) std::stable_sort(at.begin(), at.end(), before);
  else
    std::ranges::partial_sort(
        at, at.begin() + static_cast<std::ptrdiff_t>(count),
        [&](auto i, auto j) { return before(i, j) || (!before(j, i) && i < j); });
  return at;
}

/// Both forms, of the `size` elements from the first on; `in_order` are their positions.
template <class T, class Place>
void check_forms(Place& place, std::vector<T> const& values, view_t<Place, T const> there,
                 std::vector<std::uint64_t> const& in_order, std::size_t k, bool smallest) {
  CAPTURE(k);
  CAPTURE(smallest);
  std::vector<T> const before(k + 2, T(77));
  std::vector<std::uint64_t> const unknown(k + 2, 78);
  for (bool const blocking : {true, false}) {
    memory_of<Place, T> elements(place, before);
    memory_of<Place, std::uint64_t> positions(place, unknown);
    auto const results = elements.view(1, k);
    auto const at = positions.view(1, k);
    if (blocking) wf::top_k(place, there, results, at, {.smallest = smallest});
    else wf::top_k_async(place, there, results, at, {.smallest = smallest});
    std::vector<T> after = before;
    std::vector<std::uint64_t> known = unknown;
    for (std::size_t i = 0; i < k; ++i) after[i + 1] = values[known[i + 1] = in_order[i]];
    CHECK(same_elements(positions.contents(), known)); // and nothing else was touched
    CHECK(same_elements(elements.contents(), after));
  }
}

template <class T>
using generator = std::function<T(std::mt19937_64&)>;
template <class T>
std::vector<std::pair<char const*, generator<T>>> kinds_of_values() {
  return {{"any bits", // with NaN and infinities
           [](auto& random) {
             return wf::detail::cast_bits<T>(static_cast<wf::detail::selection_key<T>>(random()));
           }},
          {"all equal", [](auto&) { return T(3); }},
          {"few values", [](auto& random) { return T(random() % 11); }},
          {"mostly one value",
           [](auto& random) { return random() % 8 ? T(7) : T(random() % 1'000'000); }},
          {"special values", [](auto& random) {
             T const nan = std::numeric_limits<T>::quiet_NaN();
             T const all[] = {
                 T(0), T(T(0) * T(-1)), nan, T(-nan), T(1), std::numeric_limits<T>::infinity()};
             return all[random() % 6];
           }}};
}

template <class T, class Place>
void check_kinds(Place& place, size_list sizes) {
  for (auto const& named : kinds_of_values<T>())
    for (std::size_t const size : sizes) {
      CAPTURE(named.first);
      CAPTURE(size);
      std::mt19937_64 random{640 + size};
      std::size_t const first = random() % 4; // misaligned
      std::vector<T> values(size + first);
      for (T& x : values) x = named.second(random);
      memory_of<Place, T> there(place, values);
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first));
      for (bool const smallest : {false, true}) {
        auto const in_order = sorted_positions(values, smallest);
        for (std::size_t const k : {std::size_t{0}, std::size_t{1}, 1 + random() % size, size})
          check_forms<T>(place, values, there.view(first, size), in_order, k, smallest);
      }
    }
}

FAST_EVERY_PLACE_OF("the first of few", T, float, double) {
  std::size_t const few[] = {33, 700};
  check_kinds<T>(place, few);
}
EVERY_PLACE_OF("the first of some", T, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
               float, double) {
  std::size_t const some[] = {1, 2, 31, 32, 4095, 4096, 4097, 8193};
  check_kinds<T>(place, some);
}
// Around the sizes at which one block no longer does it. Each way to keys is here, and each width.
EVERY_PLACE_OF("the first of many", T, std::uint32_t, std::int64_t, float, double) {
  std::size_t const many[] = {32'768, 32'769, 300'001};
  if constexpr (std::same_as<Place, wf::gpu>)
    place.reserve(wf::top_k_workspace<T>(300'001, 300'001));
  check_kinds<T>(place, many);
}
EVERY_PLACE("the first of none") {
  memory_of<Place, float> none(place, {});
  memory_of<Place, std::uint64_t> nowhere(place, {});
  wf::top_k(place, none.all(), none.all(), nowhere.all());
  wf::top_k_async(place, none.all(), none.all(), nowhere.all());
}

EVERY_PLACE_OF("vendors' sorts have the same first elements", T, std::int32_t, float, double) {
  for (std::size_t const size : {std::size_t{1}, std::size_t{1025}, std::size_t{70'001}}) {
    auto values = rough_values<T>(size, 649); // without NaN
    for (std::size_t i = 2; i < size; i += 3) values[i] = values[0];
    memory_of<Place, T> there(place, values);
    std::size_t const k = size / 2 + 1;
    memory_of<Place, T> ours(place, std::vector<T>(k)), theirs(place, std::vector<T>(k));
    memory_of<Place, std::uint64_t> at(place, std::vector<std::uint64_t>(k)),
        there_too(place, std::vector<std::uint64_t>(k));
    for (bool const smallest : {false, true})
      for (auto const twin : {vendor_of(place), twins::fold}) {
        wf::top_k_options const options{.smallest = smallest};
        wf::top_k(place, there.all(), ours.all(), at.all(), options);
        wf::top_k(place, there.all(), theirs.all(), there_too.all(), options, twin);
        CHECK(same_elements(ours.contents(), theirs.contents()));
        CHECK(same_elements(at.contents(), there_too.contents()));
        memory_of<Place, T> again(place, std::vector<T>(k));
        memory_of<Place, std::uint64_t> at_again(place, std::vector<std::uint64_t>(k));
        wf::top_k_async(place, there.all(), again.all(), at_again.all(), options, twin);
        CHECK(same_elements(ours.contents(), again.contents()));
        CHECK(same_elements(at.contents(), at_again.contents()));
      }
  }
}

TEST_CASE("hosts of any number of threads have the same first elements") {
  std::vector<float> values = rough_values<float>(700'001, 650), expected(500), found(500);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = values[0];
  std::vector<std::uint64_t> at(500), positions(500);
  for (bool const smallest : {false, true}) {
    wf::top_k(wf::host(1), values, expected, at, {.smallest = smallest});
    for (int const threads : {2, 3, 7}) {
      wf::top_k(wf::host(threads), values, found, positions, {.smallest = smallest});
      CHECK(same_elements(found, expected));
      CHECK(at == positions);
    }
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("the first elements after a sample", T, float, std::int64_t) {
    wf::gpu place;
    std::size_t const size = wf::detail::selection_layout::sampled + 13;
    place.reserve(wf::top_k_workspace<T>(size, size));
    auto kinds = kinds_of_values<T>();
    kinds = {kinds[0], kinds[3]};
    for (auto const& named : kinds) {
      CAPTURE(named.first);
      std::mt19937_64 random{651};
      std::vector<T> values(size);
      for (T& x : values) x = named.second(random);
      wf::device_buffer<T> there(place, values);
      std::size_t const most = 20'000; // more than one block sorts
      auto const in_order = sorted_positions(values, false, most);
      for (std::size_t const k : {std::size_t{1000}, most})
        check_forms<T>(place, values, there.span(), in_order, k, false);
    }
  }
  TEST_CASE("the first elements are the same on any grid") {
    wf::gpu place;
    auto values = rough_values<float>(200'001, 652);
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] = 5;
    wf::device_buffer<float> there(place, values);
    auto const in_order = sorted_positions(values, true);
    place.reserve(wf::top_k_workspace<float>(values.size(), values.size()));
    for (int const multiprocessors : {0, 1, 3, 50}) {
      wf::detail::gpu_scratch(place).assume_multiprocessors(multiprocessors);
      for (std::size_t const k : {std::size_t{7}, std::size_t{150'000}})
        check_forms<float>(place, values, there.span(), in_order, k, true);
    }
  }
  TEST_CASE("fast: a captured top_k finds what is there when it runs") {
    wf::gpu place;
    std::size_t const sizes[] = {9000, 200'001};
    for (std::size_t const size : sizes) {
      std::size_t const k = 5000;
      place.reserve(wf::top_k_workspace<double>(size, k));
      wf::device_buffer<double> values(place, size), results(place, k);
      wf::device_buffer<std::uint64_t> positions(place, k);
      captured graph(place, [&] { wf::top_k_async(place, values, results, positions); });
      for (unsigned const seed : {653, 654, 655}) {
        auto other = rough_values<double>(size, seed);
        if (seed == 654) std::ranges::fill(other, 8.);
        if (seed == 655) other[3] = std::numeric_limits<double>::quiet_NaN();
        wf::copy(place, other, values.span());
        graph.launch();
        auto in_order = sorted_positions(other, false);
        in_order.resize(k);
        CHECK(wf::to_vector(place, positions) == in_order);
        std::vector<double> first;
        for (std::uint64_t const i : in_order) first.push_back(other[i]);
        CHECK(same_elements(wf::to_vector(place, results), first));
        static_cast<void>(wf::nth_element(place, values, 0)); // uses the same memory
      }
    }
  }
  TEST_CASE("fast: a top_k of a few is two kernels") {
    wf::gpu place;
    wf::device_buffer<float> values(place, rough_values<float>(1000, 656)), results(place, 20);
    wf::device_buffer<std::uint64_t> positions(place, 20);
    captured const graph(place, [&] { wf::top_k_async(place, values, results, positions); });
    CHECK(graph.nodes().size() == 2);
  }
}

TEST_SUITE("large") {
  TEST_CASE("the first of more than 2^32 elements") {
    std::size_t const size = (std::size_t{1} << 32) + 11;
    wf::gpu place;
    wf::device_buffer<std::int32_t> values(place, size), results(place, 4);
    wf::device_buffer<std::uint64_t> positions(place, 4);
    wf::check(cudaMemsetAsync(values.data(), 2, size * sizeof(std::int32_t), place.stream()));
    wf::copy(place, std::vector<std::int32_t>{-5, 0x7fffffff}, values.span().subspan(size - 2, 2));
    std::int32_t const two = 0x02020202;
    wf::top_k(place, values, results, positions);
    CHECK(wf::to_vector(place, results) == std::vector<std::int32_t>{0x7fffffff, two, two, two});
    CHECK(wf::to_vector(place, positions) == std::vector<std::uint64_t>{size - 1, 0, 1, 2});
    wf::top_k(place, values, results, positions, {.smallest = true});
    CHECK(wf::to_vector(place, results) == std::vector<std::int32_t>{-5, two, two, two});
    CHECK(wf::to_vector(place, positions) == std::vector<std::uint64_t>{size - 2, 0, 1, 2});
  }
}

} // namespace top_k_test
