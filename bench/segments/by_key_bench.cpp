// Sums by key: on a GPU beside CUB's, one column and three with the same keys, and exact ones
// beside those that round; on the host beside Thrust's on OpenMP. Lengths of runs beside CUB's.

#include "reduction/ways.hpp"

#include <warpfold/twins/by_key.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace warpfold::bench {
namespace {

/// The lengths of runs, whose keys are these.
using run_lengths = std::vector<std::uint32_t>;
constexpr std::uint32_t key_of(std::size_t run) {
  return static_cast<std::uint32_t>(run) * 2654435761u; // neighbours differ in many bits
}

run_lengths of_one_length(std::size_t length, std::size_t size) {
  run_lengths lengths(size / length, static_cast<std::uint32_t>(length));
  if (size % length != 0) lengths.push_back(static_cast<std::uint32_t>(size % length));
  return lengths;
}
/// P(length > x) = 1 / x up to a million: every octave of lengths has as many keys as any other.
run_lengths of_power_law(std::size_t size) {
  run_lengths lengths;
  std::uint64_t state = 2026;
  for (std::size_t at = 0; at < size;) {
    state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's generator, MMIX
    double const uniform = std::ldexp(static_cast<double>(state >> 11), -53);
    auto const length = static_cast<std::size_t>(1 / (1e-6 + (1 - 1e-6) * uniform));
    lengths.push_back(static_cast<std::uint32_t>(std::min(length, size - at)));
    at += lengths.back();
  }
  return lengths;
}

std::vector<std::uint32_t> keys_of(run_lengths const& lengths) {
  std::vector<std::uint32_t> keys;
  for (std::size_t run = 0; run < lengths.size(); ++run)
    keys.insert(keys.end(), lengths[run], key_of(run));
  return keys;
}

/// Equal arrays of keys, 512 MiB of them at least, which calls read in turn.
class keys_in_turn {
public:
  keys_in_turn(gpu& place, std::vector<std::uint32_t> const& keys) {
    std::size_t const bytes = keys.size() * sizeof(std::uint32_t);
    for (std::size_t used = 0; used < 512 * mebi; used += bytes)
      copies_.emplace_back(place, std::span<std::uint32_t const>(keys));
  }
  [[nodiscard]] array_t<std::uint32_t> operator[](int i) const {
    return copies_[static_cast<std::size_t>(i) % copies_.size()].span();
  }

private:
  std::vector<device_buffer<std::uint32_t>> copies_;
};

/// Where a call writes: sums of some columns and unique keys, with room for `size` runs, marks of
/// as many keys, and the number of runs.
struct outputs {
  std::size_t size; ///< an even number
  int columns;
  float* memory;

  /// In floats.
  [[nodiscard]] std::size_t extent() const { return (columns + 1) * size + 2 * (words() + 1); }
  [[nodiscard]] device_span<float> sums(int column) const { return {memory + column * size, size}; }
  /// Instead of two columns.
  [[nodiscard]] device_span<std::uint64_t> lengths() const {
    return {reinterpret_cast<std::uint64_t*>(memory), size};
  }
  [[nodiscard]] device_span<std::uint32_t> unique() const {
    return {reinterpret_cast<std::uint32_t*>(memory + columns * size), size};
  }
  [[nodiscard]] device_span<std::uint64_t> marks() const {
    return {reinterpret_cast<std::uint64_t*>(memory + (columns + 1) * size), words()};
  }
  [[nodiscard]] device_span<std::uint64_t> count() const { return {marks().data() + words(), 1}; }

private:
  [[nodiscard]] std::size_t words() const { return run_marks_size(size); }
};

/// The lengths, and what is computed from them while their arrays are measured.
struct runs {
  std::shared_ptr<run_lengths const> lengths;
  std::function<std::shared_ptr<keys_in_turn const> const&(arrays<float> const&)> keys;

