// Segmented sums of floats on a GPU: segments of one length, a mix of lengths between offsets, rows
// and columns; each beside CUB and, as a yardstick, one plain sum of the same bytes.

#include "reduction/ways.hpp"

#include <warpfold/twins/segments.hpp>

#include <cmath>
#include <memory>

namespace warpfold::bench {
namespace {

/// The fold's sums of `segments` segments and CUB's by sums(place, values, results, vendor); they
/// move `others` bytes of offsets and results beside the values. The elements are small integers,
/// so that every order of additions gives the same sums.
template <class Sums>
void add(session& run, std::string const& name, std::size_t size, std::size_t segments,
         std::size_t others, Sums sums) {
  auto const right = computed_once([=](arrays<float> const& all) {
    device_buffer<float> results(all.place(), segments);
    sums(all.place(), all.checked(), results.span(), twins::cub);
    return to_vector(all.place(), results.span());
  });
  std::vector<way<float>> ways;
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(results_way<float, float>(
        to_string(vendor), segments,
        [=](arrays<float> const& all, int i, auto results) {
          sums(all.place(), all[i], results, vendor);
        },
        [=](arrays<float> const& all, auto results) {
          return to_vector(all.place(), results) == right(all) ? "" : "not the sums of CUB";
        },
        form::replayed, others));
  ways.push_back(sum_way<float>("plain_sum"));
  add_ways(run, name + "/float", size, pattern::small_integers, ways);
}

void add_fixed(session& run, std::size_t length, std::size_t size) {
  std::size_t const segments = size / length;
  add(run, "segmented_sum_" + std::to_string(length), size, segments, 4 * segments,
      [length](gpu& place, auto values, auto results, auto vendor) {
        segmented_reduce_async(place, values, fixed_length{length}, 0.F, plus{}, results, vendor);
      });
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

void add_offsets(session& run, std::string const& name, std::size_t size,
                 std::vector<std::int32_t> const& offsets) {
  std::size_t const segments = offsets.size() - 1;
  auto const there = std::make_shared<device_buffer<std::int32_t>>(
      *run.place, std::span<std::int32_t const>(offsets));
  add(run, name, size, segments, 8 * segments,
      [there](gpu& place, auto values, auto results, auto vendor) {
        segmented_reduce_async(place, values, *there, 0.F, plus{}, results, vendor);
      });
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
  add(run, "row_sums_" + shape, rows * columns, rows, 4 * rows,
      [matrix](gpu& place, auto values, auto results, auto vendor) {
        reduce_rows_async(place, values, matrix, 0.F, plus{}, results, vendor);
      });
  add(run, "column_sums_" + shape, rows * columns, columns, 4 * columns,
      [matrix](gpu& place, auto values, auto results, auto vendor) {
        reduce_columns_async(place, values, matrix, 0.F, plus{}, results, vendor);
      });
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
