#pragma once
// The bodies of sums by index in the emulator, and integers of 128 bits to compare with.

#include "scatter/scatter_reference.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/scatter/scatter_body.hpp>

namespace scatter_simt {

namespace detail = warpfold::detail;
using warpfold::scatter_bound;
using warpfold::scatter_status;

enum class way { own, windows, passes, at_once };

template <class T, class Index>
struct input {
  std::vector<T> values;
  std::vector<Index> indices;
  scatter_bound bound;
  std::size_t bins;
  bool is_found = false; ///< the bound is the largest magnitude, in the GPU's memory
  std::vector<T> before{};
  int components = 1; ///< several values have one index, and there are as many times the bins
};

template <class T>
struct output {
  std::vector<T> results;
  std::vector<std::uint64_t> sums; ///< before they are rounded
  scatter_status status;
};

template <class Terms, class Shape, class T, class Index>
output<T> run_bodies(simt::options const& how, way by, int grid, input<T, Index> const& in,
                     bool guarded = false) {
  using unsigned_index = std::make_unsigned_t<Index>;
  constexpr std::size_t words = Terms::words;
  simt::poisoned<std::uint64_t> sums(in.bins * words);
  std::vector<T> results(in.bins + 1, T{-7});
  std::ranges::copy(in.before, results.begin());
  scatter_status status{77, 77, 77, 77};
  std::uint64_t any = 77;
  T largest{0};
  for (T const x : in.values) largest = std::max(largest, std::abs(x));
  std::uint64_t const count = in.values.size();
  detail::counted_size size(count);
  if (how.seed % 2 == 0) size = {count + how.seed % 3000, &count};
  detail::scatter_job<T, unsigned_index> const job{
      in.values.data(),
      reinterpret_cast<unsigned_index const*>(in.indices.data()),
      size,
      {static_cast<unsigned_index>(in.bins / static_cast<std::size_t>(in.components)), false},
      static_cast<unsigned>(in.components),
      {detail::fixed_point<T>(in.bound), in.is_found ? &largest : nullptr, in.values.size()},
      sums.data(),
      static_cast<int>(in.bins),
      how.lanes != simt::order::reverse &&
          reinterpret_cast<std::uintptr_t>(in.values.data()) % 16 == 0 &&
          reinterpret_cast<std::uintptr_t>(in.indices.data()) % 16 == 0,
      &status};
  simt::launch({2, 64, 1}, how, [&](simt::block const& b, void*) {
    detail::scatter_clear(b, sums.data(), in.bins * words, &any, &status);
  });
  if (by == way::own || by == way::at_once) {
    int const log_copies = by == way::own ? static_cast<int>(how.seed % 4) : -1;
    std::size_t const slots = by == way::own ? in.bins << log_copies : 0;
    simt::launch({grid, Shape::threads, slots * words * 8 + 16}, how,
                 [&](simt::block const& b, void* shared) {
                   detail::scatter_private<Terms, Shape>(b, job, log_copies,
                                                         static_cast<unsigned*>(shared));
                 });
  } else if constexpr (!Terms::are_exact) {
    simt::poisoned<unsigned char> scattered(in.values.size() / Shape::tile + 1);
    detail::scatter_pass pass{0, static_cast<int>(in.bins), nullptr, &any};
    if (by == way::passes) pass = {0, static_cast<int>(in.bins / 3 + 1), scattered.data(), &any};
    simt::launch<detail::window_shared<Shape>>(
        grid, Shape::threads, how, [&](simt::block const& b, auto& shared) {
          detail::scatter_windows<Terms>(b, job, pass, shared);
        });
    if (by == way::passes)
      for (int p = 1; p < 3; ++p) {
        pass.first += pass.count;
        simt::launch({grid, Shape::threads, 1}, how, [&](simt::block const& b, void*) {
          detail::scatter_again<Terms, Shape>(b, job, pass);
        });
      }
  }
  std::vector<std::uint64_t> const added(sums.data(), sums.data() + in.bins * words);
  auto const finish = [&](detail::scatter_end end) {
    detail::scatter_rounding<T> const rounding{
        job.unit,       sums.data(), job.bins, 1, in.before.empty() ? nullptr : results.data(),
        results.data(), &status};
    simt::launch({2, 32, 1}, how, [&](simt::block const& b, void*) {
      detail::scatter_finish<Terms>(b, rounding, end);
    });
  };
  if (guarded) {
    finish(detail::scatter_end::look);
    finish(detail::scatter_end::keep);
  } else {
    finish(detail::scatter_end::store);
  }
  CHECK(results.back() == T{-7});
  results.pop_back();
  return {results, added, status};
}

template <class T, class Index>
test::scattered<T> reference(input<T, Index> const& in, bool wide) {
  double largest = 0;
  for (T const x : in.values) largest = std::max(largest, std::abs(static_cast<double>(x)));
  int const s = in.is_found ? test::fraction_bits(largest, in.values.size())
                            : test::fraction_bits(in.bound.sum);
  return test::scatter_by_definition(in.values, in.indices, s,
                                     in.is_found ? largest : in.bound.value, in.bound.sum, in.bins,
                                     wide, in.before, in.components);
}

using small_shape = detail::scatter_shape<64, 2, 128>;

template <int Words, class T, class Index>
void check_words(input<T, Index> const& in, int grid) {
  auto const known = reference(in, Words == 2);
  using terms = detail::fixed_terms<T, Words>;
  CAPTURE(Words);
  // Finer units than the type's are not used.
  bool const has_unit = in.bound.sum > std::ldexp(std::numeric_limits<T>::denorm_min(), 62);
  simt::in_every_order([&](simt::options how) {
    for (way const by : {way::own, way::windows, way::passes}) {
      if (by == way::own && in.bins > 700) continue;
      CAPTURE(static_cast<int>(by));
      how.seed += 1;
      auto const found = run_bodies<terms, small_shape>(how, by, grid, in);
      CHECK(test::same_numbers(found.results, known.results));
      CHECK(found.status == known.status);
      bool same = true;
      for (std::size_t b = 0; b < in.bins && has_unit && in.before.empty(); ++b) {
        // Modulo 2^64, or 2^96.
        test::int128 sum = static_cast<std::int64_t>(found.sums[b * Words]);
        if (Words == 2)
          sum =
              sum * (test::int128{1} << 32) + static_cast<std::int64_t>(found.sums[b * Words + 1]);
        same = same && (sum - known.sums[b]) % (test::int128{1} << (Words == 2 ? 96 : 64)) == 0;
      }
      CHECK(same);
      bool const is_complete = known.status.is_complete();
      auto const guarded = run_bodies<terms, small_shape>(how, by, grid, in, true);
      auto untouched = in.before;
      untouched.resize(in.bins, in.before.empty() ? T{-7} : T{});
      CHECK(test::same_numbers(guarded.results, is_complete ? known.results : untouched));
      CHECK(guarded.status == known.status);
    }
  });
}
template <class T, class Index>
void check_input(input<T, Index> const& in, int grid = 3) {
  check_words<1>(in, grid);
  check_words<2>(in, grid);
}

inline std::mt19937_64& generator() {
  static std::mt19937_64 random{simt::seed()};
  return random;
}

template <class T, class Index>
input<T, Index> random_input(std::size_t size, std::size_t bins, bool is_clustered) {
  auto& random = generator();
  auto indices = test::scatter_indices<Index>(random, size, bins, is_clustered);
  return {test::scatter_values<T>(random, size),
          std::move(indices),
          {1.0, static_cast<double>(size)},
          bins};
}

} // namespace scatter_simt
