// Options with early exercise: the same bits everywhere, on host and GPU too.

#include "contents.hpp"
#include "pricing/exercise/early_exercise.hpp"

#include <warpfold/detail/pricing/exercise/exercise_plan.hpp>

#include <memory>

namespace early_exercise_bits_test {

using namespace test;
using namespace test::early;

std::vector<double> const dates{0.25, 0.5, 0.625, 1};
simulation_options const ordinary_options{
    .paths = 3000, .times = dates, .longest_step = 0.2, .seed = 7, .stream = 3};
black_scholes const flat{100, 0.3, 0.06, 0.02};

/// Puts and calls of every strike and expiry.
std::vector<bermudan_option> every_option(std::size_t size) {
  std::vector<bermudan_option> book;
  for (std::size_t i = 0; i < size; ++i) {
    double const expiry = dates[3 - i % 3], first = i % 5 == 0 ? 0.3 : 0;
    book.push_back({80 + 3. * static_cast<double>(i % 14), expiry,
                    i % 2 == 0 ? option_kind::put : option_kind::call, first});
  }
  return book;
}

/// Calls use(model) with one of each kind.
template <class Use>
void with_models(Use use) {
  use(flat);
  use(ordinary);
}

EVERY_PLACE_OF("an option has the same bits alone, first, last or in the middle of a book", T,
               float, double) {
  auto const book = every_option(70);
  with_models([&](auto const& model) {
    auto const all = priced<T>(place, model, book, ordinary_options);
    for (std::size_t i = 0; i < book.size(); i += 11) {
      CAPTURE(i);
      CHECK(same_result(priced<T>(place, model, book[i], ordinary_options), all[i]));
    }
    std::vector<bermudan_option> const reversed(book.rbegin(), book.rend());
    auto const other = priced<T>(place, model, reversed, ordinary_options);
    CHECK(same_results({other.rbegin(), other.rend()}, all));
  });
}

EVERY_PLACE_OF("independent options with early exercise have streams of their own", T, float,
               double) {
  auto const book = every_option(3);
  auto options = ordinary_options;
  options.independent = true;
  options.antithetic = true;
  with_models([&](auto const& model) {
    auto const all = priced<T>(place, model, book, options);
    auto alone = options;
    alone.independent = false;
    for (std::size_t i = 0; i < book.size(); ++i) {
      alone.stream = options.stream + i;
      CHECK(same_result(priced<T>(place, model, book[i], alone), all[i]));
    }
  });
}

EVERY_PLACE_OF("options with early exercise have the same bits with and without a wait", T, float,
               double) {
  auto const book = every_option(9);
  memory_of<Place, exercise_estimate> results(place, std::vector<exercise_estimate>(book.size()));
  with_models([&](auto const& model) {
    pricing::simulate_async<T>(place, model, book, results.all(), ordinary_options);
    CHECK(same_results(contents(place, results.all()),
                       priced<T>(place, model, book, ordinary_options)));
  });
}

EVERY_PLACE_OF("regression paths are as many as paths, unless they are counted", T, float) {
  auto const one = every_option(1)[0];
  auto options = ordinary_options;
  auto const expected = priced<T>(place, flat, one, options);
  options.regression_paths = options.paths;
  CHECK(same_result(priced<T>(place, flat, one, options), expected));
  options.regression_paths = 5000;
  auto const more = priced<T>(place, flat, one, options);
  CHECK(more.in_sample != expected.in_sample);
  CHECK(more.price.paths == options.paths);
}

TEST_CASE("regression paths that nobody asks for are 2^18 at most") {
  constexpr std::uint64_t most = 1 << 18;
  auto const found = [](pricing::simulation_options const& options) {
    return static_cast<std::uint64_t>(warpfold::detail::regression_paths_of(options));
  };
  for (std::uint64_t const paths : {std::uint64_t{7}, most - 1, most, most + 1, 4 * most})
    CHECK(found({.paths = paths, .steps = 1}) == std::min(paths, most));
  CHECK(found({.paths = 7, .steps = 1, .regression_paths = most + 5}) == most + 5);
}

TEST_CASE_TEMPLATE("options with early exercise on the host have the same bits for any number of "
                   "threads",
                   T, float, double) {
  auto const book = every_option(4);
  wf::host one(1), three(3);
  with_models([&](auto const& model) {
    CHECK(same_results(priced<T>(one, model, book, ordinary_options),
                       priced<T>(three, model, book, ordinary_options)));
  });
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: options with early exercise have the host's bits", T, float, double) {
    wf::gpu place;
    wf::host other;
    auto const book = every_option(70);
    with_models([&](auto const& model) {
      for (bool const antithetic : {false, true})
        for (std::uint64_t const regression : {1, 100, 3000, 200'003}) {
          CAPTURE(regression);
          auto options = ordinary_options;
          options.antithetic = antithetic;
          options.regression_paths = regression;
          std::vector const some(book.begin(), book.begin() + (regression > 3000 ? 3 : 70));
          auto const expected = priced<T>(other, model, some, options);
          CHECK(same_results(priced<T>(place, model, some, options), expected));
          std::size_t const apart = regression > 3000 ? 2 : 17;
          for (std::size_t i = 0; i < some.size(); i += apart) // alone
            CHECK(same_result(priced<T>(place, model, some[i], options), expected[i]));
        }
    });
  }

  // Blocks take several options. Their threads take paths by fours, pairs and alone, and what comes
  // to the L2 cache ahead is not that of the longest tiles.
  TEST_CASE_TEMPLATE("books with many regression paths have the bits of options alone", T, float,
                     double) {
    wf::gpu place;
    wf::host other;
    auto const book = every_option(19);
    with_models([&](auto const& model) {
      for (std::uint64_t const regression : {70'000, 270'001, 1'000'003, 2'300'007}) {
        CAPTURE(regression);
        auto options = ordinary_options;
        options.regression_paths = regression;
        auto const found = priced<T>(place, model, book, options);
        if (regression < 1'000'000)
          CHECK(same_results(found, priced<T>(other, model, book, options)));
        for (std::size_t i = 0; i < book.size(); i += 6) // alone
          CHECK(same_result(priced<T>(place, model, book[i], options), found[i]));
      }
    });
  }

  // Paths that go on close up, of two rounds at a time: of three here, the last one not full.
  TEST_CASE_TEMPLATE("one option's paths, of which most are over early, have the host's bits", T,
                     float, double) {
    wf::gpu place;
    wf::host other;
    simulation_options const options{
        .paths = 1'100'003, .steps = 65, .seed = 3, .regression_paths = 5000};
    with_models([&](auto const& model) {
      for (double const strike : {0.8, 1.05, 1.4, 9.}) {
        CAPTURE(strike);
        bermudan_option const put{.strike = strike * model.spot, .expiry = 1};
        auto const found = priced<T>(place, model, put, options);
        CHECK(same_result(found, priced<T>(other, model, put, options)));
        CHECK(same_result(found, priced<T>(place, model, std::vector{put, put}, options)[1]));
      }
    });
  }

  TEST_CASE("options with early exercise by a GPU's own powers are worth the same") {
    wf::gpu place;
    auto const book = every_option(30);
    with_models([&](auto const& model) {
      auto options = ordinary_options;
      options.paths = 1 << 16;
      auto const usual = priced<float>(place, model, book, options);
      options.bits = pricing::bits::native;
      auto const native = priced<float>(place, model, book, options);
      CHECK(!same_results(native, usual));
      for (std::size_t i = 0; i < book.size(); ++i) {
        CAPTURE(i);
        // Some paths are exercised at other times: a part of the standard error.
        CHECK(std::abs(native[i].price.value - usual[i].price.value) <=
              2 * usual[i].price.standard_error + 1e-6);
        CHECK(native[i].regressions == usual[i].regressions);
      }
      CHECK(same_results(priced<double>(place, model, book, options), [&] {
        options.bits = pricing::bits::portable;
        return priced<double>(place, model, book, options);
      }()));
    });
  }

  TEST_CASE("options with early exercise in a captured graph") {
    wf::gpu place;
    auto const book = every_option(40);
    wf::device_buffer<exercise_estimate> results(place, book.size());
    auto const expected = priced<float>(place, ordinary, book, ordinary_options);
    captured graph(place, [&] {
      pricing::simulate_async(place, ordinary, book, results.span(), ordinary_options);
    });
    for (int launch = 0; launch < 3; ++launch) {
      graph.launch();
      CHECK(same_results(wf::to_vector(place, results.span()), expected));
    }
  }

  TEST_CASE("single options with early exercise in captured graphs, by turns") {
    wf::gpu place;
    auto const book = every_option(2);
    auto options = ordinary_options;
    options.regression_paths = 150'000;
    wf::device_buffer<exercise_estimate> results(place, 2);
    std::vector<exercise_estimate> expected;
    std::vector<std::unique_ptr<captured>> graphs;
    for (std::size_t i = 0; i < 2; ++i) {
      expected.push_back(priced<float>(place, ordinary, book[i], options));
      graphs.push_back(std::make_unique<captured>(place, [&] {
        pricing::simulate_async(place, ordinary, std::span(book).subspan(i, 1),
                                results.span().subspan(i, 1), options);
      }));
    }
    for (int launch = 0; launch < 5; ++launch) {
      for (auto const& graph : graphs) graph->launch();
      CHECK(same_results(wf::to_vector(place, results.span()), expected));
    }
  }

  TEST_CASE_TEMPLATE("the workspace that the reference asks for is enough for one option", T, float,
                     double) {
    auto const book = every_option(1);
    for (std::size_t const paths : {1, 1000, 1 << 17, (1 << 18) + 1}) {
      CAPTURE(paths);
      simulation_options const options{.paths = paths, .times = dates};
      std::size_t const times = dates.size(), of_time = sizeof(T) == 4 ? 128 : 256;
      wf::gpu place;
      place.reserve(paths * times * sizeof(T) * 2 + paths * sizeof(T) + 200'000 + 64'000 +
                    times * (96 + of_time + 2 * of_time));
      wf::device_buffer<exercise_estimate> result(place, 1);
      pricing::simulate_async<T>(place, ordinary, book, result.span(), options);
      CHECK(same_result(wf::to_vector(place, result.span())[0],
                        priced<T>(place, ordinary, book[0], options)));
    }
  }

  TEST_CASE("a workspace that is too small for early exercise is refused, one that just holds an "
            "option is enough") {
    wf::gpu place;
    auto const book = every_option(5);
    wf::device_buffer<exercise_estimate> results(place, book.size());
    simulation_options const options{.paths = 1 << 19, .times = dates};
    CHECK(refused_by([&] {
            pricing::simulate_async(place, flat, book, results.span(), options);
          }) == "place");
    auto const expected = priced<float>(place, flat, book, options);
    // Four dates, and the worth of one option, or of two.
    for (std::size_t const mebibytes : {12, 13}) {
      wf::gpu small;
      small.reserve(mebibytes << 20);
      pricing::simulate_async(small, flat, book, results.span(), options);
      CHECK(same_results(wf::to_vector(small, results.span()), expected));
    }
  }

  TEST_CASE("many options with early exercise on many paths, again and again") {
    wf::gpu place;
    auto const book = every_option(300);
    simulation_options const options{.paths = (1 << 18) + 77, .times = dates, .seed = 1};
    auto const all = priced<float>(place, flat, book, options);
    for (std::size_t const i : {0, 63, 64, 299})
      CHECK(same_result(priced<float>(place, flat, book[i], options), all[i]));
    for (int again = 0; again < 20; ++again)
      CHECK(same_results(priced<float>(place, flat, book, options), all));
  }
}

} // namespace early_exercise_bits_test
