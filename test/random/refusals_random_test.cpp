// What random numbers refuse: the argument is named, and nothing is written.

#include "refusals.hpp"

#include <warpfold/twins/random.hpp>

namespace {

using namespace test;
using namespace warpfold;
namespace rnd = warpfold::random;

/// Rows of what fills an array: fill(argument, out).
template <class Span, class Fill>
void check_output(Span out, Fill fill) {
  using T = typename Span::value_type;
  using place = std::conditional_t<std::same_as<Span, std::span<T>>, host, gpu>;
  for (auto const bad : refusals<place>::template nowhere<T>(2)) fill("out", bad);
  for (std::size_t const size : impossible) fill("out", Span(out.data(), size));
}

// What fills an array, by a row of the verb and, on a gpu, one of its _async form.
#define FILLS(verb, ...)                                                                           \
  [&](std::string const& argument, auto out, auto const&... more) {                                \
    all.row(#verb, argument, [&] { rnd::verb(place __VA_ARGS__, out, more...); });                 \
    if constexpr (std::same_as<Place, gpu>)                                                        \
      all.row(#verb "_async", argument,                                                            \
              [&] { rnd::verb##_async(place __VA_ARGS__, out, more...); });                        \
  }

/// What all three verbs refuse; `choice` is the argument that `unknown` is of.
template <class Options, class Place, class Bits, class Uniform, class Normal>
void check_fills(refusals<Place>& all, std::initializer_list<Options> too_far, char const* choice,
                 std::initializer_list<Options> unknown, Bits bits, Uniform uniform,
                 Normal normal) {
  auto const check = [&](auto out, auto fills) {
    check_output(out, fills);
    for (auto const& options : too_far) fills("options.first", out, options);
    for (auto const& options : unknown) fills(choice, out, options);
  };
  check(all.template memory<std::uint32_t>(16), bits);
  check(all.template memory<float>(16), uniform);
  check(all.template memory<float>(16), normal);
  check(all.template memory<double>(16), normal);
}

template <class Place>
void check_random(refusals<Place>& all) {
  auto& place = all.place();
  all.of("random.hpp");
  check_fills<rnd::options>(
      all, {{.first = -std::uint64_t{15}}, {.first = -std::uint64_t{1}}}, "options.by",
      {{.by = static_cast<rnd::transform>(99)}, {.by = static_cast<rnd::transform>(-1)}},
      FILLS(bits), FILLS(uniform), FILLS(normal));
  all.of("random/sobol.hpp");
  for (int const dimensions : {-1, 0, 20'001})
    all.row("sobol_sequence::sobol_sequence", "dimensions",
            [&] { rnd::sobol_sequence<Place>(place, dimensions); });
  rnd::sobol_sequence<Place> const sequence(place, 2);
  check_fills<rnd::sobol_options>(
      all, {{.first = (std::uint64_t{1} << 32) - 7}, {.first = -std::uint64_t{1}}}, "options.how",
      {{.how = static_cast<rnd::scrambling>(7)}}, FILLS(bits, , sequence),
      FILLS(uniform, , sequence), FILLS(normal, , sequence));
  all.row("uniform", "out", [&] { rnd::uniform(place, sequence, all.template memory<float>(3)); });
}

template <class Place>
void check_random_twins(refusals<Place>& all) {
  using twins::generator;
  auto& place = all.place();
  all.of("twins/random.hpp");
  auto const check = [&](auto out, auto fills) {
    check_output(out,
                 [&](char const* argument, auto bad) { fills(argument, bad, generator::philox); });
    for (int const unknown : {-1, 99}) fills("twin", out, static_cast<generator>(unknown));
  };
  auto const numbers = all.template memory<float>(16);
  check(all.template memory<std::uint32_t>(16), FILLS(bits));
  check(numbers, FILLS(uniform));
  check(numbers, FILLS(normal));
  check(all.template memory<double>(16), FILLS(normal));
  check_output(numbers, [&](char const* argument, auto bad) {
    all.row("uniform", argument, [&] { rnd::uniform(place, bad, generator::curand_philox); });
  });
  if constexpr (std::same_as<Place, gpu>)
    all.row("uniform_async", "twin",
            [&] { rnd::uniform_async(place, numbers, generator::curand_philox); });

  auto const refuses = [&](std::string const& argument, generator twin,
                           rnd::options const& options) {
    all.row("vendor_generator::vendor_generator", argument,
            [&] { rnd::vendor_generator<Place>(place, twin, options); });
    if (twin != generator::philox)
      all.row("normal", argument, [&] { rnd::normal(place, numbers, twin, options); });
  };
  for (int const none : {0, -1, 99}) refuses("twin", static_cast<generator>(none), {});
  refuses("options.stream", generator::curand_philox, {.stream = 1});
  refuses("options.first", generator::curand_mt19937, {.first = 1});
  refuses("options.seed", generator::curand_sobol, {.seed = 1});
  refuses("options.by", generator::curand_philox, {.by = rnd::transform::inverse});
  if constexpr (std::same_as<Place, host>) refuses("twin", generator::curand_mtgp32, {});
  rnd::vendor_generator<Place> made(place, generator::curand_philox);
  check_output(all.template memory<std::uint32_t>(4), [&](char const* argument, auto out) {
    all.row("vendor_generator::bits_async", argument, [&] { made.bits_async(out); });
  });
  auto const makes = [&](char const* argument, auto out) {
    all.row("vendor_generator::uniform_async", argument, [&] { made.uniform_async(out); });
    all.row("vendor_generator::normal_async", argument, [&] { made.normal_async(out); });
  };
  check_output(all.template memory<float>(4), makes);
  check_output(all.template memory<double>(4), makes);
}

TEST_CASE("what random numbers on the host refuse") {
  host place;
  refusals<host> all(place);
  check_random(all);
  check_random_twins(all);
}

TEST_SUITE("gpu") {
  TEST_CASE("random numbers that are waited for cannot be captured") {
    gpu place;
    refusals<gpu> all(place);
    auto const numbers = all.memory<float>(8);
    all.of("random.hpp");
    cannot_be_captured(all, "normal", [&] { rnd::normal(place, numbers); });
  }

  TEST_CASE("fast: what random numbers on a gpu refuse") {
    gpu place;
    refusals<gpu> all(place);
    check_random(all);
    check_random_twins(all);
  }
}

} // namespace
