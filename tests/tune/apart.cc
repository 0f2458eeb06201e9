// apart.cc: threads that are moved apart (runtime/measure). `apart 4 0 2 3' says which of the processors 0, 2 and 3
// each of four threads is moved to; `apart' alone moves those of this process, one of which is bound, and says whether
// all may run where they might before.
#include <cstdio>
#include <cstdlib>

#include <omp.h>
#include <sched.h>

#include "measure/cpu.h"

static cpu_set_t affinity() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) std::exit(1);
  return set;
}

static bool stay_as_they_were() {
  enum { THREADS = 3, BOUND = 2 };
  bool same[THREADS] = {};
#pragma omp parallel num_threads(THREADS)
  {
    const int me = omp_get_thread_num();
    if (me == BOUND) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(sched_getcpu(), &one);
      sched_setaffinity(0, sizeof one, &one);
    }
    const cpu_set_t before = affinity();
#pragma omp barrier
#pragma omp master
    part_threads();
#pragma omp barrier
    const cpu_set_t after = affinity();
    same[me] = CPU_EQUAL(&before, &after);
  }
  return same[0] && same[1] && same[2];
}

int main(int argc, char **argv) {
  if (argc < 2) return std::puts(stay_as_they_were() ? "as they were" : "bound") < 0;
  std::vector<int> processors;
  for (int i = 2; i < argc; i++) processors.push_back(std::atoi(argv[i]));
  for (const int place : apart(processors, (size_t)std::atoi(argv[1]))) std::printf("%d ", place);
  std::printf("\n");
  return 0;
}
