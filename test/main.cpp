// Runs the tests. Cases that need a GPU are in the test suite "gpu", in "gpus" if they need two, in
// "large" if they need much memory of one: where that is missing they are left out and counted
// aloud, and a run that asked for nothing else exits with 77, "skipped".

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <warpfold/comm/communicator.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int exit_skipped = 77;
constexpr std::size_t large_memory = std::size_t{60} << 30;

struct missing {
  std::string suite, what;
};

std::vector<missing> missing_here() {
  std::vector<missing> all;
  int const gpus = warpfold::has_nccl() ? warpfold::gpu_count() : 1; // that work together
  bool const gpu = warpfold::gpu_count() > 0;
  std::size_t free = 0, total = 0;
  if (!gpu) all.push_back({"gpu", "no CUDA device"});
  if (gpus < 2) all.push_back({"gpus", "fewer than two CUDA devices, or no NCCL"});
  if (!gpu || cudaMemGetInfo(&free, &total) != cudaSuccess || free < large_memory)
    all.push_back({"large", "less than 60 GiB of free GPU memory"});
  return all;
}

/// Lists the test suites of the cases that the command line selects, instead of printing them.
struct selection final : doctest::ConsoleReporter {
  static inline std::vector<std::string_view> suites;

  using ConsoleReporter::ConsoleReporter;
  void report_query(doctest::QueryData const& selected) override {
    for (unsigned i = 0; i < selected.num_data; ++i)
      suites.emplace_back(selected.data[i]->m_test_suite);
  }
};
REGISTER_REPORTER("selection", 0, selection);

void list_selection(int argc, char** argv) {
  std::vector<char const*> filters;
  for (int i = 0; i < argc; ++i) {
    std::string_view const argument = argv[i];
    bool const is_output = argument.find("reporters=") != argument.npos ||
                           argument.starts_with("-r=") || argument.find("out=") != argument.npos;
    if (!is_output) filters.push_back(argv[i]);
  }
  filters.push_back("--reporters=selection");
  filters.push_back("--list-test-cases");
  doctest::Context(static_cast<int>(filters.size()), filters.data()).run();
}

} // namespace

int main(int argc, char** argv) {
  doctest::Context tests(argc, argv);
  auto const all_missing = missing_here();
  if (all_missing.empty()) return tests.run();

  list_selection(argc, argv);
  std::string skipped;
  for (auto const& [suite, what] : all_missing) {
    tests.addFilter("test-suite-exclude", suite.c_str());
    auto const cases = std::erase(selection::suites, suite);
    if (cases > 0)
      skipped.append(std::to_string(cases) + " " + suite)
          .append(" test cases skipped: " + what + "\n");
  }
  bool const nothing_else = selection::suites.empty() && !skipped.empty();
  int const status = nothing_else ? exit_skipped : tests.run();
  std::fputs(skipped.c_str(), stdout);
  return status;
}
