// Refusals of real transforms: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "transforms.hpp"

namespace refusals_transforms_test {

using namespace test;
using namespace test::real_transforms;
using warpfold::transforms::kind;

EVERY_PLACE("problems and arrays that are none are refused by name") {
  refusals<Place> all(place);
  all.of("transforms.hpp");
  constexpr struct {
    char const* argument;
    void (*change)(tf::problem& of);
  } rows[] = {
      {"problem.kind", [](auto& of) { of.kind = kind{10}; }},
      {"problem.direction", [](auto& of) { of.direction = direction{2}; }},
      {"problem.scaling", [](auto& of) { of.scaling = scaling{3}; }},
      {"problem.shape", [](auto& of) { of.shape.clear(); }},
      {"problem.shape[0]", [](auto& of) { of.shape[0] = 0; }},
      {"problem.shape[1]", [](auto& of) { of.shape[1] = 0; }},
      {"problem.shape[0]", [](auto& of) { of.shape[0] = std::size_t{1} << 61; }},
      {"problem.shape[2]",
       [](auto& of) {
         of.shape = {2, 3, std::size_t{1} << 60};
       }},
      {"problem.axis", [](auto& of) { of.axis = 2; }},
      {"problem.shape[1]",
       [](auto& of) {
         of.kind = kind::cosine_1;
         of.shape[1] = 1;
       }},
  };
  for (auto const& row : rows) {
    tf::problem of{kind::sine_2, {}, {3, 8}, 1, {}};
    row.change(of);
    all.row("plan::plan", row.argument, [&] { tf::plan<float, Place>(place, of); });
    all.row("plan::plan", row.argument, [&] { tf::plan<double, Place>(place, of); });
    if constexpr (std::same_as<Place, warpfold::gpu>)
      all.row("can_transform", row.argument, [&] { (void)tf::can_transform<float>(place, of); });
  }

  tf::plan<double, Place> plan(place, {kind::sine_2, {}, {3, 8}, 1, {}});
  auto const memory = all.template memory<double>(49);
  using in = warpfold::poisson::span_on<double const, Place>;
  using out = warpfold::poisson::span_on<double, Place>;
  auto const both = [&](char const* argument, in input, out output) {
    all.row("plan::run", argument, [&] { plan.run(input, output); });
    all.row("plan::run_async", argument, [&] { plan.run_async(input, output); });
  };
  both("input", memory.subspan(0, 23), memory.subspan(24, 24));
  both("output", memory.subspan(0, 24), memory.subspan(24, 25));
  both("output", memory.subspan(0, 24), memory.subspan(1, 24));
  both("output", memory.subspan(0, 24), memory.subspan(23, 24));
  for (auto const bad : all.template nowhere<double const>(24))
    both("input", bad, memory.subspan(0, 24));
  for (auto const bad : all.template nowhere<double>(24))
    both("output", memory.subspan(0, 24), bad);
}

TEST_CASE("a host refuses lines that int does not count, or that memory has no room for") {
  std::size_t const most = std::size_t{1} << 28;
  auto const refuses = [](warpfold::host& place, std::size_t points, std::string const& why) {
    refusals<warpfold::host> all(place);
    all.of("transforms.hpp");
    tf::problem const of{kind::cosine_2, {}, {points}, 0, {}};
    all.row("plan::plan", "problem.shape[0]", [&] { tf::plan<float, warpfold::host>(place, of); });
    try {
      tf::plan<double, warpfold::host>(place, of);
      FAIL_CHECK("nothing was refused");
    } catch (warpfold::argument_error const& error) {
      // Or not even the array fits.
      CHECK_MESSAGE((contains(error.what(), why) || contains(error.what(), "no more")),
                    error.what());
    }
  };
  warpfold::host one(1), many(4096);
  refuses(one, most + 1, "at most 268435456 on a host");
  for (std::size_t const points : {most, most - 57}) refuses(many, points, "with tables of");
  // Few points have one thread.
  CHECK_NOTHROW(tf::plan<double, warpfold::host>(many, {kind::cosine_2, {}, {5000}, 0, {}}));
}

TEST_CASE("a gpu refuses lengths by name" * doctest::test_suite("gpu")) {
  warpfold::gpu place;
  refusals<warpfold::gpu> all(place);
  all.of("transforms.hpp");
  for (std::size_t const n : {12919, 20011, 30000}) {
    tf::problem const of{kind::cosine_2, {}, {n, 3}, 0, {}};
    CHECK_FALSE(tf::can_transform<float>(place, of));
    all.row("plan::plan", "problem.shape[0]", [&] { tf::plan<float, warpfold::gpu>(place, of); });
  }
  // Known without tables, which would take terabytes.
  for (kind const of : {kind::cosine_1, kind::sine_1})
    CHECK_FALSE(tf::can_transform<float>(place, {of, {}, {(std::size_t{1} << 40) + 1}, 0, {}}));
}

} // namespace refusals_transforms_test
