#include "table.hpp"

#include "paired_timing.hpp"
#include "raycast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#ifdef WARPFOLD_RAYCAST_PNG
#include <png.h>
#endif

namespace warpfold::raycast {
namespace {

/// Writes the picture; returns a text that says where it is, or why there is none.
std::string write_picture([[maybe_unused]] std::string const& path,
                          [[maybe_unused]] std::vector<pixel> const& picture,
                          [[maybe_unused]] std::uint32_t width) {
  if (path.empty()) return "The picture: warpfold-raycast --out picture.png";
#ifdef WARPFOLD_RAYCAST_PNG
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = static_cast<png_uint_32>(picture.size() / width);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.data(), 0, nullptr) == 0)
    throw error("the picture " + path + " could not be written: " + image.message);
  return "The picture: " + std::filesystem::absolute(path).string();
#else
  return "NO PICTURE: this build has no libpng.";
#endif
}

/// Seconds in the article, for 1,000,000 rays at a scene of its own; 0 for what it does not give.
struct article_row {
  counting strategy;
  char const* text;
  double geforce_9400m = 0, gtx_460 = 0;
};
constexpr article_row article[] = {{counting::none, "not counted"},
                                   {counting::global, "an atomic a leaf", 1.7, 0.06},
                                   {counting::warp, "one for the warp's threads"},
                                   {counting::block, "staged in shared memory", 0.9, 0.055},
                                   {counting::any, "at least one, a flag a block"},
                                   {counting::automatic, "as the counter chooses"}};

template <class Place>
bool applies(counting strategy) {
  return bench::is_gpu<Place> || strategy == counting::none || strategy == counting::any ||
         strategy == counting::automatic;
}

/// About as many rays as asked for.
camera camera_for(std::uint32_t rays) {
  std::uint32_t const width =
      std::max(8u, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(rays))) / 8 * 8);
  return {width, std::max(4u, rays / width / 4 * 4)};
}

/// Median seconds of each way to trace, taken in turns.
template <class Place>
std::vector<double> seconds_of(laboratory<Place>& lab, bool coherent,
                               std::vector<trace_options> const& ways) {
  auto const& rays = lab.rays(coherent);
  auto hits = make_on<hit>(lab.place, rays.size());
  auto sum = put_on(lab.place, std::vector<totals>(1));
  auto const trace = [&](trace_options const& way) {
    trace_async(lab.place, lab.tree.view(), rays, hits, sum, way);
  };
  std::vector<bench::timing> times;
  if constexpr (bench::is_gpu<Place>) {
    std::vector<bench::contender> contenders;
    for (trace_options const& way : ways) {
      trace(way);
      contenders.push_back({[&](int) { trace(way); }});
    }
    lab.place.synchronize();
    bench::l2_flush flush(lab.place);
    times = bench::time_paired(lab.place, flush, contenders, {.calls = 1, .samples = 21});
  } else {
    times = bench::time_in_turns(ways.size(), 3, [&](std::size_t w) {
      return bench::wall_seconds([&] { trace(ways[w]); });
    });
  }
  std::vector<double> medians;
  for (auto const& one : times) medians.push_back(one.median);
  return medians;
}

void print(int width, double seconds) {
  if (seconds > 0) std::printf("%*.3f", width, seconds);
  else std::printf("%*s", width, "");
}

char const* verdict(bool agrees) { return agrees ? "" : "  WRONG"; }

/// A leaf counted when it is found, in every way.
template <class Place>
bool article_table(laboratory<Place>& lab, outcome const& expected) {
  std::printf("\n%-32s%12s%12s |%12s%12s%12s%12s\n", "", "GeForce", "GTX 460", "now", "now",
              "against", "counted");
  std::printf("%-32s%12s%12s |%12s%12s%12s%12s\n", "each leaf that a ray finds is", "9400M, s", "s",
              "s", "Mrays/s", "none", "");
  std::vector<trace_options> ways;
  for (article_row const& row : article)
    if (applies<Place>(row.strategy))
      ways.push_back({.strategy = row.strategy, .moment = moment::each_leaf});
  auto const seconds = seconds_of(lab, true, ways);
  bool all_agree = true;
  std::size_t w = 0;
  for (article_row const& row : article) {
    std::printf("%-32s", row.text);
    print(12, row.geforce_9400m);
    print(12, row.gtx_460);
    if (!applies<Place>(row.strategy)) {
      std::printf(" |\n");
      continue;
    }
    auto const got = trace(lab.place, lab.tree, lab.coherent, ways[w]);
    std::uint64_t const leaves = expected.sum.leaves;
    bool const agrees =
        same_bits(got.hits, expected.hits) &&
        (row.strategy == counting::none  ? got.sum.leaves == 0
         : row.strategy == counting::any ? got.sum.leaves > 0 && got.sum.leaves <= leaves
                                         : got.sum.leaves == leaves);
    std::printf(" |%12.6f%12.1f%11.1f%%%12llu%s\n", seconds[w],
                1e-6 * static_cast<double>(lab.coherent.size()) / seconds[w],
                100 * (seconds[w] / seconds[0] - 1),
                static_cast<unsigned long long>(got.sum.leaves), verdict(agrees));
    std::fflush(stdout);
    all_agree = all_agree && agrees;
    ++w;
  }
  return all_agree;
}

