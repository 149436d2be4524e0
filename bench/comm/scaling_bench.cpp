// Times of groups of 1, 2 ... GPUs: sums of as many floats on each GPU, but the same simulations
// and squares for all groups. Wall clock, from the first rank's begin to the last one's result.

#include "group_kernels.hpp"
#include "group_timing.hpp"
#include "group_work.hpp"
#include "rows_together.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/comm/reduction.hpp>
#include <warpfold/twins/reductions.hpp>

#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

namespace warpfold::bench {
namespace {

using comm_t = communicator<gpu>&;
using outcomes_t = std::vector<rows_together::outcome>;
using ways_t = std::vector<std::function<void()>>;

/// Groups of the first devices, made when they are needed.
class groups {
public:
  local_group<gpu>& of(int gpus) {
    auto const found = made_.find(gpus);
    if (found != made_.end()) return found->second;
    std::vector<int> devices(static_cast<std::size_t>(gpus));
    std::iota(devices.begin(), devices.end(), 0);
    return made_.emplace(gpus, local_group<gpu>(devices)).first->second;
  }

private:
  std::map<int, local_group<gpu>> made_;
};

std::string row_name(std::string const& operation, std::string const& way, std::size_t n,
                     int gpus) {
  return "scaling_" + operation + "/float/" + way + "/n:" + std::to_string(n) +
         "/gpus:" + std::to_string(gpus);
}

/// More of what is short.
int rounds_of(session const& run, bool short_ones = false) {
  return (run.quick ? 15 : 41) * (short_ones ? 5 : 1);
}

/// Times all ways on all ranks. prepare(comm, line, outcomes) returns a rank's ways, which own what
/// they need; the first rank alone is given outcomes to complain in.
template <class Prepare>
void measure_together(local_group<gpu>& group, int rounds, outcomes_t& outcomes, Prepare prepare) {
  starting_line line(group.size());
  group.run([&](comm_t comm) {
    outcomes_t ignored(outcomes.size());
    outcomes_t& mine = comm.rank() == 0 ? outcomes : ignored;
    ways_t const ways = prepare(comm, line, mine);
    auto const times = time_together(comm, line, ways, rounds);
    for (std::size_t w = 0; w < times.size(); ++w) mine[w].times = times[w];
  });
}

/// The sum of all numbers that the ranks have, by one of them.
double exact_sum_alone(comm_t comm, std::size_t each) {
  exact_accumulator<float> all;
  for (int r = 0; r < comm.size(); ++r)
    all.merge(exact_accumulate(comm.place(),
                               numbers_on(comm.place(), static_cast<std::size_t>(r) * each, each)));
  return all.finish<double>();
}

/// sum(comm, values), but each rank's part by CUB.
float cub_sum(comm_t comm, device_buffer<float> const& values) {
  detail::verb const scope("sum");
  return detail::fold_ranks<float>(comm, values, plus{}, [&](auto result) {
    sum_async(comm.place(), values, result, twins::cub);
  });
}

void add_sums(session& run, std::shared_ptr<groups> const& all, int gpus) {
  constexpr std::size_t each = std::size_t{1} << 30;
  rows_together rows(run, [=, &run](outcomes_t& outcomes) {
    measure_together(all->of(gpus), rounds_of(run), outcomes, [&](comm_t comm, auto&, auto& mine) {
      auto const values = std::make_shared<device_buffer<float>>(
          numbers_of(comm, each * static_cast<std::size_t>(gpus)));
      ways_t ways{[&comm, values] { (void)sum(comm, *values); },
                  [&comm, values] { (void)cub_sum(comm, *values); },
                  [&comm, values] { (void)exact_sum<double>(comm, *values); }};
      double const found[] = {sum(comm, *values), cub_sum(comm, *values),
                              exact_sum<double>(comm, *values)};
      if (comm.rank() > 0) return ways;
      double const expected = exact_sum_alone(comm, each);
      for (std::size_t w = 0; w < 3; ++w)
        if (!(std::abs(found[w] / expected - 1) <= (w == 2 ? 0 : 1e-6)))
          mine[w].complaint = std::to_string(found[w]) + ", not " + std::to_string(expected);
      return ways;
    });
  });
  auto const items = static_cast<double>(each) * gpus;
  rows.add(row_name("sum_each", "fold", each, gpus), sizeof(float) * items, items, true);
  rows.add(row_name("sum_each", "cub", each, gpus), sizeof(float) * items, items, true);
  rows.add(row_name("exact_sum_each", "fold", each, gpus), sizeof(float) * items, items, true);
}

void add_simulations(session& run, std::shared_ptr<groups> const& all, int gpus,
                     std::size_t options, std::uint64_t paths) {
  rows_together rows(run, [=, &run](outcomes_t& outcomes) {
    measure_together(all->of(gpus), rounds_of(run, options < 100), outcomes,
                     [&](comm_t comm, auto&, auto& mine) {
                       auto const book = std::make_shared<group_book<gpu>>(comm.place(), options);
                       book->simulate(comm, paths);
                       auto const found = book->estimates();
                       book->simulate(comm.place(), paths);
                       auto const expected = book->estimates();
                       for (std::size_t i = 0; i < found.size(); ++i)
                         if (found[i].value != expected[i].value ||
                             found[i].standard_error != expected[i].standard_error)
                           mine[0].complaint =
                               "option " + std::to_string(i) + " has other bits than on one GPU";
                       return ways_t{[&comm, book, paths] { book->simulate(comm, paths); }};
                     });
  });
  rows.add(row_name("european_" + std::to_string(options), "fused", paths, gpus), 0,
           static_cast<double>(options) * static_cast<double>(paths), true);
}

/// A call in Heston's model, in daily steps.
void add_paths(session& run, std::shared_ptr<groups> const& all, int gpus, std::uint64_t paths) {
  constexpr int steps = 252;
  rows_together rows(run, [=, &run](outcomes_t& outcomes) {
    measure_together(all->of(gpus), rounds_of(run), outcomes, [&](comm_t comm, auto&, auto& mine) {
      auto const price = [paths](auto& where) {
        pricing::heston const model{100, 0.03, 0, 0.04, 1.5, 0.05, 0.6, -0.7};
        pricing::contract const call{.strike = 100, .expiry = 1};
        double const end[] = {1};
        pricing::estimate found;
        pricing::simulate(where, model, std::span(&call, 1), std::span(&found, 1),
                          {.paths = paths, .times = end, .longest_step = 1. / steps, .seed = 8});
        return found;
      };
      auto const found = price(comm), expected = price(comm.place());
      if (found.value != expected.value || found.standard_error != expected.standard_error)
        mine[0].complaint = "other bits than on one GPU";
      return ways_t{[&comm, price] { (void)price(comm); }};
    });
  });
  rows.add(row_name("heston", "warpfold", paths, gpus), 0, static_cast<double>(paths) * steps,
           true);
}

/// Calls and puts in host memory, which all ranks name.
template <class Memory>
struct host_columns {
  explicit host_columns(std::size_t size)
      : spot(size), strike(size), expiry(size), call(size), put(size) {
    std::uint64_t stream = 0;
    for (Memory* const column : {&spot, &strike, &expiry}) {
      std::span<float> const values(*column);
      random::uniform(host(), values, {.seed = 2008, .stream = stream++});
      for (float& x : values) x = stream < 3 ? 80 + 40 * x : 0.25F + x;
    }
  }
  template <class Where>
  void price(Where& where) {
    pricing::host_book<float> const book{spot, strike, expiry, 0.3F, 0.02F};
    pricing::price(where, book, {.call = call, .put = put});
  }
  [[nodiscard]] std::vector<std::vector<float>> prices() const {
    return {{call.begin(), call.end()}, {put.begin(), put.end()}};
  }

