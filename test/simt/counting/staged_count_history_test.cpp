// The three variants of the article behind docs/counting.md, as it wrote them. Two are wrong, and
// are here for that: they take shared memory for a warp's own, while it belongs to the block.
//
// The article's GPUs ran the threads of a warp in step; here barriers of the warp stand for that,
// so that nothing else is wrong than what was.

#include "simt/simt.hpp"

#include <warpfold/detail/counting/aggregated_counter_body.hpp>

#include <algorithm>
#include <set>

namespace {

constexpr int warp = 32;
constexpr int grid = 4;

/// True where the ray of a thread of the grid hits.
using rays = std::vector<bool>;

rays rays_of(int threads, unsigned percent) {
  std::mt19937 random{2010};
  rays hits(static_cast<std::size_t>(grid * threads));
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = random() % 100 < percent;
  return hits;
}

bool hit_of(simt::block const& block, rays const& hits) {
  int const thread = block.block_rank() * block.size() + block.thread_rank();
  return hits[static_cast<std::size_t>(thread)];
}

/// Whose threads wait for each other and share memory.
enum class scope { of_warp, of_block };

template <scope Of>
int rank_in(simt::block const& block) {
  return Of == scope::of_block ? block.thread_rank() : block.lane();
}
template <scope Of>
void wait(simt::block const& block) {
  if (Of == scope::of_block) block.sync();
  else block.sync_warp();
}

/// The first variant, of a warp: an array as wide as a warp, in which each thread sets its place
/// and one thread adds them up. The warps of a block all write to the same 32 places. Corrected, of
/// the block: as many places as the block has threads.
template <scope Of>
struct slots {
  int hit[Of == scope::of_block ? 1024 : warp];

  static void run(simt::block const& block, slots& shared, bool hit, std::uint64_t* total) {
    shared.hit[rank_in<Of>(block)] = hit ? 1 : 0;
    wait<Of>(block);
    if (rank_in<Of>(block) != 0) return;
    std::uint64_t sum = 0;
    for (int t = 0; t < (Of == scope::of_block ? block.size() : warp); ++t)
      sum += static_cast<std::uint64_t>(shared.hit[t]);
    block.fetch_add(total, sum);
  }
};

/// The second variant, of a warp: a flag that any thread with a hit sets, and one atomic addition
/// at the end, which would count the warps with a hit. The warps of a block all clear, set and read
/// the same. The author's correction, of the block: one thread clears the flag, one reads it, and
/// all wait in between. It counts the blocks with a hit.
template <scope Of>
struct flag {
  int any;

  static void run(simt::block const& block, flag& shared, bool hit, std::uint64_t* total) {
    bool const is_first = rank_in<Of>(block) == 0;
    if (is_first) shared.any = 0;
    wait<Of>(block);
    if (hit) shared.any = 1;
    wait<Of>(block);
    if (is_first && shared.any != 0) block.fetch_add(total, std::uint64_t{1});
  }
};

/// The library's counter, the successor of these variants.
template <warpfold::aggregation How>
struct of_the_library {
  using counter = warpfold::aggregated_counter<How, 1, simt::block>;
  typename counter::shared_storage storage;

  static void run(simt::block const& block, of_the_library& shared, bool hit,
                  std::uint64_t* total) {
    counter counted(shared.storage, total, block);
    if (hit) counted.add();
    counted.flush();
  }
};

template <class Variant>
std::uint64_t total_of(simt::options const& how, int threads, rays const& hits) {
  std::uint64_t total = 0;
  simt::launch<Variant>(grid, threads, how, [&](simt::block const& block, Variant& shared) {
    Variant::run(block, shared, hit_of(block, hits), &total);
  });
  return total;
}

/// All totals that some orders of the threads lead to.
template <class Variant>
std::set<std::uint64_t> totals_of(int threads, rays const& hits) {
  std::set<std::uint64_t> totals;
  for (simt::order const lanes : {simt::order::forward, simt::order::reverse})
    totals.insert(total_of<Variant>({.lanes = lanes}, threads, hits));
  for (unsigned seed = 0; seed < 20; ++seed)
    totals.insert(total_of<Variant>({.lanes = simt::order::random, .seed = seed}, threads, hits));
  return totals;
}

/// The number of groups of `size` threads that have a hit.
std::uint64_t groups_with_hit(rays const& hits, int size) {
  std::uint64_t groups = 0;
  for (auto i = hits.begin(); i != hits.end(); i += size)
    groups += std::find(i, i + size, true) != i + size;
  return groups;
}

std::uint64_t number_of_hits(rays const& hits) {
  return static_cast<std::uint64_t>(std::count(hits.begin(), hits.end(), true));
}

} // namespace

TEST_CASE("simt history: the variants as written are right where a block is one warp") {
  for (unsigned const percent : {0u, 10u, 50u, 100u}) {
    auto const hits = rays_of(warp, percent);
    CHECK(totals_of<slots<scope::of_warp>>(warp, hits) == std::set{number_of_hits(hits)});
    CHECK(totals_of<flag<scope::of_warp>>(warp, hits) == std::set{groups_with_hit(hits, warp)});
  }
}

// Threads that run one after the other hide it; the article's second GPU did not.
TEST_CASE("simt history: with more warps their totals depend on the order of the threads") {
  constexpr int threads = 4 * warp;
  auto const some = rays_of(threads, 50);
  auto const by_slots = totals_of<slots<scope::of_warp>>(threads, some);
  CHECK(by_slots.size() > 1);
  CHECK(by_slots.count(number_of_hits(some)) == 1);

  auto const few = rays_of(threads, 2);
  auto const by_flag = totals_of<flag<scope::of_warp>>(threads, few);
  CHECK(by_flag.size() > 1);
  CHECK(by_flag.count(groups_with_hit(few, warp)) == 1);
}

TEST_CASE("simt history: the corrected ones are right in every order, as the library's are") {
  for (int const threads : {warp, 4 * warp, 4 * warp + 7})
    for (unsigned const percent : {0u, 2u, 50u, 100u}) {
      CAPTURE(threads);
      CAPTURE(percent);
      auto const hits = rays_of(threads, percent);
      using warpfold::aggregation;
      CHECK(totals_of<of_the_library<aggregation::block>>(threads, hits) ==
            std::set{number_of_hits(hits)});
      CHECK(totals_of<of_the_library<aggregation::any>>(threads, hits) ==
            std::set{groups_with_hit(hits, threads)});
      CHECK(totals_of<slots<scope::of_block>>(threads, hits) == std::set{number_of_hits(hits)});
      CHECK(totals_of<flag<scope::of_block>>(threads, hits) ==
            std::set{groups_with_hit(hits, threads)});
    }
}

TEST_CASE("simt history: and need every barrier") {
  constexpr int threads = 4 * warp;
  auto const hits = rays_of(threads, 2);
  auto const unneeded = [&]<class Variant>(std::uint64_t expected) {
    return simt::unneeded_barriers([&](simt::options const& how) {
      return total_of<Variant>(how, threads, hits) == expected;
    });
  };
  CHECK(unneeded.operator()<slots<scope::of_block>>(number_of_hits(hits)) == "");
  CHECK(unneeded.operator()<flag<scope::of_block>>(groups_with_hit(hits, threads)) == "");
}
