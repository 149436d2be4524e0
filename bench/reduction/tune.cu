// warpfold-tune: times the fold with other values of its tuning, beside the default and CUB.
//
// A tree belongs to the contract of the fold (the same bits on every GPU), so a change of
// fold_tree is a change of results, made for good reasons; fold_tuning is free. Configurations that
// give the same shape and code are timed once.

#include "paired_timing.hpp"

#include <warpfold/detail/reduction/fold.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <tuple>

namespace {

using namespace warpfold;
using namespace warpfold::bench;

struct settings {
  std::string type = "all"; ///< float, double, int32
  int first = 8, last = 30; ///< sizes are powers of two with these exponents
  int step = 2;
  int best = 4; ///< configurations shown
};

struct eight_rows : detail::fold_tuning {
  static constexpr int rows_in_flight = 8;
};

struct configuration {
  detail::fold_tree tree;
  int rows_in_flight;
  detail::fold_shape shape;

  /// The part of a configuration that a GPU sees.
  [[nodiscard]] auto seen() const {
    return std::tuple(rows_in_flight, shape.rows_per_block, shape.threads, shape.blocks);
  }
};

/// All configurations that differ for `size` elements; the default is the first.
template <class T>
std::vector<configuration> configurations(std::size_t size) {
  std::vector<configuration> all;
  auto const add = [&](detail::fold_tree const& tree, int rows_in_flight) {
    configuration const one{tree, rows_in_flight, detail::fold_shape_of<T>(size, sizeof(T), tree)};
    for (configuration const& known : all)
      if (known.seen() == one.seen()) return;
    all.push_back(one);
  };
  add({}, detail::fold_tuning::rows_in_flight);
  for (int const rows_in_flight : {detail::fold_tuning::rows_in_flight, eight_rows::rows_in_flight})
    for (std::size_t const max_threads : {512u, 256u, 128u})
      for (std::size_t const one_block : {64 * kibi, 32 * kibi, 128 * kibi})
        for (std::size_t const spread : {512 * kibi, 0 * kibi, 1 * mebi, 2 * mebi, 4 * mebi})
          for (std::size_t const spread_threads : {256u, 128u})
            for (std::size_t const full_blocks : {128u, 132u, 256u, 264u})
              for (std::size_t const max_rows : {16u, 8u, 32u, 64u})
                for (std::size_t const rows_of_small : {4u, 2u, 8u})
                  for (std::size_t const max_blocks : {8192u, 4096u, 2048u, 16384u}) {
                    detail::fold_tree tree;
                    tree.max_threads = max_threads;
                    tree.one_block = one_block;
                    tree.spread = spread;
                    tree.spread_threads = spread_threads;
                    tree.full_blocks = full_blocks;
                    tree.max_rows = max_rows;
                    tree.rows_of_small = rows_of_small;
                    tree.max_blocks = max_blocks;
                    tree.partial_bytes = 8 * max_blocks;
                    add(tree, rows_in_flight);
                  }
  return all;
}

void print(char const* head, configuration const& one, timing const& measured,
           timing const& standard) {
  detail::fold_tree const& tree = one.tree;
  std::printf(
      "  %-8s%10.3f%8.3f | %6d x %-4d %6lld %4d | %4zu %5zuK %5zuK %4zu %4zu %3zu %3zu %5zu\n",
      head, 1e6 * measured.median, standard.median / measured.median, one.shape.blocks,
      one.shape.threads, static_cast<long long>(one.shape.rows_per_block), one.rows_in_flight,
      tree.max_threads, tree.one_block / kibi, tree.spread / kibi, tree.spread_threads,
      tree.full_blocks, tree.max_rows, tree.rows_of_small, tree.max_blocks);
}

template <class T>
void tune(gpu& place, l2_flush& flush, cold_pool& pool, std::size_t size, char const* type,
          settings const& chosen) {
  timing_plan plan = plan_for(size * sizeof(T), true);
  plan.samples = 11;
  int const arrays = pool.prepare<T>(size, plan.calls, pattern::small_integers);
  if (arrays == 0) return;
  auto const array = [&](int i) { return pool.array<T>(i % arrays, size); };
  device_buffer<T> result(place, 1);
  T const expected = sum(place, array(0)); // small integers: every tree gives the same sum
  if (sum(place, array(0), twins::cub) != expected)
    throw error(std::string(type) + ": CUB and the fold disagree");

  std::vector<configuration> const all = configurations<T>(size);
  std::vector<contender> contenders;
  for (configuration const& one : all) {
    auto const call = [&place, &result, &one, array](int i) {
      device_span<T const> const values = array(i);
      auto const fold = [&](auto tuning) {
        detail::fold_array<decltype(tuning)>(place, values.data(), values.size(), T{0}, plus{},
                                             detail::widened<T, identity>{}, result.data(),
                                             one.tree);
      };
      if (one.rows_in_flight == eight_rows::rows_in_flight) fold(eight_rows{});
      else fold(detail::fold_tuning{});
    };
    call(0);
    if (to_vector(place, result.span())[0] != expected)
      throw error(std::string(type) + ": a configuration gives a wrong sum");
    contenders.push_back({call});
  }
  contenders.push_back(
      {[&, array](int i) { sum_async(place, array(i), result.span(), twins::cub); }});

  std::vector<timing> const times = time_paired(place, flush, contenders, plan);
  timing const& standard = times.front();
  timing const& cub = times.back();
  std::printf("%s, n = %zu, %zu configurations; %.0f GB/s by default\n", type, size, all.size(),
              1e-9 * static_cast<double>(size * sizeof(T)) / standard.median);
  std::printf("  %-8s%10.3f%8.3f |\n", "cub", 1e6 * cub.median, standard.median / cub.median);
  print("default", all.front(), standard, standard);
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return times[a].median < times[b].median; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(chosen.best)));
  for (std::size_t const i : order) print("", all[i], times[i], standard);
  std::fflush(stdout);
}

