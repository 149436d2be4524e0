#pragma once
// Timing of what the ranks of a group do together, in one process.

#include "paired_timing.hpp"

#include <warpfold/comm/communicator.hpp>

#include <atomic>
#include <barrier>
#include <chrono>

namespace warpfold::bench {

/// Where the threads of a group's ranks meet. It is on the host, so that while one rank works alone
/// the GPUs of the others have nothing to do.
class starting_line {
public:
  explicit starting_line(int ranks)
      : turns_(static_cast<std::size_t>(ranks)), meeting_{ranks, all_start{this}} {}

  /// Seconds from when the first rank begins until the last one has returned; the same on all. If
  /// a rank's work throws, the others throw too.
  template <class Work>
  double seconds(int rank, Work const& work) {
    turn& mine = turns_[static_cast<std::size_t>(rank)];
    meeting_.arrive_and_wait();
    while (std::chrono::steady_clock::now() < start_) {
    }
    mine.begin = std::chrono::steady_clock::now();
    try {
      work();
    } catch (...) {
      failed_ = true;
      meeting_.arrive_and_drop();
      throw;
    }
    mine.end = std::chrono::steady_clock::now();
    meeting_.arrive_and_wait();
    if (failed_) throw communication_error(rank, "another rank failed");
    auto begin = mine.begin, end = mine.end;
    for (turn const& one : turns_) {
      begin = std::min(begin, one.begin);
      end = std::max(end, one.end);
    }
    return std::chrono::duration<double>(end - begin).count();
  }

private:
  struct turn {
    std::chrono::steady_clock::time_point begin, end;
  };
  /// Threads wake some tens of microseconds apart: they wait for each other once more, awake.
  struct all_start {
    starting_line* of;
    void operator()() const noexcept {
      of->start_ = std::chrono::steady_clock::now() + std::chrono::microseconds{200};
    }
  };

  std::vector<turn> turns_;
  std::chrono::steady_clock::time_point start_;
  std::atomic<bool> failed_ = false;
  std::barrier<all_start> meeting_;
};

/// Time per call of every way, which all ranks go together and at whose end each has its result.
/// Ways take turns as in time_paired, after one turn that does not count. The same on all ranks,
/// which call nothing else that may fail before the next collective call.
template <class Place>
std::vector<timing> time_together(communicator<Place>& comm, starting_line& line,
                                  std::vector<std::function<void()>> const& ways, int rounds) {
  comm.barrier(); // notices if a rank has failed so far
  int const rank = comm.rank();
  std::vector<std::vector<double>> seconds(ways.size());
  for (auto const& way : ways) line.seconds(rank, way);
  for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round)
    for (std::size_t turn = 0; turn < ways.size(); ++turn) {
      std::size_t const w = (round % 2 == 0 ? turn : ways.size() - 1 - turn) + round / 2;
      seconds[w % ways.size()].push_back(line.seconds(rank, ways[w % ways.size()]));
    }
  std::vector<timing> result;
  for (auto& one : seconds) result.push_back(summarize(std::move(one)));
  return result;
}

} // namespace warpfold::bench
