// warpfold-profile ROW...: each row is a call that is made once to warm up, and once between
// cudaProfilerStart and cudaProfilerStop, with cold L2. Prints the second call's time, which is of
// no use under a profiler. Without rows it lists them; "all" are all of them. profile.py runs it
// under ncu, one process a row.

#include "paired_timing.hpp"
#include "poisson/solver_rows.hpp"
#include "pricing/problems.hpp"
#include "scatter/scatter_kernels.hpp"

#include <cstdio>
#include <cuda_profiler_api.h>
#include <functional>
#include <memory>
#include <string_view>

namespace warpfold::bench {
namespace {

constexpr std::size_t large = power(28), million = power(20);

/// Arrays of one row, in GPU memory.
class arrays_of_row {
public:
  explicit arrays_of_row(gpu& on) : place{on} {}

  template <class T>
  device_span<T> room(std::size_t size) {
    auto made = std::make_shared<device_buffer<T>>(place, size);
    kept_.push_back(made);
    return made->span();
  }
  device_span<float const> floats(std::size_t size, pattern what) {
    auto made = std::make_shared<cold_pool>(place, std::max(size * sizeof(float), mebi));
    made->prepare<float>(size, 1, what);
    kept_.push_back(made);
    return made->array<float>(0, size);
  }

