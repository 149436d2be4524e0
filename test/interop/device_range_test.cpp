// GPU memory of others as an argument, and what is none.

#include "device_range.hpp"

#include "contents.hpp"
#include "gpu.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace device_range_test {

using namespace test;
namespace wf = warpfold;
using foreign::array;
using foreign::view;

// ---- what has the shape of known classes, and what only nearly has it ---------------------------

/// As thrust::device_vector: elements are named by proxies, addresses wrapped.
template <class T>
struct proxy {
  T* to;
};
template <class T>
struct wrapped_pointer {
  T* address;
  T* get() const { return address; }
  proxy<T> operator*() const { return {address}; }
};
template <class T>
struct thrust_like {
  T* first;
  std::size_t elements;
  wrapped_pointer<T> data() { return {first}; }
  wrapped_pointer<T const> data() const { return {first}; }
  std::size_t size() const { return elements; }
};

/// As rmm::device_uvector: raw pointers, but the host reads an element through a stream.
template <class T>
struct rmm_like {
  T* first;
  std::size_t elements;
  T* data() { return first; }
  T const* data() const { return first; }
  T* begin() { return first; }
  T const* begin() const { return first; }
  T* end() { return first + elements; }
  T const* end() const { return first + elements; }
  std::size_t size() const { return elements; }
  cudaStream_t stream() const { return nullptr; }
  void set_stream(cudaStream_t) {}
  T element(std::size_t, cudaStream_t) const { return {}; }
};

/// Memory of the host, in the order of a stream.
template <class T>
struct staged : std::vector<T> {
  cudaStream_t stream() const { return nullptr; }
  void set_stream(cudaStream_t) {}
};
/// Memory that the host can read: *data() is an element.
template <class T>
struct shared_pointer {
  T* get() const { return nullptr; }
  T& operator*() const { return *get(); }
};
template <class Pointer>
struct owner {
  Pointer data() const { return {}; }
  std::size_t size() const { return 0; }
};

static_assert(wf::device_range<wf::device_span<float>>);
static_assert(wf::device_range<wf::device_span<float const> const&>);
static_assert(wf::device_range<wf::device_buffer<double>>);
static_assert(wf::device_range<wf::device_buffer<double> const>);
static_assert(wf::device_range<array<int>&> && wf::device_range<array<int> const&>);
static_assert(wf::device_range<view<int>> && wf::device_range<view<int const> const>);
static_assert(wf::device_range<thrust_like<float>> && wf::device_range<thrust_like<int> const>);
static_assert(wf::device_range<rmm_like<float>> && wf::device_range<rmm_like<int> const>);

TEST_CASE_TEMPLATE("what is no GPU memory", Range, std::vector<float>, std::vector<bool>,
                   std::span<float>, std::span<float const, 4>, std::array<float, 4>, float[4],
                   float*, float, std::unique_ptr<float[]>, std::optional<float>,
                   wf::pinned_buffer<float>, wf::device_allocation, wf::gpu, staged<float>,
                   owner<std::unique_ptr<float>>, owner<std::unique_ptr<float[]>>,
                   owner<std::shared_ptr<float>>, owner<shared_pointer<float>>,
                   owner<std::optional<float>>, owner<void*>, owner<float*>) {
  static_assert(!wf::device_range<Range> && !wf::device_range<Range const>);
  static_assert(!wf::elements_for<Range, wf::gpu>);
  static_assert(!std::is_convertible_v<Range&, wf::device_span<float>>);
  static_assert(!std::is_convertible_v<Range&, wf::device_span<float const>>);
}

// ---- conversions --------------------------------------------------------------------------------

template <class From, class T>
constexpr bool converts = std::is_convertible_v<From, wf::device_span<T>>;

TEST_CASE_TEMPLATE("owners hand out elements that are as const as they are", Range,
                   wf::device_buffer<float>, array<float>, thrust_like<float>, rmm_like<float>) {
  static_assert(converts<Range&, float> && converts<Range&, float const>);
  static_assert(!converts<Range const&, float> && converts<Range const&, float const>);
  static_assert(!converts<Range, float> && converts<Range, float const>); // it dies
  static_assert(!converts<Range&, double> && !converts<Range&, double const>);
  static_assert(!converts<Range&, int> && !converts<Range&, void>);
  static_assert(!std::is_convertible_v<Range&, float*>);
}

