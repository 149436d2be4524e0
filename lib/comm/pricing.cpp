// Options priced by all ranks: parts of books in host memory, and tiles of simulated paths.

#include "pricing/book_calls.hpp"
#include "pricing/greeks/greek_backend.hpp"
#include "pricing/paths/contract_backend.hpp"
#include "pricing/paths/path_backend.hpp"
#include "shared_tiles.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/comm/share_paths.hpp>
#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

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
#define INSTANTIATE_ON(Place, T)                                                                   \
  template void price<T>(communicator<Place>&, host_book<T> const&, host_outputs<T> const&);       \
  template void implied_volatility<T>(communicator<Place>&, host_quotes<T> const&,                 \
                                      host_implied_outputs<T> const&);                             \
  template void simulate<T>(communicator<Place>&, std::span<asian_option const>,                   \
                            std::span<estimate>, simulation_options const&);                       \
  template void simulate<T>(communicator<Place>&, std::span<barrier_option const>,                 \
                            std::span<estimate>, simulation_options const&);                       \
  INSTANTIATE_CONTRACTS(Place, T, black_scholes)                                                   \
  INSTANTIATE_CONTRACTS(Place, T, heston)                                                          \
  INSTANTIATE_CONTRACTS(Place, T, local_volatility)
#define INSTANTIATE(T)                                                                             \
  INSTANTIATE_ON(gpu, T)                                                                           \
  INSTANTIATE_ON(host, T)
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
