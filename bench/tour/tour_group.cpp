// The tour's ninth section: the same work on one GPU and on all of the machine; or, where there
// is none, on one rank of the host and on four.

#include "comm/group_timing.hpp"
#include "comm/group_work.hpp"
#include "tour.hpp"

#include <warpfold/comm/reduction.hpp>
#include <warpfold/reduction/exact.hpp>
#include <warpfold/reduction/statistics.hpp>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

namespace warpfold::tour {
namespace {

/// A rank's work, and its result. Collective.
struct task {
  std::function<void()> call;
  std::function<std::vector<double>()> result;
};

template <class Place>
struct row {
  std::string text;
  std::function<task(communicator<Place>&)> prepare;
  bool spread = false;   ///< ranks find parts of the result, else all of it
  std::size_t exact = 0; ///< figures, from the first, with the same bits for any number of ranks
  double tolerance = 0;  ///< largest relative difference of the other figures
  /// The best way on one place, if it differs from a group of one. It has rounding errors of its
  /// own.
  std::function<task(Place&)> alone = {};
};
constexpr std::size_t all_of_them = static_cast<std::size_t>(-1);

template <class Place>
std::vector<row<Place>> rows(std::size_t size, std::size_t options, std::uint64_t paths,
                             std::size_t points) {
  using over_t = communicator<Place>&;
  auto const shared = [](auto&& made) {
    return std::make_shared<std::remove_cvref_t<decltype(made)>>(
        std::forward<decltype(made)>(made));
  };
  auto const reduction = [=](auto verb) {
    return [=](over_t over) -> task {
      auto const values = shared(bench::numbers_of(over, size));
      auto const found = shared(std::vector<double>());
      return {[=, &over] { *found = verb(over, *values); }, [=] { return *found; }};
    };
  };
  std::string const millions = std::to_string(size / 1'000'000) + " million";
  std::string const side = std::to_string(points);
  std::vector<row<Place>> all;
  all.push_back({"sum of " + millions + " floats", reduction([](over_t over, auto const& values) {
                   return std::vector<double>{sum(over, values)};
                 }),
                 false, 0, 1e-6});
  all.push_back({"exact sum", reduction([](over_t over, auto const& values) {
                   return std::vector{exact_sum<double>(over, values)};
                 }),
                 false, all_of_them});
  all.push_back({"description", reduction([](over_t over, auto const& values) {
                   auto const d = describe(over, values);
                   auto const number = [](auto n) { return static_cast<double>(n); };
                   return std::vector<double>{number(d.count),
                                              number(d.nan_count),
                                              d.min,
                                              d.max,
                                              number(d.argmin),
                                              number(d.argmax),
                                              d.mean,
                                              d.m2,
                                              d.m4};
                 }),
                 false, 6, 1e-12});
  all.push_back(
      {std::to_string(options) + " calls, 2^" + std::to_string(std::bit_width(paths) - 1) +
           " paths",
       [=](over_t over) -> task {
         auto const book = shared(bench::group_book<Place>(over.place(), options));
         return {
             [=, &over] { book->simulate(over, paths); },
             [=] {
               std::vector<double> found;
               for (auto const& one : book->estimates())
                 found.insert(found.end(), {one.value, one.standard_error, one.lower, one.upper});
               return found;
             }};
       },
       false, all_of_them});
  auto const solves = [=](auto problem) -> task {
    auto const kept = shared(std::move(problem));
    return {[=] { kept->solve(); },
            [=] {
              auto const found = kept->solution();
              return std::vector<double>(found.begin(), found.end());
            }};
  };
  all.push_back({"Poisson's equation, " + side + " x " + side,
                 [=](over_t over) { return solves(bench::group_slabs<Place>(over, points)); }, true,
                 all_of_them, 1e-5,
                 [=](Place& place) { return solves(bench::whole_square<Place>(place, points)); }});
  return all;
}

struct measured {
  double ms = 0;
  std::vector<double> found;
  bool agree = true; ///< ranks among each other
};

constexpr int rounds = 7;

template <class Place>
measured measure(local_group<Place>& group, row<Place> const& what) {
  measured all;
  std::vector<std::vector<double>> found(static_cast<std::size_t>(group.size()));
  bench::starting_line line(group.size());
  group.run([&](communicator<Place>& over) {
    task const mine = what.prepare(over);
    auto const times = bench::time_together(over, line, {mine.call}, rounds);
    found[static_cast<std::size_t>(over.rank())] = mine.result();
    if (over.rank() == 0) all.ms = 1e3 * times[0].median;
  });
  if (what.spread) {
    for (auto const& part : found) all.found.insert(all.found.end(), part.begin(), part.end());
    return all;
  }
  all.found = found[0];
  for (auto const& one : found) all.agree = all.agree && one == found[0];
  return all;
}

template <class Place>
measured measure_alone(Place& place, row<Place> const& what) {
  measured all;
  task const mine = what.alone(place);
  all.ms = bench::warm_median_ms(rounds, mine.call);
  all.found = mine.result();
  return all;
}

/// The largest difference, as a part of the figure or, where the figures are of one kind, of the
/// largest.
double apart(std::vector<double> const& a, std::vector<double> const& b, bool of_one_kind) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0, most = 0;
  for (double const x : b) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) {
      double const off = std::abs(a[i] - b[i]) / (of_one_kind ? largest : std::abs(b[i]));
      most = off <= most ? most : off; // NaN is the most
    }
  return most;
}

