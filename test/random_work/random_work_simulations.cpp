// Random work: European options, averages and barriers by simulation.

#include "pricing/monte_carlo.hpp"
#include "pricing/paths/path_options.hpp"
#include "random_work.hpp"

#include <warpfold/detail/pricing/estimate.hpp>

namespace random_work {
namespace {

namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::pricing::same_estimates;

/// Random simulation options that all kinds of options share; `size` options are simulated.
template <class Options, class Place>
Options any_simulation(step<Place>& at, std::size_t size, int steps) {
  bool const is_quasi = at.random.one_in(4);
  Options how{.paths = 0, .seed = at.random.word(), .stream = at.random.below(1000)};
  how.replicates = 8 << at.random.below(3);
  how.paths = 2 + 2 * at.size(at.largest / (4 * size) + 1);
  if (is_quasi) {
    auto const multiple = static_cast<std::uint64_t>(how.replicates * steps);
    how.paths = (how.paths / multiple + 1) * multiple;
    how.sampling = pricing::sampling::sobol;
  } else {
    how.antithetic = at.random.one_in(3);
  }
  at.what << ", " << size << " options, " << how.paths << " paths" << (is_quasi ? ", Sobol" : "");
  return how;
}

/// Near enough for other sums and another exponential; `bound`: in last places of what is paid.
template <class T>
void check_near(std::vector<estimate> const& got, std::vector<estimate> const& known, double errors,
                double bound) {
  double const unit = static_cast<double>(std::numeric_limits<T>::epsilon()) * 100;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(got[i].value - known[i].value) <=
          errors * known[i].standard_error + bound * unit))
      throw mismatch("far from the host's estimate");
}

/// Returns now(place). Requires the same estimates from a second call, from the other form, and for
/// any number of threads; on a GPU they must be near the host's.
template <class T, class Place, class Now, class Later>
std::vector<estimate> verify_estimates(step<Place>& at, Now now, Later later, double errors,
                                       double bound) {
  auto const got = now(at.place);
  at.require(same_estimates(now(at.place), got), "the second time other estimates");
  if constexpr (step<Place>::on_gpu) at.place.reserve(std::size_t{4} << 20);
  array<Place, estimate> output(at, got.size());
  later(output.view());
  wait(at.place);
  at.require(same_estimates(output.read(), got), "the _async form has other estimates");
  wf::host here{1};
  auto const known = now(here);
  if constexpr (!step<Place>::on_gpu)
    at.require(same_estimates(got, known), "another number of threads, other estimates");
  else if (got[0].paths >= 1000) check_near<T>(got, known, errors, bound);
  return got;
}

template <class Place>
void simulate_europeans(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    std::size_t const size = 1 + at.random.below(40);
    auto how = any_simulation<pricing::european_simulation_options>(at, size, 1);
    auto const options = test::pricing::random_europeans<T>(size, at.random.seed());
    bool const is_quasi = how.sampling == pricing::sampling::sobol;
    how.independent = at.random.one_in(3);
    how.importance = at.random.one_in(4);
    how.control_variate = !is_quasi && at.random.one_in(4);
    bool const is_plain =
        !how.independent && !how.importance && !how.antithetic && !how.control_variate && !is_quasi;
    at.what << (is_plain ? ", plain" : ", not plain");

    test::pricing::simulated<Place, T> book(at.place, options);
    auto const got = verify_estimates<T>(
        at,
        [&](auto& place) {
          using place_t = std::remove_reference_t<decltype(place)>;
          return test::pricing::simulated<place_t, T>(place, options).values(how);
        },
        [&](auto output) {
          pricing::simulate_async<T>(at.place, book.book, {.value = output}, how);
        },
        // A correction that is estimated from few paths is a quotient of small numbers.
        how.control_variate ? 1e-3 : 0, 500);
    if (is_plain)
      at.require(same_estimates(book.values(how, wf::twins::simulation::stored), got),
                 "stored normals give other estimates");
    if (how.paths < 2000) return;
    // A few replicates' error has Student's distribution, which reaches far.
    double const errors = is_quasi ? 60 : 9;
    for (std::size_t i = 0; i < size; ++i) {
      // The control explains what all paths pay, so that the error is of those that do not.
      bool const explained =
          how.control_variate && got[i].paths - got[i].paying < warpfold::detail::least_paying;
      at.require(got[i].too_few_paid || explained ||
                     std::abs(got[i].value - exact_of(options[i]).mean) <=
                         errors * got[i].standard_error + 1e-3,
                 "far from Black and Scholes's price");
    }
  });
}

template <class Place, bool Barrier>
void simulate_paths(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    int const steps = 1 + static_cast<int>(at.random.below(20));
    std::size_t const size = 1 + at.random.below(40);
    auto how = any_simulation<pricing::simulation_options>(at, size, steps);
    how.steps = steps;
    how.control_variate = at.random.one_in(2);
    how.independent = how.sampling != pricing::sampling::sobol && at.random.one_in(4);
    at.what << ", " << steps << " steps";
    auto const check = [&]<class Option>(std::vector<Option> const& options) {
      verify_estimates<T>(
          at, [&](auto& place) { return test::paths::simulated<T>(place, options, how); },
          [&](auto output) {
            pricing::simulate_async<T>(at.place, std::span<Option const>(options), output, how);
          },
          // A path that just meets a barrier on one of them counts for a part of the error.
          0.3, 2000);
    };
    if constexpr (Barrier) check(test::paths::barrier_book(size, at.random.one_in(2) ? 3 : 0));
    else check(test::paths::asian_book(size));
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"simulate, Europeans", simulate_europeans<Place>},
                         {"simulate, averages", simulate_paths<Place, false>},
                         {"simulate, barriers", simulate_paths<Place, true>}});
});

} // namespace
} // namespace random_work
