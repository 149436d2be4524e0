// Exact sums on a GPU beside the fold's and CUB's, which round: on normal random numbers, and on
// numbers whose exponents are spread over the whole range.

#include "bench.hpp"
#include "reduction_rows.hpp"

#include <exception>
#include <memory>

namespace warpfold::bench {
namespace {

enum class operation { sum, dot, norm2 };

struct outcome {
  timing measured;
  std::string complaint; ///< why there is no time
};

/// One operation, type, pattern and size: measured once, reported by as many rows as methods.
template <class T>
class paired_exact {
public:
  static constexpr char const* methods[] = {"exact", "sum", "cub_sum"};

  paired_exact(session& run, operation what, pattern elements, std::size_t size)
      : run_{&run}, what_{what}, elements_{elements}, size_{size} {}

  outcome const& operator[](std::size_t i) {
    if (outcomes_.empty()) {
      outcomes_.resize(std::size(methods));
      try {
        measure();
      } catch (std::exception const& failure) {
        for (outcome& one : outcomes_) one = {{}, failure.what()};
      }
    }
    return outcomes_[i];
  }

  /// Bytes that a call reads.
  [[nodiscard]] double bytes() const {
    return static_cast<double>(size_ * sizeof(T)) * (what_ == operation::dot ? 2 : 1);
  }

private:
  void measure() {
    gpu& place = *run_->place;
    // A dot product is of the two halves of an array, so that all read the same bytes.
    std::size_t const size = what_ == operation::dot ? 2 * size_ : size_;
    timing_plan const plan = plan_for(size * sizeof(T), run_->quick);
    int const arrays = run_->pool->prepare<T>(size, plan.calls, elements_);
    if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
    auto const array = [&](int i) { return run_->pool->array<T>(i % arrays, size); };
    device_buffer<T> results(place, std::size(methods));
    auto const result = [&](std::size_t i) { return results.span().subspan(i, 1); };
    auto const exact = [&](int i) {
      switch (what_) {
      case operation::sum: return exact_sum_async(place, array(i), result(0));
      case operation::norm2: return exact_norm2_async(place, array(i), result(0));
      case operation::dot:
        return exact_dot_async(place, array(i).subspan(0, size_), array(i).subspan(size_),
                               result(0));
      }
    };
    std::vector<contender> const contenders{
        {exact}, {[&](int i) { sum_async(place, array(i), result(1)); }}, {[&](int i) {
          sum_async(place, array(i), result(2), twins::cub);
        }}};
    for (contender const& one : contenders) one.call(0);
    (void)sum(place, array(0), twins::cub); // grows the scratch memory
    std::vector<timing> const times = time_paired(place, *run_->flush, contenders, plan);
    for (std::size_t i = 0; i < times.size(); ++i) outcomes_[i].measured = times[i];
    T const found = to_vector(place, result(0))[0];
    T const expected = this->expected(run_->pool->offset<T>((plan.calls - 1) % arrays));
    if (found != expected)
      outcomes_[0].complaint =
          "result " + std::to_string(found) + ", should be " + std::to_string(expected);
  }

  /// The result for the array that begins at `first` in the endlessly repeated block, on the host.
  T expected(std::size_t first) {
    std::span<T const> const block = run_->pool->block<T>();
    auto const at = [&](std::size_t i) { return block[(first + i) % block.size()]; };
    if (what_ != operation::sum) {
      exact_product_accumulator<T> sum, whole;
      bool const is_dot = what_ == operation::dot;
      std::size_t const blocks = size_ / block.size();
      auto const add = [&](auto& to, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) to.add(at(i), is_dot ? at(size_ + i) : at(i));
      };
      if (blocks > 0) add(whole, 0, block.size());
      for (std::size_t i = 0; i < blocks; ++i) sum.merge(whole);
      add(sum, blocks * block.size(), size_);
      return is_dot ? sum.template finish<T>() : sum.template finish_root<T>();
    }
    exact_accumulator<T> sum, whole;
    if (size_ >= block.size()) whole.add(block);
    for (std::size_t left = size_ / block.size(); left > 0; --left) sum.merge(whole);
    for (std::size_t i = size_ / block.size() * block.size(); i < size_; ++i) sum.add(at(i));
    return sum.template finish<T>();
  }

  session* run_;
  operation what_;
  pattern elements_;
  std::size_t size_;
  std::vector<outcome> outcomes_;
};

template <class T>
void add(session& run, std::string const& name, operation what, pattern elements,
         std::initializer_list<int> exponents) {
  for (int const e : exponents) {
    std::size_t const size = std::size_t{1} << e;
    if (2 * size * sizeof(T) > run.pool->size()) continue;
    auto const group = std::make_shared<paired_exact<T>>(run, what, elements, size);
    for (std::size_t m = 0; m < std::size(paired_exact<T>::methods); ++m)
      add_row(name + "/" + type_name<T>() + "/" + paired_exact<T>::methods[m] +
                  "/n:" + std::to_string(size),
              [&run, group, m, size](benchmark::State& state) {
                outcome const& one = (*group)[m];
                if (!one.complaint.empty()) return complain(run, state, one.complaint);
                report(state, one.measured, group->bytes(), static_cast<double>(size));
              });
  }
}

template <class T>
void add_all(session& run) {
  if (run.quick) {
    add<T>(run, "exact_sum", operation::sum, pattern::normals, {12, 16, 20, 24, 26, 28, 30});
    add<T>(run, "exact_sum_wild", operation::sum, pattern::wild, {20, 26, 28});
    add<T>(run, "exact_dot", operation::dot, pattern::normals, {20, 26});
    add<T>(run, "exact_norm2", operation::norm2, pattern::normals, {20, 26});
    return;
  }
  add<T>(run, "exact_sum", operation::sum, pattern::normals,
         {10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30});
  add<T>(run, "exact_sum_wild", operation::sum, pattern::wild,
         {10, 14, 18, 20, 22, 24, 26, 28, 30});
  add<T>(run, "exact_dot", operation::dot, pattern::normals, {12, 16, 20, 24, 26, 28});
  add<T>(run, "exact_norm2", operation::norm2, pattern::normals, {12, 16, 20, 24, 26, 28});
}

} // namespace

void add_exact(session& run) {
  if (!run.place) return;
  add_all<float>(run);
  add_all<double>(run);
}

} // namespace warpfold::bench
