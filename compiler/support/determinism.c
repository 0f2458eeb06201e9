/* determinism.c: the names of what variants promise. */
#include "support/determinism.h"

#include <string.h>

static const char *const names[] = {"not_guaranteed", "run_to_run", "gpu_to_gpu", "sequential"};

const char *determinism_name(Determinism d) { return names[d]; }

bool determinism_by_name(const char *name, Determinism *d) {
  for (*d = DETERMINISM_NOT_GUARANTEED; *d <= DETERMINISM_SEQUENTIAL; ++*d)
    if (strcmp(names[*d], name) == 0) return true;
  return false;
}
