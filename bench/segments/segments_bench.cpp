// Segmented sums of floats on a GPU: segments of one length, a mix of lengths between offsets, rows
// and columns; each beside CUB and, as a yardstick, one plain sum of the same bytes.

#include "bench.hpp"

#include <warpfold/twins/segments.hpp>

#include <cmath>
#include <exception>
#include <memory>

namespace warpfold::bench {
namespace {

constexpr std::size_t power(int exponent) { return std::size_t{1} << exponent; }

/// What is summed: calls sum(how, values, results).
struct task {
  std::string name;
  std::size_t size;
  std::size_t segments;
  bool has_offsets;
  std::function<void(twins::vendor, device_span<float const>, device_span<float>)> sum;
};

/// One paired measurement of a task by the fold, CUB, and the plain sum.
class paired_segments {
public:
  static constexpr char const* ways[] = {"fold", "cub", "plain_sum"};

  paired_segments(session& run, task what) : run_{&run}, task_{std::move(what)} {}

  timing const& operator[](std::size_t way) {
    if (!measured_) {
      measured_ = true;
      try {
        measure();
      } catch (std::exception const& failure) {
        complaint_ = failure.what();
      }
    }
    return times_[way];
  }
  std::string const& complaint() const { return complaint_; }

private:
  void measure() {
    gpu& place = *run_->place;
    timing_plan const plan = plan_for(task_.size * sizeof(float), run_->quick);
    int const arrays = run_->pool->prepare<float>(task_.size, plan.calls, pattern::small_integers);
    if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
    auto const array = [&](int i) { return run_->pool->array<float>(i % arrays, task_.size); };
    place.reserve(segmented_workspace<float>(task_.size));

    // The elements are small integers, so that every order of additions gives the same sums. Each
    // way runs once before the timing, which also makes room in the place's scratch memory.
    device_buffer<float> ours(place, task_.segments), theirs(place, task_.segments);
    device_buffer<float> plain(place, 1);
    auto const compare = [&] {
      if (to_vector(place, ours.span()) != to_vector(place, theirs.span()))
        throw error("the results of the fold and CUB differ");
    };
    auto const poison = [&](device_buffer<float>& results) {
      check(cudaMemsetAsync(results.data(), 0xff, results.size() * sizeof(float), place.stream()));
    };
    poison(ours);
    poison(theirs);
    task_.sum(twins::cub, array(plan.calls - 1), theirs.span());
    task_.sum(twins::fold, array(plan.calls - 1), ours.span());
    compare();
    sum_async(place, array(0), plain.span());
    std::vector<contender> const contenders{
        {[&](int i) { task_.sum(twins::fold, array(i), ours.span()); }},
        {[&](int i) { task_.sum(twins::cub, array(i), theirs.span()); }},
        {[&](int i) { sum_async(place, array(i), plain.span()); }}};
    times_ = time_paired(place, *run_->flush, contenders, plan);
    compare();
  }

  session* run_;
  task task_;
  bool measured_ = false;
  std::vector<timing> times_{3};
  std::string complaint_;
};

void add(session& run, task const& what) {
  if (what.size * sizeof(float) > run.pool->size()) return;
  auto const group = std::make_shared<paired_segments>(run, what);
  for (std::size_t w = 0; w < std::size(paired_segments::ways); ++w)
    add_row(what.name + "/float/" + paired_segments::ways[w] + "/n:" + std::to_string(what.size),
            [&run, group, w, what](benchmark::State& state) {
              timing const& measured = (*group)[w];
              if (!group->complaint().empty()) return complain(run, state, group->complaint());
              auto const items = static_cast<double>(what.size);
              // What is read and, but for the plain sum, written.
              std::size_t const others = w == 2 ? 0 : what.segments * (what.has_offsets ? 8 : 4);
              report(state, measured, items * sizeof(float) + static_cast<double>(others), items);
              state.counters["segments"] = static_cast<double>(what.segments);
            });
}

void add_fixed(session& run, std::size_t length, std::size_t size) {
  add(run, {"segmented_sum_" + std::to_string(length), size, size / length, false,
            [&run, length](twins::vendor how, auto values, auto results) {
              segmented_reduce_async(*run.place, values, fixed_length{length}, 0.F, plus{}, results,
                                     how);
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
            [&run, there](twins::vendor how, auto values, auto results) {
              segmented_reduce_async(*run.place, values, *there, 0.F, plus{}, results, how);
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
            [&run, matrix](twins::vendor how, auto values, auto results) {
              reduce_rows_async(*run.place, values, matrix, 0.F, plus{}, results, how);
            }});
  add(run, {"column_sums_" + shape, rows * columns, columns, false,
            [&run, matrix](twins::vendor how, auto values, auto results) {
              reduce_columns_async(*run.place, values, matrix, 0.F, plus{}, results, how);
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
