// Books in host memory priced on a GPU, piece by piece.

#include "pricing.hpp"

namespace pricing_pipeline_test {

using namespace test;
using namespace test::pricing;

/// Around the edges of pieces: 2^16 options at least, a third of the book at most, not more than 20
/// MiB hold of pageable arrays (2^20 floats of three inputs and two outputs) and 80 of page-locked
/// ones; the largest books need every slot several times.
constexpr std::size_t piped_sizes[] = {0,       1,       5,         65'535,    65'536,    65'537,
                                       131'073, 524'287, 1'048'577, 3'145'728, 10'000'003};

enum class memory_kind { pageable, pinned, mixed };

template <class T>
struct host_arrays {
  host_arrays(std::size_t size, memory_kind kind, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
      if (kind == memory_kind::pinned || (kind == memory_kind::mixed && k % 2 == 0)) {
        pinned.emplace_back(size);
        all.emplace_back(pinned.back());
      } else {
        pageable.emplace_back(size);
        all.emplace_back(pageable.back());
      }
    for (std::span<T> const one : all) std::fill(one.begin(), one.end(), untouched<T>);
  }
  std::vector<pinned_buffer<T>> pinned;
  std::vector<std::vector<T>> pageable;
  std::vector<std::span<T>> all;
};

template <class T>
void check_pipeline(gpu& place, std::size_t size, memory_kind kind, bool everything) {
  CAPTURE(size);
  CAPTURE(static_cast<int>(kind));
  auto const options = random_options<T>(size, 21);
  host processor;
  priced<host, T> expected(processor, options);
  price(processor, expected.book, expected.to);
  auto const columns = columns_of(options);
  host_arrays<T> in(size, kind, 6), out(size, kind, outputs);
  warpfold::pricing::host_book<T> book{T(0), T(0), T(0), T(0), T(0), T(0)};
  warpfold::pricing::host_outputs<T> to;
  for (std::size_t k = 0; k < 6; ++k) {
    std::copy(columns[k].begin(), columns[k].end(), in.all[k].begin());
    *members(book)[k] = in.all[k];
  }
  for (std::size_t k = 0; k < (everything ? outputs : 2); ++k) *members(to)[k] = out.all[k];
  price(place, book, to);
  for (std::size_t k = 0; k < outputs; ++k) {
    std::vector<T> const got(out.all[k].begin(), out.all[k].end());
    CHECK(same_elements(got, everything || k < 2 ? expected.results(processor, k)
                                                 : std::vector<T>(size, untouched<T>)));
  }
}

TEST_SUITE("gpu") {

  TEST_CASE("host memory is priced through a GPU at any size") {
    gpu place;
    for (std::size_t const size : piped_sizes)
      for (memory_kind const kind :
           {memory_kind::pageable, memory_kind::pinned, memory_kind::mixed})
        check_pipeline<float>(place, size, kind, false);
  }

  TEST_CASE_TEMPLATE("fast: host memory and all outputs through a GPU", T, float, double) {
    gpu place;
    for (std::size_t const size : {std::size_t{33}, std::size_t{300'001}})
      for (memory_kind const kind :
           {memory_kind::pageable, memory_kind::pinned, memory_kind::mixed})
        check_pipeline<T>(place, size, kind, true);
  }

  TEST_CASE("one value for all, in host memory through a GPU") {
    gpu place;
    std::vector<double> const strikes{90, 100, 110};
    std::vector<double> calls(3), vegas(3), expected(3), expected_vegas(3);
    warpfold::pricing::host_book<double> const book{100, strikes, 1, 0.2, 0.05};
    price(place, book, {.call = calls, .vega = vegas});
    price(host(), book, {.call = expected, .vega = expected_vegas});
    CHECK(calls == expected);
    CHECK(vegas == expected_vegas);
    for (auto const by : {twins::formula::polynomial, twins::formula::vendor}) {
      std::fill(calls.begin(), calls.end(), untouched<double>);
      price(place, book, {.call = calls}, by);
      for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(calls[i] - expected[i]) < 1e-4);
    }
  }

  TEST_CASE("what fails before a GPU's work leaves it usable") {
    counting_resource memory(3); // its counters and first scratch memory
    std::vector<float> const strikes(1'000'000, 100.F);
    std::vector<float> calls(strikes.size());
    warpfold::pricing::host_book<float> const book{100, strikes, 1, 0.2, 0.05};
    {
      gpu place(0, &memory);
      CHECK_THROWS_AS(price(place, book, {.call = calls}), std::bad_alloc);
      std::vector<float> few(10);
      warpfold::pricing::host_book<float> const first{100, std::span(strikes).first(10), 1, 0.2,
                                                      0.05};
      price(place, first, {.call = few});
      CHECK(few[0] > 0);
    }
    CHECK(memory.out.empty());
  }

} // TEST_SUITE

} // namespace pricing_pipeline_test
