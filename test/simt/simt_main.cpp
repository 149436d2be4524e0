#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "simt_test.hpp"

#include <cstdio>

// The seed comes first: a sanitizer that ends the run lets no test print it.
int main(int argc, char** argv) {
  std::fprintf(stderr, "SIMT_SEED=%u\n", simt::seed());
  return doctest::Context(argc, argv).run();
}
