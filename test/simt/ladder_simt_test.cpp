// The rungs of the ladder in the emulator, against the ladder on the host.

#include "simt_test.hpp"

#include <reduction/backend.hpp>
#include <reduction/ladder_body.hpp>

#include <warpfold/execution.hpp>

#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <utility>

namespace {

using warpfold::method;
using namespace warpfold::reduction;

constexpr method rungs[] = {method::ladder_divergent,  method::ladder_strided,
                            method::ladder_sequential, method::ladder_first_add,
                            method::ladder_last_warp,  method::ladder_unrolled,
                            method::ladder_cascaded};

template <class A, int Threads>
struct shared_array {
  A at[Threads];
};

struct no_shared {};

/// One launch of a rung; `seen_as(block)` makes the block that the body sees of the emulator's own.
template <int Threads, class A, class Input, class SeenAs>
void launch_rung(simt::options const& how, method rung, std::int64_t left, Input input,
                 ladder_output<A> output, SeenAs seen_as) {
  if (rung == method::halving) {
    auto const blocks = static_cast<int>((left + Threads - 1) / Threads);
    return simt::launch<no_shared>(blocks, Threads, how, [&](simt::block const& whole, no_shared&) {
      halving_step(seen_as(whole), input, output);
    });
  }
  with_rung(rung, Threads, [&]<class Rung>(Rung) {
    simt::launch<shared_array<A, Threads>>(static_cast<int>(left), Threads, how,
                                           [&](simt::block const& whole, auto& shared) {
                                             Rung::run(seen_as(whole), input, output, shared.at);
                                           });
  });
}

/// The launches of gpu_impl::ladder.
template <int Threads, class A, class T, class SeenAs>
A ladder_simt(simt::options const& how, method rung, std::vector<T> const& values, A init,
              SeenAs seen_as) {
  auto left = values_left(rung, std::ssize(values), Threads);
  simt::poisoned<A> result(1);
  simt::poisoned<A> from(static_cast<std::size_t>(left));
  launch_rung<Threads, A>(how, rung, left, ladder_input<T, A>{values.data(), std::ssize(values)},
                          ladder_output<A>{from.data(), result.data(), init}, seen_as);
  while (left > 1) {
    ladder_input<A, A> const input{from.data(), left};
    left = values_left(rung, left, Threads);
    simt::poisoned<A> to(static_cast<std::size_t>(left));
    launch_rung<Threads, A>(how, rung, left, input,
                            ladder_output<A>{to.data(), result.data(), init}, seen_as);
    from = std::move(to);
  }
  return result[0];
}

template <class T>
std::vector<T> random_values(std::size_t size, std::mt19937& random) {
  std::vector<T> values;
  values.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    auto const bits = static_cast<std::uint32_t>(random());
    if constexpr (std::is_integral_v<T>) values.push_back(static_cast<T>(bits));
    else
      values.push_back(
          static_cast<T>((static_cast<float>(bits % 2001) - 1000) *
                         std::exp2(static_cast<float>(static_cast<int>(bits >> 20) % 12 - 6))));
  }
  return values;
}

template <int Threads, class T, class A>
void check_ladder(method rung, A init) {
  INFO("method ", static_cast<int>(rung), ", ", Threads, " threads, values of seed ", simt::seed());
  std::mt19937 random(simt::seed());
  constexpr int tile = 2 * Threads;
  for (int const size : {1, 2, 31, 32, 33, Threads - 1, Threads, Threads + 1, tile - 1, tile,
                         tile + 1, 5 * tile + 19}) {
    CAPTURE(size);
    auto const values = random_values<T>(static_cast<std::size_t>(size), random);
    A const expected =
        host_impl::ladder<T, A>(warpfold::host{1}, std::span<T const>(values), init, rung, Threads);
    simt::in_every_order([&](simt::options const& how) {
      A const result = ladder_simt<Threads>(how, rung, values, init,
                                            [](simt::block const& block) { return block; });
      CHECK(simt::same(result, expected));
    });
  }
}

/// The barriers of a rung that may be left out, of two blocks and the one after.
template <int Threads>
std::vector<simt::dropped_barrier> unneeded(method rung) {
  INFO("method ", static_cast<int>(rung), ", ", Threads, " threads, values of seed ", simt::seed());
  std::mt19937 random(simt::seed());
  auto const values = random_values<std::int32_t>(3 * Threads, random);
  std::int32_t expected = 5;
  for (std::int32_t const x : values) expected = warpfold::plus{}(expected, x);
  return simt::unneeded_barriers([&](simt::options const& how, simt::dropped_barrier& dropped) {
    return ladder_simt<Threads>(how, rung, values, std::int32_t{5}, [&](simt::block const& whole) {
             return simt::skipping(whole, dropped);
           }) == expected;
  });
}

} // namespace

TEST_CASE_TEMPLATE("simt ladder: sums have the bits of the host's", T, std::int32_t, float, double,
                   __half) {
  using A = typename warpfold::detail::default_accumulator<T>::type;
  for (method const rung : rungs) {
    check_ladder<32, T, A>(rung, A{3});
    check_ladder<128, T, A>(rung, A{3});
  }
  check_ladder<64, T, A>(method::halving, A{3});
}

TEST_CASE("simt ladder: the largest blocks") {
  for (method const rung : rungs) {
    check_ladder<64, float, float>(rung, 0.0f);
    check_ladder<256, float, float>(rung, 0.0f);
    check_ladder<512, float, float>(rung, 0.0f);
    check_ladder<1024, float, float>(rung, 0.0f);
  }
}

TEST_CASE("simt ladder: a barrier left out is noticed") {
  auto const check = [](auto const& barriers, std::size_t unneeded_ones) {
    INFO(simt::to_string(barriers));
    CHECK(barriers.size() == unneeded_ones);
  };
  // Two kinds of barriers separate nothing, and stand for the sake of an even loop: the tree's last
  // one, after which thread 0 reads what it wrote itself; and in a step of the last warp the one
  // between reads of [Step, 2 Step) and writes of [0, Step).
  for (method const rung : {method::ladder_divergent, method::ladder_strided,
                            method::ladder_sequential, method::ladder_first_add}) {
    INFO("method ", static_cast<int>(rung));
    check(unneeded<32>(rung), 1);
    check(unneeded<128>(rung), 1);
  }
  for (method const rung :
       {method::ladder_last_warp, method::ladder_unrolled, method::ladder_cascaded}) {
    INFO("method ", static_cast<int>(rung));
    check(unneeded<32>(rung), 5 + 1);
    check(unneeded<128>(rung), 6 + 1);
  }
}
