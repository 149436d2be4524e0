#pragma once
// Rows whose ways are measured together when the first of them runs.

#include "bench.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace warpfold::bench {

/// Ways to do one thing, measured together when the first of their rows runs. Measure fills in the
/// outcomes of all ways.
class rows_together {
public:
  struct outcome {
    timing times;
    std::string complaint = {}; ///< what is wrong: the run fails
    std::string absence = {};   ///< why the way cannot run here: an error of its row alone
    std::string label = {};     ///< shown in the row

    /// Does work that may fail for this way alone. Refused arguments and exhausted memory are an
    /// absence, other exceptions a complaint. Returns false if it failed.
    template <class Work>
    bool attempt(Work&& work) {
      try {
        work();
        return true;
      } catch (argument_error const& refusal) {
        absence = refusal.what();
      } catch (std::bad_alloc const& failure) {
        absence = failure.what();
      } catch (cuda_error const& failure) {
        bool const is_memory = failure.status() == cudaErrorMemoryAllocation;
        (is_memory ? absence : complaint) = failure.what();
      } catch (std::exception const& failure) {
        complaint = failure.what();
      }
      return false;
    }
  };
  using measure = std::function<void(std::vector<outcome>&)>;

  rows_together(session& run, measure all)
      : state_{std::make_shared<state>(state{&run, std::move(all), {}, 0})} {}

  void add(std::string const& name, double bytes, double items, bool blocking = false) {
    std::size_t const w = state_->ways++;
    add_row(name, [all = state_, w, bytes, items, blocking](benchmark::State& to) {
      outcome const& one = all->of(w);
      if (!one.absence.empty()) return to.SkipWithError(one.absence.c_str());
      if (!one.complaint.empty()) return complain(*all->run, to, one.complaint);
      report(to, one.times, bytes, items);
      to.SetLabel(one.label.c_str());
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
