// cpu_main.cc: runs a test of runtime/cpu with the OpenMP of `tgc check': under many seeds, with all threads that are asked
// for and with fewer.
#include <stdio.h>

#include <initializer_list>

#include "cpu_test.h"
#include "openmp.h"

int main() {
  for (int granted : {0, 1, 3})
    for (uint64_t seed = 1; seed <= 10; seed++) {
      openmp::options.seed = seed;
      openmp::options.granted = granted;
      if (test()) continue;
      printf("seed %llu, %d threads granted: a wrong result\n", (unsigned long long)seed, granted);
      return 1;
    }
  return 0;
}
