// [example]
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<double> const values{1e100, 1.0, -1e100, 1e-100, 1e50, -1.0, -1e50};
  warpfold::host const place;
  auto const [compensated, bound] = warpfold::compensated_sum(place, values);
  double const exact = warpfold::exact_sum(place, values);
  std::printf("fold:        %g\n", warpfold::sum(place, values));
  std::printf("compensated: %g, off by %g at most\n", compensated, bound);
  std::printf("exact:       %g\n", exact);

  auto const all = warpfold::describe(place, values);
  std::printf("%g at %llu to %g at %llu, mean %g\n", all.min,
              static_cast<unsigned long long>(all.argmin), all.max,
              static_cast<unsigned long long>(all.argmax), all.mean);
  return exact == 1e-100 ? 0 : 1;
}
// [example]
