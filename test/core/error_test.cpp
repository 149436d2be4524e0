// Exceptions: what they say, and which verb and argument they name.

#include "support.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <stdexcept>
#include <thread>

namespace error_test {

using namespace test;
namespace wf = warpfold;

TEST_CASE("argument_error names the argument and the value") {
  try {
    wf::host place(-1);
    FAIL("nothing was refused");
  } catch (wf::argument_error const& error) {
    CHECK(error.argument() == "threads");
    CHECK(contains(error.what(), "threads"));
    CHECK(contains(error.what(), "-1"));
  }
}

TEST_CASE("a refusal's text has numbers with all their digits, and strings of any kind") {
  std::string const string = "a string";
  std::string_view const view = "a view, of which a part";
  CHECK(std::string(wf::detail::text(true, " ", -7, " ", ~0ULL, " ", 0.1)) ==
        "true -7 18446744073709551615 0.10000000000000001");
  CHECK(std::string(wf::detail::text(0.5F, string, view.substr(0, 6))) == "0.5a stringa view");
  CHECK(std::string(wf::detail::text()).empty());
}

TEST_CASE("a refusal names the outermost verb of its thread, and none outside") {
  auto const is_in = [](std::string const& name) {
    char const* const current = wf::detail::current_verb();
    if (name != (current ? current : "")) return false;
    try {
      wf::detail::refuse("size", "3", "1 or 2");
    } catch (wf::argument_error const& error) {
      std::string const who = name.empty() ? "warpfold: " : "warpfold::" + name + ": ";
      return error.verb() == name && contains(error.what(), who + "'size' is refused: 3");
    }
  };
  CHECK(is_in(""));
  try {
    wf::detail::verb const outer("outer");
    CHECK(is_in("outer"));
    {
      wf::detail::verb const inner("inner");
      CHECK(is_in("outer"));
      bool other_is_in_none = false;
      std::jthread([&] { other_is_in_none = is_in(""); }).join();
      CHECK(other_is_in_none);
    }
    CHECK(is_in("outer"));
    throw std::out_of_range("an exception leaves the verb, too");
  } catch (std::out_of_range const&) {
    CHECK(is_in(""));
  }
  wf::detail::verb const next("next");
  CHECK(is_in("next"));
}

TEST_CASE("check throws cuda_error with the status and the caller's line") {
  CHECK_NOTHROW(wf::check(cudaSuccess));
  unsigned line = 0;
  try {
    line = std::source_location::current().line() + 1;
    wf::check(cudaErrorMemoryAllocation);
    FAIL("nothing was thrown");
  } catch (wf::cuda_error const& error) {
    CHECK(error.status() == cudaErrorMemoryAllocation);
    CHECK(contains(error.what(), "cudaErrorMemoryAllocation"));
    CHECK(contains(error.what(), "error_test.cpp:" + std::to_string(line)));
  }
}

TEST_SUITE("gpu") {
  // Without a driver the runtime has an error to tell whatever one does.
  TEST_CASE("check clears the last error") {
    cudaError_t const status = cudaSetDevice(-1);
    REQUIRE(status != cudaSuccess);
    CHECK_THROWS_AS(wf::check(status), wf::cuda_error);
    CHECK(cudaPeekAtLastError() == cudaSuccess);
  }
}

} // namespace error_test
