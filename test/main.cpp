// Runs the tests. Cases that need a GPU are in the test suite "gpu": where there is none they are
// left out and counted aloud, and a run that asked for nothing else exits with 77, "skipped".

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <warpfold/execution.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr int exit_skipped = 77;

/// Counts the test cases that the command line selects, instead of printing them.
struct selection final : doctest::IReporter {
  static inline unsigned on_gpu = 0, elsewhere = 0;

  explicit selection(doctest::ContextOptions const&) {}
  void report_query(doctest::QueryData const& selected) override {
    for (unsigned i = 0; i < selected.num_data; ++i)
      ++(std::string_view(selected.data[i]->m_test_suite) == "gpu" ? on_gpu : elsewhere);
  }
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const&) override {}
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};
REGISTER_REPORTER("selection", 0, selection);

void count_selection(int argc, char** argv) {
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
  if (warpfold::gpu_count() > 0) return tests.run();

  count_selection(argc, argv);
  tests.addFilter("test-suite-exclude", "gpu");
  bool const nothing_else = selection::on_gpu > 0 && selection::elsewhere == 0;
  int const status = nothing_else ? exit_skipped : tests.run();
  if (selection::on_gpu > 0)
    std::printf("%u gpu test cases skipped: no CUDA device\n", selection::on_gpu);
  return status;
}
