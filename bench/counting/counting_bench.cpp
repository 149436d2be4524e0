// Histograms and compaction on a GPU beside CUB's, in one paired measurement for each kind of data,
// type and size. Counts by a predicate are among the rows of norms_bench.cpp.

#include "counting_kernels.hpp"
#include "rival/ways.hpp"

#include <warpfold/twins/counting.hpp>

#include <functional>
#include <memory>

namespace warpfold::bench {
namespace {

/// One of the ways to make the same of some elements.
template <class T>
struct way {
  std::string name;
  std::function<void(device_span<T const>)> enqueue;
  /// A number that says whether the result is right.
  std::function<std::uint64_t()> result;
};

/// Adds rows name/way/n:size; `make` makes the ways, with what they need, when the first one runs.
template <class T>
void add_ways(session& run, std::string const& name, std::size_t size, pattern elements,
              std::vector<std::string> const& names,
              std::function<std::vector<way<T>>(gpu&)> const& make) {
  if (size * sizeof(T) > run.pool->size()) return;
  rows_together rows(run, [&run, size, elements, make](auto& outcomes) {
    gpu& place = *run.place;
    place.reserve(64 * mebi);
    rival::arrays<T> const values(run, size, elements);
    std::vector<way<T>> const ways = make(place);
    std::vector<contender> contenders;
    std::uint64_t expected = 0;
    for (way<T> const& one : ways) {
      one.enqueue(values[values.last()]);
      std::uint64_t const result = one.result();
      if (contenders.empty()) expected = result;
      if (result != expected) throw error(one.name + " differs from " + ways[0].name);
      contenders.push_back({[&](int i) { one.enqueue(values[i]); }});
    }
    auto const times = time_paired(place, *run.flush, contenders, values.plan());
    for (std::size_t w = 0; w < ways.size(); ++w) outcomes[w].times = times[w];
  });
  auto const items = static_cast<double>(size);
  for (std::string const& one : names)
    rows.add(name + "/" + one + "/n:" + std::to_string(size), items * sizeof(T), items);
}

/// Changes when any number or the order of two does.
template <class Count>
std::uint64_t digest(std::vector<Count> const& counts) {
  std::uint64_t all = 0;
  for (Count const c : counts) all = all * 0x9e3779b97f4a7c15u + c;
  return all;
}

template <class T>
void add_histogram(session& run, std::size_t size, detail::bins_of<T> const& bins,
                   pattern elements) {
  std::string const name = "histogram-" + std::to_string(bins.count) +
                           (elements == pattern::equal ? "-equal/" : "-uniform/") + type_name<T>();
  // CUB with counts of 64 bits, as the verb has them, takes up to ten times as long: not of many.
  bool const with_cub64 = size <= std::size_t{1} << 24;
  std::vector<std::string> names{"fold", "cub32"};
  if (with_cub64) names.emplace_back("cub");
  add_ways<T>(run, name, size, elements, names, [bins, with_cub64](gpu& place) {
    auto const room = static_cast<std::size_t>(bins.count);
    auto const counts = std::make_shared<device_buffer<std::uint64_t>>(place, room);
    auto const narrow = std::make_shared<device_buffer<std::uint32_t>>(place, room);
    auto const verb = [&](twins::vendor vendor) {
      return way<T>{to_string(vendor),
                    [&place, bins, counts, vendor](device_span<T const> values) {
                      histogram_async(place, values, bins, counts->span(), vendor);
                    },
                    [&place, counts] { return digest(to_vector(place, counts->span())); }};
    };
    std::vector<way<T>> ways{
        verb(twins::fold),
        {"cub32",
         [&place, bins, narrow](device_span<T const> values) {
           cub_histogram32<T>(place, values, bins, narrow->data());
         },
         [&place, narrow] { return digest(to_vector(place, narrow->span())); }}};
    if (with_cub64) ways.push_back(verb(twins::cub));
    return ways;
  });
}

/// Rows of compactions of uniform numbers in [0, 1).
template <class T>
void add_compaction(session& run, std::size_t size, int percent) {
  std::string const name = "compact_if-" + std::to_string(percent) + "/" + type_name<T>();
  add_ways<T>(run, name, size, pattern::uniform, {"fold", "cub"}, [size, percent](gpu& place) {
    auto const output = std::make_shared<device_buffer<T>>(place, size);
    auto const count = std::make_shared<device_buffer<std::uint64_t>>(place, 1);
    less_than<T> const below{static_cast<T>(percent) / 100};
    std::vector<way<T>> ways;
    for (twins::vendor const vendor : {twins::fold, twins::cub})
      ways.push_back(
          {to_string(vendor),
           [&place, output, count, below, vendor](device_span<T const> values) {
             compact_if_async(place, values, below, output->span(), count->span(), vendor);
           },
           [&place, output, count] {
             std::uint64_t const kept = to_vector(place, count->span())[0];
             auto const* const bits = reinterpret_cast<std::uint32_t const*>(output->data());
             device_span<std::uint32_t const> const words(bits, kept * (sizeof(T) / 4));
             auto const last = argmax(place, words); // and so, a little, the order
             return digest(
                 std::vector<std::uint64_t>{kept, sum<std::uint64_t>(place, words), last.index});
           }});
    return ways;
  });
}

} // namespace

void add_counting(session& run) {
  if (!run.place) return;
  std::vector<int> exponents{20, 24, 28};
  if (!run.quick) exponents = {20, 22, 24, 26, 28, 30};
  for (int const e : exponents) {
    std::size_t const size = std::size_t{1} << e;
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