  gpu& place;

private:
  std::vector<std::shared_ptr<void>> kept_;
};

/// Enqueues the work.
using call = std::function<void()>;

/// Named PAGE/what, PAGE being the case study's in docs.
struct row {
  std::string_view name;
  std::function<call(arrays_of_row&)> prepare;
};

row sums(std::string_view name, std::size_t size) {
  return {name, [size](arrays_of_row& a) -> call {
            auto const x = a.floats(size, pattern::small_integers);
            return [&a, x, to = a.room<float>(1)] { sum_async(a.place, x, to); };
          }};
}

call exact_sums(arrays_of_row& a) {
  auto const x = a.floats(large, pattern::normals);
  return [&a, x, to = a.room<float>(1)] { exact_sum_async(a.place, x, to); };
}
call counts(arrays_of_row& a) {
  auto const x = a.floats(large, pattern::small_integers);
  return [&a, x, to = a.room<std::uint64_t>(1)] {
    count_if_async(a.place, x, greater_than<float>{0}, to);
  };
}
call histograms(arrays_of_row& a) {
  auto const x = a.floats(large, pattern::uniform);
  return [&a, x, to = a.room<std::uint64_t>(256)] { histogram_async(a.place, x, {256, 0, 1}, to); };
}
call compactions(arrays_of_row& a) {
  auto const x = a.floats(large, pattern::uniform);
  return [&a, x, to = a.room<float>(large), count = a.room<std::uint64_t>(1)] {
    compact_if_async(a.place, x, less_than<float>{0.5F}, to, count);
  };
}
call scans(arrays_of_row& a) {
  auto const x = a.floats(large, pattern::small_integers);
  return [&a, x, to = a.room<float>(large)] { inclusive_scan_async(a.place, x, plus{}, to); };
}
call sums_by_key(arrays_of_row& a) {
  auto const x = a.floats(large, pattern::small_integers);
  auto const keys = a.room<std::uint32_t>(large);
  std::vector<std::uint32_t> runs(large);
  for (std::size_t i = 0; i < large; ++i)
    runs[i] = static_cast<std::uint32_t>(i / 32) * 2654435761u;
  copy(a.place, std::span<std::uint32_t const>(runs), keys);
  return [&a, x, keys, unique = a.room<std::uint32_t>(large), to = a.room<float>(large),
          count = a.room<std::uint64_t>(1)] {
    reduce_by_key_async(a.place, keys, x, 0.F, plus{}, unique, to, count);
  };
}
call sums_by_index(arrays_of_row& a) {
  auto const x = a.room<float>(large);
  auto const indices = a.room<std::uint32_t>(large);
  fill_values(a.place, x, true);
  fill_indices(a.place, indices, million, false);
  return [&a, x, indices, to = a.room<float>(million), status = a.room<scatter_status>(1)] {
    scatter_bound const bound{8, 8 * static_cast<double>(large)};
    scatter_sum_async(a.place, x, indices, bound, to, status);
  };
}
call medians(arrays_of_row& a) {
  auto const x = a.floats(large, pattern::uniform);
  return [&a, x, to = a.room<float>(1)] { median_async(a.place, x, to); };
}

row prices(std::string_view name, pricing::bits bits) {
  return {name, [bits](arrays_of_row& a) -> call {
            auto const books = std::make_shared<device_books<float>>(a.place, power(26), 1, 5);
            return [&a, books, bits] {
              pricing::price_async(a.place, books->book(0),
                                   {.call = books->column(0, 3), .put = books->column(0, 4)},
                                   {.bits = bits});
            };
          }};
}
call europeans(arrays_of_row& a) {
  auto const calls = std::make_shared<calls_book>(a.place, 64);
  return [&a, calls, to = a.room<pricing::estimate>(64)] {
    pricing::simulate_async(a.place, calls->book(), {.value = to},
                            {.paths = power(18), .seed = 2008, .bits = pricing::bits::native});
  };
}

/// A book on a model's paths.
template <class Result = pricing::estimate, class Model, class Product>
call simulations(arrays_of_row& a, Model const& model, std::vector<Product> const& book,
                 pricing::simulation_options const& how) {
  return [&a, model, book, how, to = a.room<Result>(book.size())] {
    pricing::simulate_async<float>(a.place, model, std::span<Product const>(book), to, how);
  };
}
call asian_options(arrays_of_row& a) {
  return [&a, book = asians(16), to = a.room<pricing::estimate>(16)] {
    pricing::simulate_async<float>(a.place, std::span<pricing::asian_option const>(book), to,
                                   {.paths = million, .steps = 252, .control_variate = true});
  };
}
constexpr double after_a_year[] = {1};
pricing::simulation_options const daily{
    .paths = million, .times = after_a_year, .longest_step = 1. / 252};
std::vector<pricing::contract> const a_call{{.strike = 100, .expiry = 1}};

call five_asset_calls(arrays_of_row& a) {
  static five_assets const five;
  return simulations(a, five.model(), std::vector{five.call(false)},
                     {.paths = million, .steps = 12});
}
call autocallables(arrays_of_row& a) {
  static sixteen_notes const notes;
  return simulations(a, notes.model(), notes.book, {.paths = million, .times = notes.times});
}
call bermudans(arrays_of_row& a) {
  auto const& put = textbook_put;
  pricing::black_scholes const model{put.spot, put.volatility, put.rate};
  std::vector<pricing::bermudan_option> const book{{put.strike, put.expiry}};
  return simulations<pricing::exercise_estimate>(
      a, model, book, {.paths = million, .steps = 50, .regression_paths = million});
}

row solves(std::string_view name, box const& of, std::size_t axes, std::size_t length) {
  return {name, [=](arrays_of_row& a) -> call {
            auto const problem = of.problem(axes, length);
            auto const solver = std::make_shared<poisson::solver<float, gpu>>(a.place, problem);
            auto const rhs = a.room<float>(size_of(problem));
            random::normal_async(a.place, rhs, {.seed = 2008});
            return [solver, rhs, to = a.room<float>(rhs.size())] {
              solver->solve_async({.rhs = rhs, .solution = to});
            };
          }};
}

std::vector<row> all_rows() {
  return {
      sums("reduction/sum_2^28", large),
      sums("reduction/sum_2^20", million),
      {"sums/exact_sum_2^28", exact_sums},
      {"counting/count_if_2^28", counts},
      {"counting/histogram_256_bins_2^28", histograms},
      {"counting/compact_if_half_2^28", compactions},
      {"scan/inclusive_scan_2^28", scans},
      {"by_key/sum_by_key_runs_of_32_2^28", sums_by_key},
      {"scatter/scatter_sum_2^20_bins_2^28", sums_by_index},
      {"quantiles/median_2^28", medians},
      prices("black-scholes/call_put_2^26_portable", pricing::bits::portable),
      prices("black-scholes/call_put_2^26_native", pricing::bits::native),
      {"monte-carlo/64_europeans_2^18", europeans},
      {"monte-carlo/16_asians_2^20x252", asian_options},
      {"monte-carlo/heston_call_2^20x252",
       [](auto& a) { return simulations(a, heston_model(), a_call, daily); }},
      {"monte-carlo/local_volatility_call_2^20x252",
       [](auto& a) { return simulations(a, local_model(), a_call, daily); }},
      {"monte-carlo/call_on_5_assets_2^20x12", five_asset_calls},
      {"monte-carlo/16_autocallables_2^20x20", autocallables},
      {"monte-carlo/bermudan_put_2^20+2^20x50", bermudans},
      solves("poisson/periodic_4096^2", boxes::periodic, 2, 4096),
      solves("poisson/neumann_cells_4096^2", boxes::neumann_cells, 2, 4096),
      solves("poisson/neumann_nodes_4097^2", boxes::neumann_nodes, 2, 4096),
      solves("poisson/periodic_16384^2", boxes::periodic, 2, 16384),
      solves("poisson/periodic_256^3", boxes::periodic, 3, 256),
  };
}

void measure(gpu& place, l2_flush& flush, row const& one) {
  arrays_of_row arrays(place);
  call const enqueue = one.prepare(arrays);
  enqueue();
  flush.enqueue();
  event_pair events;
  check(cudaProfilerStart());
  double const seconds = events.seconds(place, enqueue);
  check(cudaProfilerStop());
  std::printf("%-45s %10.1f us\n", std::string(one.name).c_str(), 1e6 * seconds);
}

int run(std::span<char*> arguments) {
  auto const rows = all_rows();
  auto const list = [&](FILE* to) {
    for (row const& one : rows) std::fprintf(to, "%s\n", std::string(one.name).c_str());
  };
  std::vector<row> asked;
  for (std::string_view const name : arguments) {
    auto const before = asked.size();
    std::ranges::copy_if(rows, std::back_inserter(asked),
                         [&](row const& one) { return name == "all" || name == one.name; });
    if (asked.size() > before) continue;
    std::fprintf(stderr, "warpfold-profile: there is no row '%s'; there are all, and\n",
                 std::string(name).c_str());
    list(stderr);
    return 2;
  }
  if (asked.empty()) list(stdout);
  if (asked.empty()) return 0;
  if (gpu_count() == 0) throw error("there is no GPU here");
  gpu place;
  place.reserve(4 * gibi); // for the scratch memory of every row
  place.reserve_lookback(scan_lookback<float>(large));
  l2_flush flush(place);
  for (row const& one : asked) measure(place, flush, one);
  return 0;
}

} // namespace
} // namespace warpfold::bench

int main(int argc, char** argv) try {
  return warpfold::bench::run({argv + 1, argv + argc});
} catch (std::exception const& failure) {
  std::fprintf(stderr, "warpfold-profile: %s\n", failure.what());
  return 1;
}
