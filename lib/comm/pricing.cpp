// Options priced by all ranks: parts of books in host memory, and tiles of simulations.

#include "place_copies.hpp"
#include "pricing/book_calls.hpp"
#include "pricing/european/monte_carlo_backend.hpp"
#include "pricing/greeks/greek_backend.hpp"
#include "pricing/paths/contract_backend.hpp"
#include "pricing/paths/path_backend.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/comm/digest.hpp>
#include <warpfold/detail/comm/share_paths.hpp>
#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

namespace warpfold::inline v0 {
namespace pricing {

namespace {

using detail::collective;

/// The rank's part; returns when all ranks have done theirs.
template <class Place, class Call>
void run_part(communicator<Place>& comm, Call const& call, std::uint64_t element,
              std::uint64_t outputs) {
  auto const own = rank_part(call.size(), comm.rank(), comm.size());
  run(comm.place(), call.part(own.first, own.count));
  collective(comm).agree({element, own.count, {call.size(), outputs}});
}

} // namespace

template <class T, class Place>
void price(communicator<Place>& comm, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::price");
  collective(comm).guarded([&] {
    auto const call = checked_call<T>(book, outputs);
    std::uint64_t wanted = 0;
    for (T const* const array : call.outputs.of) wanted = 2 * wanted + (array ? 1 : 0);
    run_part(comm, call, sizeof(T), wanted);
  });
}

template <class T, class Place>
void implied_volatility(communicator<Place>& comm, host_quotes<T> const& quotes,
                        std::type_identity_t<host_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility");
  collective(comm).guarded([&] {
    auto const call = checked_call<T>(quotes, outputs);
    run_part(comm, call, sizeof(T), call.to.status ? 2 : 1);
  });
}

// ---- simulations --------------------------------------------------------------------------------

namespace {

using comm::digest;

/// Tiles of a simulation, divided among ranks. Each rank's sums lie behind the digest that ranks
/// have to agree on: so both travel at once.
template <class Place>
class shared_tiles final : public path_sharing {
public:
  /// @param agreement of what begin() does not add; of nothing where payoffs are the caller's own
  shared_tiles(communicator<Place>& comm, digest agreement)
      : comm_{comm}, copies_{comm.place()}, agreement_{agreement} {}

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(comm_.size()); }
  piece_range own(std::uint32_t pieces) const override {
    std::uint64_t const width = width_of(pieces);
    auto const first = static_cast<std::uint32_t>(std::min<std::uint64_t>(width * rank(), pieces));
    return {first, std::min(width_of(pieces), pieces - first)};
  }

  void begin(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
             std::size_t element) override {
    auto const& ending = plan.ending;
    agreement_.add(element, ending.samples, ending.replicates, ending.paths_per_sample,
                   ending.quantile, ending.control, plan.numbers.seed, plan.numbers.stream,
                   plan.antithetic, plan.quasi, plan.run.independent, finish.size());
    for (double const t : plan.times) agreement_.add(t);
    for (int const number : plan.observations) agreement_.add(number);
    for (auto const& one : finish) agreement_.add(one.discount, one.control_mean);
  }

  sum_places open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) override {
    bytes_ = head + (rows * width_of(pieces) * bytes + 255) / 256 * 256;
    all_ = collective(comm_).scratch(bytes_ * ranks());
    copies_.from_host(all_ + rank() * bytes_, &agreement_, 1);
    return {all_ + head, bytes_, width_of(pieces)};
  }

  void share() override {
    comm_.transport().all_gather(all_ + rank() * bytes_, all_, bytes_, copies_.stream());
    theirs_ = copies_.to_host(all_, bytes_, 1, ranks());
  }

  /// For a call with nothing to simulate: ranks still have to agree on that.
  void share_nothing() {
    open(0, 0, 0);
    share();
  }

  void settle() override {
    comm_.wait();
    for (std::size_t r = 0; r < ranks(); ++r)
      if (std::memcmp(theirs_ + r * sizeof agreement_, &agreement_, sizeof agreement_) != 0)
        throw communication_error(
            comm_.rank(),
            std::string(detail::text("rank ", r, " simulates another book, or otherwise")));
  }

private:
  static constexpr std::size_t head = 256;
  static_assert(sizeof(digest) == 8, "one word of place_copies");

