// A call of every component, on the host.

#include <warpfold/warpfold.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace wf = warpfold;

int main() {
  wf::host place;
  std::vector<float> numbers(1'000);
  wf::random::uniform(place, std::span(numbers), {.seed = 1});
  double const mean = wf::mean(place, numbers);
  auto const above = wf::count_if(place, numbers, wf::greater_than{0.5F});

  std::vector<double> call(1);
  wf::pricing::price<double>(
      place, {.spot = 100.0, .strike = 100.0, .expiry = 1.0, .volatility = 0.2, .rate = 0.05},
      {.call = call});

  std::vector<double> u(64);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = i % 2 == 0 ? 1 : -1;
  wf::poisson::solver<double, wf::host>(place, {.axes = {{.points = 64}}})
      .solve({.rhs = u, .solution = u});
  bool const solved = std::isfinite(u[0]);

  double total = 0;
  wf::local_group<wf::host>(2).run([&](wf::communicator<wf::host>& over) {
    double const all = wf::exact_sum<double>(over, std::vector<float>{1.F, 2.F});
    if (over.rank() == 0) total = all;
  });

  std::printf("mean %.3f, above %d, call %.4f, sum of ranks %.1f\n", mean, static_cast<int>(above),
              call[0], total);
  // 10.450583572 by any textbook calculator of Black and Scholes.
  return solved && std::abs(mean - 0.5) < 0.05 && std::abs(call[0] - 10.4506) < 1e-4 && total == 6
             ? 0
             : 1;
}
