// warpfold-random-work: host threads that do random work with every verb, on places of their own
// and on shared ones, and verify every result. Prints a table, early after an interrupt; exits with
// 1 if a result was wrong or a step does not end, with 77, "skipped", without a GPU asked for.

#define DOCTEST_CONFIG_IMPLEMENT // what the tests' headers want of it
#include <doctest/doctest.h>

#include "random_work.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace random_work {
namespace {

// ---- places, which are moved and made anew now and then -----------------------------------------

template <class Place>
class keeper;

template <>
class keeper<wf::host> {
public:
  keeper(dice& random, int threads) : threads_{threads} { change(random); }

  wf::host& place() { return place_; }
  void change(dice& random) {
    place_ = wf::host(1 + static_cast<int>(random.below(static_cast<std::size_t>(threads_))));
  }

private:
  int threads_;
  wf::host place_{1};
};

/// A gpu with a stream of its own or one that it adopted, and memory of the pool or a resource.
template <>
class keeper<wf::gpu> {
public:
  keeper(dice& random, int) { make(random); }

  wf::gpu& place() { return *place_; }

  void change(dice& random) {
    std::size_t const what = random.below(24);
    if (what == 0 || !place_) make(random);
    else if (what == 1) {
      wf::gpu moved(std::move(*place_));
      *place_ = std::move(moved);
    } else if (what == 2) {
      auto other = std::make_unique<wf::gpu>(std::move(*place_));
      place_ = std::move(other);
    } else if (what == 3) place_->reserve(random.below(std::size_t{8} << 20));
  }

private:
  void make(dice& random) {
    place_.reset();
    adopted_.reset();
    auto const old = std::move(memory_);
    if (old && !(old->out.empty() && old->all_known))
      throw mismatch("a gpu has not given back what it was given");
    int const device = static_cast<int>(random.below(static_cast<std::size_t>(wf::gpu_count())));
    memory_ = random.one_in(3) ? std::make_unique<test::counting_resource>() : nullptr;
    if (random.one_in(3)) {
      wf::device_guard const current{device};
      adopted_.emplace();
      place_ = std::make_unique<wf::gpu>(device, adopted_->get(), memory_.get());
    } else {
      place_ = std::make_unique<wf::gpu>(device, memory_.get());
    }
  }

  std::optional<wf::stream> adopted_;
  std::unique_ptr<test::counting_resource> memory_;
  std::unique_ptr<wf::gpu> place_;
};

/// A place that several threads use in turn.
template <class Place>
struct shared_place {
  shared_place(dice& random, int threads) : kept(random, threads) {}
  std::mutex guard;
  keeper<Place> kept;
};

// ---- threads ------------------------------------------------------------------------------------

constexpr int exit_skipped = 77;
constexpr std::uint64_t most_failures = 50; // after which a run is given up
using clock = std::chrono::steady_clock;
constexpr std::chrono::minutes patience{2}; // with one step

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);
extern "C" void interrupt(int number) {
  interrupted = true;
  std::signal(number, SIG_DFL); // The next one ends the process.
}

struct settings {
  double seconds = 10;
  std::uint64_t seed = std::random_device{}();
  int threads = 4, host_threads = 3;
  std::size_t largest = 0; ///< 0: what suits the place
  std::string place = "all", json, only;
  std::uint64_t repeat = 0; ///< the seed of one step
};

/// Totals of the works of one name on one kind of place.
struct line {
  std::string place, verb;
  unsigned long long runs = 0, elements = 0, failures = 0;

  line& operator+=(line const& other) {
    runs += other.runs;
    elements += other.elements;
    failures += other.failures;
    return *this;
  }
};

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9u;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11ebu;
  return x ^ x >> 31;
}

template <class Place>
constexpr char const* name_of = std::is_same_v<Place, wf::gpu> ? "gpu" : "host";

/// The threads of one kind of place.
template <class Place>
class crew {
public:
  crew(settings const& with, int threads)
      : with_{with}, random_{mixed(with.seed)}, under_way_(static_cast<std::size_t>(with.threads)) {
    for (auto const& each : all_works<Place>())
      if (with.only.empty() || with.only == each.name) works_.push_back(each);
    // The order in which files register theirs is the linker's.
    std::ranges::sort(works_, {}, [](auto const& each) { return std::string_view(each.name); });
    for (auto const& each : works_) table_.push_back({name_of<Place>, each.name});
    for (int i = 0; i < 2 && threads > 0; ++i)
      shared_.push_back(std::make_unique<shared_place<Place>>(random_, with.host_threads));
  }

