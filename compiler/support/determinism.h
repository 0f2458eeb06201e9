/* determinism.h: what a variant promises of floating results, under CUB's names, least first. */
#ifndef TGC_SUPPORT_DETERMINISM_H
#define TGC_SUPPORT_DETERMINISM_H

#include <stdbool.h>

typedef enum Determinism {
  DETERMINISM_NOT_GUARANTEED, DETERMINISM_RUN_TO_RUN, DETERMINISM_GPU_TO_GPU, DETERMINISM_SEQUENTIAL
} Determinism;

const char *determinism_name(Determinism d); /* "run_to_run" */
/* The one of that name in *d; false: there is none. */
bool determinism_by_name(const char *name, Determinism *d);

#endif
