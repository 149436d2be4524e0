#pragma once
// Sums by index over ranks. Each rank adds up its values to words, and gets from all ranks those of
// its part of the bins. It adds these, rounds the sums, and sends the results to all.

#include <warpfold/detail/comm/contributions.hpp>
#include <warpfold/detail/comm/digest.hpp>
#include <warpfold/norms.hpp>
#include <warpfold/scatter.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpfold::inline v0::detail {

/// The unit of a bound, or of the largest magnitude, which is found, and the number of all ranks'
/// values.
template <class Place, class T, class Values>
scatter_unit<T> unit_of_ranks(communicator<Place>& comm, Values const& values,
                              scatter_bound const* bound, scatter_options const& options,
                              T& largest) {
  if (bound != nullptr || options.exact)
    return {fixed_point<T>(bound ? *bound : scatter_bound{}), nullptr, 0};
  std::uint64_t size = 0;
  auto const measure = [&](auto result) { norm_inf_async(comm.place(), values, result); };
  for (auto const& one : contributions<T>(comm, values, measure)) {
    largest = maximum<>{}(largest, one.result);
    size += one.elements / static_cast<unsigned>(options.components);
  }
  return {fixed_point<T>(largest, size), nullptr, 0};
}

/// `agreed` is made of what else all ranks have to agree on.
template <class Place, class T, class Key, class BinOf, class Results>
void scatter_ranks(communicator<Place>& comm, scatter_input<T, Key, BinOf> const& input,
                   scatter_bound const* bound, Results results, scatter_options const& options,
                   comm::digest agreed = comm::digest()) {
  collective const group(comm);
  group.guarded([&] {
    check_scatter<T>(input, bound, results.data(), nullptr, options);
    Place& place = comm.place();
    result_t<Place, T const> const values(input.values, input.size);
    T largest{};
    auto const unit = unit_of_ranks<Place, T>(comm, values, bound, options, largest);

    // Behind the records: words of all bins, words of the rank's part from all ranks, its results.
    int const ranks = comm.size();
    index_range const own = rank_part(input.bins, comm.rank(), ranks);
    scatter_form const form = form_of(options);
    std::size_t const bin = static_cast<std::size_t>(words_of_bin<T>(form)) * sizeof(std::uint64_t);
    std::size_t const records = sizeof(record) * (static_cast<std::size_t>(ranks) + 1);
    std::size_t const received = records + input.bins * bin;
    std::size_t const rounded = received + own.count * bin * static_cast<std::size_t>(ranks);
    std::byte* const memory = group.scratch(rounded + own.count * sizeof(T));
    auto* const words = reinterpret_cast<std::uint64_t*>(memory + records);
    auto* const sums = reinterpret_cast<T*>(memory + rounded);
    cudaStream_t stream = nullptr;
    if constexpr (is_gpu<Place>) {
      place.reserve(scatter_workspace<T>(input.bins, input.size, options));
      stream = place.stream();
    }

    agreed.add(sizeof(T), form, options.cumulative, options.components, bound != nullptr);
    if (bound != nullptr) agreed.add(bound->value, bound->sum);
    auto const add = [&](auto status) {
      add_words(place, input, unit, form, words, status.data());
    };
    auto const added =
        contributions<scatter_status>(comm, values, add, {input.bins, agreed.value()});
    scatter_status const& mine = added[static_cast<std::size_t>(comm.rank())].result;
    if (mine.refused != 0) refuse_input(place, input, bound, mine.first_refused);
    for (std::size_t r = 0; r < added.size(); ++r)
      if (scatter_status const& theirs = added[r].result; theirs.refused != 0)
        throw communication_error(comm.rank(),
                                  std::string(text("rank ", r, " refuses element ",
                                                   theirs.first_refused, " of what it adds")));
    if (scatter_unit<T> const found{unit.known, &largest, 0};
        is_histogram<BinOf> && !found.is_bound())
      refuse_result(0, 0, nullptr, false);
    std::uint64_t const numbers = added.back().first + added.back().elements;
    check_scatter_options(bound, numbers / static_cast<unsigned>(input.components), options);

    std::vector<byte_range> words_of, own_words, results_of;
    for (std::size_t r = 0; r < added.size(); ++r) {
      auto const part = rank_part(input.bins, static_cast<int>(r), ranks);
      words_of.push_back({part.first * bin, part.count * bin});
      own_words.push_back({r * own.count * bin, own.count * bin});
      results_of.push_back({part.first * sizeof(T), part.count * sizeof(T)});
    }
    std::vector<byte_range> const own_results(added.size(), {0, own.count * sizeof(T)});
    comm.transport().exchange(words, words_of, memory + received, own_words, stream);
    auto const round = [&](auto status) { // in which nothing is noted so far
      auto* const all = words + input.bins * bin / sizeof *words;
      T const* const before = options.cumulative ? results.data() + own.first : nullptr;
      scatter_rounding<T> const job{unit, all,          static_cast<int>(own.count), ranks, before,
                                    sums, status.data()};
      round_words(place, job, form, scatter_end::store);
    };
    auto const noted = contributions<scatter_status>(comm, values, round);
    for (std::size_t r = 0; r < noted.size(); ++r) {
      if (noted[r].result.overflows == 0) continue;
      std::uint64_t const b = results_of[r].offset / sizeof(T) + noted[r].result.first_overflow;
      refuse_result(b, static_cast<double>(element_at(place, results.data(), b)), bound,
                    options.cumulative);
    }
    comm.transport().exchange(sums, own_results, results.data(), results_of, stream);
    comm.wait();
  });
}

template <class Place, class Range, class Weights>
void weigh_ranks(communicator<Place>& comm, Range const& values, Weights const& weights,
                 bins_for<Place, Range> const& bins, scatter_bound const* bound,
                 scatter_results<Place, Weights> results,
                 weighted_histogram_options const& options = {}) {
  collective(comm).guarded([&] {
    scatter_ranks(comm, weighted_values(comm.place(), values, weights, bins, results.size()), bound,
                  results, {.exact = options.exact},
                  comm::digest(kind_of_elements<element_t<Place, Range>>, bits_of_level(bins.lower),
                               bits_of_level(bins.upper)));
  });
}

} // namespace warpfold::inline v0::detail