  Memory spot, strike, expiry, call, put;
};

/// From host memory through the GPUs and back.
void add_books(session& run, std::shared_ptr<groups> const& all, int gpus, std::size_t size) {
  rows_together rows(run, [=, &run](outcomes_t& outcomes) {
    host_columns<pinned_buffer<float>> pinned(size);
    host_columns<std::vector<float>> pageable(size);
    pinned.price(*run.place);
    auto const expected = pinned.prices();
    measure_together(all->of(gpus), rounds_of(run), outcomes, [&](comm_t comm, auto&, auto& mine) {
      ways_t ways{[&] { pinned.price(comm); }, [&] { pageable.price(comm); }};
      for (auto const& way : ways) way();
      if (comm.rank() > 0) return ways;
      bool const same[] = {pinned.prices() == expected, pageable.prices() == expected};
      for (std::size_t w = 0; w < 2; ++w)
        if (!same[w]) mine[w].complaint = "other bits than on one GPU";
      return ways;
    });
  });
  auto const items = static_cast<double>(size);
  for (char const* const way : {"pinned", "pageable"})
    rows.add(row_name("black_scholes", way, size, gpus), 20 * items, items, true);
}

/// The exchanges of slabs alone, there and back.
class bare_exchange {
public:
  bare_exchange(comm_t comm, std::size_t points) : comm_{&comm} {
    auto const part = [&](int rank) { return rank_part(points, rank, comm.size()).count; };
    std::size_t const own = part(comm.rank());
    std::size_t out = 0, in = 0;
    for (int r = 0; r < comm.size(); ++r) {
      // As many rows as columns: what goes to a rank is as large as what comes from it.
      std::size_t const bytes = own * part(r) * sizeof(float);
      there_.push_back({out, bytes});
      here_.push_back({in, bytes});
      out += bytes;
      in += bytes;
    }
    std::size_t const room = comm.all_gather(std::max(out, in))[0] + (std::size_t{1} << 20);
    from_ = comm.transport().allocate(room);
    to_ = comm.transport().allocate(room);
    check(cudaMemsetAsync(from_.get(), 0, out, comm.place().stream()));
  }
  void operator()() {
    transport& through = comm_->transport();
    cudaStream_t const stream = comm_->place().stream();
    through.exchange(from_.get(), there_, to_.get(), here_, stream);
    through.exchange(to_.get(), here_, from_.get(), there_, stream);
    comm_->wait();
  }

private:
  communicator<gpu>* comm_;
  std::vector<byte_range> there_, here_;
  std::shared_ptr<std::byte> from_, to_;
};

/// The largest difference, as a part of the largest number.
double apart(std::vector<float> const& a, std::vector<float> const& b) {
  float largest = 0, most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    float const off = std::abs(a[i] - b[i]);
    most = off <= most ? most : off; // NaN is the most
  }
  return static_cast<double>(most / largest);
}

/// How far two solutions may be apart: roundings of two transforms.
constexpr double tolerance = 1e-5;

/// Slabs beside cuFFT over the same GPUs, and beside a bare exchange.
void add_slabs(session& run, std::shared_ptr<groups> const& all, int gpus, std::size_t points) {
  // Else cuFFT and slabs divide the rows differently.
  bool const even = std::has_single_bit(static_cast<unsigned>(gpus));
  rows_together rows(run, [=, &run](outcomes_t& outcomes) {
    local_group<gpu>& group = all->of(gpus);
    std::unique_ptr<cufft_xt_square> twin;
    measure_together(group, rounds_of(run), outcomes, [&](comm_t comm, auto& line, auto& mine) {
      auto const slabs = std::make_shared<group_slabs<gpu>>(comm, points);
      auto const exchange = std::make_shared<bare_exchange>(comm, points);
      ways_t ways{[slabs] { slabs->solve(); }, [exchange] { (*exchange)(); }};
      if (!even) return ways;
      if (slabs->rhs().size() * static_cast<std::size_t>(gpus) != points * points)
        throw std::logic_error("slabs are not of one size");
      // A rank that waits for another keeps its GPU busy, and cuFFT waits for all of them: so ranks
      // meet on the host while it works.
      auto const rank = static_cast<std::size_t>(comm.rank());
      auto const first_alone = [&](auto do_it) {
        comm.barrier();
        line.seconds(comm.rank(), [&] {
          if (rank == 0) do_it();
        });
      };
      first_alone([&] {
        std::vector<int> devices(static_cast<std::size_t>(gpus));
        std::iota(devices.begin(), devices.end(), 0);
        twin = std::make_unique<cufft_xt_square>(devices, points);
      });
      twin->load(comm.place(), rank, slabs->rhs());
      first_alone([&] { twin->solve(); });
      device_buffer<float> theirs(comm.place(), slabs->rhs().size());
      twin->store(comm.place(), rank, theirs);
      slabs->solve();
      auto const off = comm.all_gather(apart(slabs->solution(), contents_of(comm.place(), theirs)));
      for (double const one : off)
        if (!(one < tolerance)) mine[2].complaint = "differs from slabs by " + std::to_string(one);
      ways.push_back([&twin, rank] {
        if (rank == 0) twin->solve();
      });
      return ways;
    });
  });
  double const size = static_cast<double>(points) * static_cast<double>(points);
  double const away = sizeof(float) * size / gpus * (gpus - 1.) / gpus;
  rows.add(row_name("poisson_2d", "slabs", points, gpus), 0, size, true);
  rows.add(row_name("poisson_2d", "exchange", points, gpus), 2 * away, 0, true);
  if (even) rows.add(row_name("poisson_2d", "cufft_xt", points, gpus), 0, size, true);
}

/// One GPU: slabs of a group of one beside the solvers of whole squares.
void add_squares(session& run, std::shared_ptr<groups> const& all, std::size_t points) {
  rows_together rows(run, [=, &run](outcomes_t& outcomes) {
    measure_together(all->of(1), rounds_of(run), outcomes, [&](comm_t comm, auto&, auto& mine) {
      auto const slabs = std::make_shared<group_slabs<gpu>>(comm, points);
      auto const square = [&](twins::engine how) {
        return std::make_shared<whole_square<gpu>>(comm.place(), points, how);
      };
      auto const fused = square(twins::engine::fused), vendor = square(twins::engine::vendor);
      ways_t ways{[slabs] { slabs->solve(); }, [fused] { fused->solve(); },
                  [vendor] { vendor->solve(); }};
      for (auto const& way : ways) way();
      auto const expected = vendor->solution();
      for (std::size_t w = 0; w < 2; ++w) {
        double const off = apart(w == 0 ? slabs->solution() : fused->solution(), expected);
        if (!(off < tolerance))
          mine[w].complaint = "differs from the vendor's by " + std::to_string(off);
      }
      return ways;
    });
  });
  double const size = static_cast<double>(points) * static_cast<double>(points);
  for (char const* const way : {"slabs", "fused", "vendor"})
    rows.add(row_name("poisson_2d", way, points, 1), 0, size, true);
}

} // namespace

void add_scaling(session& run) {
  int const most = gpu_count();
  if (most < 2 || !has_nccl()) return;
  auto const all = std::make_shared<groups>();
  for (int gpus = 1; gpus <= most; gpus = run.quick && gpus == 1 ? most : gpus + 1) {
    add_sums(run, all, gpus);
    add_simulations(run, all, gpus, 256, std::uint64_t{1} << 24);
    add_simulations(run, all, gpus, 64, std::uint64_t{1} << 18);
    add_paths(run, all, gpus, std::uint64_t{1} << 24);
    add_books(run, all, gpus, std::size_t{1} << 26);
    for (std::size_t const points : {8192u, 16384u, 32768u}) {
      bool const is_long = points > 16384; // slabs take those on powers of two alone
      if (is_long && (run.quick || !std::has_single_bit(static_cast<unsigned>(gpus)))) continue;
      if (gpus == 1) add_squares(run, all, points);
      else add_slabs(run, all, gpus, points);
    }
  }
}

} // namespace warpfold::bench
