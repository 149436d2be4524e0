// Histograms and compaction on a GPU beside CUB's, in one paired measurement for each kind of data,
// type and size. Counts by a predicate are among the rows of norms_bench.cpp.

#include "counting_kernels.hpp"
#include "reduction/ways.hpp"

#include <warpfold/twins/counting.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace warpfold::bench {
namespace {

template <class T>
void add_histogram(session& run, std::size_t size, detail::bins_of<T> const& bins,
                   pattern elements) {
  auto const right = computed_once(
      [bins](arrays<T> const& all) { return histogram(all.place(), all.checked(), bins); });
  auto const complaint = [=](arrays<T> const& all, auto counts) {
    return std::ranges::equal(to_vector(all.place(), counts), right(all)) ? "" : "wrong counts";
  };
  auto const room = static_cast<std::size_t>(bins.count);
  auto const verb = [&](twins::vendor vendor) {
    return results_way<T, std::uint64_t>(
        to_string(vendor), room,
        [=](arrays<T> const& all, int i, auto counts) {
          histogram_async(all.place(), all[i], bins, counts, vendor);
        },
        complaint);
  };
  auto const cub32 = [=](arrays<T> const& all, int i, auto counts) {
    cub_histogram32<T>(all.place(), all[i], bins, counts.data());
  };
  std::vector<way<T>> ways{verb(twins::fold),
                           results_way<T, std::uint32_t>("cub32", room, cub32, complaint)};
  // CUB with counts of 64 bits, as the verb has them, takes up to ten times as long: not of many.
  if (size <= power(24)) ways.push_back(verb(twins::cub));
  std::string const kind = elements == pattern::equal ? "-equal/" : "-uniform/";
  add_ways(run, "histogram-" + std::to_string(bins.count) + kind + type_name<T>(), size, elements,
           ways);
}

/// What a compaction kept: how many, their bits added up, and, a little, their order.
template <class T>
std::array<std::uint64_t, 3> digest(gpu& place, device_span<T const> kept) {
  device_span<std::uint32_t const> const words(reinterpret_cast<std::uint32_t const*>(kept.data()),
                                               kept.size() * (sizeof(T) / 4));
  return {kept.size(), sum<std::uint64_t>(place, words), argmax(place, words).index};
}

/// Rows of compactions of uniform numbers in [0, 1).
template <class T>
void add_compaction(session& run, std::size_t size, int percent) {
  less_than<T> const below{static_cast<T>(percent) / 100};
  auto const right = computed_once([=](arrays<T> const& all) {
    device_buffer<T> output(all.place(), size);
    auto const count = compact_if(all.place(), all.checked(), below, output);
    return digest<T>(all.place(), output.span().subspan(0, count));
  });
  auto const count = computed_once([](arrays<T> const& all) {
    return std::make_shared<device_buffer<std::uint64_t>>(all.place(), 1);
  });
  std::vector<way<T>> ways;
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(results_way<T, T>(
        to_string(vendor), size,
        [=](arrays<T> const& all, int i, auto output) {
          compact_if_async(all.place(), all[i], below, output, *count(all), vendor);
        },
        [=](arrays<T> const& all, auto output) {
          auto const kept = to_vector(all.place(), *count(all))[0];
          return digest<T>(all.place(), output.subspan(0, kept)) == right(all) ? "" : "wrong";
        }));
  add_ways(run, "compact_if-" + std::to_string(percent) + "/" + type_name<T>(), size,
           pattern::uniform, ways);
}

} // namespace

void add_counting(session& run) {
  if (!run.place) return;
  std::vector<int> exponents{20, 24, 28};
  if (!run.quick) exponents = {20, 22, 24, 26, 28, 30};
  for (int const e : exponents) {
    std::size_t const size = power(e);
    for (pattern const elements : {pattern::uniform, pattern::equal})
      for (int const bins : {16, 256}) {
        add_histogram<float>(run, size, {bins, 0, 1}, elements);
        add_histogram<std::int32_t>(run, size, {bins, 0, (std::int64_t{1} << 31) - 1}, elements);
        add_histogram<std::uint8_t>(run, size, {bins, 0, 256}, elements);
      }
    for (int const percent : {1, 50, 99}) {
      add_compaction<float>(run, size, percent);
      add_compaction<double>(run, size, percent);
    }
  }
}

} // namespace warpfold::bench