TEST_CASE("views hand out elements whether they are const or not") {
  static_assert(converts<view<float>&, float> && converts<view<float> const&, float>);
  static_assert(converts<view<float>, float> && converts<view<float>, float const>);
  static_assert(!converts<view<float const>, float> && converts<view<float const>, float const>);
  static_assert(!converts<view<float>, double>);
}

TEST_CASE("a span of a range has its address and its size") {
  alignas(16) float memory[4] = {};
  auto const check = [&](auto&& range) {
    wf::device_span<float const> const input = range;
    CHECK(input.data() == memory);
    CHECK(input.size() == 4);
    wf::device_span<float> const output = range;
    CHECK(output.data() == memory);
    CHECK(output.size() == 4);
    CHECK(wf::device_span(range).subspan(1).data() == memory + 1);
  };
  check(view<float>{memory, 4});
  check(thrust_like<float>{memory, 4});
  check(rmm_like<float>{memory, 4});
  check(wf::device_span<float>{memory, 4});
  static_assert(std::same_as<decltype(wf::device_span(std::declval<array<int> const&>())),
                             wf::device_span<int const>>);
  static_assert(
      std::same_as<decltype(wf::device_span(std::declval<array<int>&>())), wf::device_span<int>>);
  static_assert(std::same_as<decltype(wf::device_span(std::declval<wf::device_span<int>&>())),
                             wf::device_span<int>>);
}

// ---- verbs --------------------------------------------------------------------------------------

template <class Place, class Range>
concept is_input = requires(Place& place, Range const& values) {
  wf::sum(place, values);
  wf::exact_sum(place, values);
  wf::describe(place, values);
  wf::argmin(place, values);
  wf::norm2(place, values);
  wf::dot(place, values, values);
  wf::count_if(place, values, wf::less_than{1.F});
  wf::histogram(place, values, {4, 0.F, 1.F});
  wf::inclusive_scan(place, values, wf::plus{}, wf::detail::result_t<Place, float>());
  wf::median(place, values);
  wf::run_length_encode(place, values, wf::detail::result_t<Place, float>(),
                        wf::detail::result_t<Place, std::uint64_t>());
};
template <class Place, class Range>
concept is_anything_of = requires(Place& place, Range const& values) {
  wf::sum(place, values);
}
|| requires(Place& place, Range const& values) { wf::exact_sum(place, values); }
|| requires(Place& place, Range const& values) { wf::describe(place, values); }
|| requires(Place& place, Range const& values) { wf::dot(place, values, values); }
|| requires(Place& place, Range const& values) { wf::count_if(place, values, wf::is_nan{}); }
|| requires(Place& place, Range const& values) {
  wf::inclusive_scan(place, values, wf::plus{}, wf::detail::result_t<Place, float>());
}
|| requires(Place& place, Range const& values) {
  wf::run_length_encode(place, values, wf::detail::result_t<Place, float>(),
                        wf::detail::result_t<Place, std::uint64_t>());
};

/// Results of float go to a Range.
template <class Place, class Range>
concept is_output = requires(Place& place, Range& result,
                             wf::detail::result_t<Place, float> values) {
  wf::sum_async(place, values, result);
  wf::exact_sum_async(place, values, result);
  wf::norm2_async(place, values, result);
  wf::compact_if(place, values, wf::is_finite{}, result);
  wf::reduce_rows(place, values, wf::matrix_shape{1, 1}, 0.F, wf::plus{}, result);
  wf::inclusive_scan(place, values, wf::plus{}, result);
  wf::exclusive_scan_async(place, values, 0.F, wf::plus{}, result);
  wf::nth_element_async(place, values, 0, result);
  wf::reduce_by_key(place, values, values, 0.F, wf::plus{}, result, result);
  wf::sum_by_key(place, values, values, result, result);
};

TEST_CASE_TEMPLATE("GPU memory is an argument on a gpu, and none on a host", Range,
                   wf::device_span<float>, wf::device_buffer<float>, array<float>, view<float>,
                   thrust_like<float>, rmm_like<float>) {
  static_assert(is_input<wf::gpu, Range> && is_output<wf::gpu, Range>);
  static_assert(!is_anything_of<wf::host, Range>);
  static_assert(!wf::elements_for<Range, wf::host>);
}

