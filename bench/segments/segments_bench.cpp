// Segmented sums of floats on a GPU: segments of one length, a mix of lengths between offsets, rows
// and columns; each beside CUB and, as a yardstick, one plain sum of the same bytes.

#include "rival/ways.hpp"

#include <warpfold/twins/segments.hpp>

#include <cmath>
#include <memory>

namespace warpfold::bench {
namespace {

using rival::power;

/// Sums of segments; sum(vendor, values, results) computes them.
struct task {
  std::string name;
  std::size_t size;
  std::size_t segments;
  bool has_offsets;
  std::function<void(twins::vendor, device_span<float const>, device_span<float>)> sum;
};

/// The fold, CUB, and the plain sum.
void measure(session& run, task const& what, std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  rival::arrays<float> const values(run, what.size, pattern::small_integers);
  place.reserve(segmented_workspace<float>(what.size));

  // The elements are small integers, so that every order of additions gives the same sums. Each way
  // runs once before the timing, which also makes room in the place's scratch memory.
  device_buffer<float> ours(place, what.segments), theirs(place, what.segments), plain(place, 1);
  auto const compare = [&] {
    if (to_vector(place, ours.span()) != to_vector(place, theirs.span()))
      throw error("the results of the fold and CUB differ");
  };
  for (auto* const results : {&ours, &theirs})
    check(cudaMemsetAsync(results->data(), 0xff, results->size() * sizeof(float), place.stream()));
  what.sum(twins::cub, values[values.last()], theirs.span());
  what.sum(twins::fold, values[values.last()], ours.span());
  compare();
  sum_async(place, values[0], plain.span());
  std::vector<contender> const contenders{
      {[&](int i) { what.sum(twins::fold, values[i], ours.span()); }},
      {[&](int i) { what.sum(twins::cub, values[i], theirs.span()); }},
      {[&](int i) { sum_async(place, values[i], plain.span()); }}};
  auto const times = time_paired(place, *run.flush, contenders, values.plan());
  for (std::size_t w = 0; w < times.size(); ++w) outcomes[w].times = times[w];
  compare();
}

void add(session& run, task const& what) {
  if (what.size * sizeof(float) > run.pool->size()) return;
  rows_together rows(run, [&run, what](auto& outcomes) { measure(run, what, outcomes); });
  for (std::string const way : {"fold", "cub", "plain_sum"}) {
    auto const items = static_cast<double>(what.size);
    // Bytes of offsets and results; for the plain sum none.
    std::size_t const others = way == "plain_sum" ? 0 : what.segments * (what.has_offsets ? 8 : 4);
    rows.add(what.name + "/float/" + way + "/n:" + std::to_string(what.size),
             items * sizeof(float) + static_cast<double>(others), items);
  }
}

void add_fixed(session& run, std::size_t length, std::size_t size) {
  add(run, {"segmented_sum_" + std::to_string(length), size, size / length, false,
            [&run, length](twins::vendor vendor, auto values, auto results) {
              segmented_reduce_async(*run.place, values, fixed_length{length}, 0.F, plus{}, results,
                                     vendor);
            }});
}

/// Positions of segments whose lengths follow a power law: P(length > x) = x^-slope up to a
/// million, and one in eight is empty. With a slope of 1 every octave of lengths has as many
/// elements as any other; with one near 0, most are in segments of hundreds of thousands.
std::vector<std::int32_t> power_law(std::size_t size, double slope) {
  std::vector<std::int32_t> offsets{0};
  std::uint64_t state = 2026;
  auto const uniform = [&] { // Knuth's generator, MMIX
    state = state * 6364136223846793005u + 1442695040888963407u;
    return std::ldexp(static_cast<double>(state >> 11), -53);
  };
  std::size_t at = 0;
  double const least = std::pow(1e6, -slope);
  while (at < size) {
    bool const is_empty = uniform() < 0.125;
    double const chance = least + (1 - least) * uniform();
    auto const length =
        is_empty ? std::size_t{0} : static_cast<std::size_t>(std::pow(chance, -1 / slope));
    at = std::min(at + length, size);
    offsets.push_back(static_cast<std::int32_t>(at));
  }
  return offsets;
}

/// Segments between offsets, which are made when the first row of the group runs.
void add_offsets(session& run, std::string const& name, std::size_t size,
                 std::vector<std::int32_t> const& offsets) {
  auto const there = std::make_shared<device_buffer<std::int32_t>>(
      *run.place, std::span<std::int32_t const>(offsets));
  add(run, {name, size, offsets.size() - 1, true,
            [&run, there](twins::vendor vendor, auto values, auto results) {
              segmented_reduce_async(*run.place, values, *there, 0.F, plus{}, results, vendor);
            }});
}

void add_uniform_offsets(session& run, std::size_t length, std::size_t size) {
  std::vector<std::int32_t> offsets;
  for (std::size_t at = 0; at <= size; at += length)
    offsets.push_back(static_cast<std::int32_t>(at));
  add_offsets(run, "segmented_sum_offsets_" + std::to_string(length), size / length * length,
              offsets);
}

void add_matrix(session& run, std::size_t rows, std::size_t columns) {
  std::string const shape = std::to_string(rows) + "x" + std::to_string(columns);
  matrix_shape const matrix{rows, columns};
  add(run, {"row_sums_" + shape, rows * columns, rows, false,
            [&run, matrix](twins::vendor vendor, auto values, auto results) {
              reduce_rows_async(*run.place, values, matrix, 0.F, plus{}, results, vendor);
            }});
  add(run, {"column_sums_" + shape, rows * columns, columns, false,
            [&run, matrix](twins::vendor vendor, auto values, auto results) {
              reduce_columns_async(*run.place, values, matrix, 0.F, plus{}, results, vendor);
            }});
}

} // namespace

void add_segments(session& run) {
  if (!run.place) return;
  constexpr std::size_t size = power(28);
  for (std::size_t const length : {power(2), power(4), power(6), power(8), power(12), power(20)})
    add_fixed(run, length, size);
  add_offsets(run, "segmented_sum_power_law", size, power_law(size, 1));
  if (run.quick) return;
  add_offsets(run, "segmented_sum_power_law_of_long", size, power_law(size, 0.3));
  for (std::size_t const length : {5, 24, 100, 1000, 10'000, 100'000})
    add_uniform_offsets(run, length, size);
  for (std::size_t const length : {7, 100, 1000, 5000, 20'000})
    add_fixed(run, length, size / length * length);
  add_matrix(run, power(14), power(14));
  add_matrix(run, power(22), power(6));
  add_matrix(run, power(8), power(20));
}

} // namespace warpfold::bench
