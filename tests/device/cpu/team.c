/* Threads that ask at the same time how many processors there are: as many as the container may use.
 *
 * mutant: a race: #pragma omp atomic write\n    known => \n    known
 * mutant: a part of one is none: + (time % period > 0) => + 0
 * mutant: whatever is allowed: if (many > allowed) many = allowed; =>
 * mutant: more than there are: workers < omp_get_max_threads() ? (int)workers => workers > 0 ? (int)workers
 */
#define CGROUP "cgroup_of_test"
#include "team.h"

#include <sys/stat.h>

#include "cpu_test.h"

bool test(void) {
  mkdir(CGROUP, 0777);
  FILE *file = fopen(CGROUP "/cpu.max", "w");
  if (!file || fprintf(file, "150000 100000\n") < 0 || fclose(file) != 0) return false;
  int found[4] = {2, 2, 2, 2};
  #pragma omp parallel num_threads(4)
  {
    rest();
    found[omp_get_thread_num()] = processors();
  }
  for (int i = 0; i < 4; i++)
    if (found[i] != 2) return false;
  return omp_get_num_procs() == 4 && at_once(3) == 3 && at_once(100) == 4;
}
