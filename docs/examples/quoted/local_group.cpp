// [example]
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

namespace wf = warpfold;

wf::device_buffer<double> moved(wf::gpu& place, std::vector<double> const& part) {
  return {place, part};
}
std::vector<double> moved(wf::host&, std::vector<double> part) { return part; }

/// Every rank adds up its part of 1e100, 1, 2 ... 9999, -1e100, and gets the sum of all.
template <class Place>
bool adds_up(wf::local_group<Place> group) {
  std::vector<double> all{1e100};
  while (all.size() < 10'000) all.push_back(static_cast<double>(all.size()));
  all.push_back(-1e100);
  std::vector<double> sums(static_cast<std::size_t>(group.size()));
  group.run([&](wf::communicator<Place>& comm) {
    auto const cut = [&](int r) { return all.begin() + std::ssize(all) * r / comm.size(); };
    auto const mine =
        moved(comm.place(), std::vector<double>(cut(comm.rank()), cut(comm.rank() + 1)));
    sums[static_cast<std::size_t>(comm.rank())] = wf::exact_sum(comm, mine);
  });
  std::printf("%d ranks: %.17g\n", group.size(), sums[0]);
  return sums == std::vector<double>(sums.size(), 49'995'000.);
}

int main() {
  bool right = adds_up(wf::local_group<wf::host>(5));
  if (wf::gpu_count() == 1 || (wf::gpu_count() > 1 && wf::has_nccl()))
    right = adds_up(wf::local_group<wf::gpu>(std::span<int const>{})) && right; // all there are
  return right ? 0 : 1;
}
// [example]
