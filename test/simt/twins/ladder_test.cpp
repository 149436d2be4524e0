// The rungs of the ladder in the emulator, against the ladder on the host.

#include "simt/simt.hpp"
#include "twins.hpp"

#include <twins/reduction/classics.hpp>
#include <twins/reduction/ladder_body.hpp>

#include <warpfold/execution.hpp>

#include <utility>

namespace {

namespace twins = warpfold::twins;
using namespace warpfold::detail;

template <class A, int Threads>
struct shared_array {
  A at[Threads];
};

struct no_shared {};

/// True if a rung works with blocks of this many threads.
template <class Rung, int Threads>
inline constexpr bool fits = true;
template <int Size, int Threads>
inline constexpr bool fits<unrolled<Size>, Threads> = Size == Threads;
template <int Size, int Threads>
inline constexpr bool fits<cascaded<Size>, Threads> = Size == Threads;

/// One launch of a rung.
template <int Threads, class A, class Input>
void launch_rung(simt::options const& how, twins::classic rung, std::int64_t left, Input input,
                 ladder_output<A> output) {
  if (rung == twins::halving) {
    auto const blocks = static_cast<int>((left + Threads - 1) / Threads);
    return simt::launch<no_shared>(blocks, Threads, how, [&](simt::block const& block, no_shared&) {
      halving_step(block, input, output);
    });
  }
  with_rung(rung, Threads, [&]<class Rung>(Rung) {
    if constexpr (fits<Rung, Threads>)
      simt::launch<shared_array<A, Threads>>(static_cast<int>(left), Threads, how,
                                             [&](simt::block const& block, auto& shared) {
                                               Rung::run(block, input, shared.at);
                                               output.store(block, shared.at);
                                             });
    else FAIL("a rung for blocks of another size");
  });
}

/// The launches of sum_by_classic on a GPU.
template <int Threads, class A, class T>
A ladder_simt(simt::options const& how, twins::classic rung, std::vector<T> const& values, A init) {
  auto left = values_left(rung, std::ssize(values), Threads);
  simt::poisoned<A> result(1);
  simt::poisoned<A> from(static_cast<std::size_t>(left));
  launch_rung<Threads, A>(how, rung, left, ladder_input<T, A>{values.data(), std::ssize(values)},
                          ladder_output<A>{from.data(), result.data(), init});
  while (left > 1) {
    ladder_input<A, A> const input{from.data(), left};
    left = values_left(rung, left, Threads);
    simt::poisoned<A> to(static_cast<std::size_t>(left));
    launch_rung<Threads, A>(how, rung, left, input,
                            ladder_output<A>{to.data(), result.data(), init});
    from = std::move(to);
  }
  return result[0];
}

template <int Threads, class T, class A>
void check_ladder(twins::classic rung, A init) {
  INFO(to_string(rung), ", ", Threads, " threads");
  constexpr int tile = 2 * Threads;
  for (int const size : {1, 2, 31, 32, 33, Threads - 1, Threads, Threads + 1, tile - 1, tile,
                         tile + 1, 5 * tile + 19}) {
    CAPTURE(size);
    auto const values = test::rough_values<T>(static_cast<std::size_t>(size), simt::seed());
    A const expected =
        sum_by_classic<T, A>({rung, Threads}, warpfold::host{1}, std::span<T const>(values), init);
    simt::in_every_order([&](simt::options const& how) {
      A const result = ladder_simt<Threads>(how, rung, values, init);
      CHECK(simt::same(result, expected));
    });
  }
}

/// The barriers of a rung that may be left out, of two blocks and the one after.
template <int Threads>
std::string unneeded(twins::classic rung) {
  INFO(to_string(rung), ", ", Threads, " threads");
  auto const values = test::exact_values<std::int32_t>(3 * Threads, simt::seed());
  std::int32_t expected = 5;
  for (std::int32_t const x : values) expected = warpfold::plus{}(expected, x);
  return simt::unneeded_barriers([&](simt::options const& how) {
    return ladder_simt<Threads>(how, rung, values, std::int32_t{5}) == expected;
  });
}

} // namespace

TEST_CASE_TEMPLATE("simt ladder: sums have the bits of the host's", T, std::int32_t, float, double,
                   __half) {
  using A = test::accumulator_t<T>;
  for (twins::classic const rung : test::ladder) {
    check_ladder<32, T, A>(rung, A{3});
    check_ladder<128, T, A>(rung, A{3});
  }
}

TEST_CASE("simt ladder: blocks of the other sizes") {
  for (twins::classic const rung : test::ladder) {
    check_ladder<64, float, float>(rung, 0.0f);
    check_ladder<256, float, float>(rung, 0.0f);
    check_ladder<512, float, float>(rung, 0.0f);
    check_ladder<1024, float, float>(rung, 0.0f);
  }
}

// Two kinds of barriers separate nothing, and stand for the sake of an even loop: the tree's last
// one, after which thread 0 reads what it wrote itself; and in a step of the last warp the one
// between reads of [Step, 2 Step) and writes of [0, Step).
TEST_CASE("simt ladder: a barrier left out is noticed") {
  char const* const last_warp_of_32 =
      "1 warp_step, 3 warp_step, 5 warp_step, 7 warp_step, 9 warp_step, 10 warp_step, ";
  char const* const last_warp_of_128 =
      "2 warp_step, 4 warp_step, 6 warp_step, 8 warp_step, 10 warp_step, 12 warp_step, "
      "13 warp_step, ";
  struct row {
    twins::classic rung;
    char const *of_32, *of_128;
  };
  for (row const& one : {row{twins::ladder_divergent, "5 run, ", "7 run, "},
                         row{twins::ladder_strided, "5 run, ", "7 run, "},
                         row{twins::ladder_sequential, "5 halve, ", "7 halve, "},
                         row{twins::ladder_first_add, "5 halve, ", "7 halve, "},
                         row{twins::ladder_last_warp, last_warp_of_32, last_warp_of_128},
                         row{twins::ladder_unrolled, last_warp_of_32, last_warp_of_128},
                         row{twins::ladder_cascaded, last_warp_of_32, last_warp_of_128},
                         row{twins::halving, "", ""}}) {
    INFO(to_string(one.rung));
    CHECK(unneeded<32>(one.rung) == one.of_32);
    CHECK(unneeded<128>(one.rung) == one.of_128);
  }
}