TEST_CASE_TEMPLATE("host memory is an argument on a host, and none on a gpu", Range,
                   std::vector<float>, std::span<float>, std::array<float, 4>,
                   wf::pinned_buffer<float>, staged<float>) {
  static_assert(is_input<wf::host, Range> && is_output<wf::host, Range>);
  static_assert(!is_anything_of<wf::gpu, Range> && !is_output<wf::gpu, Range>);
}

TEST_CASE("results are not written to const memory") {
  static_assert(!is_output<wf::gpu, array<float> const>);
  static_assert(!is_output<wf::gpu, wf::device_buffer<float> const>);
  static_assert(!is_output<wf::gpu, wf::device_span<float const>>);
}

template <class From, class To>
concept copies = requires(wf::gpu const& place, From from, To to) {
  wf::copy(place, static_cast<From>(from), static_cast<To>(to));
  wf::copy_async(place, static_cast<From>(from), static_cast<To>(to));
};

TEST_CASE_TEMPLATE("copies go from one side to the other", Range, wf::device_buffer<float>,
                   array<float>, view<float>, thrust_like<float>, rmm_like<float>) {
  using std::vector;
  static_assert(copies<vector<float> const&, Range&> && copies<Range const&, vector<float>&>);
  static_assert(copies<std::span<float const>, Range&> && copies<Range&, std::span<float>>);
  static_assert(copies<wf::pinned_buffer<float>&, Range&>);
  static_assert(!copies<Range&, vector<float> const&> && !copies<Range&, vector<double>&>);
  static_assert(!copies<vector<float>&, vector<float>&> && !copies<Range&, Range&>);
  static_assert(!copies<Range&, rmm_like<float>&> && !copies<rmm_like<float>&, Range&>);
  static_assert(!copies<vector<double> const&, Range&>);
  static_assert(!copies<vector<float> const&, array<float> const&>);
}

TEST_CASE("members of books and solvers take foreign memory") {
  static_assert(
      std::is_convertible_v<array<float>&, wf::pricing::input<wf::device_span<float const>>>);
  static_assert(!std::is_convertible_v<std::vector<float>&,
                                       wf::pricing::input<wf::device_span<float const>>>);
  // Though std::span takes it.
  static_assert(std::is_convertible_v<rmm_like<float> const&, std::span<float const>>);
  static_assert(
      std::is_convertible_v<rmm_like<float>&, wf::pricing::input<wf::device_span<float const>>>);
  static_assert(
      !std::is_convertible_v<rmm_like<float>&, wf::pricing::input<std::span<float const>>>);
  float memory[3] = {};
  thrust_like<float> spots{memory, 3}, prices{memory, 3};
  wf::pricing::device_book<float> const book{
      .spot = spots, .strike = 1, .expiry = 1, .volatility = spots, .rate = 0};
  wf::pricing::device_outputs<float> const outputs{.call = prices};
  CHECK(book.spot.is_array());
  CHECK(book.spot.array().size() == 3);
  CHECK(outputs.call.data() == memory);
}

// ---- results ------------------------------------------------------------------------------------