/// Everything that a ray meets, counted when it is done.
template <class Place>
bool speed_table(laboratory<Place>& lab, laboratory<host>& reference) {
  std::printf("\n%-32s%12s%12s%12s |%10s%10s%10s\n", "", "Mrays/s", "Mrays/s", "counters", "nodes",
              "leaves", "triangles");
  std::printf("%-32s%12s%12s%12s |%30s\n", "", "uncounted", "counted", "cost", "a ray");
  bool all_agree = true;
  for (bool const coherent : {true, false})
    for (query const kind : {query::closest, query::any}) {
      trace_options const uncounted{.query = kind, .strategy = counting::none},
          counted{.query = kind};
      auto const seconds = seconds_of(lab, coherent, {uncounted, counted});
      auto const expected =
          trace(reference.place, reference.tree, reference.rays(coherent), counted);
      auto const got = trace(lab.place, lab.tree, lab.rays(coherent), counted);
      auto const alone = trace(lab.place, lab.tree, lab.rays(coherent), uncounted);
      bool const agrees = got.sum == expected.sum && same_bits(got.hits, expected.hits) &&
                          same_bits(alone.hits, expected.hits);
      auto const rays = static_cast<double>(lab.coherent.size());
      std::printf(
          "%-32s%12.1f%12.1f%11.1f%% |%10.2f%10.2f%10.2f%s\n",
          coherent ? (kind == query::closest ? "camera rays, closest hit" : "camera rays, any hit")
                   : (kind == query::closest ? "random rays, closest hit" : "random rays, any hit"),
          1e-6 * rays / seconds[0], 1e-6 * rays / seconds[1], 100 * (seconds[1] / seconds[0] - 1),
          static_cast<double>(got.sum.nodes) / rays, static_cast<double>(got.sum.leaves) / rays,
          static_cast<double>(got.sum.tests) / rays, verdict(agrees));
      std::fflush(stdout);
      all_agree = all_agree && agrees;
    }
  return all_agree;
}

/// Some rays of either kind against all triangles.
template <class Place>
bool agrees_with_brute_force(laboratory<Place>& lab, std::size_t rays) {
  bool agree = true;
  for (bool const coherent : {true, false}) {
    auto const some = contents_of(lab.place, lab.rays(coherent));
    std::size_t const step = std::max<std::size_t>(1, some.size() / rays);
    std::vector<ray> sample;
    for (std::size_t i = step / 2; i < some.size(); i += step) sample.push_back(some[i]);
    auto const aimed = put_on(lab.place, sample);
    agree = agree && same_bits(trace_all(lab.place, lab.triangles, lab.tree.extent, aimed),
                               trace(lab.place, lab.tree, aimed).hits);
  }
  return agree;
}

template <class Place>
bool print_on(Place& place, table_options const& options) {
  constexpr bool on_gpu = bench::is_gpu<Place>;
  camera const from = camera_for(options.rays != 0 ? options.rays : on_gpu ? 1'000'000 : 50'000);
  laboratory<Place> lab(place, from);
  host processor;
  std::optional<laboratory<host>> on_host;
  if constexpr (on_gpu) on_host.emplace(processor, from);
  laboratory<host>& reference = [&]() -> laboratory<host>& {
    if constexpr (on_gpu) return *on_host;
    else return lab;
  }();
  std::printf("%u rays at %u triangles; the tree is built where it is used.\n", from.rays(),
              landscape{}.triangles());
  auto const expected = trace(reference.place, reference.tree, reference.coherent);
  bool agree = article_table(lab, expected);
  agree = speed_table(lab, reference) && agree;
  auto const say = [&](char const* what, bool agrees) {
    std::printf("%s: %s\n", what, agrees ? "yes" : "NO, WRONG");
    agree = agree && agrees;
  };
  std::size_t const sample = on_gpu ? 2048 : 8;
  std::printf("\n%zu camera rays and as many random ones hit what they hit of all triangles",
              sample);
  say("", agrees_with_brute_force(lab, sample));
  auto const picture = lab.picture(trace(place, lab.tree, lab.coherent).hits);
  if constexpr (on_gpu) {
    say("The host builds the same tree",
        same_bits(contents_of(place, lab.tree.nodes), reference.tree.nodes) &&
            same_bits(contents_of(place, lab.tree.triangles), reference.tree.triangles));
    say("It makes the same picture", same_bits(picture, reference.picture(expected.hits)));
    std::printf("Medians of 21 runs in turns, L2 flushed before each.\n");
  } else {
    std::printf("Wall clock, medians of 3 runs in turns: the host has no strategies, it counts or "
                "does not.\n");
  }
  std::printf("\"counted\" under \"at least one\" is %s.\n",
              on_gpu ? "the number of blocks that found a leaf" : "whether any ray found a leaf");
  std::puts(write_picture(options.picture, picture, from.width).c_str());
  return agree;
}

} // namespace

bool print_table(any_place& place, table_options const& options) {
  return std::visit([&](auto& one) { return print_on(one, options); }, place);
}

} // namespace warpfold::raycast