  bool knows_work() const { return !works_.empty(); }
  std::vector<line> table() const {
    std::lock_guard const lock{guard_};
    return table_;
  }

  /// One thread's work until the time is over.
  void work_until(clock::time_point end, std::size_t thread) {
    dice random(mixed(with_.seed + mixed(thread + 1)));
    begin(thread, "its first place", 0);
    {
      keeper<Place> own(random, with_.host_threads);
      auto const is_over = [&] {
        return clock::now() >= end || interrupted || failures_ >= most_failures;
      };
      begin(thread, "", 0);
      while (!is_over()) {
        std::uint64_t const seed = random.word();
        if (random.one_in(4)) {
          auto& shared = *shared_[random.below(shared_.size())];
          std::lock_guard const lock{shared.guard};
          if (!is_over()) do_step(shared.kept, random, seed, thread);
        } else {
          do_step(own, random, seed, thread);
        }
      }
      begin(thread, "the end of its place", 0);
    }
    begin(thread, "", 0);
  }

  /// The step of this seed alone, on some places.
  void repeat(std::uint64_t seed) {
    keeper<Place> own(random_, with_.host_threads);
    for (int i = 0; i < 20; ++i) do_step(own, random_, seed, 0);
  }

  /// Prints the steps that have taken longer than our patience; whether there are some.
  bool print_stuck() const {
    std::lock_guard const lock{guard_};
    bool any = false;
    for (step_under_way const& step : under_way_) {
      if (step.what.empty() || clock::now() < step.since + patience) continue;
      std::fprintf(stderr, "NOT ENDED: %s, %s %s\n", name_of<Place>, step.what.c_str(),
                   how_to_repeat(step.seed).c_str());
      any = true;
    }
    return any;
  }

private:
  struct step_under_way {
    std::string what; ///< empty between two
    std::uint64_t seed = 0;
    clock::time_point since;
  };

  void begin(std::size_t thread, std::string const& what, std::uint64_t seed) {
    std::lock_guard const lock{guard_};
    under_way_[thread] = {what, seed, clock::now()};
  }

  void do_step(keeper<Place>& kept, dice& random, std::uint64_t seed, std::size_t thread) {
    std::size_t const usual =
        std::is_same_v<Place, wf::gpu> ? (std::size_t{1} << 22) - 1 : std::size_t{1} << 17;
    std::size_t number = 0;
    std::string failure, what;
    std::size_t elements = 0;
    begin(thread, "another place", seed);
    try {
      kept.change(random);
      step<Place> at{kept.place(), dice(seed), with_.largest > 0 ? with_.largest : usual};
      number = at.random.below(works_.size());
      begin(thread, works_[number].name, seed);
      try {
        works_[number].run(at);
      } catch (std::exception const& error) {
        failure = error.what();
        what = at.what.str();
      }
      elements = at.elements;
    } catch (std::exception const& error) {
      failure = error.what();
    }
    std::lock_guard const lock{guard_};
    under_way_[thread].what.clear();
    auto& in = table_[number];
    in += {{}, {}, 1, elements, !failure.empty()};
    if (failure.empty()) return;
    ++failures_;
    std::fprintf(stderr, "FAILED: %s, %s%s: %s %s\n", name_of<Place>, in.verb.c_str(), what.c_str(),
                 failure.c_str(), how_to_repeat(seed).c_str());
  }

  std::string how_to_repeat(std::uint64_t seed) const {
    return "(seed " + std::to_string(with_.seed) + ", --place " + name_of<Place> + " --repeat " +
           std::to_string(seed) + ")";
  }

  settings const& with_;
  dice random_;
  works<Place> works_;
  std::vector<std::unique_ptr<shared_place<Place>>> shared_;
  mutable std::mutex guard_; ///< of the table and the steps
  std::vector<line> table_;
  std::vector<step_under_way> under_way_; ///< by thread
  std::atomic<std::uint64_t> failures_ = 0;
};

void print(std::vector<line> const& table, double seconds) {
  std::printf("%-5s %-24s %10s %16s %9s\n", "place", "verb", "runs", "elements", "failures");
  for (line const& each : table)
    std::printf("%-5s %-24s %10llu %16llu %9llu\n", each.place.c_str(), each.verb.c_str(),
                each.runs, each.elements, each.failures);
  std::printf("%.1f s\n", seconds);
}

