// Weighted histograms, several values for an index, and sums of several ranks in the emulator.

#include "simt/scatter/scatter_simt.hpp"

#include <warpfold/detail/counting/even_bins.hpp>

namespace {

using namespace scatter_simt;

TEST_CASE_TEMPLATE("several values for an index", T, float, double) {
  for (int const components : {2, 3, 4, 7})
    for (std::size_t const size : {1, 171, 1500})
      for (std::size_t const bins : {5, 90, 1000}) {
        CAPTURE(components);
        CAPTURE(size);
        CAPTURE(bins);
        auto const each = static_cast<std::size_t>(components);
        auto in = random_input<T, std::int32_t>(size, bins, size == 171);
        in.values = test::scatter_values<T>(generator(), size * each);
        in.components = components;
        in.bins *= each;
        check_input(in);
        in.indices[size / 2] = -1;
        in.values.back() = T{2};
        check_input(in);
      }
}
/// Weights and the bins of keys that have some outside, against sums by index.
template <class Key, class T>
void check_histogram(int size, int count) {
  detail::bins_of<Key> const bins{count, std::floating_point<Key> ? Key(-1) : Key(3),
                                  std::floating_point<Key> ? Key(2) : Key(203)};
  detail::bin_function<Key> const bin_of(bins);
  auto& random = generator();
  input<T, std::int64_t> in{test::scatter_values<T>(random, static_cast<std::size_t>(size)),
                            {},
                            {0.9, 1000},
                            static_cast<std::size_t>(count)};
  std::vector<Key> keys(in.values.size());
  std::uint64_t outside = 0;
  scatter_status known{0, warpfold::no_position, 0, warpfold::no_position};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = std::floating_point<Key>
                  ? static_cast<Key>(static_cast<double>(random() % 4001) / 1000 - 1.5)
                  : static_cast<Key>(random() % 256);
    if (std::floating_point<Key> && i % 97 == 0) keys[i] = std::numeric_limits<Key>::quiet_NaN();
    in.indices.push_back(bin_of(keys[i]));
    if (in.indices[i] < 0) {
      ++outside;
      if (i % 2 == 0) in.values[i] = std::numeric_limits<T>::infinity(); // nobody minds
    } else if (!(std::abs(static_cast<double>(in.values[i])) <= 0.9) && known.refused++ == 0) {
      known.first_refused = i;
    }
  }
  CHECK((outside > 0 || size < 100));
  auto const expected = reference(in, false);
  CHECK(expected.status.refused == known.refused + outside);
  simt::in_every_order([&](simt::options const& how) {
    simt::poisoned<std::uint64_t> sums(in.bins);
    std::vector<T> results(in.bins);
    scatter_status status{};
    std::uint64_t any = 0;
    using bin_function = detail::bin_function<Key>;
    using terms = detail::fixed_terms<T, 1>;
    detail::scatter_job<T, Key, bin_function> const job{
        in.values.data(),
        keys.data(),
        in.values.size(),
        bin_of,
        1,
        {detail::fixed_point<T>(in.bound), nullptr, 0},
        sums.data(),
        count,
        how.lanes != simt::order::reverse &&
            reinterpret_cast<std::uintptr_t>(in.values.data()) % 16 == 0 &&
            reinterpret_cast<std::uintptr_t>(keys.data()) % 16 == 0,
        &status};
    simt::launch({2, 64, 1}, how, [&](simt::block const& b, void*) {
      detail::scatter_clear(b, sums.data(), in.bins, &any, &status);
    });
    int const log_copies = static_cast<int>(how.seed % 3);
    simt::launch({3, small_shape::threads, (in.bins << log_copies) * 8 + 16}, how,
                 [&](simt::block const& b, void* shared) {
                   detail::scatter_private<terms, small_shape>(b, job, log_copies,
                                                               static_cast<unsigned*>(shared));
                 });
    simt::launch({2, 32, 1}, how, [&](simt::block const& b, void*) {
      detail::scatter_finish<terms, T>(
          b, {job.unit, sums.data(), count, 1, nullptr, results.data(), &status},
          detail::scatter_end::store);
    });
    CHECK(test::same_numbers(results, expected.results));
    CHECK(status == known);
  });
}
TEST_CASE_TEMPLATE("weights in the bins of a histogram", Key, std::uint8_t, std::int32_t,
                   std::uint32_t, float, double) {
  for (int const size : {1, 511, 512, 513, 3001})
    for (int const bins : {1, 10, 200}) {
      CAPTURE(size);
      CAPTURE(bins);
      check_histogram<Key, float>(size, bins);
      check_histogram<Key, double>(size, bins);
    }
}
TEST_CASE("words of several ranks, added up and rounded once") {
  auto const in = random_input<float, std::uint32_t>(5000, 300, false);
  using one = detail::fixed_terms<float, 1>;
  using two = detail::fixed_terms<float, 2>;
  for (bool const wide : {false, true}) {
    auto const whole = reference(in, wide);
    std::vector<std::uint64_t> words;
    for (std::size_t r = 0; r < 3; ++r) {
      input<float, std::uint32_t> part{{}, {}, in.bound, in.bins};
      for (std::size_t i = r; i < in.values.size(); i += 3) {
        part.values.push_back(in.values[i]);
        part.indices.push_back(in.indices[i]);
      }
      simt::options const how{.seed = simt::seed()};
      auto const own = wide ? run_bodies<two, small_shape>(how, way::windows, 2, part).sums
                            : run_bodies<one, small_shape>(how, way::windows, 2, part).sums;
      words.insert(words.end(), own.begin(), own.end());
    }
    std::vector<float> results(in.bins);
    scatter_status status{0, warpfold::no_position, 0, warpfold::no_position};
    detail::scatter_rounding<float> const job{{detail::fixed_point<float>(in.bound), nullptr, 0},
                                              words.data(),
                                              static_cast<int>(in.bins),
                                              3,
                                              nullptr,
                                              results.data(),
                                              &status};
    simt::in_every_order([&](simt::options const& how) {
      std::ranges::fill(results, 7.F);
      simt::launch({2, 32, 1}, how, [&](simt::block const& b, void*) {
        if (wide) detail::scatter_finish<two>(b, job, detail::scatter_end::store);
        else detail::scatter_finish<one>(b, job, detail::scatter_end::store);
      });
      CHECK(test::same_numbers(results, whole.results));
      CHECK(status == whole.status);
    });
  }
}

} // namespace
