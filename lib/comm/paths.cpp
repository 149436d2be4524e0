// Paths simulated by all ranks.

#include "../pricing/path_door.hpp"
#include "shared_tiles.hpp"

#include <warpfold/detail/path_plan.hpp>
#include <warpfold/detail/share_paths.hpp>
#include <warpfold/pricing/collective.hpp>

#include <bit>

namespace warpfold {
namespace pricing {
namespace {

/// What all ranks have to agree on.
struct agreement {
  std::int64_t samples, replicates, paths_per_sample;
  std::uint64_t seed, stream, options, times, finish; ///< digests, the last two
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

agreement agreement_of(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
                       std::size_t element) {
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
          ends.value(),
          plan.ending.quantile,
          flags};
}

template <class Place>
class shared_paths final : public comm::shared_tiles<Place, agreement, path_sharing> {
public:
  explicit shared_paths(communicator<Place>& over)
      : comm::shared_tiles<Place, agreement, path_sharing>(over) {}

  void begin(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
             std::size_t element) override {
    this->mine_ = agreement_of(plan, finish, element);
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
};

template <class T, class Place, class Option>
std::vector<estimate> simulate_over(communicator<Place>& over, std::span<Option const> book,
                                    simulation_options const& options) {
  return over.guarded([&] {
    shared_paths<Place> sharing(over);
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
  return std::make_unique<pricing::shared_paths<Place>>(over);
}
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<gpu>&);
template std::unique_ptr<pricing::path_sharing> share_paths(communicator<host>&);

} // namespace detail

} // namespace warpfold
