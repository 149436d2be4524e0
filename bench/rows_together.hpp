#pragma once
// Rows whose ways are measured together when the first of them runs.

#include "bench.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpfold::bench {

/// Ways to do one thing, measured together when the first of their rows runs. Measure fills in
/// times and complaints of all ways.
class rows_together {
public:
  struct outcome {
    timing times;
    std::string complaint;
  };
  using measure = std::function<void(std::vector<outcome>&)>;

  rows_together(session& run, measure all)
      : state_{std::make_shared<state>(state{&run, std::move(all), {}, 0})} {}

  void add(std::string const& name, double bytes, double items, bool blocking = false) {
    std::size_t const w = state_->ways++;
    add_row(name, [all = state_, w, bytes, items, blocking](benchmark::State& to) {
      outcome const& one = all->of(w);
      if (!one.complaint.empty()) return complain(*all->run, to, one.complaint);
      report(to, one.times, bytes, items);
      if (blocking) to.counters["blocking"] = 1;
    });
  }

private:
  struct state {
    session* run;
    measure all;
    std::vector<outcome> outcomes;
    std::size_t ways;

    outcome const& of(std::size_t w) {
      if (outcomes.empty()) {
        outcomes.resize(ways);
        try {
          all(outcomes);
        } catch (std::exception const& failure) {
          for (outcome& one : outcomes) one = {{}, failure.what()};
        }
      }
      return outcomes[w];
    }
  };
  std::shared_ptr<state> state_;
};

} // namespace warpfold::bench
