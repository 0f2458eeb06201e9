/* regions.c: what OpenMP promises, of the OpenMP that `tgc check' links: each iteration once, barriers, critical
 * sections, singles, in whatever order threads begin. regions [broken]: with `broken', a race for a sanitizer to find.
 */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOST = 1000 };

static int complaints;

static void expect(bool condition, const char *what, long n) {
  if (condition) return;
  complaints++;
  printf("%s, of %ld\n", what, n);
}

static void each_once(long n, int threads) {
  static int times[MOST];
  for (long i = 0; i < n; i++) times[i] = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long i = 0; i < n; i++) times[i]++;
  for (long i = 0; i < n; i++) expect(times[i] == 1, "not each iteration once", n);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int i = (int)n; i > 0; i -= 3) times[i - 1]++;
  for (long i = 0; i < n; i++) expect(times[i] == ((n - 1 - i) % 3 ? 1 : 2), "not each third, downwards", n);
}

/* Threads are numbered from 0, and each sees what all did before a barrier. */
static void barriers(int threads) {
  int seen[64] = {0}, size = 0, sum = 0, wrong = 0, singles = 0;
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    seen[me] = 1;
#pragma omp single
    {
      size = omp_get_num_threads();
      singles++;
    }
    for (int round = 2; round < 5; round++) {
      int all = 1;
      for (int i = 0; i < omp_get_num_threads(); i++) all &= seen[i] == round - 1;
      if (!all) {
#pragma omp atomic
        wrong++;
      }
#pragma omp barrier
      seen[me] = round;
#pragma omp barrier
    }
#pragma omp critical(addition)
    sum += me;
  }
  expect(size >= 1 && size <= threads, "a team of another size", threads);
  expect(sum == size * (size - 1) / 2, "numbers that are not 0, 1, ..", threads);
  expect(wrong == 0, "a barrier that not all came to", threads);
  expect(singles == 1, "a single that not one did", threads);
}

static void exclusion(int threads) {
  int count = 0;
  double total = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 200; i++) {
#pragma omp critical
    count = count + 1;
#pragma omp atomic
    total += 0.5;
  }
  expect(count % 200 == 0 && total == count * 0.5, "an addition that is lost", count);
}

static void races(void) {
  int shared = 0;
#pragma omp parallel num_threads(3)
  shared++;
  printf("%d\n", shared > 0);
}

int regions(bool broken);
int regions(bool broken) {
  for (int threads = 1; threads <= 9; threads++) {
    for (long n = 1; n <= 40; n++) each_once(n, threads);
    each_once(MOST, threads);
    barriers(threads);
    exclusion(threads);
  }
  expect(!omp_in_parallel() && omp_get_num_threads() == 1 && omp_get_thread_num() == 0, "no end of a region", 0);
  if (broken) races();
  return complaints;
}