template <class T>
void tune_type(gpu& place, l2_flush& flush, cold_pool& pool, char const* type,
               settings const& chosen) {
  if (chosen.type != "all" && chosen.type != type) return;
  for (int e = chosen.first; e <= chosen.last; e += chosen.step)
    tune<T>(place, flush, pool, std::size_t{1} << e, type, chosen);
}

[[noreturn]] void explain(char const* wrong) {
  std::fprintf(stderr,
               "warpfold-tune: %s\n"
               "options: --type=float|double|int32|all  --first=E --last=E --step=S (sizes 2^E, "
               "0 to 34)\n"
               "         --best=N (configurations shown)\n",
               wrong);
  std::exit(2);
}

settings parse(int argc, char** argv) {
  settings chosen;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value = [&](std::string_view name) -> char const* {
      return argument.starts_with(name) ? argv[i] + name.size() : nullptr;
    };
    if (auto const* type = value("--type=")) chosen.type = type;
    else if (auto const* first = value("--first=")) chosen.first = std::atoi(first);
    else if (auto const* last = value("--last=")) chosen.last = std::atoi(last);
    else if (auto const* step = value("--step=")) chosen.step = std::atoi(step);
    else if (auto const* best = value("--best=")) chosen.best = std::atoi(best);
    else explain((std::string("unknown option ") + argv[i]).c_str());
  }
  if (chosen.first < 0 || chosen.last > 34 || chosen.step < 1 || chosen.best < 0)
    explain("sizes out of range");
  return chosen;
}

} // namespace

int main(int argc, char** argv) try {
  settings const chosen = parse(argc, argv);
  if (gpu_count() == 0) {
    std::fputs("warpfold-tune: there is no GPU here, nothing to tune\n", stderr);
    return 1;
  }
  gpu place;
  l2_flush flush(place);
  cold_pool pool(place, 16 * gibi);
  std::printf("us and speed relative to the default; blocks x threads, rows a block, rows in "
              "flight; then\nmax_threads one_block spread spread_threads full_blocks max_rows "
              "rows_of_small max_blocks (partial_bytes is 8 times that)\n");
  tune_type<float>(place, flush, pool, "float", chosen);
  tune_type<double>(place, flush, pool, "double", chosen);
  tune_type<std::int32_t>(place, flush, pool, "int32", chosen);
  return 0;
} catch (std::exception const& failure) {
  std::fprintf(stderr, "warpfold-tune: %s\n", failure.what());
  return 1;
}
