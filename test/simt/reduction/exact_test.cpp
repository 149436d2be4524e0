// The body of the exact sums' kernel in the emulator, against the exact sums on the host.

#include "reduction/exact.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/reduction/exact_body.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>

namespace {

namespace detail = warpfold::detail;

/// A launch of `grid` blocks of 64 threads that read 2 rows at a time; the sum's serialised form.
template <class Terms, class Reader>
auto exact_simt(simt::options const& how, int grid, Reader reader, std::size_t size) {
  constexpr int threads = 64, rows = 2;
  using layout = typename Terms::layout;
  std::vector<std::uint64_t> words(layout::size, 0);
  unsigned ticket = 0;
  detail::exact_words<Terms> sum;
  int finished = 0;
  simt::launch<detail::exact_shared<Terms, threads>>(
      grid, threads, how, [&](simt::block const& block, auto& shared) {
        detail::exact_fold<Terms, threads, rows>(
            block, reader, static_cast<std::int64_t>(size), shared,
            detail::exact_scratch{words.data(), &ticket},
            [&](detail::exact_row row, detail::word_range range) {
              ++finished;
              for (int k = 0; k < layout::size; ++k) {
                sum.word[k] = row(k);
                if (k < layout::words && (k < range.first || k >= range.end)) CHECK(row(k) == 0);
              }
            });
      });
  CHECK(finished == 1);
  CHECK(ticket == 0);
  CHECK(words == std::vector<std::uint64_t>(layout::size, 0));
  detail::carry<layout>(sum.at());
  sum.word[layout::specials] = detail::counted_once(sum.word[layout::specials]);
  return sum;
}

template <class Terms>
bool equal(detail::exact_words<Terms> const& a, detail::exact_words<Terms> b) {
  using layout = typename Terms::layout;
  detail::carry<layout>(b.at());
  b.word[layout::specials] = detail::counted_once(b.word[layout::specials]);
  return std::equal(a.word, a.word + layout::size, b.word);
}

/// Tame numbers, all exponents, and tame ones with a surprise now and then, of the last kind also
/// with what is not finite.
template <class T>
std::vector<T> values_of(int kind, std::size_t size, std::mt19937_64& random) {
  constexpr std::size_t one_in[] = {0, 1, 50, 50};
  auto values = test::partly_wild_values<T>(size, one_in[kind], random);
  if (kind == 3 && size > 0)
    for (T const x : {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity()})
      values[random() % size] = x;
  return values;
}

constexpr std::size_t sizes[] = {0, 1, 33, 511, 512, 513, 2500};

template <class Terms, class T>
void check_sums() {
  std::mt19937_64 random{simt::seed()};
  using transform =
      std::conditional_t<Terms::are_products, detail::squared_factors<T>, warpfold::identity>;
  for (std::size_t const size : sizes)
    for (int kind = 0; kind < 4; ++kind)
      for (int const grid : {1, 3}) {
        CAPTURE(size);
        CAPTURE(kind);
        CAPTURE(grid);
        auto const values = values_of<T>(kind, size, random);
        auto const expected = detail::exact_host<Terms>(1, size, [&](std::int64_t i) {
          return transform{}(values[static_cast<std::size_t>(i)]);
        });
        simt::in_every_order([&](simt::options const& how) {
          detail::packed_reader<T, transform> const packed{values.data(), {}};
          CHECK(equal(exact_simt<Terms>(how, grid, packed, size), expected));
        });
        detail::element_reader<T const*, transform> const single{values.data(), {}};
        CHECK(equal(exact_simt<Terms>({}, grid, single, size), expected));
      }
}

} // namespace

TEST_CASE_TEMPLATE("simt exact: sums are those of the host", T, float, double) {
  check_sums<detail::exact_values<T>, T>();
}

TEST_CASE_TEMPLATE("simt exact: sums of squares are those of the host", T, float, double) {
  check_sums<detail::exact_products<T>, T>();
}

// 2000 batches as integers: words run out of room and are given it again.
TEST_CASE_TEMPLATE("simt exact: words do not overflow", T, float, double) {
  using terms = detail::exact_values<T>;
  std::vector<T> values(40'000, std::numeric_limits<T>::max());
  for (std::size_t i = 0; i < values.size(); i += 2)
    values[i] = std::numeric_limits<T>::denorm_min();
  auto const expected = detail::exact_host<terms>(
      1, values.size(), [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
  detail::packed_reader<T, warpfold::identity> const reader{values.data(), {}};
  CHECK(equal(exact_simt<terms>({}, 1, reader, values.size()), expected));
}

TEST_CASE("simt exact: a barrier left out is noticed") {
  using terms = detail::exact_values<float>;
  std::mt19937_64 random{simt::seed()};
  auto const unneeded = [&](int grid) {
    auto const values = values_of<float>(2, 3000, random);
    auto const expected = detail::exact_host<terms>(
        1, values.size(), [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
    return simt::unneeded_barriers([&](simt::options const& how) {
      detail::packed_reader<float, warpfold::identity> const reader{values.data(), {}};
      return equal(exact_simt<terms>(how, grid, reader, values.size()), expected);
    });
  };
  // The barriers of a warp order its memory accesses; in the emulator the exchange of values that
  // comes next does so too.
  CHECK(unneeded(1) == "0 exact_thread, 2 exact_fold, 3 range_of_row, ");
  CHECK(unneeded(3) == "0 exact_thread, 2 exact_fold, 3 exact_fold, 4 range_of_row, ");
}
