#pragma once
// Loops for the vector instructions of whatever processor is there.

// A copy of a function for every generation of processors, with all that it calls inside: its bits
// are the same in each, because nothing is contracted and fma is fma. The choice is made before the
// sanitizers are ready for it, so they get one copy.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define WARPFOLD_CLONES                                                                            \
  __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define WARPFOLD_CLONES
#endif
