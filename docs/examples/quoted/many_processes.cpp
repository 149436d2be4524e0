// Two processes or more of one machine, a GPU each:
//   many_processes 0 2 /tmp/group & many_processes 1 2 /tmp/group

// [example]
#include <warpfold/warpfold.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace wf = warpfold;
namespace fs = std::filesystem;
using std::chrono::steady_clock;

/// Rank 0 makes the group's id and writes it to a file, which is new; the others wait for it.
wf::group_id shared_id(fs::path const& file, int rank, std::chrono::milliseconds limit) {
  wf::group_id id;
  auto* const bytes = reinterpret_cast<char*>(id.data());
  if (rank == 0) {
    if (fs::exists(file)) throw std::runtime_error(file.string() + " is there: of another group?");
    id = wf::make_group_id();
    fs::path const beside = file.string() + ".unfinished";
    std::ofstream to;
    to.exceptions(std::ios::failbit | std::ios::badbit);
    to.open(beside, std::ios::binary);
    to.write(bytes, sizeof id);
    to.close();
    fs::rename(beside, file); // so that nobody reads half of it
    return id;
  }
  for (auto const until = steady_clock::now() + limit; !fs::exists(file);) {
    if (steady_clock::now() > until) throw std::runtime_error("no " + file.string() + " in time");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::ifstream from;
  from.exceptions(std::ios::failbit | std::ios::badbit);
  from.open(file, std::ios::binary);
  from.read(bytes, sizeof id);
  return id;
}

int main(int argc, char** argv) try {
  if (argc < 4) throw std::runtime_error("RANK SIZE FILE [SECONDS]");
  int const rank = std::stoi(argv[1]), size = std::stoi(argv[2]);
  fs::path const file = argv[3];
  std::chrono::seconds const limit(argc > 4 ? std::stoi(argv[4]) : 60);
  wf::group_id const id = shared_id(file, rank, limit);
  if (wf::gpu_count() < size) {
    std::printf("rank %d has the group's id; there are %d GPUs for %d ranks\n", rank,
                wf::gpu_count(), size);
    return 77;
  }
  wf::gpu place(rank); // of this machine; one that is not another rank's
  auto comm = wf::join_group(place, id, rank, size, {.time_limit = limit});
  if (rank == 0) fs::remove(file); // all have read it

  // The rank's part of 0, 1 ... 999,999.
  std::vector<double> mine;
  for (long i = 1'000'000L * rank / size; i < 1'000'000L * (rank + 1) / size; ++i)
    mine.push_back(static_cast<double>(i));
  double const sum = wf::exact_sum(comm, wf::device_buffer<double>(place, mine));
  std::printf("rank %d of %d on GPU %d: %zu numbers here, the sum of all is %.17g\n", rank, size,
              place.device(), mine.size(), sum);
  return sum == 499'999'500'000. ? 0 : 1;
} catch (std::exception const& failure) {
  std::fprintf(stderr, "many_processes: %s\n", failure.what());
  return 1;
}
// [example]