template <class Place>
bool compare(row<Place> const& what, local_group<Place>& one, local_group<Place>& many,
             Place& alone) try {
  measured const before = measure(one, what), now = measure(many, what);
  double const off = apart(now.found, before.found, what.spread);
  bool agree = now.agree && off <= what.tolerance;
  for (std::size_t i = 0; i < std::min(what.exact, now.found.size()); ++i)
    agree = agree && now.found[i] == before.found[i];
  double ms = before.ms;
  if (what.alone) {
    measured const best = measure_alone(alone, what);
    agree = agree && apart(now.found, best.found, what.spread) < 1e-5;
    ms = best.ms;
  }
  std::printf("%-44s%12.3f%12.3f%10.2f  ", what.text.c_str(), ms, now.ms, ms / now.ms);
  if (off == 0) std::printf("yes");
  else std::printf("%.0e apart", off);
  std::printf("%s\n", agree ? "" : " WRONG");
  std::fflush(stdout);
  return agree;
} catch (argument_error const& error) {
  std::string const& of = error.argument(); // a GPU that is too old
  if (of != "over" && of != "place" && of != "of") throw;
  std::printf("left out: %s\n", error.what());
  return true;
}

template <class Place>
bool table(local_group<Place> one, local_group<Place> many, Place alone, char const* rank,
           std::vector<row<Place>> const& all) {
  std::printf("\n%-44s%12s%12s%10s  %s\n", "milliseconds", (std::string("1 ") + rank).c_str(),
              (std::to_string(many.size()) + " " + rank + (many.size() == 1 ? "" : "s")).c_str(),
              "speed-up", "same bits");
  bool agree = true;
  for (auto const& what : all) agree = compare(what, one, many, alone) && agree;
  return agree;
}

bool on_gpus() {
  std::vector<int> devices(has_nccl() ? static_cast<std::size_t>(gpu_count()) : 1);
  std::iota(devices.begin(), devices.end(), 0);
  if (gpu_count() > 1 && !has_nccl())
    std::printf("\nOne GPU, since this was built without NCCL.\n");
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  bool const large = free > 16 * bench::gibi;
  return table<gpu>(local_group<gpu>(std::vector{0}), local_group<gpu>(devices), gpu(), "GPU",
                    rows<gpu>(large ? 1'000'000'000 : 60'000'000, 256, std::uint64_t{1} << 26,
                              large ? 8192 : 2048));
}

} // namespace

bool group_section() {
  bool const gpus = gpu_count() > 0;
  std::printf("\n9. Many GPUs\n============\n\n"
              "The same work on one %s and on %s, each with its part. Sums and moments are folded\n"
              "in parts, and the parts in their order; all else has the same bits on any number of "
              "them.\n",
              gpus ? "GPU" : "rank of the host",
              gpus ? "all of this machine" : "four, for want of GPUs");
  if (gpus) return on_gpus();
  return table<host>(local_group<host>(1), local_group<host>(4), host(1), "rank",
                     rows<host>(4'000'000, 64, std::uint64_t{1} << 18, 512));
}

} // namespace warpfold::tour
