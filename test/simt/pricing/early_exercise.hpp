#pragma once
// Shared by the tests of early exercise on the emulator: an option book's backward dates, there and
// by the host's loops.

#include "pricing/exercise/exercise_rights.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/pricing/exercise/exercise_dates.hpp>
#include <warpfold/detail/pricing/exercise/exercise_host.hpp>
#include <warpfold/detail/pricing/exercise/exercise_resident.hpp>

namespace test::early_simt {

namespace detail = warpfold::detail;

/// The kept paths of a problem, and its dates.
template <class Exercise>
struct exercise_simulation {
  using right = typename Exercise::right_type;
  using T = detail::value_of_model<typename Exercise::model_type>;
  using rule = detail::exercise_rule<T, right::basis>;
  using sums_type = detail::regression_sums<T, right::basis>;

  Exercise all;
  detail::exercise_shape shape;
  int dates, options;
  std::vector<std::uint32_t> words;
  detail::kept_paths<typename right::kept> kept{};

  exercise_simulation(detail::path_plan const& plan, Exercise of, std::int64_t rounds)
      : all{std::move(of)}, shape{detail::exercise_shape::of(all.regression_paths, rounds)},
        dates{static_cast<int>(all.dates.size())}, options{static_cast<int>(all.rights.size())} {
    std::int64_t const paths = shape.paths;
    words.resize(detail::kept_paths<typename right::kept>::bytes(shape.apart, all.dates.size()) /
                 4);
    kept = {words.data(), shape.apart};
    for (std::int64_t p = 0; p < paths; ++p)
      detail::keep_path(all.model, all.rights[0], detail::prepared(plan.numbers), all.steps.data(),
                        static_cast<int>(all.steps.size()), kept, p);
  }

  /// All rules' bytes, and the means.
  struct outcome {
    std::vector<rule> rules;
    std::vector<double> in_sample;
    std::vector<T> worth;

    explicit outcome(exercise_simulation const& of)
        : rules(of.all.rights.size() * of.all.dates.size()), in_sample(of.all.rights.size()),
          worth(of.all.rights.size() * static_cast<std::size_t>(of.shape.apart)) {}
    bool operator==(outcome const& other) const {
      return rules == other.rules && in_sample == other.in_sample && worth == other.worth;
    }
  };
  detail::exercise_memory<T, right> memory_of(outcome& to, double* partials, int option) const {
    return {&all.rights[static_cast<std::size_t>(option)],
            all.dates.data(),
            dates,
            kept,
            to.worth.data() + option * shape.apart,
            partials,
            {to.rules.data() + option, static_cast<std::uint32_t>(options)},
            to.in_sample.data() + option};
  }
  outcome on_host(int last_date = -1) const {
    outcome to(*this);
    std::vector<double> partials(sums_type::size * static_cast<std::size_t>(shape.tiles));
    for (int option = 0; option < options; ++option) {
      auto const memory = memory_of(to, partials.data(), option);
      for (int date = dates - 2; date >= last_date; --date) {
        for (int tile = 0; tile < shape.tiles; ++tile)
          detail::exercise_loops{}.regress(shape, memory, date, tile);
        detail::finish_date_host(shape, memory, date);
      }
    }
    return to;
  }
  template <int most>
  void emulate(outcome& to, simt::options const& how, int grid, int last_date, int each) const {
    simt::poisoned<double> partials(all.rights.size() * sums_type::size *
                                    static_cast<std::size_t>(shape.tiles));
    std::vector<unsigned> tickets(all.rights.size());
    auto const memory = memory_of(to, partials.data(), 0);
    for (int date = dates - 2; date >= last_date; --date)
      simt::launch<detail::exercise_shared<T, right, most>>(
          grid, detail::exercise_threads, how, [&](simt::block const& block, auto& shared) {
            detail::regress_date(block, shape, memory, date, options, each, tickets.data(), shared);
          });
    for (unsigned const ticket : tickets) CHECK(ticket == 0);
  }
  /// A kernel a date, whose blocks take `each` options: by the kernel for one if that is 1.
  outcome emulated(simt::options const& how, int grid, int last_date = -1,
                   int each = detail::regressed_together<T, right>) const {
    outcome to(*this);
    if (each == 1) emulate<1>(to, how, grid, last_date, each);
    else emulate<detail::regressed_together<T, right>>(to, how, grid, last_date, each);
    return to;
  }
  /// Option by option, each by blocks that run at the same time and have so many tiles; `apart`
  /// share a multiprocessor. Worth stays with them: it is the host's here.
  outcome resident(simt::options const& how, int tiles_of_block, outcome const& host,
                   int apart = 1) const {
    using exchange_type = detail::date_exchange<T, right>;
    using shared_type = detail::resident_shared<T, right>;
    outcome to(*this);
    int const walkers = (shape.tiles + tiles_of_block - 1) / tiles_of_block;
    int const grid = (2 + (walkers + apart - 1) / apart) * apart;
    std::size_t const words_bytes = std::max(
        tiles_of_block * detail::resident_bytes<T, right>(shape), detail::awaited_bytes<right>);
    for (int option = 0; option < options; ++option) {
      std::vector<std::uint64_t> said(exchange_type::words(shape.tiles));
      exchange_type const exchange{said.data(), shape.tiles};
      auto const memory = memory_of(to, nullptr, option);
      simt::launch({grid, detail::exercise_threads, sizeof(shared_type) + words_bytes, grid}, how,
                   [&](simt::block const& block, void* shared) {
                     auto& fixed = *static_cast<shared_type*>(shared);
                     detail::exercise_dates(block, shape, memory, exchange, apart,
                                            reinterpret_cast<std::uint32_t*>(&fixed + 1), fixed);
                   });
    }
    to.worth = host.worth;
    return to;
  }
};

} // namespace test::early_simt
