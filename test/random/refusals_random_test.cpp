// Refusals of random numbers: the argument is named, and nothing is written.

#include "refusals.hpp"

#include <warpfold/twins/random.hpp>

namespace refusals_random_test {

using namespace test;
using namespace warpfold;
namespace rnd = warpfold::random;
using twins::generator;

/// Rows of what fills an array: fill(argument, output).
template <class Span, class Fill>
void check_output(Span output, Fill fill) {
  using T = typename Span::value_type;
  using place = std::conditional_t<std::same_as<Span, std::span<T>>, host, gpu>;
  for (auto const bad : refusals<place>::template nowhere<T>(2)) fill("output", bad);
  for (std::size_t const size : impossible) fill("output", Span(output.data(), size));
}

// Refusals of a verb that fills an array: a row of the verb, and one of its _async form if it has
// one.
#define FILLS(verb, ...)                                                                           \
  [&](std::string const& argument, auto output, auto const&... more) {                             \
    all.row(#verb, argument, [&] { rnd::verb(place __VA_ARGS__, output, more...); });              \
    if constexpr (requires { rnd::verb##_async(place __VA_ARGS__, output, more...); })             \
      all.row(#verb "_async", argument,                                                            \
              [&] { rnd::verb##_async(place __VA_ARGS__, output, more...); });                     \
  }

/// Refusals of all three verbs.
template <class Options, class NormalOptions, class Place, class Bits, class Uniform, class Normal>
void check_fills(refusals<Place>& all, std::initializer_list<std::uint64_t> too_far, Bits bits,
                 Uniform uniform, Normal normal) {
  auto const check = [&]<class Each>(auto output, auto fills, Each options) {
    check_output(output, fills);
    for (std::uint64_t const offset : too_far) {
      options.offset = offset;
      fills("options.offset", output, options);
    }
  };
  check(all.template memory<std::uint32_t>(16), bits, Options{});
  check(all.template memory<float>(16), uniform, Options{});
  check(all.template memory<float>(16), normal, NormalOptions{});
  check(all.template memory<double>(16), normal, NormalOptions{});
}

FAST_EVERY_PLACE("what random numbers refuse") {
  refusals<Place> all(place);
  all.of("random.hpp");
  check_fills<rnd::options, rnd::normal_options>(all, {-std::uint64_t{15}, -std::uint64_t{1}},
                                                 FILLS(bits), FILLS(uniform), FILLS(normal));
  auto const normal = FILLS(normal);
  for (int const unknown : {99, -1})
    normal("options.method", all.template memory<float>(16),
           rnd::normal_options{.method = static_cast<rnd::normal_method>(unknown)});
}

FAST_EVERY_PLACE("what points of Sobol's sequence refuse") {
  refusals<Place> all(place);
  all.of("random/sobol.hpp");
  for (int const dimensions : {-1, 0, 20'001})
    all.row("sobol_sequence::sobol_sequence", "dimensions",
            [&] { rnd::sobol_sequence<Place>(place, dimensions); });
  rnd::sobol_sequence<Place> const sequence(place, 2);
  auto const bits = FILLS(bits, , sequence);
  auto const uniform = FILLS(uniform, , sequence);
  auto const normal = FILLS(normal, , sequence);
  check_fills<rnd::sobol_options, rnd::sobol_options>(
      all, {(std::uint64_t{1} << 32) - 7, -std::uint64_t{1}}, bits, uniform, normal);
  rnd::sobol_options const unknown{.scrambling = static_cast<rnd::scrambling>(7)};
  bits("options.scrambling", all.template memory<std::uint32_t>(16), unknown);
  uniform("options.scrambling", all.template memory<float>(16), unknown);
  normal("options.scrambling", all.template memory<double>(16), unknown);
  uniform("output", all.template memory<float>(9));
  normal("output", all.template memory<float>(3));
}

FAST_EVERY_PLACE("what cuRAND's generators refuse") {
  refusals<Place> all(place);
  all.of("twins/random.hpp");
  auto const check = [&](auto output, auto fills) {
    check_output(output,
                 [&](char const* argument, auto bad) { fills(argument, bad, generator::philox); });
    for (int const unknown : {-1, 99}) fills("twin", output, static_cast<generator>(unknown));
  };
  auto const numbers = all.template memory<float>(16);
  auto const uniform = FILLS(uniform);
  auto const normal = FILLS(normal);
  check(all.template memory<std::uint32_t>(16), FILLS(bits));
  check(numbers, uniform);
  check(numbers, normal);
  check(all.template memory<double>(16), normal);
  auto const curand = generator::curand_philox;
  check_output(numbers, [&](char const* argument, auto bad) {
    all.row("uniform", argument, [&] { rnd::uniform(place, bad, curand); });
  });
  if constexpr (std::same_as<Place, gpu>)
    all.row("uniform_async", "twin", [&] { rnd::uniform_async(place, numbers, curand); });

  auto const refuses = [&](std::string const& argument, generator twin,
                           rnd::options const& options) {
    all.row("vendor_generator::vendor_generator", argument,
            [&] { rnd::vendor_generator<Place>(place, twin, options); });
    if (twin == generator::philox) return;
    all.row("uniform", argument, [&] { rnd::uniform(place, numbers, twin, options); });
    all.row("normal", argument, [&] {
      rnd::normal(place, numbers, twin, {options.seed, options.stream, options.offset});
    });
  };
  for (int const none : {0, -1, 99}) refuses("twin", static_cast<generator>(none), {});
  refuses("options.stream", curand, {.stream = 1});
  refuses("options.offset", generator::curand_mt19937, {.offset = 1});
  refuses("options.seed", generator::curand_sobol, {.seed = 1});
  if constexpr (std::same_as<Place, host>) refuses("twin", generator::curand_mtgp32, {});
  all.row("uniform", "options.stream",
          [&] { rnd::uniform(place, numbers.subspan(0, 0), curand, {.stream = 1}); });
  all.row("uniform", "options.offset",
          [&] { rnd::uniform(place, numbers, curand, {.offset = -std::uint64_t{15}}); });
  all.row("normal", "options.method",
          [&] { rnd::normal(place, numbers, curand, {.method = rnd::normal_method::inverse}); });
  rnd::vendor_generator<Place> made(place, curand);
  check_output(all.template memory<std::uint32_t>(4), [&](char const* argument, auto bad) {
    all.row("vendor_generator::bits_async", argument, [&] { made.bits_async(bad); });
  });
  auto const makes = [&](char const* argument, auto bad) {
    all.row("vendor_generator::uniform_async", argument, [&] { made.uniform_async(bad); });
    all.row("vendor_generator::normal_async", argument, [&] { made.normal_async(bad); });
  };
  check_output(all.template memory<float>(4), makes);
  check_output(all.template memory<double>(4), makes);
}

TEST_SUITE("gpu") {
  TEST_CASE("random numbers that are waited for cannot be captured") {
    gpu place;
    refusals<gpu> all(place);
    auto const numbers = all.memory<float>(8);
    all.of("random.hpp");
    cannot_be_captured(all, "normal", [&] { rnd::normal(place, numbers); });
  }
}

} // namespace refusals_random_test