  std::size_t rank() const { return static_cast<std::size_t>(comm_.rank()); }
  std::uint32_t width_of(std::uint32_t pieces) const { return (pieces + ranks() - 1) / ranks(); }

  communicator<Place>& comm_;
  comm::place_copies<Place> copies_;
  digest agreement_;
  std::size_t bytes_ = 0; ///< of a rank
  std::byte* all_ = nullptr;
  std::byte const* theirs_ = nullptr;
};

template <class T>
digest agreement_of(simulation_call<T> const& call) {
  return digest(sizeof(T), call.book.size, call.samples, call.from.seed, call.from.stream,
                call.quantile, call.replicates, call.independent, call.antithetic, call.control,
                call.importance, call.sobol, call.greeks());
}

template <class T, class Place, class Book, class Outputs>
void simulate_shared(communicator<Place>& comm, Book const& book, Outputs const& outputs,
                     european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  collective(comm).guarded([&] {
    auto const call = checked_call<T>(book, outputs, options);
    refuse_batches(options, "on communicators");
    shared_tiles<Place> sharing(comm, agreement_of(call));
    std::optional<device_guard> current;
    if constexpr (std::is_same_v<Place, gpu>) current.emplace(comm.place().device());
    if (call.book.size > 0) dispatch(comm.place(), call, true, &sharing);
    else sharing.share_nothing();
    sharing.settle();
  });
}

void add_option(digest& all, asian_option const& option) { all.add(option.average); }
void add_option(digest& all, barrier_option const& option) {
  all.add(option.barrier, option.rebate, option.type, option.monitoring);
}

template <class Option>
digest digest_of(std::span<Option const> book) {
  digest all;
  for (Option const& option : book) {
    auto const& t = option.terms;
    all.add(t.spot, t.strike, t.expiry, t.volatility, t.rate, t.dividend_yield, option.kind);
    add_option(all, option);
  }
  return all;
}

void add_curve(digest& all, curve const& of) {
  all.add(of.times().size());
  for (double const time : of.times()) all.add(time);
  for (double const value : of.values()) all.add(value);
}
void add_jumps(digest& all, jumps const& of) { all.add(of.intensity, of.mean, of.deviation); }
digest digest_of(black_scholes const& model) {
  digest all(model.spot);
  add_jumps(all, model.jumps);
  for (curve const& one : {model.volatility, model.rate, model.dividend_yield}) add_curve(all, one);
  return all;
}
digest digest_of(heston const& model) {
  digest all(model.spot, model.variance, model.reversion, model.mean, model.vol_of_vol,
             model.correlation);
  add_jumps(all, model.jumps);
  for (curve const& one : {model.rate, model.dividend_yield}) add_curve(all, one);
  return all;
}
digest digest_of(local_volatility const& model) {
  digest all(model.spot, model.grid.times().size(), model.grid.log_moneyness().size());
  for (auto const of : {model.grid.times(), model.grid.log_moneyness(), model.grid.values()})
    for (double const x : of) all.add(x);
  for (curve const& one : {model.rate, model.dividend_yield}) add_curve(all, one);
  return all;
}
template <class Model>
digest digest_of(Model const& model, std::span<contract const> book) {
  digest all = digest_of(model);
  for (contract const& one : book) all.add(one.strike, one.expiry, one.settlement, one.measure);
  return all;
}

template <class Model>
digest digest_of(Model const& model, std::span<contract const> book, greeks const& wanted,
                 bumps const& by) {
  digest all = digest_of(model, book);
  all.add(by.spot, by.volatility, by.rate, by.dividend_yield, by.variance, by.reversion, by.mean,
          by.vol_of_vol, by.correlation, by.sticky);
  for (auto const& results :
       {wanted.value, wanted.delta, wanted.gamma, wanted.vega, wanted.rho, wanted.dividend_rho,
        wanted.variance, wanted.reversion, wanted.mean, wanted.vol_of_vol, wanted.correlation})
    all.add(results.empty());
  return all;
}

/// Simulates by simulate_all(sharing), which does nothing for an empty book. A digest is of what
/// begin() does not add.
template <class T, class Place, class Book, class Digest, class Simulate>
void simulate_together(communicator<Place>& comm, Book book, simulation_options const& options,
                       Digest digest_of_call, Simulate simulate_all) {
  detail::verb const scope("pricing::simulate");
  collective(comm).guarded([&] {
    detail::check_elements("book", book.data(), book.size());
    shared_tiles<Place> sharing(comm, digest_of_call());
    simulate_all(&sharing);
    if (!book.empty()) return;
    sharing.begin(detail::plan_paths(options), {}, sizeof(T));
    sharing.share_nothing();
    sharing.settle();
  });
}
template <class T, class Place, class Option>
void simulate_shared(communicator<Place>& comm, std::span<Option const> book,
                     std::span<estimate> results, simulation_options const& options) {
  simulate_together<T>(
      comm, book, options, [&] { return digest_of(book); },
      [&](path_sharing* sharing) {
        simulate_book<T>(comm.place(), book, results, options, sharing);
      });
}

} // namespace