/// Verbs give the same bits for `values` and for `known`, also where they write to foreign memory.
template <class Range>
void check_bits(wf::gpu& place, Range const& values, wf::device_span<float const> known) {
  CHECK(same_bits(wf::sum(place, values), wf::sum(place, known)));
  CHECK(same_bits(wf::sum<double>(place, values), wf::sum<double>(place, known)));
  CHECK(same_bits(wf::exact_sum(place, values), wf::exact_sum(place, known)));
  CHECK(same_bits(wf::exact_dot(place, values, known), wf::exact_dot(place, known, known)));
  CHECK(same_bits(wf::dot(place, values, known), wf::dot(place, known, values)));
  CHECK(same_bits(wf::mean(place, values), wf::mean(place, known)));
  CHECK(same_bits(wf::variance(place, values), wf::variance(place, known)));
  CHECK(wf::argmax(place, values).index == wf::argmax(place, known).index);
  CHECK(wf::count_if(place, values, wf::less_than{0.F}) ==
        wf::count_if(place, known, wf::less_than{0.F}));
  CHECK(wf::histogram(place, values, {7, -2.F, 3.F}) ==
        wf::histogram(place, known, {7, -2.F, 3.F}));
  CHECK(same_elements(wf::to_vector(place, values), wf::to_vector(place, known)));

  auto const written = [&](auto enqueue) {
    array<float> there(place, std::vector<float>(5, -1.F));
    wf::device_buffer<float> const here(place, std::vector<float>(5, -1.F));
    enqueue(there);
    enqueue(wf::device_span<float>(const_cast<float*>(here.data()), here.size()));
    CHECK(same_elements(wf::to_vector(place, there), wf::to_vector(place, here)));
  };
  written([&](auto&& to) { wf::sum_async(place, values, to); });
  written([&](auto&& to) { wf::exact_sum_async(place, values, to); });
  array<int> const offsets(place, {0, 1, 10, 10, 500, 1000});
  written([&](auto&& to) { wf::segmented_reduce(place, values, offsets, 0.F, wf::plus{}, to); });
  written([&](auto&& to) {
    wf::reduce_rows(place, values, wf::matrix_shape{5, 200}, 0.F, wf::plus{}, to);
  });

  array<int> const places(place, std::vector<int>(known.size(), 0));
  written([&](auto&& to) { wf::scatter_sum(place, values, places, to); });

  array<float> sums(place, std::vector<float>(known.size()));
  wf::device_buffer<float> known_sums(place, known.size());
  wf::inclusive_scan(place, values, wf::plus{}, sums);
  wf::inclusive_scan(place, known, wf::plus{}, known_sums);
  CHECK(same_elements(wf::to_vector(place, sums), wf::to_vector(place, known_sums)));

  CHECK(wf::median(place, values) == wf::median(place, known));

  array<std::uint64_t> counts(place, std::vector<std::uint64_t>(7));
  wf::histogram_async(place, values, {7, -2.F, 3.F}, counts);
  CHECK(wf::to_vector(place, counts) == wf::histogram(place, known, {7, -2.F, 3.F}));
}

TEST_SUITE("gpu") {
  TEST_CASE("buffers take memory over and give it up") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    std::size_t const before = memory.out.size();
    auto* const raw = static_cast<float*>(memory.allocate(20 * sizeof(float), place.stream()));
    {
      wf::device_buffer<float> adopted(place, raw, 20);
      CHECK(adopted.data() == raw);
      CHECK(adopted.size() == 20);
      wf::copy(place, std::vector<float>(20, 2.0F), adopted);
      CHECK(wf::sum(place, adopted) == 40);
      CHECK(adopted.release() == raw);
      CHECK(adopted.size() == 0);
      CHECK(adopted.data() == nullptr);
    }
    CHECK(memory.out.size() == before + 1);
    { wf::device_buffer<float> const again(place, raw, 20); }
    CHECK(memory.out.size() == before);
    CHECK(memory.all_known);
    float* const none = nullptr;
    CHECK(wf::device_buffer<float>(place, none, 0).size() == 0);
    CHECK_THROWS_WITH_AS((wf::device_buffer<float>(place, none, 5)),
                         doctest::Contains("'adopted' is refused: null, with 20 bytes"),
                         wf::argument_error);

    wf::pinned_buffer<double> pinned(7);
    pinned[6] = 3;
    double* const address = pinned.release();
    CHECK(pinned.size() == 0);
    wf::pinned_buffer<double> const taken(address, 7);
    CHECK(taken.data() == address);
    CHECK(taken[6] == 3);
  }

  TEST_CASE("fast: foreign memory gives the bits of a device_span") {
    wf::gpu place;
    auto const values = rough_values<float>(20'011, 1);
    array<float> foreign(place, values);
    wf::device_span<float const> const known = foreign;
    check_bits(place, foreign, known);
    check_bits(place, view<float>{foreign.address(), static_cast<int>(foreign.count())}, known);
    check_bits(place, thrust_like<float>{foreign.address(), foreign.count()}, known);
    check_bits(place, rmm_like<float>{foreign.address(), foreign.count()}, known);
    CHECK(wf::sum(place, known) == wf::sum(wf::host(), values));
  }

  TEST_CASE("fast: copies to foreign memory and back") {
    wf::gpu place;
    std::vector<int> const values{1, 2, 3};
    array<int> foreign(place, {0, 0, 0});
    wf::copy(place, values, foreign);
    std::vector<int> back(3);
    wf::copy(place, foreign, back);
    CHECK(back == values);
    CHECK(wf::to_vector(place, foreign) == values);
    CHECK(refused_by([&] { wf::copy(place, std::vector<int>(2), foreign); }) != "(nothing)");
  }
}

} // namespace device_range_test