  explicit runs(run_lengths all)
      : lengths{std::make_shared<run_lengths const>(std::move(all))},
        keys{computed_once([of = lengths](arrays<float> const& at) {
          return std::make_shared<keys_in_turn const>(at.place(), keys_of(*of));
        })} {}
  [[nodiscard]] std::size_t count() const { return lengths->size(); }

  /// "", or what is wrong with the number of runs or the unique keys.
  [[nodiscard]] std::string complaint(gpu& place, outputs const& found) const {
    if (to_vector(place, found.count())[0] != count()) return "another number of runs";
    auto const unique = to_vector(place, found.unique().subspan(0, count()));
    for (std::size_t run = 0; run < count(); ++run)
      if (unique[run] != key_of(run)) return "other unique keys";
    return "";
  }
};

/// The right sums of the array that is checked: exact in any order, as all are small integers.
std::vector<float> sums_of(run_lengths const& lengths, arrays<float> const& all) {
  std::vector<float> sums;
  std::size_t i = 0;
  for (std::uint32_t const length : lengths) {
    float sum = 0;
    for (std::size_t const end = i + length; i < end; ++i) sum += all.element(i);
    sums.push_back(sum);
  }
  return sums;
}

void add(session& run, std::string const& name, std::size_t size, run_lengths lengths) {
  runs const of(std::move(lengths));
  auto const right =
      computed_once([of](arrays<float> const& all) { return sums_of(*of.lengths, all); });
  outputs const empty{size, 1, nullptr};
  std::vector<way<float>> ways;
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(results_way<float, float>(
        to_string(vendor), empty.extent(),
        [=](arrays<float> const& all, int i, auto memory) {
          outputs const to{size, 1, memory.data()};
          reduce_by_key_async(all.place(), (*of.keys(all))[i], all[i], 0.F, plus{}, to.unique(),
                              to.sums(0), to.count(), vendor);
        },
        [=](arrays<float> const& all, auto memory) -> std::string {
          outputs const found{size, 1, const_cast<float*>(memory.data())};
          auto const sums = to_vector(all.place(), found.sums(0).subspan(0, of.count()));
          if (sums != right(all)) return "not the sums of the host";
          return of.complaint(all.place(), found);
        },
        form::replayed, 4 * size + 8 * of.count()));
  add_ways(run, "by_key_" + name + "/float", size, pattern::small_integers, ways);
}

/// Column number c of call number i.
array_t<float> column(arrays<float> const& all, int i, int c) { return all[i + 5 * c]; }

/// One column, three with the same keys, and three calls of CUB.
void add_columns(session& run, std::size_t length, std::size_t size) {
  runs const of(of_one_length(length, size));
  auto const right = computed_once([=](arrays<float> const& all) {
    gpu& place = all.place();
    device_buffer<float> memory(place, outputs{size, 1, nullptr}.extent());
    outputs const to{size, 1, memory.data()};
    std::vector<std::vector<float>> sums;
    for (int c = 0; c < 3; ++c) {
      reduce_by_key(place, (*of.keys(all))[0], column(all, all.last(), c), 0.F, plus{}, to.unique(),
                    to.sums(0), twins::cub);
      sums.push_back(to_vector(place, to.sums(0).subspan(0, of.count())));
    }
    return sums;
  });
  std::vector<way<float>> ways;
  auto const add_way = [&](char const* name, int columns, auto enqueue) {
    ways.push_back(results_way<float, float>(
        name, outputs{size, columns, nullptr}.extent(),
        [=](arrays<float> const& all, int i, auto memory) {
          enqueue(all, i, outputs{size, columns, memory.data()});
        },
        [=](arrays<float> const& all, auto memory) -> std::string {
          outputs const found{size, columns, const_cast<float*>(memory.data())};
          for (int c = 0; c < columns; ++c)
            if (to_vector(all.place(), found.sums(c).subspan(0, of.count())) !=
                right(all)[static_cast<std::size_t>(c)])
              return "not the sums of CUB";
          return of.complaint(all.place(), found);
        },
        form::replayed,
        4 * size * static_cast<std::size_t>(columns) +
            4 * of.count() * static_cast<std::size_t>(columns + 1)));
  };
  auto const by_calls = [of](int columns, twins::vendor vendor) {
    return [=](arrays<float> const& all, int i, outputs const& to) {
      for (int c = 0; c < columns; ++c)
        reduce_by_key_async(all.place(), (*of.keys(all))[i], column(all, i, c), 0.F, plus{},
                            to.unique(), to.sums(c), to.count(), vendor);
    };
  };
  add_way("one", 1, by_calls(1, twins::fold));
  add_way("three", 3, [of](arrays<float> const& all, int i, outputs const& to) {
    mark_runs_async(all.place(), (*of.keys(all))[i], to.unique(), to.marks(), to.count());
    auto const marks = to.marks();
    for (int c = 0; c < 3; ++c)
      segmented_reduce_async(all.place(), column(all, i, c), marked_runs{marks}, 0.F, plus{},
                             to.sums(c));
  });
  add_way("cub_three", 3, by_calls(3, twins::cub));
  add_ways(run, "by_key_columns_" + std::to_string(length) + "/float", size,
           pattern::small_integers, ways);
}

/// Exact sums of normal numbers beside sums that round. The exact ones' scratch memory grows with
/// the room for results, which is as large as needed.
void add_exact(session& run, std::size_t length, std::size_t size) {
  runs const of(of_one_length(length, size));
  std::size_t const room = of.count() + of.count() % 2;
  run.place->reserve(exact_by_key_workspace<std::uint32_t, float>(size, room));
  auto const right = computed_once([&run, of](arrays<float> const& all) {
    std::vector<float> sums(of.count());
    auto const values = to_vector(all.place(), all.checked());
    exact_sum_by_key(run.processor, keys_of(*of.lengths), values, {}, sums);
    return sums;
  });
  std::vector<way<float>> ways;
  auto const add_way = [&](char const* name, double bound, auto enqueue) {
    ways.push_back(results_way<float, float>(
        name, outputs{room, 1, nullptr}.extent(),
        [=](arrays<float> const& all, int i, auto memory) {
          outputs const to{room, 1, memory.data()};
          enqueue(all.place(), (*of.keys(all))[i], all[i], to);
        },
        [=](arrays<float> const& all, auto memory) -> std::string {
          outputs const found{room, 1, const_cast<float*>(memory.data())};
          auto const sums = to_vector(all.place(), found.sums(0).subspan(0, of.count()));
          bool const is_right = std::ranges::equal(
              sums, right(all), [=](double a, double b) { return std::abs(a - b) <= bound; });
          return is_right ? of.complaint(all.place(), found) : "not the exact sums of the host";
        },
        form::replayed, 4 * size + 8 * of.count()));
  };
  add_way("exact", 0, [](gpu& place, auto keys, auto values, outputs const& to) {
    exact_sum_by_key_async(place, keys, values, to.unique(), to.sums(0), to.count());
  });
  double const rounding = 1e-6 * static_cast<double>(length); // some roundings of the sum of |x|
  add_way("sum", rounding, [](gpu& place, auto keys, auto values, outputs const& to) {
    sum_by_key_async(place, keys, values, to.unique(), to.sums(0), to.count());
  });
  add_ways(run, "exact_sum_by_key_" + std::to_string(length) + "/float", size, pattern::normals,
           ways);
}

/// Lengths of runs. They read keys instead of values, which have as many bytes.
void add_lengths(session& run, std::size_t length, std::size_t size) {
  runs const of(of_one_length(length, size));
  std::vector<way<float>> ways;
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(results_way<float, float>(
        to_string(vendor), outputs{size, 2, nullptr}.extent(),
        [=](arrays<float> const& all, int i, auto memory) {
          outputs const to{size, 2, memory.data()};
          run_length_encode_async(all.place(), (*of.keys(all))[i], to.unique(), to.lengths(),
                                  to.count(), vendor);
        },
        [=](arrays<float> const& all, auto memory) -> std::string {
          outputs const found{size, 2, const_cast<float*>(memory.data())};
          auto const lengths = to_vector(all.place(), found.lengths().subspan(0, of.count()));
          if (!std::ranges::equal(lengths, *of.lengths)) return "other lengths";
          return of.complaint(all.place(), found);
        },
        form::replayed, 12 * of.count()));
  add_ways(run, "run_length_encode_" + std::to_string(length) + "/uint32", size,
           pattern::small_integers, ways);
}

constexpr twins::vendor host_vendors[] = {twins::fold, twins::thrust};

void measure_on(host const& place, std::size_t length, std::size_t size, int samples,
                std::vector<rows_together::outcome>& outcomes) {
  auto const keys = keys_of(of_one_length(length, size));
  std::vector<float> values(size), sums(size);
  std::vector<std::uint32_t> unique(size);
  fill_random(values, pattern::small_integers);
  auto const reduce = [&](std::size_t w) {
    return reduce_by_key(place, keys, values, 0.F, plus{}, unique, sums, host_vendors[w]);
  };
  for (std::size_t w = 0; w < outcomes.size(); ++w) {
    std::ranges::fill(sums, std::numeric_limits<float>::quiet_NaN());
    std::size_t const count = reduce(w);
    bool is_right = count == (size + length - 1) / length;
    for (std::size_t run = 0; run < count && is_right; ++run) {
      float sum = 0; // of small integers: exact
      for (std::size_t i = run * length; i < std::min(size, (run + 1) * length); ++i)
        sum += values[i];
      is_right = sums[run] == sum && unique[run] == key_of(run);
    }
    if (!is_right) outcomes[w].complaint = "wrong runs";
  }
  auto const times = time_in_turns(outcomes.size(), samples,
                                   [&](std::size_t w) { return wall_seconds([&] { reduce(w); }); });
  for (std::size_t w = 0; w < outcomes.size(); ++w) outcomes[w].times = times[w];
}

void add_on(session& run, host const& place, std::size_t length, std::size_t size) {
  int const samples = run.quick ? 5 : 11;
  rows_together rows(run,
                     [=](auto& outcomes) { measure_on(place, length, size, samples, outcomes); });
  auto const items = static_cast<double>(size);
  for (twins::vendor const vendor : host_vendors)
    rows.add("host/by_key_" + std::to_string(length) + "/float/" + std::string(to_string(vendor)) +
                 "/threads:" + std::to_string(place.threads()) + "/n:" + std::to_string(size),
             8 * items + 8 * items / static_cast<double>(length), items, true);
}

} // namespace

void add_by_key(session& run) {
  if (run.place)
    for (int const e : {24, 28}) {
      std::size_t const size = power(e);
      if ((run.quick && e > 24) || size * sizeof(float) > run.pool->size()) break;
      run.place->reserve(by_key_workspace<std::uint32_t, float>(size));
      for (std::size_t const length : {1, 2, 4, 32, 128, 1000, 10'000, 1'000'000})
        if (!run.quick || length == 1 || length == 32 || length == 1000)
          add(run, std::to_string(length), size, of_one_length(length, size));
      add(run, "power_law", size, of_power_law(size));
      add_columns(run, 32, size);
      for (std::size_t const length : {32, 1000}) add_exact(run, length, size);
      for (std::size_t const length : {1, 32, 1000}) add_lengths(run, length, size);
    }
  std::size_t const large = run.quick ? 10'000'000 : 100'000'000;
  for (std::size_t const length : {1, 32, 1000}) add_on(run, run.processor, length, large);
}

} // namespace warpfold::bench
