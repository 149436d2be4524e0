// Reductions on the host: warpfold's fold beside Thrust on OpenMP, one call after the other on
// arrays that together are larger than the caches.

#include "bench.hpp"
#include "reduction_rows.hpp"

#include <memory>

namespace warpfold::bench {
namespace {

constexpr method methods[] = {method::fold, method::thrust};

template <class T>
class paired_host_sum {
public:
  paired_host_sum(session& run, std::size_t size) : run_{&run}, size_{size} {}

  timing const& operator[](std::size_t i) {
    if (times_.empty()) measure();
    return times_[i];
  }
  std::string const& complaint_of(std::size_t i) const { return complaints_[i]; }

private:
  using A = typename detail::default_accumulator<T>::type;
  using kind = reduction_kind<T, A, plus, identity>;

  void measure() {
    std::size_t const bytes = size_ * sizeof(T);
    std::size_t const arrays = std::clamp<std::size_t>(512 * mebi / bytes, 1, 4096);
    std::vector<T> values(arrays * size_);
    fill_random(values, pattern::small_integers);
    std::span<T const> const all(values);
    std::size_t turn = 0;
    auto const call = [&](method how) {
      return sum(run_->processor, all.subspan(turn++ % arrays * size_, size_), {.how = how});
    };
    double const exact = kind::expected(all.first(size_), size_);
    for (std::size_t m = 0; m < std::size(methods); ++m) {
      turn = 0;
      A const found = call(methods[m]);
      complaints_[m] = complaint(kind::agrees(found, exact), found, exact);
    }

    int const samples = run_->quick ? 7 : 21;
    int const calls = static_cast<int>(std::clamp<std::size_t>(16 * mebi / bytes, 1, 64));
    std::vector<double> seconds[std::size(methods)];
    for (int sample = 0; sample < samples; ++sample)
      for (std::size_t m = 0; m < std::size(methods); ++m)
        seconds[m].push_back(wall_seconds([&] {
                               for (int i = 0; i < calls; ++i)
                                 benchmark::DoNotOptimize(call(methods[m]));
                             }) /
                             calls);
    for (auto& one : seconds) times_.push_back(summarize(std::move(one)));
  }

  session* run_;
  std::size_t size_;
  std::vector<timing> times_;
  std::string complaints_[std::size(methods)];
};

template <class T>
void add(session& run, std::size_t size) {
  auto const group = std::make_shared<paired_host_sum<T>>(run, size);
  for (std::size_t m = 0; m < std::size(methods); ++m)
    add_row("host/sum/" + type_name<T>() + "/" + to_string(methods[m]) +
                "/n:" + std::to_string(size),
            [group, m, size](benchmark::State& state) {
              timing const& measured = (*group)[m];
              std::string const& wrong = group->complaint_of(m);
              if (!wrong.empty()) return state.SkipWithError(wrong.c_str());
              auto const items = static_cast<double>(size);
              report(state, measured, items * sizeof(T), items);
              state.counters["blocking"] = 1;
            });
}

} // namespace

void add_host_reductions(session& run) {
  for (std::size_t const size : {std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 18,
                                 std::size_t{1} << 22, std::size_t{100'000'000}})
    add<float>(run, size);
  for (std::size_t const size : {std::size_t{1} << 22, std::size_t{100'000'000}}) {
    add<double>(run, size);
    add<std::int32_t>(run, size);
    if (!run.quick) {
      add<std::int64_t>(run, size);
      add<__half>(run, size);
      add<__nv_bfloat16>(run, size);
    }
  }
}

} // namespace warpfold::bench
