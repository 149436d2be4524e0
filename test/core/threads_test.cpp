// Many host threads at the same time, each with a gpu object and so a stream of its own, and all of
// them with one that they take in turn.

#include "gpu.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace threads_test {

using namespace test;
namespace wf = warpfold;

/// Questions to every thread, with the answers that one thread of the host gives.
struct questions {
  explicit questions(std::size_t size, unsigned seed)
      : rough(rough_values<float>(size, seed)), whole(exact_values<std::int32_t>(size, seed + 1)) {
    wf::host const one(1);
    for_each_verb<float>([&](auto verb) {
      right.push_back([verb, known = verb.now(one, std::span<float const>(rough))](wf::gpu& place,
                                                                                   view values) {
        return agree(verb.now(place, values), known);
      });
    });
    std::copy_if(whole.begin(), whole.end(), std::back_inserter(kept), positive);
    counts = wf::histogram(one, whole, bins);
    running.resize(size);
    wf::inclusive_scan(one, rough, wf::plus{}, running);
    keys.resize(size);
    for (std::size_t i = 0; i < size; ++i) keys[i] = static_cast<std::uint32_t>(i * i / 999 / size);
    by_key.resize(size);
    by_key.resize(wf::sum_by_key(one, keys, rough, {}, by_key));
  }

  /// Number of wrong answers: asserts are for one thread.
  int wrong(wf::gpu& place) const {
    wf::device_buffer<float> const some(place, rough);
    wf::device_buffer<std::int32_t> const others(place, whole);
    wf::device_buffer<std::int32_t> output(place, whole.size());
    wf::device_buffer<float> sums(place, rough.size());
    int count = 0;
    for (auto const& is_right : right) count += !is_right(place, some.span());
    auto const found = wf::compact_if(place, others, positive, output);
    auto const first = wf::to_vector(place, output.span().subspan(0, kept.size()));
    count += found != kept.size() || first != kept;
    count += wf::histogram(place, others, bins) != counts;
    wf::inclusive_scan(place, some, wf::plus{}, sums);
    count += !same_elements(wf::to_vector(place, sums), running);
    wf::device_buffer<std::uint32_t> const keys_there(place, keys);
    auto const runs = wf::sum_by_key(place, keys_there, some, {}, sums);
    count += runs != by_key.size() ||
             !same_elements(wf::to_vector(place, sums.span().subspan(0, runs)), by_key);
    return count;
  }

  using view = wf::device_span<float const>;
  static constexpr wf::greater_than<std::int32_t> positive{0};
  static constexpr wf::even_bins<std::int64_t> bins{100, -(std::int64_t{1} << 31),
                                                    std::int64_t{1} << 31};
  std::vector<float> rough;
  std::vector<std::int32_t> whole;
  std::vector<std::function<bool(wf::gpu&, view)>> right;
  std::vector<std::int32_t> kept;
  std::vector<std::uint64_t> counts;
  std::vector<float> running; ///< sums
  std::vector<std::uint32_t> keys;
  std::vector<float> by_key; ///< sums
};

void ask_from_threads(int threads, int rounds, std::size_t size) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  questions const asked(size, seed);
  wf::gpu shared;
  std::mutex guard;
  std::atomic<int> wrong = 0, done = 0;
  {
    std::vector<std::jthread> all;
    for (int i = 0; i < threads; ++i)
      all.emplace_back([&] {
        try {
          for (int round = 0; round < rounds; ++round) {
            wf::gpu own; // made and destroyed beside the others' work
            wrong += asked.wrong(own);
            std::lock_guard const lock{guard};
            wrong += asked.wrong(shared);
          }
          ++done;
        } catch (wf::error const& error) {
          std::fprintf(stderr, "%s\n", error.what());
        }
      });
  }
  CHECK(wrong == 0);
  CHECK(done == threads);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: many threads, many streams") { ask_from_threads(6, 2, 20'011); }
  TEST_CASE("many threads, many streams, larger arrays") { ask_from_threads(16, 8, 1'000'003); }
}

} // namespace threads_test
