// warpfold-tour: the case studies in a few seconds, on the GPU where there is one, else on the
// host; with --all-gpus also what groups do. Exits with 1 when a result disagrees with its
// reference.

#include "tour.hpp"

#include <warpfold/error.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace {

using namespace warpfold;

std::string processor_name() {
  std::ifstream description("/proc/cpuinfo");
  for (std::string line; std::getline(description, line);)
    if (line.starts_with("model name"))
      if (std::size_t const colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "processor of unknown name";
}

void describe(gpu const& place) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, place.device()));
  std::printf("on the GPU: %s, %.0f GiB, %d multiprocessors, compute capability %d.%d\n",
              properties.name, static_cast<double>(properties.totalGlobalMem) / (1 << 30),
              properties.multiProcessorCount, properties.major, properties.minor);
}

void describe(host const& place) {
  double const memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<double>(sysconf(_SC_PAGE_SIZE)) / (1 << 30);
  std::printf("on the host, for want of a GPU: %s, %.0f GiB, %d threads\n",
              processor_name().c_str(), memory, place.threads());
}

bool wants_all_gpus(std::span<char* const> arguments) {
  for (std::string_view const one : arguments)
    if (one != "--all-gpus")
      throw std::invalid_argument("'" + std::string(one) + "' is not known, only --all-gpus");
  return !arguments.empty();
}

} // namespace

int main(int argc, char** argv) try {
  bool const all_gpus = wants_all_gpus(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  auto const start = std::chrono::steady_clock::now();
  any_place place = default_place();
  std::printf("warpfold tour ");
  std::visit([](auto const& one) { describe(one); }, place);

  bool agreed = tour::reduction_section(place);
  agreed = tour::scan_section(place) && agreed;
  agreed = tour::scatter_section(place) && agreed;
  agreed = tour::counting_section(place) && agreed;
  agreed = tour::pricing_section(place) && agreed;
  agreed = tour::monte_carlo_section(place) && agreed;
  agreed = tour::products_section(place) && agreed;
  agreed = tour::poisson_section(place) && agreed;
  if (all_gpus) agreed = tour::group_section() && agreed;

  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("\n%s (%.1f s)\n",
              agreed ? "Every result agrees with its reference." : "SOME RESULTS ARE WRONG.",
              seconds);
  return agreed ? 0 : 1;
} catch (std::exception const& failure) {
  std::fflush(stdout);
  std::fprintf(stderr, "\nwarpfold-tour: %s\n", failure.what());
  return 1;
}
