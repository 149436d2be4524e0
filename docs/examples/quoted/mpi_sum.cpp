// [example]
#include <warpfold/comm/mpi.hpp>
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <exception>
#include <vector>

namespace wf = warpfold;

/// True if every machine has enough GPUs for its ranks.
bool all_have_gpus(int& local_rank) {
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int ranks_here = 0;
  MPI_Comm_rank(here, &local_rank);
  MPI_Comm_size(here, &ranks_here);
  MPI_Comm_free(&here);
  int enough = wf::has_nccl() && ranks_here <= wf::gpu_count();
  MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return enough;
}

wf::device_buffer<float> moved(wf::gpu& place, std::vector<float> const& part) {
  return {place, part};
}
std::vector<float> moved(wf::host&, std::vector<float> part) { return part; }

/// Rank r has 1000 (r + 1) numbers, all of them 0.1F.
template <class Place>
bool adds_up(Place place, char const* what) {
  auto comm = wf::join_group(place, MPI_COMM_WORLD);
  auto const tenths = [](int count) {
    return std::vector<float>(1000 * static_cast<std::size_t>(count), .1F);
  };
  auto const mine = moved(place, tenths(comm.rank() + 1));
  double const sum = wf::exact_sum<double>(comm, mine);
  if (comm.rank() == 0) std::printf("%d %s: %.17g\n", comm.size(), what, sum);
  // The same bits as on one.
  return sum == wf::exact_sum<double>(wf::host(), tenths(comm.size() * (comm.size() + 1) / 2));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool right = false;
  try {
    int rank = 0;
    right = all_have_gpus(rank) ? adds_up(wf::gpu(rank), "GPUs") : adds_up(wf::host(1), "hosts");
  } catch (std::exception const& failure) {
    std::fprintf(stderr, "mpi_sum: %s\n", failure.what());
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
// [example]
