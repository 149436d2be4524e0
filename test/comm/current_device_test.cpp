// Two GPUs: every verb runs on its place's device, whichever is the current one.

#include "comm/communicator.hpp"
#include "twins.hpp"

#include <warpfold/comm/poisson.hpp>
#include <warpfold/comm/pricing.hpp>
#include <warpfold/twins/poisson.hpp>
#include <warpfold/twins/random.hpp>

#include <array>

namespace current_device_test {

using namespace test;
namespace wf = warpfold;
namespace po = warpfold::poisson;
namespace pr = warpfold::pricing;

constexpr wf::less_than below{2.F};
constexpr pr::option<double> ordinary{100, 100, 1, 0.2, 0.01, 0};

TEST_SUITE("gpus") {
  TEST_CASE("calls run on their place's device, whichever is the current one, and leave it so") {
    std::vector<float> const numbers(5000, 1.F);
    std::vector<double> const rhs(64, 1.);
    wf::gpu near(0), far(1);
    for (int const current : {0, 1}) {
      wf::device_guard const guard(current);
      CAPTURE(current);
      auto const on_both = [&](std::string const& name, auto call) {
        CAPTURE(name);
        CHECK(call(near) == call(far));
        int now = -1;
        wf::check(cudaGetDevice(&now));
        CHECK(now == current);
      };
      on_both("places and memory", [&](wf::gpu& on) {
        wf::gpu place(on.device());
        place.reserve(std::size_t{8} << 20);
        place = wf::gpu(on.device());
        return wf::to_vector(place, wf::device_buffer<float>(place, numbers).span());
      });
      on_both("reductions", [&](wf::gpu& on) {
        wf::device_buffer<float> const values(on, numbers);
        wf::device_buffer<float> results(on, 50), sums(on, numbers.size());
        wf::segmented_reduce(on, values, wf::fixed_length{100}, 0.F, wf::plus{}, results.span());
        auto all = wf::to_vector(on, results.span());
        wf::inclusive_scan(on, values, wf::plus{}, sums);
        auto const running = wf::to_vector(on, sums);
        all.insert(all.end(), running.begin(), running.end());
        all.push_back(wf::sum(on, values));
        for (twins::vendor const twin : {twins::cub, twins::thrust})
          all.push_back(wf::sum(on, values, twin));
        all.push_back(wf::sum(on, values, twins::halving));
        all.push_back(wf::exact_sum(on, values));
        all.push_back(static_cast<float>(wf::describe(on, values).mean));
        all.push_back(wf::compensated_sum(on, values).value);
        return all;
      });
      on_both("counts", [&](wf::gpu& on) {
        wf::device_buffer<float> const values(on, numbers);
        wf::device_buffer<float> output(on, numbers.size());
        auto all = wf::histogram(on, values, {4, 0, 2});
        all.push_back(wf::count_if(on, values, below));
        all.push_back(wf::compact_if(on, values, below, output.span()));
        return all;
      });
      on_both("random numbers", [&](wf::gpu& on) {
        namespace rnd = warpfold::random;
        wf::device_buffer<float> out(on, 1000);
        rnd::normal(on, out.span());
        auto all = wf::to_vector(on, out.span());
        rnd::uniform(on, out.span(), twins::generator::curand_philox);
        auto const more = wf::to_vector(on, out.span());
        all.insert(all.end(), more.begin(), more.end());
        rnd::uniform(on, rnd::sobol_sequence<wf::gpu>(on, 10), out.span());
        auto const last = wf::to_vector(on, out.span());
        all.insert(all.end(), last.begin(), last.end());
        return all;
      });
      on_both("prices", [&](wf::gpu& on) {
        std::vector<float> calls(numbers.size());
        pr::price<float>(on, {std::span(numbers), 1, 1, 0.2, 0.01}, {.call = calls});
        wf::device_buffer<float> const spots(on, numbers);
        wf::device_buffer<float> puts(on, numbers.size());
        pr::price<float>(on, {spots, 1, 1, 0.2, 0.01}, {.put = puts});
        calls.push_back(wf::to_vector(on, puts.span())[7]);
        pr::asian_option const asian{ordinary};
        pr::estimate result{};
        pr::simulate(on, std::span(&asian, 1), std::span(&result, 1), {.paths = 1000, .steps = 2});
        calls.push_back(static_cast<float>(result.value));
        return calls;
      });
      on_both("groups of one", [&](wf::gpu& on) {
        std::array const device{on.device()};
        wf::local_group<wf::gpu> alone(device);
        std::vector<float> all;
        alone.run([&](wf::communicator<wf::gpu>& comm) {
          wf::device_buffer<float> const values(comm.place(), numbers);
          all = {wf::sum(comm, values), wf::exact_sum(comm, values)};
        });
        return all;
      });
      on_both("Poisson's equation", [&](wf::gpu& on) {
        wf::device_buffer<double> const from(on, rhs);
        wf::device_buffer<double> to(on, rhs.size());
        po::problem const of{{{8, 1, po::boundary::dirichlet, po::boundary::dirichlet}, {8}}};
        po::solver<double, wf::gpu> solver(on, of), other(on, of, twins::engine::vendor);
        solver.solve({from, to});
        auto all = wf::to_vector(on, to.span());
        other.solve({from, to});
        all.push_back(wf::to_vector(on, to.span())[9]);
        return all;
      });
    }
  }
}

} // namespace current_device_test
