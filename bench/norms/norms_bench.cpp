// Dot products, norms, counts and compensated sums on a GPU: warpfold's fold, the vendor twins and,
// as a yardstick, the plain sum of the same bytes, in one paired measurement for each operation,
// type and size.

#include "bench.hpp"
#include "reduction/reduction_rows.hpp"

#include <warpfold/twins/counting.hpp>
#include <warpfold/twins/norms.hpp>

#include <cmath>
#include <exception>
#include <functional>
#include <memory>

namespace warpfold::bench {
namespace {

/// An operation on `arrays` arrays of n elements, which lie one behind the other.
struct dot_product {
  static constexpr char const* name = "dot";
  static constexpr int arrays = 2;
  template <class T>
  using result = typename detail::default_accumulator<T>::type;

  template <class T>
  static auto now(gpu& place, device_span<T const> all, twins::vendor twin) {
    std::size_t const n = all.size() / 2;
    return dot(place, all.subspan(0, n), all.subspan(n), twin);
  }
  template <class T>
  static void enqueue(gpu& place, device_span<T const> all, device_span<result<T>> to,
                      twins::vendor twin) {
    std::size_t const n = all.size() / 2;
    dot_async(place, all.subspan(0, n), all.subspan(n), to, twin);
  }
  static double term(double x, double y) { return x * y; }
  static double finish(double sum) { return sum; }
  static double value(double result) { return result; }
};

struct euclidean_norm {
  static constexpr char const* name = "norm2";
  static constexpr int arrays = 1;
  template <class T>
  using result = typename detail::default_accumulator<T>::type;

  template <class T>
  static auto now(gpu& place, device_span<T const> all, twins::vendor twin) {
    return norm2(place, all, twin);
  }
  template <class T>
  static void enqueue(gpu& place, device_span<T const> all, device_span<result<T>> to,
                      twins::vendor twin) {
    norm2_async(place, all, to, twin);
  }
  static double term(double x, double) { return x * x; }
  static double finish(double sum) { return std::sqrt(sum); }
  static double value(double result) { return result; }
};

struct count_of_positive {
  static constexpr char const* name = "count_if";
  static constexpr int arrays = 1;
  template <class T>
  using result = std::uint64_t;

  template <class T>
  static auto now(gpu& place, device_span<T const> all, twins::vendor twin) {
    return count_if(place, all, greater_than<T>{static_cast<T>(0)}, twin);
  }
  template <class T>
  static void enqueue(gpu& place, device_span<T const> all, device_span<std::uint64_t> to,
                      twins::vendor twin) {
    count_if_async(place, all, greater_than<T>{static_cast<T>(0)}, to, twin);
  }
  static double term(double x, double) { return x > 0; }
  static double finish(double sum) { return sum; }
  static double value(std::uint64_t result) { return static_cast<double>(result); }
};

struct sum_with_bound {
  static constexpr char const* name = "compensated_sum";
  static constexpr int arrays = 1;
  template <class T>
  using result = bounded<typename detail::default_accumulator<T>::type>;

  template <class T>
  static auto now(gpu& place, device_span<T const> all, twins::vendor twin) {
    return compensated_sum(place, all, twin);
  }
  template <class T>
  static void enqueue(gpu& place, device_span<T const> all, device_span<result<T>> to,
                      twins::vendor twin) {
    compensated_sum_async(place, all, to, twin);
  }
  static double term(double x, double) { return x; }
  static double finish(double sum) { return sum; }
  template <class A>
  static double value(bounded<A> const& result) {
    return static_cast<double>(result.value);
  }
};

enum class way { fold, cub, thrust, sum };
constexpr way ways[] = {way::fold, way::cub, way::thrust, way::sum};
constexpr char const* names[] = {"fold", "cub", "thrust", "sum"};
constexpr twins::vendor vendors[] = {twins::fold, twins::cub, twins::thrust, twins::fold};

template <class T, class Operation>
class paired_operation {
public:
  paired_operation(session& run, std::size_t size) : run_{&run}, size_{size} {}

  timing const& time_of(std::size_t w) {
    if (times_.empty()) {
      times_.resize(std::size(ways));
      try {
        measure();
      } catch (std::exception const& failure) {
        complaint_ = failure.what();
      }
    }
    return times_[w];
  }
  std::string const& complaint() const { return complaint_; }

private:
  using result = typename Operation::template result<T>;
  using total = typename detail::default_accumulator<T>::type;