/// The table's last line is of all works.
void write_json(settings const& with, std::vector<line> const& table, double seconds) {
  std::ofstream out(with.json);
  auto const counts = [&](line const& of) {
    out << "\"runs\": " << of.runs << ", \"elements\": " << of.elements
        << ", \"failures\": " << of.failures;
  };
  out << "{\"seed\": " << with.seed << ", \"seconds\": " << seconds
      << ", \"threads\": " << with.threads << ", ";
  counts(table.back());
  out << ",\n \"works\": [";
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    out << (i > 0 ? ",\n" : "\n") << "  {\"place\": \"" << table[i].place << "\", \"verb\": \""
        << table[i].verb << "\", ";
    counts(table[i]);
    out << "}";
  }
  out << "]}\n";
  if (!out.flush()) std::fprintf(stderr, "cannot write %s\n", with.json.c_str());
}

int usage() {
  std::fputs("usage: warpfold-random-work [--seconds N] [--seed S] [--threads T]\n"
             "  [--place host|gpu|all] [--host-threads T] [--largest ELEMENTS] [--only VERB]\n"
             "  [--repeat STEP] [--json FILE]\n",
             stderr);
  return 2;
}

bool read(int argc, char** argv, settings& with) {
  for (int i = 1; i < argc; ++i) {
    // --name value, or --name=value
    std::string name = argv[i], value;
    if (auto const sign = name.find('='); sign != name.npos) {
      value = name.substr(sign + 1);
      name.resize(sign);
    } else if (++i < argc) {
      value = argv[i];
    }
    if (value.empty()) return false;
    auto const number = [&] { return std::strtoull(value.c_str(), nullptr, 10); };
    if (name == "--seconds") with.seconds = std::atof(value.c_str());
    else if (name == "--seed") with.seed = number();
    else if (name == "--threads") with.threads = static_cast<int>(number());
    else if (name == "--host-threads") with.host_threads = static_cast<int>(number());
    else if (name == "--largest") with.largest = number();
    else if (name == "--place") with.place = value;
    else if (name == "--only") with.only = value;
    else if (name == "--repeat") with.repeat = number();
    else if (name == "--json") with.json = value;
    else return false;
  }
  bool const is_place = with.place == "host" || with.place == "gpu" || with.place == "all";
  return is_place && with.threads > 0 && with.host_threads > 0;
}

int run(settings const& with) {
  auto const start = clock::now();
  bool const has_gpu = wf::gpu_count() > 0;
  if (with.place == "gpu" && !has_gpu) {
    std::puts("skipped: no CUDA device");
    return exit_skipped;
  }
  bool const on_gpu = has_gpu && with.place != "host";
  // One thread in four works on the host, where both are wanted.
  int const on_host = !on_gpu ? with.threads : with.place == "gpu" ? 0 : (with.threads + 3) / 4;
  std::printf("seed %llu, %d threads, %d of them on the host\n",
              static_cast<unsigned long long>(with.seed), with.threads, on_host);
  std::fflush(stdout);
  crew<wf::host> hosts(with, on_host);
  crew<wf::gpu> gpus(with, with.threads - on_host);
  if (!hosts.knows_work()) return usage();

  auto const report = [&] {
    auto table = hosts.table();
    auto const of_gpus = gpus.table();
    table.insert(table.end(), of_gpus.begin(), of_gpus.end());
    std::erase_if(table, [](line const& of) { return of.runs == 0; });
    line all{"all", "all"};
    for (auto const& each : table) all += each;
    table.push_back(all);
    double const seconds = std::chrono::duration<double>(clock::now() - start).count();
    print(table, seconds);
    if (!with.json.empty()) write_json(with, table, seconds);
    std::fflush(stdout);
    return all.failures > 0 || all.runs == 0 ? 1 : 0;
  };
  if (with.repeat != 0) {
    if (on_gpu) gpus.repeat(with.repeat);
    else hosts.repeat(with.repeat);
    return report();
  }

  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  auto const end =
      start + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * with.seconds));
  std::atomic<int> working = with.threads;
  std::vector<std::jthread> threads;
  for (int i = 0; i < with.threads; ++i)
    threads.emplace_back([&, i] {
      auto const thread = static_cast<std::size_t>(i);
      if (i < on_host) hosts.work_until(end, thread);
      else gpus.work_until(end, thread);
      --working;
    });
  while (working > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    bool const hosts_stuck = hosts.print_stuck(), gpus_stuck = gpus.print_stuck();
    if (!hosts_stuck && !gpus_stuck) continue;
    report();
    std::_Exit(1); // The threads cannot be waited for.
  }
  return report();
}

} // namespace
} // namespace random_work

int main(int argc, char** argv) {
  random_work::settings with;
  if (!random_work::read(argc, argv, with)) return random_work::usage();
  return random_work::run(with);
}
