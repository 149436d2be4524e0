// The kernel of risk figures in the emulator: exact sums of excesses against those of the host.

#include "pricing/risk.hpp"
#include "reduction/exact.hpp"
#include "simt/reduction/folds.hpp"

#include <warpfold/detail/reduction/exact_body.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

namespace detail = warpfold::detail;
namespace wf = warpfold;

bool same_figures(wf::pricing::risk_figures const& a, wf::pricing::risk_figures const& b) {
  return simt::same(a.value_at_risk, b.value_at_risk) && simt::same(a.lower, b.lower) &&
         simt::same(a.upper, b.upper) && simt::same(a.expected_shortfall, b.expected_shortfall) &&
         simt::same(a.standard_error, b.standard_error) && a.losses == b.losses;
}

/// A launch of blocks of 64 threads that read 4 rows at a time.
template <class T, class Reader>
void add_excesses_simt(simt::options const& how, int grid, Reader losses, std::size_t size,
                       T const* threshold, detail::risk_output<T> const& to) {
  using terms = detail::excess_terms<T>;
  constexpr int threads = 64, rows = 4;
  std::vector<std::uint64_t> words(terms::layout::size, 0);
  unsigned ticket = 0;
  simt::launch<detail::exact_shared<terms, threads>>(
      grid, threads, how, [&](simt::block const& block, auto& shared) {
        detail::exact_fold<terms, threads, rows>(
            block, detail::excess_reader<Reader, T>{losses, *threshold},
            static_cast<std::int64_t>(size), shared, detail::exact_scratch{words.data(), &ticket},
            to);
      });
  CHECK(ticket == 0);
  CHECK(words == std::vector<std::uint64_t>(terms::layout::size, 0));
}

/// Figures, and words from which figures are made, have the host's bits.
template <class T>
void check_losses(std::vector<T> const& losses, double level) {
  std::size_t const size = losses.size();
  auto in_order = losses;
  std::ranges::sort(in_order);
  auto const at = static_cast<std::uint64_t>(static_cast<double>(size - 1) * level);
  detail::risk_ranks const ranks{at, 0, 0, size % 2 == 0, size > 100, level};
  T const ranked[] = {in_order[at], in_order.front(), in_order.back()};
  wf::pricing::risk_figures expected{}, found{};
  auto const to = [&](auto& figures) {
    return detail::risk_output<T>{ranked, ranks, size, &figures, nullptr};
  };
  detail::add_excesses<T>(wf::host(1), losses, {ranked, {}}, to(expected));
  simt::at_both<T> const both(losses);
  for (int const grid : {1, 3}) {
    INFO(size, " losses, level ", level, ", ", grid, " blocks");
    simt::in_every_order([&](simt::options const& how) {
      both.read_by(wf::identity{}, [&](auto reader) {
        found = {};
        add_excesses_simt<T>(how, grid, reader, size, ranked, to(found));
        CHECK(same_figures(found, expected));
      });
    });
    detail::excess_words words;
    add_excesses_simt<T>({}, grid, detail::packed_reader<T, wf::identity>{losses.data(), {}}, size,
                         ranked, detail::risk_output<T>{nullptr, {}, 0, nullptr, &words});
    CHECK(same_figures(detail::risk_of_words<T>(std::span(&words, 1), ranked, ranks, size),
                       expected));
  }
}

} // namespace

TEST_CASE_TEMPLATE("simt excess: risk figures have the host's bits", T, float, double) {
  for (std::size_t const size : {1, 33, 129, 1000, 4096})
    for (double const level : {0.2, 0.975}) {
      auto losses = test::rough_values<T>(size, simt::seed());
      check_losses(losses, level);
      for (T& x : losses) x -= 2000; // what is not there is no loss of 0
      check_losses(losses, level);
    }
}

TEST_CASE_TEMPLATE("simt excess: losses of all exponents, and infinite ones", T, float, double) {
  std::mt19937_64 random{simt::seed()};
  for (std::size_t const one_in : {1, 40}) {
    auto losses = test::partly_wild_values<T>(3000, one_in, random);
    check_losses(losses, 0.5);
    losses[random() % losses.size()] = std::numeric_limits<T>::max();
    check_losses(losses, 0.1);
    losses[random() % losses.size()] = std::numeric_limits<T>::infinity();
    check_losses(losses, 0.5);
    for (T& x : losses) x = std::abs(x) < T(1e30) ? x : T(1e30) - 7;
    check_losses(losses, 0.9);
  }
}

// Batches as integers: words run out of room and are given it again.
TEST_CASE_TEMPLATE("simt excess: words do not overflow", T, float, double) {
  std::vector<T> losses(40'000, static_cast<T>(sizeof(T) == 4 ? 3e38 : 1e150));
  for (std::size_t i = 0; i < losses.size(); i += 2)
    losses[i] = std::numeric_limits<T>::denorm_min() * static_cast<T>(i % 5);
  check_losses(losses, 0.05);
}

TEST_CASE("simt excess: a barrier left out is noticed") {
  auto const losses = test::rough_values<float>(3000, simt::seed());
  auto const unneeded = [&](int grid) {
    float const ranked[] = {1, -1, 2};
    wf::pricing::risk_figures expected{}, found{};
    detail::risk_ranks const ranks{1500, 0, 2000, true, true, 0.5};
    detail::add_excesses<float>(wf::host(1), losses, {ranked, {}},
                                {ranked, ranks, losses.size(), &expected, nullptr});
    return simt::unneeded_barriers([&](simt::options const& how) {
      add_excesses_simt<float>(
          how, grid, detail::packed_reader<float, wf::identity>{losses.data(), {}}, losses.size(),
          ranked, {ranked, ranks, losses.size(), &found, nullptr});
      return same_figures(found, expected);
    });
  };
  // As in the exact sums' kernel: exchanges of values order memory in the emulator.
  CHECK(unneeded(1) == "0 exact_thread, 2 exact_fold, 3 range_of_row, 4 range_of_row, ");
  CHECK(unneeded(3) ==
        "0 exact_thread, 2 exact_fold, 3 exact_fold, 4 range_of_row, 5 range_of_row, ");
}