  /// The exact result for the array that starts at number `begin` of the endlessly repeated block.
  double expected(std::size_t begin) const {
    std::span<T const> const block = run_->pool->block<T>();
    auto const at = [&](std::size_t i) {
      return detail::widen<double>(block[(begin + i) % block.size()]);
    };
    auto const sum_of = [&](std::size_t count) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += Operation::term(at(i), at(i + size_));
      return sum;
    };
    std::size_t const blocks = size_ / block.size();
    double const whole = blocks > 0 ? static_cast<double>(blocks) * sum_of(block.size()) : 0.0;
    return Operation::finish(whole + sum_of(size_ % block.size()));
  }

  void check_result(result const& found, double exact) {
    double const value = Operation::value(found);
    if (std::abs(value - exact) > 1e-6 * std::abs(exact))
      throw error("result " + std::to_string(value) + ", should be " + std::to_string(exact));
  }

  void measure() {
    gpu& place = *run_->place;
    std::size_t const all = Operation::arrays * size_;
    timing_plan const plan = plan_for(all * sizeof(T), run_->quick);
    int const arrays = run_->pool->prepare<T>(all, plan.calls, pattern::small_integers);
    if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
    auto const array = [&](int i) { return run_->pool->array<T>(i % arrays, all); };
    int const last = plan.calls - 1;
    double const exact = expected(run_->pool->offset<T>(last % arrays));

    device_buffer<result> results(place, std::size(ways));
    device_buffer<total> sums(place, 1);
    result returned{};
    std::vector<contender> contenders;
    for (std::size_t w = 0; w < std::size(ways); ++w) {
      twins::vendor const twin = vendors[w];
      if (ways[w] == way::sum) {
        sum(place, array(last));
        contenders.push_back({[&](int i) { sum_async(place, array(i), sums.span()); }});
        continue;
      }
      check_result(Operation::template now<T>(place, array(last), twin), exact);
      if (ways[w] == way::thrust)
        contenders.push_back(
            {[&, twin](int i) { returned = Operation::template now<T>(place, array(i), twin); },
             true});
      else
        contenders.push_back({[&, twin, w](int i) {
          Operation::template enqueue<T>(place, array(i), results.span().subspan(w, 1), twin);
        }});
    }
    times_ = time_paired(place, *run_->flush, contenders, plan);
    check_result(returned, exact);
    auto const written = to_vector(place, results.span());
    for (std::size_t const w : {0, 1}) check_result(written[w], exact);
  }

  session* run_;
  std::size_t size_;
  std::vector<timing> times_;
  std::string complaint_;
};

template <class T, class Operation>
void add(session& run, std::size_t size) {
  std::size_t const bytes = Operation::arrays * size * sizeof(T);
  if (bytes > run.pool->size()) return;
  auto const group = std::make_shared<paired_operation<T, Operation>>(run, size);
  for (std::size_t w = 0; w < std::size(ways); ++w)
    add_row(std::string(Operation::name) + "/" + type_name<T>() + "/" + names[w] +
                "/n:" + std::to_string(size),
            [&run, group, w, size, bytes](benchmark::State& state) {
              timing const& measured = group->time_of(w);
              if (!group->complaint().empty()) return complain(run, state, group->complaint());
              report(state, measured, static_cast<double>(bytes), static_cast<double>(size));
              state.counters["blocking"] = ways[w] == way::thrust;
            });
}

} // namespace

void add_norms(session& run) {
  if (!run.place) return;
  std::vector<int> exponents{20, 26, 28};
  if (!run.quick) exponents = {12, 16, 20, 22, 24, 26, 28, 30};
  for (int const e : exponents) {
    std::size_t const size = std::size_t{1} << e;
    add<float, dot_product>(run, size);
    add<double, dot_product>(run, size);
    add<__half, dot_product>(run, size);
    add<float, euclidean_norm>(run, size);
    add<double, euclidean_norm>(run, size);
    add<float, count_of_positive>(run, size);
    add<double, count_of_positive>(run, size);
    add<__half, count_of_positive>(run, size);
    add<float, sum_with_bound>(run, size);
    add<double, sum_with_bound>(run, size);
    add<__half, sum_with_bound>(run, size);
  }
}

} // namespace warpfold::bench
