/* team.h: OpenMP, with or without a compiler that supports it, and the number of threads.
 *
 *   OPENMP       its header, or substitutes; TEAM: those of thread numbers, too
 *   REST         rest: yields to other threads
 *   PROCESSORS   processors: the number of processors, limited by the container's quota
 *   AT_ONCE      at_once: the size of a team
 */
#include "alone.h"
#ifndef OPENMP
#define OPENMP 1
#define TEAM 1
#define REST 1
#define PROCESSORS 1
#define AT_ONCE 1
#endif
// ---- pasted from here on ----
#if OPENMP
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_num_procs() 1
#define omp_get_max_threads() 1
#if TEAM
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif
#endif
#endif
#if REST
#if defined __unix__ || defined __APPLE__
#include <sched.h>
#define rest() sched_yield()
#else
#define rest() ((void)0)
#endif
#endif
#if PROCESSORS

#ifndef CGROUP
#define CGROUP "/sys/fs/cgroup"
#endif
// A file's first numbers; how many are there.
static int numbers(const char *path, long long *first, long long *second) {
  FILE *file = fopen(path, "r");
  const int found = file ? fscanf(file, "%lld %lld", first, second) : 0;
  if (file) fclose(file);
  return found;
}

// How many processors' time a container may use, a part of one counted as one.
static int quota(void) {
  long long time = 0, period = 0, none;
  if (numbers(CGROUP "/cpu.max", &time, &period) != 2) {
    numbers(CGROUP "/cpu/cpu.cfs_quota_us", &time, &none);
    numbers(CGROUP "/cpu/cpu.cfs_period_us", &period, &none);
  }
  if (time <= 0 || period <= 0 || time / period >= INT_MAX) return INT_MAX; // as many as there are
  return (int)(time / period) + (time % period > 0);
}

// How many processors there are to use; it is asked for once.
static inline int processors(void) {
  static int known;
  int many;
  #pragma omp atomic read
  many = known;
  if (many == 0) {
    const int allowed = quota();
    many = omp_get_num_procs();
    if (many > allowed) many = allowed;
    #pragma omp atomic write
    known = many;
  }
  return many;
}
#endif
#if AT_ONCE

// How many threads do the work of so many: as many as OpenMP is told to have.
static inline int at_once(Index workers) {
  return workers < omp_get_max_threads() ? (int)workers : omp_get_max_threads();
}
#endif
