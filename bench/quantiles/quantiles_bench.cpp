// Order statistics, top_k and risk figures: beside CUB's sort and the plain sum, which reads the
// array once.

#include "reduction/ways.hpp"

#include <warpfold/twins/quantiles.hpp>

namespace warpfold::bench {
namespace {

/// True if x is the element of this rank.
template <class T>
bool is_of_rank(gpu& place, array_t<T> values, T x, std::uint64_t rank) {
  return count_if(place, values, less_than<T>{x}) <= rank &&
         values.size() - count_if(place, values, greater_than<T>{x}) > rank;
}

template <class T>
void add(session& run, std::size_t size, std::size_t count, pattern elements) {
  if (size * sizeof(T) > run.pool->size()) return;
  std::vector<std::uint64_t> ranks{size / 2, size / 20, size / 4, size / 4 * 3, size / 20 * 19};
  ranks.resize(count);
  run.place->reserve(3 * size * sizeof(T) + 64 * mebi); // for sorted copies
  std::vector<way<T>> ways;
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(results_way<T, T>(
        to_string(vendor), count,
        [=](arrays<T> const& all, int i, auto results) {
          order_statistics_async(all.place(), all[i], ranks, results, vendor);
        },
        [=](arrays<T> const& all, auto results) {
          auto const found = to_vector(all.place(), results);
          for (std::size_t p = 0; p < count; ++p)
            if (!is_of_rank<T>(all.place(), all.checked(), found[p], ranks[p]))
              return "an element of another rank";
          return "";
        }));
  ways.push_back(sum_way<T>());
  std::string const kind = elements == pattern::equal ? "-equal/" : "-uniform/";
  add_ways(run, "order_statistics-" + std::to_string(count) + kind + type_name<T>(), size, elements,
           ways);
}

/// The first `count` elements: positions, and then the elements, are the results.
template <class T>
void add_top(session& run, std::size_t size, std::size_t count, std::string const& name) {
  if (size * sizeof(T) > run.pool->size()) return;
  run.place->reserve(size * (2 * sizeof(T) + 24) + 64 * mebi); // for sorted copies
  std::vector<way<T>> ways;
  auto const elements = [=](auto results) {
    return device_span<T>(reinterpret_cast<T*>(results.data() + count), count);
  };
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(results_way<T, std::uint64_t>(
        to_string(vendor), count + (count * sizeof(T) + 7) / 8,
        [=](arrays<T> const& all, int i, auto results) {
          top_k_async(all.place(), all[i], elements(results), results.subspan(0, count), {},
                      vendor);
        },
        [=](arrays<T> const& all, auto results) {
          auto const found = to_vector(
              all.place(),
              device_span<T const>(reinterpret_cast<T const*>(results.data() + count), count));
          for (std::size_t const i : {std::size_t{0}, count / 2, count - 1})
            if (!is_of_rank<T>(all.place(), all.checked(), found[i], size - 1 - i))
              return "an element of another rank";
          return "";
        }));
  ways.push_back(sum_way<T>());
  add_ways(run, "top_k-" + name + "-uniform/" + type_name<T>(), size, pattern::uniform, ways);
}

/// Risk figures of losses, which have the host's bits. A plain program begins with a sort, as CUB's
/// way does here; it takes the loss at the value at risk, and no more.
template <class T>
void add_risk(session& run, std::size_t size) {
  if (size * sizeof(T) > run.pool->size()) return;
  using figures = pricing::risk_figures;
  run.place->reserve(3 * size * sizeof(T) + 64 * mebi); // for sorted copies
  auto const right = computed_once([&run](arrays<T> const& all) {
    return pricing::risk(run.processor, to_vector(all.place(), all.checked()));
  });
  std::vector<way<T>> ways;
  ways.push_back(results_way<T, figures>(
      "fold", 1,
      [](arrays<T> const& all, int i, auto results) {
        pricing::risk_async(all.place(), all[i], results);
      },
      [=](arrays<T> const& all, auto results) {
        figures const found = to_vector(all.place(), results)[0];
        figures const& expected = right(all);
        return std::memcmp(&found, &expected, sizeof found) == 0 ? "" : "not the host's figures";
      }));
  std::vector<std::uint64_t> const rank{size / 40 * 39};
  ways.push_back(results_way<T, T>(
      "cub_sort", 1,
      [=](arrays<T> const& all, int i, auto results) {
        order_statistics_async(all.place(), all[i], rank, results, twins::cub);
      },
      any_result));
  ways.push_back(sum_way<T>());
  add_ways(run, "risk/" + type_name<T>(), size, pattern::normals, ways);
}

} // namespace

void add_quantiles(session& run) {
  if (!run.place) return;
  for (int e = run.quick ? 20 : 16; e <= 28; e += run.quick ? 8 : 4)
    for (std::size_t const count : {1, 5}) {
      add<float>(run, power(e), count, pattern::uniform);
      add<double>(run, power(e), count, pattern::uniform);
      add<std::int32_t>(run, power(e), count, pattern::uniform);
      add<float>(run, power(e), count, pattern::equal);
    }
  for (int e = run.quick ? 20 : 16; e <= 28; e += run.quick ? 8 : 4)
    for (std::size_t const count : {std::size_t{100}, std::size_t{10'000}, power(e) / 2}) {
      std::string const name = count < power(e) / 2 ? std::to_string(count) : "half";
      add_top<float>(run, power(e), count, name);
      add_top<double>(run, power(e), count, name);
    }
  for (int const e : {20, 28}) {
    if (run.quick && e > 20) break;
    add_risk<float>(run, power(e));
    add_risk<double>(run, power(e));
  }
}

} // namespace warpfold::bench
