// The bodies of the exact sums of segments in the emulator, against exact sums on the host.

#include "reduction/exact.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/segments/exact_segments_body.hpp>

namespace {

namespace detail = warpfold::detail;

/// Both kernels, with 64 threads a block; what results hold before is poison.
template <class T>
std::vector<T> sums_simt(simt::options const& how, int grid, std::vector<T> const& values,
                         detail::segment_list segments) {
  constexpr int threads = 64;
  using terms = detail::exact_values<T>;
  auto const size = std::ssize(values);
  std::int64_t const count = (size + detail::exact_chunk<T> - 1) / detail::exact_chunk<T>;
  simt::poisoned<detail::exact_chunk_words<terms>> chunks(static_cast<std::size_t>(count));
  std::vector<T> results(static_cast<std::size_t>(segments.count()), T(-77));
  struct nothing {};
  simt::launch<nothing>(grid, threads, how, [&](simt::block const& block, nothing&) {
    detail::prepare_exact_segments(block, segments, chunks.data(), count, results.data());
  });
  simt::launch<detail::exact_segments_shared<terms, threads>>(
      grid, threads, how, [&](simt::block const& block, auto& shared) {
        detail::exact_segments(block, values.data(), detail::widened<T, warpfold::identity>{},
                               segments, size, shared, chunks.data(), results.data());
      });
  return results;
}

template <class T>
std::vector<T> sums_host(std::vector<T> const& values, detail::segment_list segments) {
  std::vector<T> sums;
  for (std::int64_t i = 0; i < segments.count(); ++i)
    sums.push_back(warpfold::exact_sum(
        warpfold::host{1}, std::span<T const>(values).subspan(
                               static_cast<std::size_t>(segments.begin(i)),
                               static_cast<std::size_t>(segments.end(i) - segments.begin(i)))));
  return sums;
}

/// Empty ones in runs, short ones, ones of several chunks.
std::vector<std::int32_t> some_offsets(std::mt19937_64& random, std::size_t size) {
  std::vector<std::int32_t> offsets{3};
  std::size_t const lengths[] = {0, 1, 31, 33, 700, 9000};
  while (true) {
    std::size_t const length = lengths[random() % 6];
    for (std::size_t copies = length < 50 ? random() % 45 : 1; copies > 0; --copies) {
      std::size_t const next = static_cast<std::size_t>(offsets.back()) + length;
      if (next > size) return offsets;
      offsets.push_back(static_cast<std::int32_t>(next));
    }
  }
}

} // namespace

TEST_CASE_TEMPLATE("simt exact segments: each is summed as an array of its own", T, float, double) {
  std::mt19937_64 random{simt::seed()};
  constexpr std::size_t size = 30'000;
  for (std::size_t const one_in : {300, 1})
    for (int const grid : {1, 3}) {
      CAPTURE(one_in);
      CAPTURE(grid);
      auto const values = test::partly_wild_values<T>(size, one_in, random, 40);
      auto const offsets = some_offsets(random, size);
      detail::segment_list const between{{offsets.data(), std::ssize(offsets) - 1, false}, {}};
      detail::segment_list const rows{{}, {12, 2000, 2500}};
      for (auto const& segments : {between, rows}) {
        auto const expected = sums_host(values, segments);
        simt::in_every_order([&](simt::options const& how) {
          CHECK(sums_simt(how, grid, values, segments) == expected);
        });
      }
    }
}

// Its barriers are a warp's and order memory; in the emulator the exchange of values next to each
// does so too, so that leaving one out shows nothing there. On a GPU racecheck looks at them.
