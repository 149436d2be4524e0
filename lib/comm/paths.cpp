// Paths simulated by all ranks.

#include "pricing/paths/path_door.hpp"
#include "shared_tiles.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/detail/comm/share_paths.hpp>
#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>

#include <bit>

namespace warpfold::inline v0 {
namespace pricing {
namespace {

/// What all ranks have to agree on.
struct agreement {
  std::int64_t samples, replicates, paths_per_sample;
  std::uint64_t seed, stream, options, times, book, finish; ///< digests, the last three
  double quantile;
  std::uint64_t flags; ///< no padding: compared as bytes
};

/// A number that hardly two sequences have in common.
class digest {
public:
  void add(double x) {
    value_ = (value_ ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15U;
    value_ ^= value_ >> 32;
  }
  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0;
};

void add_terms(digest& to, option<double> const& of, option_kind kind) {
  for (double const x : {of.spot, of.strike, of.expiry, of.volatility, of.rate, of.dividend_yield})
    to.add(x);
  to.add(static_cast<int>(kind));
}
std::uint64_t digest_of(std::span<asian_option const> book) {
  digest all;
  for (asian_option const& of : book) {
    add_terms(all, of.terms, of.kind);
    all.add(static_cast<int>(of.over));
  }
  return all.value();
}
std::uint64_t digest_of(std::span<barrier_option const> book) {
  digest all;
  for (barrier_option const& of : book) {
    add_terms(all, of.terms, of.kind);
    all.add(of.barrier);
    all.add(of.rebate);
    all.add(static_cast<int>(of.type));
    all.add(static_cast<int>(of.when));
  }
  return all.value();
}

agreement agreement_of(detail::path_plan const& plan, std::uint64_t book,
                       std::span<detail::path_finish const> finish, std::size_t element) {
  digest times, ends;
  for (double const t : plan.times) times.add(t);
  for (detail::path_finish const& one : finish) {
    ends.add(one.discount);
    ends.add(one.control_mean);
  }
  std::uint64_t flags = element;
  for (bool const flag : {plan.antithetic, plan.quasi, plan.run.independent, plan.ending.control})
    flags = 2 * flags + flag;
  return {plan.ending.samples,
          plan.ending.replicates,
          plan.ending.paths_per_sample,
          plan.numbers.seed,
          plan.numbers.stream,
          finish.size(),
          times.value(),
          book,
          ends.value(),
          plan.ending.quantile,
          flags};
}

template <class Place>
class shared_paths final : public comm::shared_tiles<Place, agreement, path_sharing> {
public:
  /// @param book digest of the options; 0 where payoffs are the caller's own
  shared_paths(communicator<Place>& over, std::uint64_t book)
      : comm::shared_tiles<Place, agreement, path_sharing>(over), book_{book} {}

  void begin(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
             std::size_t element) override {
    this->mine_ = agreement_of(plan, book_, finish, element);
  }
  void settle() override {
    this->over_.wait();
    this->check_agreement();
  }
  void settle_nothing(detail::path_plan const& plan, std::size_t element) {
    begin(plan, {}, element);
    this->share_nothing();
    settle();
  }

private:
  std::uint64_t book_;
};

template <class T, class Place, class Option>
std::vector<estimate> simulate_over(communicator<Place>& over, std::span<Option const> book,
                                    simulation_options const& options) {
  return over.guarded([&] {
    detail::check_elements("book", book.data(), book.size());
    shared_paths<Place> sharing(over, digest_of(book));
    auto estimates = simulate_shared<T>(over.place(), book, options, sharing);
    if (book.empty()) sharing.settle_nothing(detail::plan_paths(options), sizeof(T));
    return estimates;
  });
}

} // namespace

#define DEFINE(Place, Option)                                                                      \
  template <class T>                                                                               \
  std::vector<estimate> simulate(communicator<Place>& over, std::span<Option const> book,          \
                                 simulation_options const& options) {                              \
    return simulate_over<T>(over, book, options);                                                  \
  }                                                                                                \
  template std::vector<estimate> simulate<float>(communicator<Place>&, std::span<Option const>,    \
                                                 simulation_options const&);                       \
  template std::vector<estimate> simulate<double>(communicator<Place>&, std::span<Option const>,   \
                                                  simulation_options const&);
DEFINE(gpu, asian_option)
DEFINE(host, asian_option)
DEFINE(gpu, barrier_option)
DEFINE(host, barrier_option)

} // namespace pricing

namespace detail {

template <class Place>
std::unique_ptr<pricing::path_sharing> share_paths(communicator<Place>& over) {
  return std::make_unique<pricing::shared_paths<Place>>(over, 0);
}
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<gpu>&);
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<host>&);

} // namespace detail

} // namespace warpfold::inline v0