template <class T>
void simulate(communicator<gpu>& comm, device_europeans<T> const& book,
              device_estimates const& outputs, european_simulation_options const& options) {
  simulate_shared<T>(comm, book, outputs, options);
}
template <class T>
void simulate(communicator<host>& comm, host_europeans<T> const& book,
              host_estimates const& outputs, european_simulation_options const& options) {
  simulate_shared<T>(comm, book, outputs, options);
}
template <class T, class Place>
void simulate(communicator<Place>& comm, std::span<asian_option const> book,
              std::span<estimate> results, simulation_options const& options) {
  simulate_shared<T>(comm, book, results, options);
}
template <class T, class Place>
void simulate(communicator<Place>& comm, std::span<barrier_option const> book,
              std::span<estimate> results, simulation_options const& options) {
  simulate_shared<T>(comm, book, results, options);
}

template <class T, class Place, contract_model Model>
void simulate(communicator<Place>& comm, Model const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options) {
  simulate_together<T>(
      comm, book, options, [&] { return digest_of(model, book); },
      [&](path_sharing* sharing) {
        simulate_contract_book<T>(comm.place(), model, book, results, options, sharing);
      });
}

template <class T, class Place, contract_model Model>
void simulate(communicator<Place>& comm, Model const& model, std::span<contract const> book,
              greeks const& results, simulation_options const& options, bumps const& by) {
  using place_type = std::conditional_t<std::is_same_v<Place, host>, host const, gpu>;
  simulate_together<T>(
      comm, book, options, [&] { return digest_of(model, book, results, by); },
      [&](path_sharing* sharing) {
        simulate_contract_greeks<T, Model, place_type>(comm.place(), model, book, results, options,
                                                       by, sharing);
      });
}

#define INSTANTIATE_CONTRACTS(Place, T, Model)                                                     \
  template void simulate<T>(communicator<Place>&, Model const&, std::span<contract const>,         \
                            std::span<estimate>, simulation_options const&);                       \
  template void simulate<T>(communicator<Place>&, Model const&, std::span<contract const>,         \
                            greeks const&, simulation_options const&, bumps const&);
#define INSTANTIATE_ON(Place, T, device_or_host)                                                   \
  template void price<T>(communicator<Place>&, host_book<T> const&, host_outputs<T> const&);       \
  template void implied_volatility<T>(communicator<Place>&, host_quotes<T> const&,                 \
                                      host_implied_outputs<T> const&);                             \
  template void simulate<T>(communicator<Place>&, device_or_host##_europeans<T> const&,            \
                            device_or_host##_estimates const&,                                     \
                            european_simulation_options const&);                                   \
  template void simulate<T>(communicator<Place>&, std::span<asian_option const>,                   \
                            std::span<estimate>, simulation_options const&);                       \
  template void simulate<T>(communicator<Place>&, std::span<barrier_option const>,                 \
                            std::span<estimate>, simulation_options const&);                       \
  INSTANTIATE_CONTRACTS(Place, T, black_scholes)                                                   \
  INSTANTIATE_CONTRACTS(Place, T, heston)                                                          \
  INSTANTIATE_CONTRACTS(Place, T, local_volatility)
#define INSTANTIATE(T)                                                                             \
  INSTANTIATE_ON(gpu, T, device)                                                                   \
  INSTANTIATE_ON(host, T, host)
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace pricing

namespace detail {

template <class Place>
std::unique_ptr<pricing::path_sharing> share_paths(communicator<Place>& comm) {
  return std::make_unique<pricing::shared_tiles<Place>>(comm, comm::digest());
}
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<gpu>&);
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<host>&);

} // namespace detail

} // namespace warpfold::inline v0
