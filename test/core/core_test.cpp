// Places, memory, and the types that keep host and GPU apart.

#include "gpu.hpp"

#include "core/rows.hpp"

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/core/scratch.hpp>

#include <algorithm>
#include <concepts>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>

namespace core_test {

using namespace test;
namespace wf = warpfold;

// ---- what does not compile ----------------------------------------------------------------------

static_assert(!std::convertible_to<wf::device_span<float>, std::span<float const>>);
static_assert(!std::convertible_to<std::span<float>, wf::device_span<float const>>);
static_assert(!std::constructible_from<wf::device_span<float const>, std::vector<float>&>);
static_assert(!std::constructible_from<std::span<float const>, wf::device_buffer<float>&>);
static_assert(!std::ranges::range<wf::device_span<float>>);
static_assert(!std::ranges::range<wf::device_buffer<float>>);
template <class T>
concept indexable = requires(T const& x) {
  x[0];
};
static_assert(!indexable<wf::device_span<float>> && !indexable<wf::device_buffer<float>>);
static_assert(std::convertible_to<wf::device_span<float>, wf::device_span<float const>>);
static_assert(!std::convertible_to<wf::device_span<float const>, wf::device_span<float>>);
static_assert(!std::convertible_to<wf::device_span<float>, wf::device_span<double const>>);
static_assert(std::convertible_to<wf::device_buffer<float>&, wf::device_span<float>>);
static_assert(!std::convertible_to<wf::device_buffer<float> const&, wf::device_span<float>>);

static_assert(wf::elements_for<std::vector<float>, wf::host>);
static_assert(wf::elements_for<std::span<float const>, wf::host&>);
static_assert(wf::elements_for<wf::pinned_buffer<float>, wf::host>);
static_assert(wf::elements_for<wf::device_span<float>, wf::gpu&>);
static_assert(wf::elements_for<wf::device_span<float const>, wf::gpu>);
static_assert(wf::elements_for<wf::device_buffer<float>, wf::gpu>);
static_assert(!wf::elements_for<std::vector<float>, wf::gpu>);
static_assert(!wf::elements_for<std::span<float const>, wf::gpu&>);
static_assert(!wf::elements_for<wf::pinned_buffer<float>, wf::gpu>);
static_assert(!wf::elements_for<wf::device_buffer<float>, wf::host>);
static_assert(!wf::elements_for<wf::device_span<float>, wf::host&>);
static_assert(!wf::elements_for<std::vector<bool>, wf::host>);

template <class Place, class Values, class Result>
concept sums_into = requires(Place place, Values const& values, Result result) {
  wf::sum_async(place, values, result);
};
static_assert(sums_into<wf::gpu&, wf::device_span<float>, wf::device_span<float>>);
static_assert(!sums_into<wf::gpu&, wf::device_span<float>, std::span<float>>);
static_assert(!sums_into<wf::host&, std::vector<float>, wf::device_span<float>>);
static_assert(!sums_into<wf::host&, std::vector<float>, std::span<double>>);

template <class Handle>
constexpr bool is_handle =
    std::is_nothrow_move_constructible_v<Handle>&& std::is_nothrow_move_assignable_v<Handle> &&
    !std::is_copy_constructible_v<Handle> && !std::is_copy_assignable_v<Handle>;
static_assert(is_handle<wf::stream> && is_handle<wf::event> && is_handle<wf::gpu>);
static_assert(is_handle<wf::device_allocation> && is_handle<wf::pinned_allocation>);
static_assert(is_handle<wf::device_buffer<float>> && is_handle<wf::pinned_buffer<float>>);
static_assert(std::is_nothrow_default_constructible_v<wf::device_buffer<float>>);
static_assert(std::is_base_of_v<wf::error, wf::argument_error>);
static_assert(std::is_base_of_v<wf::error, wf::cuda_error>);
static_assert(std::is_base_of_v<std::runtime_error, wf::error>);

TEST_CASE("sizes in bytes do not overflow") {
  std::size_t const most = std::numeric_limits<std::size_t>::max();
  CHECK(wf::detail::bytes_for(most / 8, 8) == most / 8 * 8);
  CHECK(refused_by([&] { (void)wf::detail::bytes_for(most / 8 + 1, 8); }) == "size");
  CHECK(refused_by([&] { wf::pinned_buffer<double> buffer(most / 4); }) == "size");
}

TEST_CASE("threads of the host") {
  CHECK(wf::host(3).threads() == 3);
  CHECK(wf::host().threads() >= 1);
  CHECK(refused_by([] { wf::host(4097); }) == "threads");
}

TEST_CASE("gpus are counted, and the default place is one where there is one") {
  int const count = wf::gpu_count();
  CHECK(count >= 0);
  auto const place = wf::default_place();
  CHECK(std::holds_alternative<wf::gpu>(place) == (count > 0));
}

TEST_CASE("a gpu that is not there is refused; without any the error says what to do") {
  try {
    wf::gpu place(wf::gpu_count());
    FAIL("there is no such gpu");
  } catch (wf::argument_error const& error) {
    CHECK(wf::gpu_count() > 0);
    CHECK(error.argument() == "device");
  } catch (wf::cuda_error const& error) {
    CHECK(wf::gpu_count() == 0);
    CHECK(contains(error.what(), "warpfold::host"));
    CHECK(error.status() != cudaSuccess);
  }
}

TEST_CASE("empty handles need no gpu") {
  wf::device_buffer<float> device, other_device(std::move(device));
  device = std::move(other_device);
  wf::pinned_buffer<float> pinned, other_pinned(std::move(pinned));
  pinned = std::move(other_pinned);
  CHECK(device.size() == 0);
  CHECK(pinned.begin() == pinned.end());
  CHECK(wf::pinned_buffer<float>(0).size() == 0);
}

TEST_CASE("device_span is a view") {
  float elements[5] = {};
  wf::device_span<float> const all(elements, 5);
  CHECK(all.size_bytes() == 20);
  CHECK(all.subspan(2).data() == elements + 2);
  CHECK(all.subspan(2).size() == 3);
  CHECK(all.subspan(1, 2).size() == 2);
  CHECK(wf::device_span<float const>(all).data() == elements);
  CHECK(wf::device_span<float>().empty());
}

TEST_CASE("a parallel loop passes exceptions on") {
  auto const loop = [](int threads) {
    wf::detail::parallel_for(threads, 100, [](std::int64_t i) {
      if (i == 57) throw std::out_of_range("57");
    });
  };
  CHECK_THROWS_AS(loop(1), std::out_of_range);
  CHECK_THROWS_AS(loop(3), std::out_of_range);
  std::vector<int> calls(1000);
  wf::detail::parallel_for(3, 1000, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
  CHECK(std::ranges::count(calls, 1) == 1000);
}

TEST_SUITE("gpu") {
  TEST_CASE("a device that is not there is refused, and the default is one that is") {
    CHECK(refused_by([] { wf::gpu place(wf::gpu_count()); }) == "device");
    CHECK(refused_by([] { wf::gpu place(-1); }) == "device");
    CHECK(std::holds_alternative<wf::gpu>(wf::default_place()));
  }

  TEST_CASE("nothing leaks, whichever allocation fails") {
    int allowed = 0;
    for (bool failed = true; failed; ++allowed) {
      REQUIRE(allowed < 20);
      CAPTURE(allowed);
      counting_resource memory(allowed);
      failed = false;
      try {
        wf::gpu place(0, &memory);
        std::vector<float> const values(1000, 1.0F);
        wf::device_buffer<float> buffer(place, values);
        buffer = wf::device_buffer<float>(place, 500);
        place.reserve(std::size_t{8} << 20);
        wf::device_buffer<double> more(place, 10);
      } catch (std::bad_alloc const&) {
        failed = true;
      }
      CHECK(memory.out.empty());
      CHECK(memory.all_known);
    }
    CHECK(allowed > 5);
  }

  TEST_CASE("a reserve that fails leaves the place as it was") {
    counting_resource memory(3);
    wf::gpu place(0, &memory);
    std::size_t const before = place.workspace_size();
    CHECK_THROWS_AS(place.reserve(before + 1), std::bad_alloc);
    CHECK(place.workspace_size() == before);
    wf::device_buffer<float> values;
    CHECK(wf::sum(place, values) == 0);
  }

  TEST_CASE("reserve grows and never shrinks") {
    wf::gpu place;
    std::size_t const before = place.workspace_size();
    place.reserve(before / 2);
    CHECK(place.workspace_size() == before);
    place.reserve(before * 3);
    CHECK(place.workspace_size() >= before * 3);
    CHECK(refused_by([&] {
            (void)wf::detail::gpu_scratch(place).workspace(place.workspace_size() + 1);
          }) == "place");
  }

  TEST_CASE("sizes in bytes of device buffers do not overflow") {
    wf::gpu place;
    std::size_t const most = std::numeric_limits<std::size_t>::max();
    CHECK(refused_by([&] { wf::device_buffer<double> buffer(place, most / 4); }) == "size");
  }

  TEST_CASE("device memory that cannot be had is a cuda_error") {
    wf::gpu place;
    CHECK_THROWS_AS(wf::device_buffer<char>(place, std::size_t{1} << 50), wf::cuda_error);
    CHECK(cudaPeekAtLastError() == cudaSuccess);
  }

  TEST_CASE("fast: there and back") {
    wf::gpu place;
    std::vector<std::int32_t> values(1000);
    std::iota(values.begin(), values.end(), -500);
    wf::device_buffer<std::int32_t> const there(place, values);
    CHECK(wf::to_vector(place, there.span()) == values);

    wf::pinned_buffer<std::int32_t> pinned(values.size());
    wf::copy_async(place, there.span(), std::span<std::int32_t>(pinned));
    place.synchronize();
    CHECK(std::ranges::equal(pinned, values));

    wf::device_buffer<std::int32_t> again(place, values.size());
    wf::copy(place, pinned, again.span());
    CHECK(wf::to_vector(place, again.span()) == values);
    CHECK(wf::to_vector(place, again.span().subspan(10, 1))[0] == -490);
    CHECK(wf::to_vector(place, wf::device_span<std::int32_t>()).empty());
  }

  TEST_CASE("copies between different sizes are refused") {
    wf::gpu place;
    std::vector<float> const values(10, 1.0F);
    wf::device_buffer<float> there(place, std::vector<float>(9, 2.0F));
    std::vector<float> back(8, 3.0F);
    CHECK(refused_by([&] { wf::copy(place, values, there.span()); }) == "destination");
    CHECK(refused_by([&] { wf::copy(place, there.span(), back); }) == "destination");
    CHECK(wf::to_vector(place, there.span()) == std::vector<float>(9, 2.0F));
    CHECK(back == std::vector<float>(8, 3.0F));
  }

  TEST_CASE("moved-from buffers do not lie about their size") {
    wf::gpu place;
    auto const check = [](auto make) {
      auto a = make(10), b = make(20), c = std::move(b);
      CHECK(c.size() == 20);
      CHECK((b.data() != nullptr || b.size() == 0));
      a = std::move(c);
      CHECK(a.size() == 20);
      CHECK((c.data() ? c.size() == 10 : c.size() == 0));
    };
    check([&](std::size_t size) { return wf::device_buffer<float>(place, size); });
    check([](std::size_t size) { return wf::pinned_buffer<float>(size); });
  }

  TEST_CASE("a place moves, with its stream and its memory") {
    counting_resource memory;
    auto const works = [](wf::gpu& place) {
      return wf::sum(place, wf::device_buffer<float>(place, std::vector<float>(100'000, 1))) ==
             100'000;
    };
    {
      wf::gpu one(0, &memory), other(0, &memory);
      cudaStream_t const stream = other.stream();
      CHECK(works(one));
      one = std::move(other);
      CHECK(one.stream() == stream);
      CHECK(memory.out.size() == 3);
      CHECK(works(one));
      wf::gpu moved(std::move(one));
      CHECK(works(moved));
      wf::gpu& same = moved;
      moved = std::move(same);
      CHECK(works(moved));
    }
    CHECK(memory.out.empty());
    CHECK(memory.all_known);
  }

  TEST_CASE("an adopted stream is used and not destroyed") {
    wf::stream stream;
    {
      wf::gpu place(0, stream.get());
      CHECK(place.stream() == stream.get());
      CHECK(wf::sum(place, wf::device_buffer<float>(place, std::vector<float>(5, 2.0F))) == 10);
    }
    CHECK_NOTHROW(stream.synchronize());
    wf::gpu legacy(0, nullptr);
    CHECK(wf::sum(legacy, wf::device_buffer<float>(legacy, std::vector<float>(5, 2.0F))) == 10);
  }

  TEST_CASE("streams and events") {
    wf::stream stream, other;
    wf::event start, stop;
    CHECK_THROWS_AS((void)wf::seconds_between(start, stop), wf::cuda_error);
    wf::gpu place(0, stream.get());
    wf::device_buffer<char> bytes(place, std::size_t{64} << 20);
    start.record(stream.get());
    wf::check(cudaMemsetAsync(bytes.data(), 1, bytes.size(), stream.get()));
    stop.record(stream.get());
    stop.block(other.get());
    other.synchronize();
    stop.synchronize();
    double const seconds = wf::seconds_between(start, stop);
    CHECK(seconds > 0);
    CHECK(seconds < 1);

    wf::event moved(std::move(start));
    CHECK(start.get() == nullptr);
    CHECK(wf::seconds_between(moved, stop) == seconds);
    wf::stream taken(std::move(other)), another;
    CHECK(other.get() == nullptr);
    cudaStream_t const handle = taken.get();
    another = std::move(taken);
    CHECK(another.get() == handle);
    another.synchronize();
  }

  TEST_CASE("device_guard puts the current device back") {
    int const last = wf::gpu_count() - 1;
    auto const current = [] {
      int device = -1;
      wf::check(cudaGetDevice(&device));
      return device;
    };
    {
      wf::device_guard const guard(last);
      CHECK(current() == last);
    }
    CHECK(current() == 0);
  }
}

TEST_SUITE("large") {
  TEST_CASE("rows are copied and cleared, however far apart") {
    wf::gpu place;
    std::vector<float> const values{1, 2, 3, 4, 5, 6, 7, 8};
    wf::device_buffer<float> near(place, std::span<float const>(values));
    std::size_t const most = wf::detail::largest_pitch / sizeof(float);
    for (std::size_t const pitch : {std::size_t{5}, most, most + 1, most + 5}) {
      CAPTURE(pitch);
      wf::device_buffer<float> far(place, pitch + 4);
      auto const corner = [&](std::size_t row) {
        return wf::to_vector(place, far.span().subspan(row * pitch, 4));
      };
      for (std::size_t const row : {0, 1})
        wf::copy(place, std::vector<float>(4, 9), far.span().subspan(row * pitch, 4));
      wf::detail::copy_rows(far.data(), pitch, near.data(), 4, 3, 2, place.stream());
      CHECK(corner(0) == std::vector<float>{1, 2, 3, 9});
      CHECK(corner(1) == std::vector<float>{5, 6, 7, 9});
      wf::detail::clear_rows(far.data() + 1, pitch, 2, 2, place.stream());
      CHECK(corner(0) == std::vector<float>{1, 0, 0, 9});
      CHECK(corner(1) == std::vector<float>{5, 0, 0, 9});
      wf::detail::copy_rows(near.data(), 4, far.data(), pitch, 4, 2, place.stream());
      CHECK(wf::to_vector(place, near.span()) == std::vector<float>{1, 0, 0, 9, 5, 0, 0, 9});
      wf::copy(place, values, near.span());
    }
  }
}

} // namespace core_test
