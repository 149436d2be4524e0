#pragma once
// Random work: the places of host threads, which are moved and made anew now and then.

#include "random_work.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace random_work {

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

} // namespace random_work
