// Random work: European options, averages and barriers by simulation.

#include "pricing/monte_carlo.hpp"
#include "pricing/path_options.hpp"
#include "random_work.hpp"

#include <warpfold/detail/pricing/estimate.hpp>

namespace random_work {
namespace {

namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::pricing::same_estimates;

/// A number of options, and one of paths for each.
template <class Place>
std::pair<std::size_t, std::uint64_t> any_amount(step<Place>& at, bool is_quasi, int replicates) {
  std::size_t const options = 1 + at.random.below(40);
  std::uint64_t paths = 2 + 2 * at.size(at.largest / (4 * options) + 1);
  if (is_quasi)
    paths = (paths / static_cast<unsigned>(replicates) + 1) * static_cast<unsigned>(replicates);
  at.what << ", " << options << " options, " << paths << " paths";
  return {options, paths};
}

/// Near enough for other sums and, in float, another exponential; `bound` is in units of the last
/// place of what is paid.
template <class T>
void check_near(std::vector<estimate> const& got, std::vector<estimate> const& known, double errors,
                double bound) {
  double const unit = static_cast<double>(std::numeric_limits<T>::epsilon()) * 100;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(got[i].value - known[i].value) <=
          errors * known[i].standard_error + bound * unit))
      throw mismatch("far from the host's estimate");
}

template <class Place>
void monte_carlo(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    bool const is_quasi = at.random.one_in(4);
    int const replicates = 8 << at.random.below(3);
    auto const [size, paths] = any_amount(at, is_quasi, replicates);
    auto const options = test::pricing::random_europeans<T>(size, at.random.seed());
    pricing::monte_carlo_options how{
        .paths = paths, .seed = at.random.word(), .stream = at.random.below(1000)};
    how.independent = at.random.one_in(3);
    how.importance = at.random.one_in(4);
    if (is_quasi) {
      how.from = pricing::sampling::sobol;
      how.replicates = static_cast<std::uint32_t>(replicates);
    } else {
      how.antithetic = at.random.one_in(4);
      how.control_variate = at.random.one_in(4);
    }
    bool const is_plain =
        !how.independent && !how.importance && !how.antithetic && !how.control_variate && !is_quasi;
    at.what << (is_plain ? ", plain" : is_quasi ? ", Sobol" : ", not plain");

    test::pricing::simulated<Place, T> book(at.place, options);
    auto const got = book.values(how);
    at.require(same_estimates(book.values(how), got), "the second time other estimates");
    if (is_plain) {
      at.require(same_estimates(book.values(how, wf::twins::simulation::stored), got),
                 "stored normals give other estimates");
    }
    wf::host here{1};
    auto const known = test::pricing::simulated<wf::host, T>(here, options).values(how);
    if constexpr (step<Place>::on_gpu) {
      wf::check(
          cudaMemsetAsync(book.to.value.data(), 0, size * sizeof(estimate), at.place.stream()));
      pricing::monte_carlo_async<T>(at.place, book.book, {.value = book.to.value}, how);
      wait(at.place);
      at.require(same_estimates(book.results(0), got), "the _async form has other estimates");
      // A correction that is estimated from few paths is a quotient of small numbers.
      if (paths >= 1000) check_near<T>(got, known, how.control_variate ? 1e-3 : 0, 500);
    } else {
      at.require(same_estimates(got, known), "another number of threads, other estimates");
    }
    if (paths < 2000) return;
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

template <class T, class Place, class Option>
void simulate_book(step<Place>& at, std::vector<Option> const& options,
                   pricing::simulation_options const& how) {
  std::span<Option const> const book(options);
  auto const got = pricing::simulate<T>(at.place, book, how);
  at.require(same_estimates(pricing::simulate<T>(at.place, book, how), got),
             "the second time other estimates");
  auto const known = pricing::simulate<T>(one, book, how);
  if constexpr (step<Place>::on_gpu) {
    array<Place, estimate> later(at, options.size());
    at.place.reserve(std::size_t{4} << 20);
    pricing::simulate_async<T>(at.place, book, how, later.view());
    wait(at.place);
    at.require(same_estimates(later.read(), got), "the _async form has other estimates");
    // A path that just meets a barrier on one of them counts for a part of the standard error.
    if (how.paths >= 1000) check_near<T>(got, known, 0.3, 2000);
  } else {
    at.require(same_estimates(got, known), "another number of threads, other estimates");
  }
}

template <class Place, bool Barrier>
void simulate(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    bool const is_quasi = at.random.one_in(4);
    int const replicates = 8 << at.random.below(3),
              steps = 1 + static_cast<int>(at.random.below(20));
    auto const [size, paths] = any_amount(at, is_quasi, replicates * steps);
    pricing::simulation_options how{
        .paths = paths, .steps = steps, .seed = at.random.word(), .stream = at.random.below(1000)};
    how.control_variate = at.random.one_in(2);
    if (is_quasi) {
      how.from = pricing::sampling::sobol;
      how.replicates = replicates;
    } else {
      how.independent = at.random.one_in(4);
      how.antithetic = at.random.one_in(3);
    }
    at.what << ", " << steps << " steps" << (is_quasi ? ", Sobol" : "");
    if constexpr (Barrier)
      simulate_book<T>(at, test::paths::barrier_book(size, at.random.one_in(2) ? 3 : 0), how);
    else simulate_book<T>(at, test::paths::asian_book(size), how);
  });
}

} // namespace

template <class Place>
void add_simulations(works<Place>& to) {
  to.insert(to.end(), {{"monte_carlo", monte_carlo<Place>},
                       {"simulate, averages", simulate<Place, false>},
                       {"simulate, barriers", simulate<Place, true>}});
}
template void add_simulations(works<wf::gpu>&);
template void add_simulations(works<wf::host>&);

} // namespace random_work
